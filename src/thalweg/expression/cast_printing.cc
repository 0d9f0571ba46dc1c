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

/// Any value by text::append_value.
class PrintingCast final : public ScalarKernel {
 public:
  explicit PrintingCast(DataType target) : target_(std::move(target)) {}

  ColumnPtr evaluate(std::span<const ColumnPtr> arguments,
                     int32_t rows,
                     const EvaluationContext& context,
                     RowErrors&) override {
    const TimeZone& zone = zone_.of(context);
    const Column& column = *arguments[0];
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
  return std::make_unique<PrintingCast>(target);
}

}  // namespace thalweg::expression
