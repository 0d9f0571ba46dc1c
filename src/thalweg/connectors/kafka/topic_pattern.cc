#include "thalweg/connectors/kafka/topic_pattern.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <array>

#include <pcre2.h>

#include "thalweg/common/error.h"

namespace thalweg::connectors::kafka {

struct TopicPattern::Code {
  explicit Code(pcre2_code* compiled) : regex(compiled) {}

  ~Code() { pcre2_code_free(regex); }

  Code(const Code&) = delete;
  Code& operator=(const Code&) = delete;

  pcre2_code* regex;
};

TopicPattern::TopicPattern(const std::string& pattern) {
  int error = 0;
  PCRE2_SIZE place = 0;
  pcre2_code* compiled = pcre2_compile(reinterpret_cast<PCRE2_SPTR>(pattern.data()),
                                       pattern.size(),
                                       PCRE2_ANCHORED | PCRE2_ENDANCHORED,
                                       &error,
                                       &place,
                                       nullptr);
  if (compiled == nullptr) {
    std::array<unsigned char, 128> text{};
    pcre2_get_error_message(error, text.data(), text.size());
    throw Error(ErrorCode::kInvalidOption,
                "Invalid value for option 'topic-pattern': '" + pattern +
                    "': " + reinterpret_cast<const char*>(text.data()) + " at character " +
                    std::to_string(place + 1));
  }
  code_ = std::make_shared<const Code>(compiled);
}

bool TopicPattern::matches(const std::string& topic) const {
  pcre2_match_data* match = pcre2_match_data_create_from_pattern(code_->regex, nullptr);
  const int found = pcre2_match(
      code_->regex, reinterpret_cast<PCRE2_SPTR>(topic.data()), topic.size(), 0, 0, match, nullptr);
  pcre2_match_data_free(match);
  return found >= 0;
}

}  // namespace thalweg::connectors::kafka
