// Parts of texts: SUBSTRING, LEFT, RIGHT, TRIM and its kin, SPLIT_INDEX.
#include "thalweg/expression/utf8.h"
#include "thalweg/functions/simple_function.h"
#include "thalweg/functions/text_signature.h"

namespace thalweg::functions {

using expression::FunctionRegistry;
using expression::row_kernel;
using expression::ScalarFunction;
using expression::ScalarKernel;

namespace {

/// Flink's BinaryStringDataUtil.substringSQL: positions count from 1, negative ones from the end,
/// 0 is 1.
std::string_view substring(std::string_view text, int64_t position, int64_t length) {
  int64_t start = 0;
  if (position > 0) {
    start = position - 1;
  } else if (position < 0) {
    start = utf8::count(text) + position;
    if (start < 0) {
      return text.substr(0, 0);
    }
  }
  const size_t begin = utf8::offset_of(text, start);
  text.remove_prefix(begin);
  return text.substr(0, utf8::offset_of(text, length));
}

std::unique_ptr<ScalarKernel> make_substring(const Signature& signature) {
  if (signature.arguments.size() == 2) {
    return row_kernel<std::string_view, std::string_view, int32_t>(
        signature.result, [](std::string_view text, int32_t position) {
          return substring(text, position, INT32_MAX);
        });
  }
  return row_kernel<std::string_view, std::string_view, int32_t, int32_t>(
      signature.result,
      [](std::string_view text,
         int32_t position,
         int32_t length) -> std::optional<std::string_view> {
        if (length < 0) {
          return std::nullopt;
        }
        return substring(text, position, length);
      });
}

ScalarFunction substring_function() {
  ScalarFunction function = documented(
      {{"SUBSTRING", "SUBSTR"},
       "'SUBSTRING(<CHARACTER> FROM <INTEGER>)'\n"
       "'SUBSTRING(<CHARACTER> FROM <INTEGER> FOR <INTEGER>)'",
       "The characters from a position on (from 1; a negative one counts from the end), at most a "
       "given number.",
       {"SUBSTRING('thalweg', 1, 4) -> thal", "SUBSTRING('abcdef', -2) -> ef"}},
      varying_like({{Family::kText, DataType::integer()}, {DataType::integer()}}, 0, true));
  function.make_kernel = [](const Signature& signature, std::span<const BoundArgument>) {
    return make_substring(signature);
  };
  return function;
}

enum class Side : uint8_t { kLeading, kTrailing, kBoth };

bool contains_character(std::string_view set, std::string_view character) {
  for (size_t at = 0; at < set.size(); at += utf8::width(set[at])) {
    if (set.substr(at, utf8::width(set[at])) == character) {
      return true;
    }
  }
  return false;
}

/// Takes characters that occur in `set` off one or both ends.
std::string_view trim(std::string_view text, std::string_view set, Side side) {
  if (side != Side::kTrailing) {
    while (!text.empty() && contains_character(set, text.substr(0, utf8::width(text[0])))) {
      text.remove_prefix(std::min(text.size(), utf8::width(text[0])));
    }
  }
  if (side != Side::kLeading) {
    while (!text.empty()) {
      size_t last = text.size() - 1;
      while (last > 0 && utf8::is_continuation(text[last])) {
        --last;
      }
      if (!contains_character(set, text.substr(last))) {
        break;
      }
      text.remove_suffix(text.size() - last);
    }
  }
  return text;
}

/// LTRIM, RTRIM and BTRIM.
ScalarFunction one_sided_trim(std::string name, Side side, std::string what, std::string example) {
  ScalarFunction function =
      documented({{name},
                  fmt::format("'{0}(<CHARACTER>)'\n'{0}(<CHARACTER>, <CHARACTER>)'", name),
                  fmt::format("The text without spaces, or other given characters, {}.", what),
                  {std::move(example)}},
                 varying_like({{Family::kText}, {Family::kText}}));
  function.make_kernel = [side](const Signature& signature, std::span<const BoundArgument>) {
    if (signature.arguments.size() == 1) {
      return row_kernel<std::string_view, std::string_view>(
          signature.result, [side](std::string_view text) { return trim(text, " ", side); });
    }
    return row_kernel<std::string_view, std::string_view, std::string_view>(
        signature.result,
        [side](std::string_view text, std::string_view set) { return trim(text, set, side); });
  };
  return function;
}

Side side_of(const std::string& word) {
  return word == "LEADING" ? Side::kLeading : (word == "TRAILING" ? Side::kTrailing : Side::kBoth);
}

/// TRIM, whose arguments the parser orders: side, characters, text; from the Table API also alone.
ScalarFunction trim_function() {
  ScalarFunction function =
      documented({{"TRIM"},
                  "'TRIM([BOTH|LEADING|TRAILING] <CHARACTER> FROM <CHARACTER>)'",
                  "The text without spaces, or other given characters, at one end or both.",
                  {"TRIM('  a ') -> a", "TRIM(LEADING 'x' FROM 'xxax') -> ax"}},
                 any_of({varying_like({{Family::kText}}),
                         varying_like({{Family::kText, Family::kText, Family::kText}}, 2)}));
  function.make_kernel = [](const Signature& signature, std::span<const BoundArgument> arguments) {
    if (signature.arguments.size() == 1) {
      return row_kernel<std::string_view, std::string_view>(
          signature.result, [](std::string_view text) { return trim(text, " ", Side::kBoth); });
    }
    const Side side = side_of(literal_text(arguments, 0).value_or("BOTH"));
    return row_kernel<std::string_view, std::string_view, std::string_view, std::string_view>(
        signature.result, [side](std::string_view, std::string_view set, std::string_view text) {
          return trim(text, set, side);
        });
  };
  return function;
}

std::optional<std::string_view> split_index(std::string_view text,
                                            std::string_view separator,
                                            int32_t index) {
  if (index < 0) {
    return std::nullopt;
  }
  if (text.empty()) {
    return std::nullopt;  // an empty text has no parts
  }
  const bool at_spaces = separator.empty();
  for (;;) {
    const size_t end = at_spaces ? text.find_first_of(" \t\n\r\f") : text.find(separator);
    if (index == 0) {
      return text.substr(0, end);
    }
    if (end == std::string_view::npos) {
      return std::nullopt;
    }
    text.remove_prefix(end + (at_spaces ? 1 : separator.size()));
    --index;
  }
}

ScalarFunction split_index_function() {
  ScalarFunction function = documented(
      {{"SPLIT_INDEX"},
       "'SPLIT_INDEX(<CHARACTER>, <CHARACTER> | <INTEGER>, <INTEGER>)'",
       "The part with that number, from 0, of a text split by a separator (a text, or a "
       "character's code).",
       {"SPLIT_INDEX('a,b,c', ',', 1) -> b", "SPLIT_INDEX('a', ',', 1) -> NULL"}},
      any_of({nullable({{Family::kText, Family::kText, DataType::integer()}}, DataType::string()),
              nullable({{Family::kText, DataType::integer(), DataType::integer()}},
                       DataType::string())}));
  function.make_kernel = [](const Signature& signature, std::span<const BoundArgument>) {
    if (signature.arguments[1].is_character()) {
      return row_kernel<std::string_view, std::string_view, std::string_view, int32_t>(
          signature.result, split_index);
    }
    return row_kernel<std::string_view, std::string_view, int32_t, int32_t>(
        signature.result,
        [](std::string_view text, int32_t code, int32_t index) -> std::optional<std::string_view> {
          if (code <= 0 || code > 255) {
            return std::nullopt;
          }
          std::string separator;
          utf8::append(separator, static_cast<uint32_t>(code));
          return split_index(text, separator, index);
        });
  };
  return function;
}

}  // namespace

void add_text_part(FunctionRegistry& registry) {
  registry.add(substring_function());
  registry.add(trim_function());
  registry.add(one_sided_trim("LTRIM", Side::kLeading, "at its start", "LTRIM('  a ') -> a "));
  registry.add(one_sided_trim("RTRIM", Side::kTrailing, "at its end", "RTRIM('ax', 'x') -> a"));
  registry.add(one_sided_trim("BTRIM", Side::kBoth, "at both ends", "BTRIM('xax', 'x') -> a"));
  registry.add(split_index_function());
  registry.add(simple<std::string_view, std::string_view, int32_t>(
      {{"LEFT"},
       "'LEFT(<CHARACTER>, <INTEGER>)'",
       "The first characters.",
       {"LEFT('abcde', 2) -> ab", "LEFT('ab', 9) -> ab"}},
      varying_like({{Family::kText, DataType::integer()}}, 0, true),
      [](std::string_view text, int32_t length) {
        return text.substr(0, utf8::offset_of(text, std::max(0, length)));
      }));
  registry.add(simple<std::string_view, std::string_view, int32_t>(
      {{"RIGHT"},
       "'RIGHT(<CHARACTER>, <INTEGER>)'",
       "The last characters.",
       {"RIGHT('abcde', 2) -> de"}},
      varying_like({{Family::kText, DataType::integer()}}, 0, true),
      [](std::string_view text, int32_t length) {
        const int64_t skipped = utf8::count(text) - std::max(0, length);
        return text.substr(utf8::offset_of(text, std::max<int64_t>(0, skipped)));
      }));
}

}  // namespace thalweg::functions
