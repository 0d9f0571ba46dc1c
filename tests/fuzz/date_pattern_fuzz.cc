// "pattern\ntext": a date pattern compiles or not, parses the text or not, and formats what it
// parsed.
#include <string>

#include "thalweg/functions/time/java_date_pattern.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace thalweg::functions;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::string_view pattern = input.substr(0, input.find('\n'));
  const std::string_view text = input.substr(std::min(pattern.size() + 1, input.size()));
  for (const PatternStyle style : {PatternStyle::kFormatter, PatternStyle::kSimple}) {
    const auto compiled = JavaDatePattern::compile(pattern, style);
    if (!compiled) {
      continue;
    }
    std::string out;
    compiled->format(out, compiled->parse(text).value_or(PatternTime{}));
    compiled->resolution_ms();
  }
  return 0;
}
