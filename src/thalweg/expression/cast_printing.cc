#include <array>
#include <charconv>

#include "thalweg/expression/cast_kernels.h"
#include "thalweg/expression/physical.h"
#include "thalweg/expression/row_kernel.h"
#include "thalweg/expression/session_zone.h"
#include "thalweg/expression/utf8.h"
#include "thalweg/types/text.h"

namespace thalweg::expression {

namespace {

/// Cuts `text` to the target's length; a CHAR is filled with spaces.
void fit_text(std::string& text, const DataType& target) {
  if (target.length() == kMaxLength || (target.kind() == TypeKind::kVarChar &&
                                        text.size() <= static_cast<size_t>(target.length()))) {
    return;
  }
  const size_t end = utf8::offset_of(text, target.length());
  text.resize(end);
  if (target.kind() == TypeKind::kChar) {
    const int64_t missing = target.length() - utf8::count(text);
    text.append(static_cast<size_t>(missing), ' ');
  }
}

/// The type with texts in place of bytes.
DataType with_texts(const DataType& type) {
  if (type.is_binary()) {
    return DataType::string().as_nullable(type.is_nullable());
  }
  if (!type.is_nested()) {
    return type;
  }
  std::vector<Field> fields = type.fields();
  for (Field& field : fields) {
    field.type = with_texts(field.type);
  }
  switch (type.kind()) {
    case TypeKind::kArray:
      return DataType::array(fields[0].type);
    case TypeKind::kMultiset:
      return DataType::multiset(fields[0].type);
    case TypeKind::kMap:
      return DataType::map(fields[0].type, fields[1].type);
    default:
      return type.is_structured() ? DataType::structured(type.class_name(), std::move(fields))
                                  : DataType::row(std::move(fields));
  }
}

/// Any value by text::append_value; but bytes inside others are read as UTF-8, where results show
/// their digits.
class PrintingCast final : public ScalarKernel {
 public:
  PrintingCast(const DataType& source, DataType target) : target_(std::move(target)) {
    const DataType texts = with_texts(source).as_nullable(source.is_nullable());
    if (texts != source) {
      decoding_ = make_nested_cast(source, texts);
    }
  }

  ColumnPtr evaluate(std::span<const ColumnPtr> arguments,
                     int32_t rows,
                     const EvaluationContext& context,
                     RowErrors& errors) override {
    const TimeZone& zone = zone_.of(context);
    const ColumnPtr decoded =
        decoding_ ? decoding_->evaluate(arguments, rows, context, errors) : arguments[0];
    const Column& column = *decoded;
    MutableColumnPtr result = make_strict_result(target_, arguments, rows);
    std::string text;
    for (int32_t row = 0; row < result->stored_size(); ++row) {
      if (!result->is_null(row)) {
        text.clear();
        text::append_value(text, column, row, text::Style::kCast, zone);
        fit_text(text, target_);
        result->mutable_values<StringView>()[static_cast<size_t>(row)] = result->heap().add(text);
      }
    }
    return result;
  }

 private:
  DataType target_;
  std::unique_ptr<ScalarKernel> decoding_;
  SessionZone zone_;
};

std::unique_ptr<ScalarKernel> print_integer(const DataType& source, const DataType& target) {
  return with_integer(source.kind(), [&](auto tag) {
    using From = typename decltype(tag)::Type;
    return row_kernel<std::string_view, From>(target, [target](std::string& text, From value) {
      std::array<char, 24> buffer;
      const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
      text.assign(buffer.data(), end.ptr);
      fit_text(text, target);
    });
  });
}

/// Bytes that are not UTF-8 become U+FFFD, as in Java.
void append_decoded(std::string& out, std::string_view bytes) {
  if (utf8::is_ascii(bytes)) {
    out += bytes;
    return;
  }
  size_t at = 0;
  while (at < bytes.size()) {
    utf8::append(out, utf8::next(bytes, at));
  }
}

std::unique_ptr<ScalarKernel> to_binary(const DataType& target) {
  return row_kernel<std::string_view, std::string_view>(
      target, [target](std::string& out, std::string_view bytes) {
        const auto length = static_cast<size_t>(target.length());
        out = bytes.substr(0, length);
        if (target.kind() == TypeKind::kBinary && out.size() < length) {
          out.resize(length, '\0');
        }
      });
}

}  // namespace

std::unique_ptr<ScalarKernel> make_printing_cast(const DataType& source, const DataType& target) {
  if (target.is_binary()) {
    return to_binary(target);
  }
  if (source.is_character()) {
    return row_kernel<std::string_view, std::string_view>(
        target, [target](std::string& out, std::string_view text) {
          out = text;
          fit_text(out, target);
        });
  }
  if (source.is_binary()) {
    return row_kernel<std::string_view, std::string_view>(
        target, [target](std::string& out, std::string_view bytes) {
          append_decoded(out, bytes);
          fit_text(out, target);
        });
  }
  if (source.is_integer()) {
    return print_integer(source, target);
  }
  return std::make_unique<PrintingCast>(source, target);
}

}  // namespace thalweg::expression
