// The input as a variant in its binary form: every part of it can be reached or is refused. And as
// JSON: what it is printed as is parsed, and printed the same from then on.
#include "thalweg/common/error.h"
#include "thalweg/functions/json/variant_parser.h"
#include "thalweg/types/variant.h"

namespace {

using thalweg::functions::VariantParser;
using thalweg::variant::Kind;
using thalweg::variant::View;

void walk(std::string_view bytes) {
  const View view(bytes);
  std::string out;
  view.append_json(out);
  std::optional<View> part;
  if (view.kind() == Kind::kObject) {
    part = view.field("a");
  } else if (view.kind() == Kind::kArray) {
    part = view.element(0);
  }
  if (part) {
    std::string alone;
    part->append_to(alone);
    std::string inside;
    part->append_json(inside);
    out.clear();
    View(alone).append_json(out);
    if (out != inside) {
      __builtin_trap();
    }
  }
}

std::string printed(const std::string& variant) {
  std::string text;
  View(variant).append_json(text);
  return text;
}

std::string reparsed(const std::string& json) {
  VariantParser parser;
  std::string variant;
  if (parser.parse(json, false, variant) != VariantParser::Outcome::kDone) {
    __builtin_trap();
  }
  return printed(variant);
}

void round_trip(std::string_view json) {
  VariantParser parser;
  std::string variant;
  if (parser.parse(json, true, variant) != VariantParser::Outcome::kDone) {
    return;
  }
  const std::string text = printed(variant);
  if (text.find("Infinity") != std::string::npos) {
    return;  // a number too large for a double, which has no JSON form
  }
  // A double such as 1e2 is printed as 100.0, which is a decimal.
  const std::string again = reparsed(text);
  if (reparsed(again) != again) {
    __builtin_trap();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  try {
    walk(input);
  } catch (const thalweg::Error&) {
    // Refused.
  }
  round_trip(input);
  return 0;
}
