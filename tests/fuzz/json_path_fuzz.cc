// "path\ndocument": both parse or not; what a path finds can be walked.
#include "thalweg/functions/json/json_path.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace thalweg::functions;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::string_view text = input.substr(0, input.find('\n'));
  const auto document = parse_json(input.substr(std::min(text.size() + 1, input.size())));
  const auto path = JsonPath::compile(text);
  if (path && document) {
    path->evaluate(*document);
  }
  return 0;
}
