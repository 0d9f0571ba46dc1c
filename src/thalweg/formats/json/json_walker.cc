#include "thalweg/formats/json/json_walker.h"

#include "thalweg/formats/json/json_text.h"

namespace thalweg::formats {

namespace {

constexpr int kMaxDepth = 1000;

}  // namespace

bool JsonWalker::skip_value() {
  return skip_nested(0);
}

bool JsonWalker::take_value(std::string_view& raw) {
  const char* const begin = pointer();
  if (!skip_value()) {
    return false;
  }
  // The token before the next one ends the value.
  const char* end = text_ + (*at_ < limit_ ? *at_ : limit_);
  while (static_cast<unsigned char>(end[-1]) <= ' ') {
    --end;
  }
  raw = {begin, static_cast<size_t>(end - begin)};
  return true;
}

bool JsonWalker::skip_nested(int depth) {
  switch (peek()) {
    case '\0':
      return false;
    case '{':
      ++at_;
      return depth < kMaxDepth && skip_members(depth);
    case '[':
      ++at_;
      return depth < kMaxDepth && skip_elements(depth);
    case '"':
      take_raw_string();
      return true;
    default:
      return is_json_scalar(take_scalar());
  }
}

bool JsonWalker::skip_members(int depth) {
  if (take('}')) {
    return true;
  }
  do {
    if (peek() != '"') {
      return false;
    }
    take_raw_string();
    if (!take(':') || !skip_nested(depth + 1)) {
      return false;
    }
  } while (take(','));
  return take('}');
}

bool JsonWalker::skip_elements(int depth) {
  if (take(']')) {
    return true;
  }
  do {
    if (!skip_nested(depth + 1)) {
      return false;
    }
  } while (take(','));
  return take(']');
}

}  // namespace thalweg::formats
