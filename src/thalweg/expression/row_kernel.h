#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "thalweg/expression/scalar_function.h"
#include "thalweg/types/column.h"

/// How most scalar functions are written: a lambda over the values of one row, compiled into a loop
/// over columns. NULL arguments give NULL without calling it; constant columns are not expanded.
///
///   row_kernel<double, double>(type, [](double x) { return std::sqrt(x); });
///
/// The lambda may ask for a RowFault& (to fail the row) and a std::string& (to write a text result
/// into; it then returns nothing, or false for NULL) before its arguments. It may return an
/// optional, whose nullopt is NULL. A string_view result must lie in an argument or live for ever.
namespace thalweg::expression {

/// Fails the row that a lambda works on.
class RowFault {
 public:
  RowFault(RowErrors& errors, int32_t row) : errors_(errors), row_(row) {}

  void raise(Error error) { errors_.add(row_, std::move(error)); }

  void set_row(int32_t row) { row_ = row; }

 private:
  RowErrors& errors_;
  int32_t row_;
};

/// What a value of T is stored as in a column.
template <typename T>
struct Stored {
  using Type = T;
};

template <>
struct Stored<bool> {
  using Type = uint8_t;
};

template <>
struct Stored<std::string_view> {
  using Type = StringView;
};

/// Reads a column's values as T, constant or not.
template <typename T>
class Argument {
 public:
  explicit Argument(const Column& column)
      : data_(column.values<typename Stored<T>::Type>().data()),
        mask_(column.is_constant() ? 0 : ~size_t{0}) {}

  T operator[](int32_t row) const {
    const auto& stored = data_[static_cast<size_t>(row) & mask_];
    if constexpr (std::is_same_v<T, std::string_view>) {
      return stored.view();
    } else if constexpr (std::is_same_v<T, bool>) {
      return stored != 0;
    } else {
      return stored;
    }
  }

