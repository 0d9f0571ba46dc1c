// Texts in texts: POSITION, LOCATE, INSTR, STARTSWITH, ENDSWITH, CHAR_LENGTH.
#include "thalweg/expression/utf8.h"
#include "thalweg/functions/simple_function.h"

namespace thalweg::functions {

using expression::FunctionRegistry;
using expression::row_kernel;
using expression::ScalarFunction;

namespace {

/// The number, from 1, of the character where `part` first starts at or after character `start`; 0
/// when it does not. A start before the text is its first character.
int32_t position_of(std::string_view text, std::string_view part, int64_t start) {
  const size_t from = utf8::offset_of(text, std::max<int64_t>(0, start - 1));
  const size_t found = text.find(part, from);
  return found == std::string_view::npos
             ? 0
             : static_cast<int32_t>(utf8::count(text.substr(0, found))) + 1;
}

/// LOCATE and POSITION: the part comes first.
ScalarFunction part_first(std::string name, Documentation documentation) {
  documentation.names = {std::move(name)};
  ScalarFunction function = documented(
      std::move(documentation),
      strict({{Family::kText, Family::kText}, {DataType::integer()}}, DataType::integer()));
  function.make_kernel = [](const Signature& signature, std::span<const BoundArgument>) {
    if (signature.arguments.size() == 2) {
      return row_kernel<int32_t, std::string_view, std::string_view>(
          signature.result,
          [](std::string_view part, std::string_view text) { return position_of(text, part, 1); });
    }
    return row_kernel<int32_t, std::string_view, std::string_view, int32_t>(
        signature.result, [](std::string_view part, std::string_view text, int32_t start) {
          return position_of(text, part, start);
        });
  };
  return function;
}

/// The `occurrence`th find; a negative start counts from the end and searches backwards.
std::optional<int32_t> instr(std::string_view text,
                             std::string_view part,
                             int32_t start,
                             int32_t occurrence) {
  if (occurrence < 1) {
    return std::nullopt;
  }
  if (start > 0) {
    int32_t found = 0;
    for (int32_t i = 0; i < occurrence; ++i) {
      found = position_of(text, part, i == 0 ? start : found + 1);
      if (found == 0) {
        return 0;
      }
    }
    return found;
  }
  if (start == 0) {
    return 0;
  }
  // The match must end at or before the position.
  const int64_t last = utf8::count(text) + start + 1 - utf8::count(part);
  if (last < 0) {
    return 0;
  }
  size_t from = utf8::offset_of(text, last);
  for (int32_t i = 0; i < occurrence; ++i) {
    const size_t found = text.rfind(part, from);
    if (found == std::string_view::npos || (i + 1 < occurrence && found == 0)) {
      return 0;
    }
    if (i + 1 == occurrence) {
      return static_cast<int32_t>(utf8::count(text.substr(0, found))) + 1;
    }
    from = found - 1;
  }
  return 0;
}

ScalarFunction instr_function() {
  ScalarFunction function = documented(
      {{"INSTR"},
       "'INSTR(<CHARACTER>, <CHARACTER>[, <INTEGER>[, <INTEGER>]])'",
       "Where a part starts in a text, from 1; 0 when it is not there. Further "
       "arguments: where to start (negative: from the end) and which find.",
       {"INSTR('hello', 'l') -> 3",
        "INSTR('hello', 'l', 1, 2) -> 4",
        "INSTR('abcabc', 'bc', -2) -> 2"}},
      nullable({{Family::kText, Family::kText}, {DataType::integer(), DataType::integer()}},
               DataType::integer()));
  function.make_kernel = [](const Signature& signature, std::span<const BoundArgument>) {
    switch (signature.arguments.size()) {
      case 2:
        return row_kernel<int32_t, std::string_view, std::string_view>(
            signature.result,
            [](std::string_view text, std::string_view part) { return instr(text, part, 1, 1); });
      case 3:
        return row_kernel<int32_t, std::string_view, std::string_view, int32_t>(
            signature.result, [](std::string_view text, std::string_view part, int32_t start) {
              return instr(text, part, start, 1);
            });
      default:
        return row_kernel<int32_t, std::string_view, std::string_view, int32_t, int32_t>(
            signature.result, instr);
    }
  };
  return function;
}

/// STARTSWITH and ENDSWITH take texts or bytes.
template <typename F>
ScalarFunction affix(Documentation documentation, F f) {
  ScalarFunction function = simple<bool, std::string_view, std::string_view>(
      std::move(documentation),
      any_of({strict({{Family::kText, Family::kText}}, DataType::boolean()),
              strict({{Family::kBytes, Family::kBytes}}, DataType::boolean())}),
      f);
  function.is_infallible = true;
  return function;
}

}  // namespace

void add_text_search(FunctionRegistry& registry) {
  registry.add(part_first("POSITION",
                          {{},
                           "'POSITION(<CHARACTER> IN <CHARACTER>)'",
                           "Where a part starts in a text, from 1; 0 when it is not there.",
                           {"POSITION('c' IN 'abc') -> 3"}}));
  registry.add(part_first("LOCATE",
                          {{},
                           "'LOCATE(<CHARACTER>, <CHARACTER>[, <INTEGER>])'",
                           "Where a part starts in a text, from 1, searching from a position on; "
                           "0 when it is not there.",
                           {"LOCATE('l', 'hello', 4) -> 4"}}));
  registry.add(instr_function());
  registry.add(
      affix({{"STARTSWITH"},
             "'STARTSWITH(<CHARACTER>, <CHARACTER>)'",
             "True when the text starts with the other.",
             {"STARTSWITH('abc', 'ab') -> TRUE"}},
            [](std::string_view text, std::string_view part) { return text.starts_with(part); }));
  registry.add(
      affix({{"ENDSWITH"},
             "'ENDSWITH(<CHARACTER>, <CHARACTER>)'",
             "True when the text ends with the other.",
             {"ENDSWITH('abc', 'bc') -> TRUE"}},
            [](std::string_view text, std::string_view part) { return text.ends_with(part); }));
  registry.add(simple<int32_t, std::string_view>(
      {{"CHAR_LENGTH", "CHARACTER_LENGTH", "LENGTH"},
       "'CHAR_LENGTH(<CHARACTER>)'",
       "The number of characters.",
       {"CHAR_LENGTH('größe') -> 5"}},
      strict({{Family::kText}}, DataType::integer()),
      [](std::string_view text) { return static_cast<int32_t>(utf8::count(text)); }));
  registry.add(simple<int32_t, std::string_view>(
      {{"OCTET_LENGTH"},
       "'OCTET_LENGTH(<CHARACTER>)'",
       "The number of bytes.",
       {"OCTET_LENGTH('ß') -> 2"}},
      any_of({strict({{Family::kText}}, DataType::integer()),
              strict({{Family::kBytes}}, DataType::integer())}),
      [](std::string_view text) { return static_cast<int32_t>(text.size()); }));
  registry.add(simple<int32_t, std::string_view>(
      {{"ASCII"},
       "'ASCII(<CHARACTER>)'",
       "The code of the first character; 0 for an empty text.",
       {"ASCII('A') -> 65"}},
      strict({{Family::kText}}, DataType::integer()),
      [](std::string_view text) {
        return text.empty() ? 0 : static_cast<int32_t>(static_cast<signed char>(text[0]));
      }));
}

}  // namespace thalweg::functions
