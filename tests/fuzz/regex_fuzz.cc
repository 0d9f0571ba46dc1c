// "pattern\nsubject": a Java pattern is translated and matched, or refused.
#include <string>

#include "thalweg/functions/regex/java_pattern.h"
#include "thalweg/functions/regex/regex.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace thalweg::functions;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::string_view pattern = input.substr(0, input.find('\n'));
  const std::string_view subject = input.substr(std::min(pattern.size() + 1, input.size()));
  std::string similar;
  similar_to_regex(pattern, "\\", similar);
  const auto regex = Regex::compile(pattern);
  if (regex == nullptr) {
    return 0;
  }
  constexpr int kMaxMatches = 100;
  size_t start = 0;
  for (int i = 0; i < kMaxMatches && start <= subject.size() && regex->find(subject, start); ++i) {
    for (int32_t group = 0; group <= regex->group_count(); ++group) {
      regex->group(group);
    }
    start = regex->next_start();
  }
  return 0;
}