 private:
  const typename Stored<T>::Type* data_;
  size_t mask_;
};

/// A column for the results of strict functions of `arguments`: constant when all are, NULL where
/// any is.
MutableColumnPtr make_strict_result(const DataType& type,
                                    std::span<const ColumnPtr> arguments,
                                    int32_t rows);
/// Lets every row fail as the one stored row of a constant result did.
void repeat_constant_failure(const RowErrors& one, int32_t rows, RowErrors& errors);

namespace detail {

template <typename T>
struct IsOptional : std::false_type {};

template <typename T>
struct IsOptional<std::optional<T>> : std::true_type {};

template <typename T>
void store(Column& result, int32_t row, const T& value) {
  const auto at = static_cast<size_t>(row);
  if constexpr (std::is_same_v<T, std::string_view>) {
    result.mutable_values<StringView>()[at] = StringView(value);
  } else if constexpr (std::is_same_v<T, bool>) {
    result.mutable_values<uint8_t>()[at] = value ? 1 : 0;
  } else {
    result.mutable_values<T>()[at] = value;
  }
}

/// Stores what the lambda returned as `Out`.
template <typename Out, typename Returned>
void store_returned(Column& result, int32_t row, const Returned& returned) {
  if constexpr (IsOptional<Returned>::value) {
    if (returned) {
      store<Out>(result, row, static_cast<Out>(*returned));
    } else {
      result.set_null(row);
    }
  } else {
    store<Out>(result, row, static_cast<Out>(returned));
  }
}

template <typename F, typename... In>
inline constexpr bool kWritesText = std::is_invocable_v<F, std::string&, In...> ||
                                    std::is_invocable_v<F, RowFault&, std::string&, In...>;

template <typename F, typename... In>
decltype(auto) invoke_text(F& f, RowFault& fault, std::string& text, const In&... in) {
  if constexpr (std::is_invocable_v<F&, RowFault&, std::string&, In...>) {
    return f(fault, text, in...);
  } else {
    return f(text, in...);
  }
}

template <typename F, typename... In>
decltype(auto) invoke_plain(F& f, RowFault& fault, const In&... in) {
  if constexpr (std::is_invocable_v<F&, RowFault&, In...>) {
    return f(fault, in...);
  } else {
    return f(in...);
  }
}

template <typename Out, typename F, typename... In>
void evaluate_row(
    F& f, RowFault& fault, std::string& text, Column& result, int32_t row, const In&... in) {
  if constexpr (std::is_same_v<Out, std::string_view> && kWritesText<F, In...>) {
    text.clear();
    using Returned = decltype(invoke_text(f, fault, text, in...));
    bool valid = true;
    if constexpr (std::is_void_v<Returned>) {
      invoke_text(f, fault, text, in...);
    } else {
      valid = invoke_text(f, fault, text, in...);
    }
    if (valid) {
      result.mutable_values<StringView>()[static_cast<size_t>(row)] = result.heap().add(text);
    } else {
      result.set_null(row);
    }
  } else {
    store_returned<Out>(result, row, invoke_plain(f, fault, in...));
  }
}

template <typename Out, typename F, typename... In>
void evaluate_rows(
    F& f, Column& result, std::string& text, RowErrors& errors, const Argument<In>&... arguments) {
  const int32_t rows = result.stored_size();
  RowFault fault(errors, 0);
  const bool may_skip = result.may_have_nulls();
  for (int32_t row = 0; row < rows; ++row) {
    if (may_skip && result.is_null(row)) {
      continue;
    }
    fault.set_row(row);
    evaluate_row<Out>(f, fault, text, result, row, arguments[row]...);
  }
}

}  // namespace detail

template <typename Out, typename... In, typename F, size_t... Index>
ColumnPtr map_rows_indexed(std::span<const ColumnPtr> arguments,
                           int32_t rows,
                           const DataType& type,
                           RowErrors& errors,
                           F& f,
                           std::index_sequence<Index...>) {
  MutableColumnPtr result = make_strict_result(type, arguments, rows);
  std::string text;
  if (result->is_constant()) {
    RowErrors one;
    detail::evaluate_rows<Out>(f, *result, text, one, Argument<In>(*arguments[Index])...);
    repeat_constant_failure(one, rows, errors);
  } else {
    detail::evaluate_rows<Out>(f, *result, text, errors, Argument<In>(*arguments[Index])...);
  }
  if constexpr (std::is_same_v<Out, std::string_view> && !detail::kWritesText<F, In...>) {
    for (const ColumnPtr& argument : arguments) {
      result->share_storage(*argument);
    }
  }
  return result;
}

/// Calls `f` for each row where no argument is NULL.
template <typename Out, typename... In, typename F>
ColumnPtr map_rows(std::span<const ColumnPtr> arguments,
                   int32_t rows,
                   const DataType& type,
                   RowErrors& errors,
                   F&& f) {
  return map_rows_indexed<Out, In...>(
      arguments, rows, type, errors, f, std::index_sequence_for<In...>{});
}

/// As map_rows, for a function that no value makes fail: runs over values under NULL too, so the
/// loop has no branch.
template <typename Out, typename In, typename F>
ColumnPtr map_total(std::span<const ColumnPtr> arguments,
                    int32_t rows,
                    const DataType& type,
                    F&& f) {
  MutableColumnPtr result = make_strict_result(type, arguments, rows);
  const auto* in = arguments[0]->values<typename Stored<In>::Type>().data();
  auto* out = result->mutable_values<typename Stored<Out>::Type>().data();
  const auto stored = static_cast<size_t>(result->stored_size());
  for (size_t i = 0; i < stored; ++i) {
    out[i] = f(in[i]);
  }
  return result;
}

template <typename Out, typename Left, typename Right, typename F>
ColumnPtr map_total(std::span<const ColumnPtr> arguments,
                    int32_t rows,
                    const DataType& type,
                    F&& f) {
  MutableColumnPtr result = make_strict_result(type, arguments, rows);
  const auto* left = arguments[0]->values<typename Stored<Left>::Type>().data();
  const auto* right = arguments[1]->values<typename Stored<Right>::Type>().data();
  auto* out = result->mutable_values<typename Stored<Out>::Type>().data();
  const auto stored = static_cast<size_t>(result->stored_size());
  if (arguments[0]->is_constant() && stored > 0) {
    const auto value = left[0];
    const size_t step = arguments[1]->is_constant() ? 0 : 1;
    for (size_t i = 0; i < stored; ++i) {
      out[i] = f(value, right[i * step]);
    }
  } else if (arguments[1]->is_constant() && stored > 0) {
    const auto value = right[0];
    for (size_t i = 0; i < stored; ++i) {
      out[i] = f(left[i], value);
    }
  } else {
    for (size_t i = 0; i < stored; ++i) {
      out[i] = f(left[i], right[i]);
    }
  }
  return result;
}

/// Holds a lambda and runs it with map_rows.
template <typename Out, typename F, typename... In>
class RowKernel final : public ScalarKernel {
 public:
  RowKernel(DataType type, F f) : type_(std::move(type)), f_(std::move(f)) {}

  ColumnPtr evaluate(std::span<const ColumnPtr> arguments,
                     int32_t rows,
                     const EvaluationContext&,
                     RowErrors& errors) override {
    return map_rows<Out, In...>(arguments, rows, type_, errors, f_);
  }

 private:
  DataType type_;
  F f_;
};

template <typename Out, typename... In, typename F>
std::unique_ptr<ScalarKernel> row_kernel(DataType type, F f) {
  return std::make_unique<RowKernel<Out, F, In...>>(std::move(type), std::move(f));
}

/// A kernel made of a function over whole columns.
template <typename F>
class ColumnKernel final : public ScalarKernel {
 public:
  explicit ColumnKernel(F f) : f_(std::move(f)) {}

  ColumnPtr evaluate(std::span<const ColumnPtr> arguments,
                     int32_t rows,
                     const EvaluationContext& context,
                     RowErrors& errors) override {
    return f_(arguments, rows, context, errors);
  }

 private:
  F f_;
};

/// `f(arguments, rows, context, errors) -> ColumnPtr`.
template <typename F>
std::unique_ptr<ScalarKernel> column_kernel(F f) {
  return std::make_unique<ColumnKernel<F>>(std::move(f));
}

}  // namespace thalweg::expression
