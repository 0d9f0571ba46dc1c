#include "thalweg/formats/json/json_plan.h"

namespace thalweg::formats {

namespace {

/// Objects used as maps have no layout worth remembering.
constexpr size_t kLongestLayout = 1000;

}  // namespace

JsonMember::JsonMember(std::string_view name, int32_t field) : field_(field) {
  const std::string key = std::string(name) + '"';
  const size_t head = std::min(key.size(), sizeof(words_));
  std::memcpy(words_, key.data(), head);
  std::memset(masks_, 0xFF, head);
  rest_ = key.substr(head);
  if (name.find_first_of("\"\\") != std::string_view::npos) {
    // Such a name stands there in another spelling; no text starts with these bytes.
    words_[0] = 0;
    masks_[0] = ~uint64_t{0};
  }
}

JsonPlan::JsonPlan(const DataType& type) : type_(type), kind_(type.kind()) {
  children_.reserve(type.child_count());
  for (size_t i = 0; i < type.child_count(); ++i) {
    children_.emplace_back(type.child(i));
    if (kind_ == TypeKind::kRow) {
      fields_[type.fields()[i].name] = static_cast<int32_t>(i);
    }
  }
}

int32_t JsonPlan::find(size_t position, std::string_view name) {
  const auto found = fields_.find(std::string(name));
  const int32_t field = found == fields_.end() ? -1 : found->second;
  if (position < layout_.size()) {
    layout_[position] = JsonMember(name, field);
  } else if (position == layout_.size() && position < kLongestLayout) {
    layout_.emplace_back(name, field);
  }
  return field;
}

bool has_decimal(const DataType& type) {
  if (type.kind() == TypeKind::kDecimal) {
    return true;
  }
  for (size_t i = 0; i < type.child_count(); ++i) {
    if (has_decimal(type.child(i))) {
      return true;
    }
  }
  return false;
}

}  // namespace thalweg::formats
