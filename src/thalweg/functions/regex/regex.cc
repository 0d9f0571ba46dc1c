#define PCRE2_CODE_UNIT_WIDTH 8
#include "thalweg/functions/regex/regex.h"

#include <pcre2.h>

#include "thalweg/expression/utf8.h"
#include "thalweg/functions/regex/java_pattern.h"

namespace thalweg::functions {

struct Regex::Code {
  pcre2_code* code = nullptr;
  pcre2_match_data* match = nullptr;

  ~Code() {
    pcre2_match_data_free(match);
    pcre2_code_free(code);
  }
};

Regex::Regex(std::unique_ptr<Code> code) : code_(std::move(code)) {}

Regex::~Regex() = default;

std::shared_ptr<Regex> Regex::compile(std::string_view java_pattern) {
  const std::string pattern = translate_java_pattern(java_pattern);
  int error = 0;
  PCRE2_SIZE offset = 0;
  pcre2_compile_context* context = pcre2_compile_context_create(nullptr);
  pcre2_set_newline(context, PCRE2_NEWLINE_ANY);
  auto code = std::make_unique<Code>();
  code->code = pcre2_compile(reinterpret_cast<PCRE2_SPTR>(pattern.data()),
                             pattern.size(),
                             PCRE2_UTF | PCRE2_MATCH_INVALID_UTF,
                             &error,
                             &offset,
                             context);
  pcre2_compile_context_free(context);
  if (code->code == nullptr) {
    return nullptr;
  }
  // Without JIT support the interpreter runs instead.
  pcre2_jit_compile(code->code, PCRE2_JIT_COMPLETE);
  code->match = pcre2_match_data_create_from_pattern(code->code, nullptr);
  return std::shared_ptr<Regex>(new Regex(std::move(code)));
}

bool Regex::run(std::string_view subject, size_t start, uint32_t options) {
  subject_ = subject;
  if (start > subject.size()) {
    return false;
  }
  return pcre2_match(code_->code,
                     reinterpret_cast<PCRE2_SPTR>(subject.data()),
                     subject.size(),
                     start,
                     options,
                     code_->match,
                     nullptr) > 0;
}

bool Regex::find(std::string_view subject, size_t start) {
  return run(subject, start, 0);
}

bool Regex::matches(std::string_view subject) {
  return run(subject, 0, PCRE2_ANCHORED | PCRE2_ENDANCHORED);
}

int32_t Regex::group_count() const {
  uint32_t count = 0;
  pcre2_pattern_info(code_->code, PCRE2_INFO_CAPTURECOUNT, &count);
  return static_cast<int32_t>(count);
}

std::optional<std::string_view> Regex::group(int32_t index) const {
  const PCRE2_SIZE* ends = pcre2_get_ovector_pointer(code_->match);
  const auto at = static_cast<size_t>(index) * 2;
  if (ends[at] == PCRE2_UNSET) {
    return std::nullopt;
  }
  return subject_.substr(ends[at], ends[at + 1] - ends[at]);
}

size_t Regex::match_begin() const {
  return pcre2_get_ovector_pointer(code_->match)[0];
}

size_t Regex::match_end() const {
  return pcre2_get_ovector_pointer(code_->match)[1];
}

size_t Regex::next_start() const {
  const size_t end = match_end();
  if (end > match_begin()) {
    return end;
  }
  return end < subject_.size() ? end + utf8::width(subject_[end]) : end + 1;
}

Regex* RegexCache::get(std::string_view java_pattern) {
  if (!pattern_ || *pattern_ != java_pattern) {
    pattern_ = std::string(java_pattern);
    regex_ = Regex::compile(java_pattern);
  }
  return regex_.get();
}

}  // namespace thalweg::functions
