#include "thalweg/formats/json/json_index.h"

#include <algorithm>

// The one file that includes simdjson: its header costs seconds to compile.
#include <simdjson.h>

#include "thalweg/common/check.h"

namespace thalweg::formats {

namespace {

constexpr size_t kDepth = 64;  // of simdjson's second stage, which is not used
constexpr size_t kLeastCapacity = size_t{1} << 16U;

std::string_view describe(simdjson::error_code error) {
  switch (error) {
    case simdjson::SUCCESS:
      return {};
    case simdjson::UNCLOSED_STRING:
      return "Unexpected end-of-input in a string.";
    case simdjson::UNESCAPED_CHARS:
      return "Illegal unquoted control character in a string.";
    case simdjson::UTF8_ERROR:
      return "Invalid UTF-8.";
    case simdjson::EMPTY:
      return "No content to map due to end-of-input.";
    default:
      return "Unexpected end-of-input.";
  }
}

}  // namespace

struct JsonIndex::Implementation {
  std::unique_ptr<simdjson::internal::dom_parser_implementation> parser;
};

JsonIndex::JsonIndex() : implementation_(std::make_unique<Implementation>()) {
  const auto error = simdjson::get_active_implementation()->create_dom_parser_implementation(
      kLeastCapacity, kDepth, implementation_->parser);
  check(error == simdjson::SUCCESS, "no JSON parser");
}

JsonIndex::~JsonIndex() = default;

std::string_view JsonIndex::run(const char* text, size_t length) {
  auto& parser = *implementation_->parser;
  if (parser.capacity() < length) {
    const auto error = parser.set_capacity(std::max(length * 2, kLeastCapacity));
    check(error == simdjson::SUCCESS, "a JSON record that is too long");
  }
  return describe(parser.stage1(
      reinterpret_cast<const uint8_t*>(text), length, simdjson::stage1_mode::regular));
}

const uint32_t* JsonIndex::positions() const {
  return implementation_->parser->structural_indexes.get();
}

bool JsonIndex::unescape(const char* text, size_t raw_length, std::string& out) const {
  out.resize(raw_length + simdjson::SIMDJSON_PADDING);
  auto* const begin = reinterpret_cast<uint8_t*>(out.data());
  const uint8_t* const end =
      implementation_->parser->parse_string(reinterpret_cast<const uint8_t*>(text), begin);
  if (end == nullptr) {
    return false;
  }
  out.resize(static_cast<size_t>(end - begin));
  return true;
}

}  // namespace thalweg::formats
