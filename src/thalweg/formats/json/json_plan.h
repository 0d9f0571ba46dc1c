#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "thalweg/types/data_type.h"

namespace thalweg::formats {

/// A member that was seen in a record, and where it goes.
class JsonMember {
 public:
  /// `field`: the index of the field, or -1 when nobody wants it. Names with quotes or escapes
  /// never match again.
  JsonMember(std::string_view name, int32_t field);

  int32_t field() const { return field_; }

  /// True when this name and a quote stand at `text`, of which 16 bytes can be read.
  bool matches(const char* text) const {
    uint64_t words[2];
    std::memcpy(words, text, sizeof(words));
    if ((((words[0] ^ words_[0]) & masks_[0]) | ((words[1] ^ words_[1]) & masks_[1])) != 0) {
      return false;
    }
    return rest_.empty() || std::memcmp(text + sizeof(words), rest_.data(), rest_.size()) == 0;
  }

 private:
  int32_t field_;
  uint64_t words_[2] = {};
  uint64_t masks_[2] = {};
  /// What goes beyond the two words.
  std::string rest_;
};

/// One type's way from JSON, with those of its children. The members seen last are remembered in
/// order: records of a topic mostly look alike, so the next key is found by one comparison.
class JsonPlan {
 public:
  explicit JsonPlan(const DataType& type);

  const DataType& type() const { return type_; }

  TypeKind kind() const { return kind_; }

  JsonPlan& child(size_t index) { return children_[index]; }

  /// The field of the `position`-th member, whose key stands at `text`; -2 when it is another than
  /// last time.
  int32_t guess(size_t position, const char* text) const {
    return position < layout_.size() && layout_[position].matches(text) ? layout_[position].field()
                                                                        : -2;
  }

  /// Looks the name up, and remembers it for the next record.
  int32_t find(size_t position, std::string_view name);

  /// An object was read to its end.
  void end_object(size_t members) { last_size_ = members; }

  /// Those of the object read last; none when they are too many to remember.
  std::span<const JsonMember> last_members() const {
    return last_size_ > layout_.size() ? std::span<const JsonMember>()
                                       : std::span(layout_).first(last_size_);
  }

 private:
  DataType type_;
  TypeKind kind_;
  std::vector<JsonPlan> children_;
  std::unordered_map<std::string, int32_t> fields_;
  std::vector<JsonMember> layout_;
  size_t last_size_ = 0;
};

/// True when a DECIMAL is in the type: Jackson's trees keep exact numbers then.
bool has_decimal(const DataType& type);

}  // namespace thalweg::formats
