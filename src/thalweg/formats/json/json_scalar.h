#pragma once

#include <string>
#include <string_view>

#include "thalweg/formats/json/json_options.h"
#include "thalweg/types/column_builder.h"

namespace thalweg::formats {

/// What became of one value.
enum class JsonOutcome : uint8_t {
  kDone,
  /// JSON, but not what the column's type takes: NULL when errors are ignored.
  kUnfit,
  /// Not JSON: the record is lost.
  kBroken,
};

/// Appends the text of a string, a number or a word, as the column's type reads it.
JsonOutcome append_json_text(std::string_view text,
                             const JsonOptions& options,
                             ColumnBuilder& builder);

/// Appends a token that is neither string, null nor nested.
JsonOutcome append_json_token(std::string_view token,
                              const JsonOptions& options,
                              ColumnBuilder& builder);

}  // namespace thalweg::formats
