#pragma once

#include <cstdint>

namespace thalweg::stream {

/// What becomes of rows that are not what a sink's columns are declared to be: the options
/// table.exec.sink.not-null-enforcer, .type-length-enforcer and .nested-constraint-enforcer.
struct SinkConstraints {
  enum class NotNull : uint8_t { kError, kDrop };
  /// CHAR, VARCHAR, BINARY and VARBINARY.
  enum class Length : uint8_t { kIgnore, kTrimPad, kError };
  /// How deep into columns the other two look.
  enum class Nested : uint8_t { kIgnore, kRows, kRowsAndCollections };

  NotNull not_null = NotNull::kError;
  Length length = Length::kIgnore;
  Nested nested = Nested::kIgnore;
};

}  // namespace thalweg::stream
