#pragma once

#include "thalweg/functions/building_kernel.h"
#include "thalweg/functions/simple_function.h"
#include "thalweg/types/column_operations.h"

/// What the functions of arrays share.
namespace thalweg::functions {

/// The rows of an array's child that one row holds.
struct Elements {
  const Column& values;
  int32_t begin;
  int32_t end;

  int32_t size() const { return end - begin; }

  /// Where an equal element is first, or -1. NULL equals NULL.
  int32_t find(const Column& needle, int32_t row) const {
    if (values.type().physical() == PhysicalKind::kInt64 && !values.may_have_nulls() &&
        !needle.is_null(row)) {
      return find_integer(values.values<int64_t>().data(), needle.at<int64_t>(row));
    }
    for (int32_t i = begin; i < end; ++i) {
      if (equal_values(values, i, needle, row)) {
        return i;
      }
    }
    return -1;
  }

  int32_t find_integer(const int64_t* data, int64_t wanted) const {
    for (int32_t i = begin; i < end; ++i) {
      if (data[i] == wanted) {
        return i;
      }
    }
    return -1;
  }
};

inline Elements elements_of(const Column& array, int32_t row) {
  return {*array.child(0), array.list_begin(row), array.list_end(row)};
}

/// Appends one row's result.
using ArrayBody = void (*)(std::span<const ColumnPtr>, int32_t, ColumnBuilder&);

inline expression::ScalarFunction building(Documentation documentation,
                                           Bind bind,
                                           bool is_strict,
                                           ArrayBody body) {
  expression::ScalarFunction function = documented(std::move(documentation), std::move(bind));
  function.is_infallible = true;
  function.make_kernel = [is_strict, body](const Signature& signature,
                                           std::span<const BoundArgument>) {
    return building_kernel(signature.result, is_strict, body);
  };
  return function;
}

}  // namespace thalweg::functions
