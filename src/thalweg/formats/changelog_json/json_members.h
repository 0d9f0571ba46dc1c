#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "thalweg/formats/json/json_index.h"

namespace thalweg::formats {

/// The members of one JSON object as they are written, without looking into them. Keeps its
/// memory between records; one owner, one thread.
class JsonMembers {
 public:
  struct Member {
    std::string name;
    /// The value's text; valid until the next read.
    std::string_view value;
  };

  /// Takes an object apart; false when `text` is none.
  bool read(std::string_view text);
  /// Takes an array apart: members without names; false when `text` is none.
  bool read_array(std::string_view text);

  const std::vector<Member>& members() const { return members_; }

  /// The value of a member, of equal ones the last; nullopt when it is missing or null.
  std::optional<std::string_view> find(std::string_view name) const;
  /// As find; the characters of a string, other values as they are written.
  std::optional<std::string> find_text(std::string_view name) const;
  bool has(std::string_view name) const;

 private:
  bool index(std::string_view text);

  std::vector<char> bytes_;
  size_t size_ = 0;
  JsonIndex index_;
  std::vector<Member> members_;
};

}  // namespace thalweg::formats
