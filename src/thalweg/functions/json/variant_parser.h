#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "thalweg/functions/json/json_cursor.h"
#include "thalweg/types/variant_builder.h"

namespace thalweg::functions {

/// Turns JSON texts into variants: whole numbers in the smallest integer type that holds them,
/// others as decimals of up to 38 digits, those with an exponent or more digits as doubles. Keeps
/// its memory from text to text; one owner, one thread.
class VariantParser {
 public:
  enum class Outcome : uint8_t { kDone, kNotJson, kRepeatedKey, kTooLong };

  /// Appends the variant to `out`. Of fields with one name the last stays, or there is none.
  Outcome parse(std::string_view json, bool allow_duplicate_keys, std::string& out);

 private:
  bool value(JsonCursor& cursor, int depth);
  bool object(JsonCursor& cursor, int depth);
  bool array(JsonCursor& cursor, int depth);
  bool text(JsonCursor& cursor);
  bool number(JsonCursor& cursor);

  variant::Builder builder_;
  /// Of all containers that are open, one behind the other.
  std::vector<variant::Builder::Entry> entries_;
  /// Of a text with escapes.
  std::string buffer_;
  bool keeps_last_ = false;
  bool has_repeated_key_ = false;
};

}  // namespace thalweg::functions
