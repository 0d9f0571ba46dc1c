// REGEXP and the REGEXP_... functions. A pattern that is not valid gives FALSE or NULL, as in
// Flink.
#include "thalweg/expression/utf8.h"
#include "thalweg/functions/java_text.h"
#include "thalweg/functions/regex/regex.h"
#include "thalweg/functions/simple_function.h"

namespace thalweg::functions {

using expression::column_kernel;
using expression::EvaluationContext;
using expression::FunctionRegistry;
using expression::row_kernel;
using expression::RowErrors;
using expression::ScalarFunction;

namespace {

/// A function of text and pattern; each kernel has a cache of its own.
template <typename Out, typename F>
ScalarFunction of_pattern(Documentation documentation, const DataType& type, F f) {
  ScalarFunction function =
      documented(std::move(documentation), nullable({{Family::kText, Family::kText}}, type));
  function.make_kernel = [f](const Signature& signature, std::span<const BoundArgument>) {
    const auto cache = std::make_shared<RegexCache>();
    return row_kernel<Out, std::string_view, std::string_view>(
        signature.result, [f, cache](std::string_view text, std::string_view pattern) {
          // REGEXP finds nothing with an empty pattern.
          const bool is_refused = std::is_same_v<Out, bool> && pattern.empty();
          return f(is_refused ? nullptr : cache->get(pattern), text);
        });
  };
  return function;
}

ScalarFunction replace_function() {
  ScalarFunction function = documented(
      {{"REGEXP_REPLACE"},
       "'REGEXP_REPLACE(<CHARACTER>, <CHARACTER> regex, <CHARACTER> replacement)'",
       "The text with every match of a regular expression replaced; the replacement is taken as it "
       "is.",
       {"REGEXP_REPLACE('foobar', 'oo|ar', '') -> fb"}},
      nullable({{Family::kText, Family::kText, Family::kText}}, DataType::string()));
  function.make_kernel = [](const Signature& signature, std::span<const BoundArgument>) {
    const auto cache = std::make_shared<RegexCache>();
    return row_kernel<std::string_view, std::string_view, std::string_view, std::string_view>(
        signature.result,
        [cache](std::string& out,
                std::string_view text,
                std::string_view pattern,
                std::string_view replacement) {
          Regex* regex = cache->get(pattern);
          if (regex == nullptr) {
            return false;
          }
          size_t copied = 0;
          for (size_t start = 0; regex->find(text, start); start = regex->next_start()) {
            out += text.substr(copied, regex->match_begin() - copied);
            out += replacement;
            copied = regex->match_end();
          }
          out += text.substr(copied);
          return true;
        });
  };
  return function;
}

std::optional<std::string_view> extract(Regex* regex, std::string_view text, int32_t group) {
  if (regex == nullptr || group < 0 || group > regex->group_count() || !regex->find(text)) {
    return std::nullopt;
  }
  return regex->group(group);
}

ScalarFunction extract_function() {
  ScalarFunction function = documented(
      {{"REGEXP_EXTRACT"},
       "'REGEXP_EXTRACT(<CHARACTER>, <CHARACTER> regex[, <INTEGER> group])'",
       "The first match of a regular expression, or one of its groups.",
       {"REGEXP_EXTRACT('foothebar', 'foo(.*?)(bar)', 2) -> bar",
        "REGEXP_EXTRACT('a1', '[0-9]') -> 1"}},
      nullable({{Family::kText, Family::kText}, {DataType::integer()}}, DataType::string()));
  function.make_kernel = [](const Signature& signature, std::span<const BoundArgument>) {
    const auto cache = std::make_shared<RegexCache>();
    if (signature.arguments.size() == 2) {
      return row_kernel<std::string_view, std::string_view, std::string_view>(
          signature.result, [cache](std::string_view text, std::string_view pattern) {
            return extract(cache->get(pattern), text, 0);
          });
    }
    return row_kernel<std::string_view, std::string_view, std::string_view, int32_t>(
        signature.result, [cache](std::string_view text, std::string_view pattern, int32_t group) {
          return extract(cache->get(pattern), text, group);
        });
  };
  return function;
}

/// Every match's group as an array; group 1 when not given.
ScalarFunction extract_all_function() {
  ScalarFunction function =
      documented({{"REGEXP_EXTRACT_ALL"},
                  "'REGEXP_EXTRACT_ALL(<CHARACTER>, <CHARACTER> regex[, <INTEGER> group])'",
                  "A group, the first when not given, of every match of a regular expression.",
                  {"REGEXP_EXTRACT_ALL('a1b22', '([0-9]+)') -> [1, 22]"}},
                 nullable({{Family::kText, Family::kText}, {DataType::integer()}},
                          DataType::array(DataType::string())));
  function.make_kernel = [](const Signature& signature, std::span<const BoundArgument>) {
    const auto cache = std::make_shared<RegexCache>();
    return column_kernel([cache, type = signature.result](std::span<const ColumnPtr> arguments,
                                                          int32_t rows,
                                                          const EvaluationContext&,
                                                          RowErrors&) {
      ColumnBuilder builder(type);
      for (int32_t row = 0; row < rows; ++row) {
        bool any_null = false;
        for (const ColumnPtr& argument : arguments) {
          any_null = any_null || argument->is_null(row);
        }
        Regex* regex = any_null ? nullptr : cache->get(arguments[1]->string_at(row));
        const int32_t group =
            any_null || arguments.size() == 2 ? 1 : arguments[2]->at<int32_t>(row);
        if (regex == nullptr || group < 0 || group > regex->group_count()) {
          builder.append_null();
          continue;
        }
        const std::string_view text = arguments[0]->string_at(row);
        for (size_t start = 0; regex->find(text, start); start = regex->next_start()) {
          const auto found = regex->group(group);
          found ? builder.child(0).append_string(*found) : builder.child(0).append_null();
        }
        builder.append_list();
      }
      return builder.finish();
    });
  };
  return function;
}

int32_t count_matches(Regex& regex, std::string_view text) {
  int32_t count = 0;
  for (size_t start = 0; regex.find(text, start); start = regex.next_start()) {
    ++count;
  }
  return count;
}

}  // namespace

void add_regexp(FunctionRegistry& registry) {
  registry.add(replace_function());
  registry.add(extract_function());
  registry.add(extract_all_function());
  registry.add(of_pattern<bool>(
      {{"REGEXP"},
       "'REGEXP(<CHARACTER>, <CHARACTER> regex)'",
       "True when a part of the text matches the regular expression.",
       {"REGEXP('abc', '^a') -> TRUE", "REGEXP('abc', '') -> FALSE"}},
      DataType::boolean(),
      [](Regex* regex, std::string_view text) { return regex != nullptr && regex->find(text); }));
  registry.add(of_pattern<int32_t>(
      {{"REGEXP_COUNT"},
       "'REGEXP_COUNT(<CHARACTER>, <CHARACTER> regex)'",
       "How many matches the text has.",
       {"REGEXP_COUNT('aabaa', 'a') -> 4"}},
      DataType::integer(),
      [](Regex* regex, std::string_view text) -> std::optional<int32_t> {
        return regex == nullptr ? std::nullopt : std::optional(count_matches(*regex, text));
      }));
  registry.add(of_pattern<int32_t>(
      {{"REGEXP_INSTR"},
       "'REGEXP_INSTR(<CHARACTER>, <CHARACTER> regex)'",
       "Where the first match starts, from 1, in Java's characters (an emoji is two); 0 when there "
       "is none.",
       {"REGEXP_INSTR('abc12', '[0-9]') -> 4"}},
      DataType::integer(),
      [](Regex* regex, std::string_view text) -> std::optional<int32_t> {
        if (regex == nullptr) {
          return std::nullopt;
        }
        return regex->find(text)
                   ? static_cast<int32_t>(java_length(text.substr(0, regex->match_begin()))) + 1
                   : 0;
      }));
  registry.add(of_pattern<std::string_view>(
      {{"REGEXP_SUBSTR"},
       "'REGEXP_SUBSTR(<CHARACTER>, <CHARACTER> regex)'",
       "The first match.",
       {"REGEXP_SUBSTR('x12y3', '[0-9]+') -> 12", "REGEXP_SUBSTR('x', '[0-9]') -> NULL"}},
      DataType::string(),
      [](Regex* regex, std::string_view text) { return extract(regex, text, 0); }));
}

}  // namespace thalweg::functions
