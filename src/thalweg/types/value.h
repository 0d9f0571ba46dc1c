#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "thalweg/types/column.h"
#include "thalweg/types/data_type.h"

namespace thalweg {

struct Value;
using ValueList = std::vector<Value>;

/// One value on its own, for literals, options, tests and the Python edge; never in a per-row loop.
/// The DataType that gives it meaning is kept beside it. Held in its physical form: integers of all
/// widths, dates, times and short timestamps as int64_t; decimals (unscaled) and long timestamps
/// (nanoseconds) as Int128; FLOAT and DOUBLE as double; text and bytes as std::string; ARRAY and
/// ROW as a list of values; MAP and MULTISET as a list that alternates key and value.
struct Value {
  std::variant<std::monostate,
               bool,
               int64_t,
               Int128,
               double,
               std::string,
               std::shared_ptr<const ValueList>>
      data;

  Value() = default;

  explicit Value(bool value) : data(value) {}

  explicit Value(int64_t value) : data(value) {}

  explicit Value(Int128 value) : data(value) {}

  explicit Value(double value) : data(value) {}

  explicit Value(std::string value) : data(std::move(value)) {}

  explicit Value(ValueList values) : data(std::make_shared<const ValueList>(std::move(values))) {}

  bool is_null() const { return data.index() == 0; }

  const ValueList& list() const { return *std::get<std::shared_ptr<const ValueList>>(data); }

  bool operator==(const Value& other) const;
};

/// The value at `row`.
Value value_at(const Column& column, int32_t row);

/// A constant column of `size` rows.
ColumnPtr constant_column(const DataType& type, const Value& value, int32_t size);

}  // namespace thalweg
