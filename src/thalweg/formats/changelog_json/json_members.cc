#include "thalweg/formats/changelog_json/json_members.h"

#include <algorithm>
#include <cstring>

#include "thalweg/formats/json/json_walker.h"

namespace thalweg::formats {

bool JsonMembers::index(std::string_view text) {
  members_.clear();
  size_ = text.size();
  if (bytes_.size() < size_ + 1 + JsonIndex::kPadding) {
    bytes_.resize((size_ + 1 + JsonIndex::kPadding) * 2);
  }
  std::copy(text.begin(), text.end(), bytes_.begin());
  bytes_[size_++] = '\n';
  std::memset(bytes_.data() + size_, ' ', JsonIndex::kPadding);
  return index_.run(bytes_.data(), size_).empty();
}

bool JsonMembers::read(std::string_view text) {
  if (!index(text)) {
    return false;
  }
  JsonWalker walker(index_, bytes_.data(), index_.positions(), static_cast<uint32_t>(size_));
  if (!walker.take('{')) {
    return false;
  }
  if (walker.take('}')) {
    return true;
  }
  std::string scratch;
  do {
    std::string_view name;
    Member member;
    if (walker.peek() != '"' || !walker.take_string(scratch, name)) {
      return false;
    }
    member.name = name;
    if (!walker.take(':') || !walker.take_value(member.value)) {
      return false;
    }
    members_.push_back(std::move(member));
  } while (walker.take(','));
  return walker.take('}');
}

bool JsonMembers::read_array(std::string_view text) {
  if (!index(text)) {
    return false;
  }
  JsonWalker walker(index_, bytes_.data(), index_.positions(), static_cast<uint32_t>(size_));
  if (!walker.take('[')) {
    return false;
  }
  if (walker.take(']')) {
    return true;
  }
  do {
    Member member;
    if (!walker.take_value(member.value)) {
      return false;
    }
    members_.push_back(std::move(member));
  } while (walker.take(','));
  return walker.take(']');
}

std::optional<std::string_view> JsonMembers::find(std::string_view name) const {
  for (auto member = members_.rbegin(); member != members_.rend(); ++member) {
    if (member->name == name) {
      return member->value == "null" ? std::nullopt : std::optional(member->value);
    }
  }
  return std::nullopt;
}

std::optional<std::string> JsonMembers::find_text(std::string_view name) const {
  const std::optional<std::string_view> value = find(name);
  if (!value || !value->starts_with('"')) {
    return value ? std::optional(std::string(*value)) : std::nullopt;
  }
  const std::string_view raw = value->substr(1, value->size() - 2);
  std::string text(raw);
  if (raw.find('\\') != std::string_view::npos && !index_.unescape(raw.data(), raw.size(), text)) {
    return std::nullopt;
  }
  return text;
}

bool JsonMembers::has(std::string_view name) const {
  for (const Member& member : members_) {
    if (member.name == name) {
      return true;
    }
  }
  return false;
}

}  // namespace thalweg::formats
