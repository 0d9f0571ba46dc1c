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
    if (compile_constant(arguments.subspan(1))) {
      return expression::map_rows<bool, std::string_view>(
          arguments.first(1), rows, type_, errors, [this](std::string_view text) {
            return pattern_->matches(text);
          });
    }
    const auto test = [this](RowFault& fault,
                             std::string_view text,
                             std::string_view pattern,
                             std::optional<std::string_view> escape) -> std::optional<bool> {
      compile(pattern, escape);
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

  void compile(std::string_view pattern, std::optional<std::string_view> escape) {
    if (is_known(pattern, escape)) {
      return;
    }
    pattern_text_ = std::string(pattern);
    escape_text_ = escape ? std::optional<std::string>(*escape) : std::nullopt;
    pattern_ = Pattern::compile(pattern, escape);
  }

  /// True when all rows have one pattern, which is a good one.
  bool compile_constant(std::span<const ColumnPtr> pattern_and_escape) {
    const bool is_constant = std::ranges::all_of(pattern_and_escape, [](const ColumnPtr& argument) {
      return argument->is_constant() && argument->size() > 0 && !argument->is_null(0);
    });
    if (!is_constant) {
      return false;
    }
    const auto text = [&](size_t i) {
      return pattern_and_escape[i]->template at<StringView>(0).view();
    };
    compile(
        text(0),
        pattern_and_escape.size() == 1 ? std::nullopt : std::optional<std::string_view>(text(1)));
    return pattern_.has_value();
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
