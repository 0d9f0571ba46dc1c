// LIKE and SIMILAR TO.
#include "thalweg/functions/regex/java_pattern.h"
#include "thalweg/functions/regex/like_pattern.h"
#include "thalweg/functions/regex/regex.h"
#include "thalweg/functions/simple_function.h"

namespace thalweg::functions {

using expression::EvaluationContext;
using expression::FunctionRegistry;
using expression::RowErrors;
using expression::RowFault;
using expression::ScalarFunction;
using expression::ScalarKernel;

namespace {

Error bad_pattern(std::string_view pattern) {
  return Error(ErrorCode::kInvalidArgument, fmt::format("Invalid pattern: '{}'", pattern));
}

/// Runs `Pattern` over rows; a literal pattern is compiled once, others when they change.
template <typename Pattern>
class PatternKernel final : public ScalarKernel {
 public:
  explicit PatternKernel(DataType type) : type_(std::move(type)) {}

  ColumnPtr evaluate(std::span<const ColumnPtr> arguments,
                     int32_t rows,
                     const EvaluationContext&,
                     RowErrors& errors) override {
    const auto test = [this](RowFault& fault,
                             std::string_view text,
                             std::string_view pattern,
                             std::optional<std::string_view> escape) -> std::optional<bool> {
      if (!is_known(pattern, escape)) {
        pattern_text_ = std::string(pattern);
        escape_text_ = escape ? std::optional<std::string>(*escape) : std::nullopt;
        pattern_ = Pattern::compile(pattern, escape);
      }
      if (!pattern_) {
        fault.raise(bad_pattern(pattern));
        return std::nullopt;
      }
      return pattern_->matches(text);
    };
    if (arguments.size() == 2) {
      return expression::map_rows<bool, std::string_view, std::string_view>(
          arguments,
          rows,
          type_,
          errors,
          [&](RowFault& fault, std::string_view text, std::string_view pattern) {
            return test(fault, text, pattern, std::nullopt);
          });
    }
    return expression::map_rows<bool, std::string_view, std::string_view, std::string_view>(
        arguments, rows, type_, errors, test);
  }

 private:
  bool is_known(std::string_view pattern, const std::optional<std::string_view>& escape) const {
    return pattern_text_ == pattern && escape_text_.has_value() == escape.has_value() &&
           (!escape || *escape_text_ == *escape);
  }

  DataType type_;
  std::optional<std::string> pattern_text_;
  std::optional<std::string> escape_text_;
  std::optional<Pattern> pattern_;
};

/// SIMILAR TO as a regular expression that must match all of the text.
class SimilarPattern {
 public:
  static std::optional<SimilarPattern> compile(std::string_view pattern,
                                               std::optional<std::string_view> escape) {
    SimilarPattern compiled;
    std::string regex;
    if (similar_to_regex(pattern, escape.value_or(std::string_view()), regex)) {
      compiled.regex_ = Regex::compile(regex);
    }
    return compiled.regex_ == nullptr ? std::nullopt : std::optional(compiled);
  }

  bool matches(std::string_view text) const { return regex_->matches(text); }

 private:
  std::shared_ptr<Regex> regex_;
};

template <typename Pattern>
ScalarFunction pattern_function(Documentation documentation) {
  ScalarFunction function =
      documented(std::move(documentation),
                 strict({{Family::kText, Family::kText}, {Family::kText}}, DataType::boolean()));
  function.make_kernel = [](const Signature& signature, std::span<const BoundArgument>) {
    return std::make_unique<PatternKernel<Pattern>>(signature.result);
  };
  return function;
}

}  // namespace

void add_like(FunctionRegistry& registry) {
  ScalarFunction like = pattern_function<LikePattern>(
      {{"LIKE"},
       "'<STRING> LIKE <STRING> [ESCAPE <STRING>]'",
       "True when the text has the pattern's form: % is any text, _ any character.",
       {"'abc' LIKE 'a%' -> TRUE", "'abc' LIKE '_b' -> FALSE", "'größe' LIKE 'gr__e' -> TRUE"}});
  like.infix = "{0} LIKE {1}";
  registry.add(std::move(like));
  ScalarFunction similar = pattern_function<SimilarPattern>(
      {{"SIMILAR TO"},
       "'<STRING> SIMILAR TO <STRING> [ESCAPE <STRING>]'",
       "True when the text has the form of an SQL regular expression.",
       {"'abc' SIMILAR TO '(a|b)bc' -> TRUE", "'abc' SIMILAR TO 'a%d' -> FALSE"}});
  similar.infix = "{0} SIMILAR TO {1}";
  registry.add(std::move(similar));
}

}  // namespace thalweg::functions
