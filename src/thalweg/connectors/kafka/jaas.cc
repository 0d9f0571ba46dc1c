#include "thalweg/connectors/kafka/jaas.h"

#include <cctype>

#include "thalweg/common/error.h"

namespace thalweg::connectors::kafka {
namespace {

[[noreturn]] void fail(const std::string& what) {
  throw Error(ErrorCode::kInvalidOption,
              "Invalid value for option 'properties.sasl.jaas.config': " + what)
      .hint(
          "write: org.apache.kafka.common.security.plain.PlainLoginModule required "
          "username=\"...\" "
          "password=\"...\";");
}

/// Reads words, '=' and ';' of a JAAS entry; a word may be in double or single quotes with
/// backslash escapes.
class JaasScanner {
 public:
  explicit JaasScanner(std::string_view text) : text_(text) {}

  void skip_space() {
    while (next_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[next_])) != 0) {
      ++next_;
    }
  }

  bool take(char wanted) {
    skip_space();
    if (next_ < text_.size() && text_[next_] == wanted) {
      ++next_;
      return true;
    }
    return false;
  }

  bool at_end() {
    skip_space();
    return next_ == text_.size();
  }

  std::string word() {
    skip_space();
    if (next_ < text_.size() && (text_[next_] == '"' || text_[next_] == '\'')) {
      return quoted(text_[next_++]);
    }
    const size_t begin = next_;
    while (next_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[next_])) == 0 &&
           text_[next_] != '=' && text_[next_] != ';') {
      ++next_;
    }
    return std::string(text_.substr(begin, next_ - begin));
  }

 private:
  std::string quoted(char quote) {
    std::string result;
    while (next_ < text_.size() && text_[next_] != quote) {
      if (text_[next_] == '\\' && next_ + 1 < text_.size()) {
        ++next_;
      }
      result += text_[next_++];
    }
    if (next_ == text_.size()) {
      fail("a quote is not closed");
    }
    ++next_;
    return result;
  }

  std::string_view text_;
  size_t next_ = 0;
};

}  // namespace

JaasEntry parse_jaas(std::string_view text) {
  JaasScanner scanner(text);
  JaasEntry entry;
  entry.login_module = scanner.word();
  if (entry.login_module.empty()) {
    fail("it does not begin with a login module");
  }
  const std::string flag = scanner.word();
  if (flag != "required" && flag != "requisite" && flag != "sufficient" && flag != "optional") {
    fail("the word after the login module must be 'required'");
  }
  while (!scanner.take(';')) {
    if (scanner.at_end()) {
      fail("it does not end with ';'");
    }
    const std::string key = scanner.word();
    if (key.empty() || !scanner.take('=')) {
      fail("'" + key + "' is not followed by '='");
    }
    entry.options[key] = scanner.word();
  }
  return entry;
}

}  // namespace thalweg::connectors::kafka
