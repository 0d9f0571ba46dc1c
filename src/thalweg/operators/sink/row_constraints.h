#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "thalweg/stream/sink_constraints.h"
#include "thalweg/types/column.h"

namespace thalweg::operators {

/// How a value breaks its column's type.
struct Breach {
  /// A NULL in a NOT NULL column; else a wrong length.
  bool is_null = false;
  /// The column, with the way to the value inside it: r.x, a[0], m[value].x.
  std::string column;
  /// The type with its length.
  DataType type;
  int64_t length = 0;
};

/// The first breach in row `row` of `columns`, looked for in Flink's order: NULLs, texts, bytes,
/// then inside rows, arrays and maps as far as the constraints say.
std::optional<Breach> find_breach(const std::vector<Field>& fields,
                                  std::span<const ColumnPtr> columns,
                                  int32_t row,
                                  const stream::SinkConstraints& constraints);

/// True when a value of the type can break it.
bool can_breach(const DataType& type, const stream::SinkConstraints& constraints);

/// The type that a value may have in truth: texts and bytes of any length, inside rows where the
/// constraints look there. The same type when nothing is to be cut or filled.
DataType unlimited(const DataType& type, stream::SinkConstraints::Nested nested);

}  // namespace thalweg::operators
