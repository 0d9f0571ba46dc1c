// Texts from texts: CONCAT, CONCAT_WS, ||, REPLACE, LPAD, RPAD, REPEAT, OVERLAY, TRANSLATE, CHR,
// ELT.
#include <algorithm>

#include "thalweg/expression/type_inference.h"
#include "thalweg/expression/utf8.h"
#include "thalweg/functions/building_kernel.h"
#include "thalweg/functions/java_text.h"
#include "thalweg/functions/simple_function.h"

namespace thalweg::functions {

using expression::column_kernel;
using expression::EvaluationContext;
using expression::FunctionRegistry;
using expression::row_kernel;
using expression::RowErrors;
using expression::ScalarFunction;

namespace {

/// The texts of all arguments of each row, one after the other; NULL when any is.
ScalarFunction concat_function() {
  ScalarFunction function =
      documented({{"CONCAT"},
                  "'CONCAT(<CHARACTER>, ...)'",
                  "All texts, one after the other; NULL when one is.",
                  {"CONCAT('a', 'b', 'c') -> abc"}},
                 strict({{Family::kText}, {}, {Family::kText}}, DataType::string()));
  function.make_kernel = [](const Signature& signature, std::span<const BoundArgument>) {
    return column_kernel([type = signature.result](std::span<const ColumnPtr> arguments,
                                                   int32_t rows,
                                                   const EvaluationContext&,
                                                   RowErrors&) {
      MutableColumnPtr result = expression::make_strict_result(type, arguments, rows);
      std::string text;
      for (int32_t row = 0; row < result->stored_size(); ++row) {
        if (result->is_null(row)) {
          continue;
        }
        text.clear();
        for (const ColumnPtr& argument : arguments) {
          text += argument->string_at(row);
        }
        result->mutable_values<StringView>()[static_cast<size_t>(row)] = result->heap().add(text);
      }
      return result;
    });
  };
  return function;
}

/// NULL parts are left out; a NULL separator makes NULL.
ScalarFunction concat_ws_function() {
  ScalarFunction function =
      documented({{"CONCAT_WS"},
                  "'CONCAT_WS(<CHARACTER> separator, <CHARACTER>, ...)'",
                  "All texts that are not NULL, with a separator between them.",
                  {"CONCAT_WS('-', 'a', CAST(NULL AS STRING), 'c') -> a-c"}},
                 [](std::span<const BoundArgument> arguments) -> Bound {
                   const Parameters parameters{{Family::kText}, {}, {Family::kText}};
                   auto types = match(parameters, arguments);
                   if (!types) {
                     return mismatch(parameters, arguments.size());
                   }
                   const bool nullable = types->front().is_nullable();
                   return Signature{std::move(*types), DataType::string().as_nullable(nullable)};
                 });
  function.make_kernel = [](const Signature& signature, std::span<const BoundArgument>) {
    return column_kernel([type = signature.result](std::span<const ColumnPtr> arguments,
                                                   int32_t rows,
                                                   const EvaluationContext&,
                                                   RowErrors&) {
      MutableColumnPtr result = Column::make(type, rows);
      std::string text;
      for (int32_t row = 0; row < rows; ++row) {
        if (arguments[0]->is_null(row)) {
          result->set_null(row);
          continue;
        }
        text.clear();
        bool first = true;
        for (const ColumnPtr& argument : arguments.subspan(1)) {
          if (!argument->is_null(row)) {
            text += first ? std::string_view() : arguments[0]->string_at(row);
            text += argument->string_at(row);
            first = false;
          }
        }
        result->mutable_values<StringView>()[static_cast<size_t>(row)] = result->heap().add(text);
      }
      return result;
    });
  };
  return function;
}

/// The length of both together, CHAR only when both are.
DataType joined_type(const DataType& left, const DataType& right) {
  const int64_t length =
      std::min<int64_t>(kMaxLength, int64_t{left.length()} + int64_t{right.length()});
  const auto bounded = static_cast<int32_t>(length);
  if (left.is_binary()) {
    return left.kind() == TypeKind::kBinary && right.kind() == TypeKind::kBinary
               ? DataType::binary(bounded)
               : DataType::varbinary(bounded);
  }
  return left.kind() == TypeKind::kChar && right.kind() == TypeKind::kChar
             ? DataType::character(bounded)
             : DataType::varchar(bounded);
}

ScalarFunction join_operator() {
  ScalarFunction function = simple<std::string_view, std::string_view, std::string_view>(
      {{"||"}, "'<STRING> || <STRING>'", "Both texts, one after the other.", {"'a' || 'b' -> ab"}},
      [](std::span<const BoundArgument> arguments) -> Bound {
        auto types = match({{Family::kText, Family::kText}}, arguments);
        if (!types) {
          types = match({{Family::kBytes, Family::kBytes}}, arguments);
        }
        if (!types) {
          return NoMatch{};
        }
        const DataType result =
            joined_type((*types)[0], (*types)[1])
                .as_nullable((*types)[0].is_nullable() || (*types)[1].is_nullable());
        return Signature{std::move(*types), result};
      },
      [](std::string& out, std::string_view left, std::string_view right) {
        out += left;
        out += right;
      });
  function.infix = "{0} || {1}";
  return function;
}

/// Java's String.replace: an empty part is found before every character and at the end.
void replace(std::string& out,
             std::string_view text,
             std::string_view part,
             std::string_view replacement) {
  if (part.empty()) {
    for (size_t at = 0; at < text.size();) {
      const size_t width = std::min(utf8::width(text[at]), text.size() - at);
      out += replacement;
      out += text.substr(at, width);
      at += width;
    }
    out += replacement;
    return;
  }
  for (;;) {
    const size_t found = text.find(part);
    out += text.substr(0, found);
    if (found == std::string_view::npos) {
      return;
    }
    out += replacement;
    text.remove_prefix(found + part.size());
  }
}

bool pad(
    std::string& out, std::string_view text, int32_t length, std::string_view filler, bool left) {
  if (length < 0 || filler.empty()) {
    return false;
  }
  const int64_t present = java_length(text);
  if (present >= length) {
    append_java_prefix(out, text, length);
    return true;
  }
  std::string padding;
  const int64_t filler_count = java_length(filler);
  int64_t missing = length - present;
  for (; missing >= filler_count; missing -= filler_count) {
    padding += filler;
  }
  append_java_prefix(padding, filler, missing);
  out += left ? padding : std::string(text);
  out += left ? std::string(text) : padding;
  return true;
}

ScalarFunction pad_function(std::string name, bool left, std::string example) {
  return simple<std::string_view, std::string_view, int32_t, std::string_view>(
      {{name},
       fmt::format("'{}(<CHARACTER>, <INTEGER>, <CHARACTER>)'", name),
       fmt::format("The text filled with another at its {} up to a length, or cut to it.",
                   left ? "start" : "end"),
       {std::move(example)}},
      nullable({{Family::kText, DataType::integer(), Family::kText}}, DataType::string()),
      [left](std::string& out, std::string_view text, int32_t length, std::string_view filler) {
        return pad(out, text, length, filler, left);
      });
}

/// Characters `start` and following, as many as `length`, are replaced.
void overlay(std::string& out,
             std::string_view text,
             std::string_view replacement,
             int64_t start,
             int64_t length) {
  if (start <= 0 || start > utf8::count(text)) {
    out += text;
    return;
  }
  const size_t begin = utf8::offset_of(text, start - 1);
  out += text.substr(0, begin);
  out += replacement;
  // Flink drops the rest when nothing is to be replaced.
  if (length > 0) {
    out += text.substr(utf8::offset_of(text, start - 1 + length));
  }
}

ScalarFunction overlay_function() {
  ScalarFunction function =
      documented({{"OVERLAY"},
                  "'OVERLAY(<CHARACTER> PLACING <CHARACTER> FROM <INTEGER>[ FOR <INTEGER>])'",
                  "The text with some characters from a position on replaced.",
                  {"OVERLAY('xxxxxtest' PLACING 'xxxx' FROM 6) -> xxxxxxxxx",
                   "OVERLAY('abcdef' PLACING 'Z' FROM 2 FOR 3) -> aZef"}},
                 [](std::span<const BoundArgument> arguments) -> Bound {
                   const Parameters parameters{{Family::kText, Family::kText, DataType::integer()},
                                               {DataType::integer()}};
                   auto types = match(parameters, arguments);
                   if (!types) {
                     return mismatch(parameters, arguments.size());
                   }
                   const int32_t length = joined_type((*types)[0], (*types)[1]).length();
                   return Signature{std::move(*types),
                                    DataType::varchar(length).as_nullable(any_nullable(arguments))};
                 });
  function.make_kernel = [](const Signature& signature, std::span<const BoundArgument>) {
    if (signature.arguments.size() == 3) {
      return row_kernel<std::string_view, std::string_view, std::string_view, int32_t>(
          signature.result,
          [](std::string& out, std::string_view text, std::string_view part, int32_t start) {
            overlay(out, text, part, start, utf8::count(part));
          });
    }
    return row_kernel<std::string_view, std::string_view, std::string_view, int32_t, int32_t>(
        signature.result,
        [](std::string& out,
           std::string_view text,
           std::string_view part,
           int32_t start,
           int32_t length) { overlay(out, text, part, start, length); });
  };
  return function;
}

/// Each character of `from` becomes that of `to` at the same place, or goes.
void translate(std::string& out,
               std::string_view text,
               std::string_view from,
               std::string_view to) {
  for (size_t at = 0; at < text.size();) {
    const size_t width = std::min(utf8::width(text[at]), text.size() - at);
    const std::string_view character = text.substr(at, width);
    at += width;
    const size_t found = from.find(character);
    if (found == std::string_view::npos) {
      out += character;
      continue;
    }
    const int64_t place = utf8::count(from.substr(0, found));
    const std::string_view rest = to.substr(utf8::offset_of(to, place));
    out += rest.substr(0, rest.empty() ? 0 : utf8::width(rest[0]));
  }
}

/// The common type of all arguments behind the first, which are bytes.
Bound bind_elt_of_bytes(std::span<const BoundArgument> arguments) {
  auto types = match({{DataType::big_int(), Family::kBytes}, {}, {Family::kBytes}}, arguments);
  if (!types) {
    return NoMatch{};
  }
  DataType common = (*types)[1];
  for (size_t i = 2; i < types->size(); ++i) {
    common = expression::least_common_type(common, (*types)[i]).value_or(DataType::bytes());
  }
  return Signature{std::move(*types), common.as_nullable()};
}

/// ELT(index, text1, text2, ...).
ScalarFunction elt_function() {
  ScalarFunction function = documented(
      {{"ELT"},
       "'ELT(<INTEGER>, <CHARACTER> | <BINARY>, ...)'",
       "The text, or the bytes, with that number, from 1; NULL when there is none.",
       {"ELT(2, 'a', 'b') -> b", "ELT(3, 'a', 'b') -> NULL", "ELT(1, x'0a', x'0b0c') -> x'0a'"}},
      any_of({nullable({{DataType::big_int(), Family::kText}, {}, {Family::kText}},
                       DataType::string()),
              bind_elt_of_bytes}));
  function.make_kernel = [](const Signature& signature, std::span<const BoundArgument>) {
    return column_kernel([type = signature.result](std::span<const ColumnPtr> arguments,
                                                   int32_t rows,
                                                   const EvaluationContext&,
                                                   RowErrors&) {
      MutableColumnPtr result = Column::make(type, rows);
      for (int32_t row = 0; row < rows; ++row) {
        const int64_t index = arguments[0]->is_null(row) ? 0 : arguments[0]->at<int64_t>(row);
        if (index < 1 || index >= static_cast<int64_t>(arguments.size()) ||
            arguments[static_cast<size_t>(index)]->is_null(row)) {
          result->set_null(row);
          continue;
        }
        const Column& chosen = *arguments[static_cast<size_t>(index)];
        result->mutable_values<StringView>()[static_cast<size_t>(row)] = chosen.at<StringView>(row);
      }
      for (const ColumnPtr& argument : arguments.subspan(1)) {
        result->share_storage(*argument);
      }
      return result;
    });
  };
  return function;
}

/// Without characters to look for the text stays as it is, without others they are left out: the
/// rules of StringUtils.replaceChars, which Flink calls.
ScalarFunction translate_function() {
  ScalarFunction function =
      documented({{"TRANSLATE", "TRANSLATE3"},
                  "'TRANSLATE(<CHARACTER>, <CHARACTER> from, <CHARACTER> to)'",
                  "The text with some characters exchanged for others, one for one.",
                  {"TRANSLATE('abc', 'ac', 'x') -> xb",
                   "TRANSLATE('abc', CAST(NULL AS STRING), 'x') -> abc",
                   "TRANSLATE('abc', 'ac', CAST(NULL AS STRING)) -> b"}},
                 strict({{Family::kText, Family::kText, Family::kText}}, DataType::string()));
  function.is_infallible = true;
  function.make_kernel = [](const Signature& signature, std::span<const BoundArgument>) {
    return building_kernel(
        signature.result,
        false,
        [](std::span<const ColumnPtr> arguments, int32_t row, ColumnBuilder& builder) {
          if (arguments[0]->is_null(row)) {
            builder.append_null();
            return;
          }
          const auto text_of = [&](size_t index) {
            return arguments[index]->is_null(row) ? std::string_view()
                                                  : arguments[index]->string_at(row);
          };
          std::string out;
          translate(out, text_of(0), text_of(1), text_of(2));
          builder.append_string(out);
        });
  };
  return function;
}

}  // namespace

void add_text_build(FunctionRegistry& registry) {
  registry.add(concat_function());
  registry.add(concat_ws_function());
  registry.add(join_operator());
  registry.add(overlay_function());
  registry.add(elt_function());
  registry.add(pad_function("LPAD", true, "LPAD('hi', 4, '?') -> ??hi"));
  registry.add(pad_function("RPAD", false, "RPAD('hi', 5, 'ab') -> hiaba"));
  registry.add(simple<std::string_view, std::string_view, std::string_view, std::string_view>(
      {{"REPLACE"},
       "'REPLACE(<CHARACTER>, <CHARACTER>, <CHARACTER>)'",
       "The text with every find of a part replaced.",
       {"REPLACE('aXbX', 'X', '-') -> a-b-"}},
      strict({{Family::kText, Family::kText, Family::kText}}, DataType::string()),
      replace));
  registry.add(translate_function());
  registry.add(simple<std::string_view, std::string_view, int32_t>(
      {{"REPEAT"},
       "'REPEAT(<CHARACTER>, <INTEGER>)'",
       "The text several times.",
       {"REPEAT('ab', 2) -> abab", "REPEAT('ab', -1) || '.' -> ."}},
      strict({{Family::kText, DataType::integer()}}, DataType::string()),
      [](std::string& out, std::string_view text, int32_t times) {
        for (int32_t i = 0; i < times; ++i) {
          out += text;
        }
      }));
  registry.add(simple<std::string_view, int64_t>(
      {{"CHR"},
       "'CHR(<INTEGER>)'",
       "The character with a code; codes above 255 count modulo 256.",
       {"CHR(65) -> A", "CHR(353) -> a"}},
      nullable({{DataType::big_int()}}, DataType::string()),
      [](std::string& out, int64_t code) {
        if (code >= 0) {
          utf8::append(out, static_cast<uint32_t>(code & 0xFF));
        }
      }));
}

}  // namespace thalweg::functions
