#include <doctest/doctest.h>

#include "functions/evaluate.h"

namespace thalweg::functions {

TEST_CASE("the examples in the reference are true") {
  for (const std::string& name : registry().names()) {
    const auto function = registry().find_scalar(name);
    if (function == nullptr) {
      continue;
    }
    for (const std::string& example : function->examples) {
      const size_t arrow = example.find(" -> ");
      REQUIRE(arrow != std::string::npos);
      const std::string expected = example.substr(arrow + 4);
      CHECK_MESSAGE(evaluate_sql(example.substr(0, arrow)) == expected,
                    example << "; got " << evaluate_sql(example.substr(0, arrow)));
    }
  }
}

TEST_CASE("every function says what it does") {
  for (const std::string& name : registry().names()) {
    const auto function = registry().find_scalar(name);
    if (function != nullptr) {
      CHECK_MESSAGE(!function->description.empty(), name);
      CHECK_MESSAGE(!function->forms.empty(), name);
    }
  }
}

}  // namespace thalweg::functions
