#include "thalweg/formats/csv/csv_encoder.h"

#include <fmt/format.h>

#include "thalweg/common/check.h"
#include "thalweg/formats/number_text.h"
#include "thalweg/formats/temporal_text.h"
#include "thalweg/formats/utf8.h"
#include "thalweg/types/text.h"

namespace thalweg::formats {

namespace {

/// Texts longer than this are quoted without a look (Jackson's CsvEncoder.MAX_QUOTE_CHECK).
constexpr size_t kLongestChecked = 24;

uint32_t first_code_point(std::string_view text) {
  const auto byte = [text](size_t i) {
    return static_cast<uint32_t>(static_cast<uint8_t>(text[i]));
  };
  if (byte(0) < 0x80) {
    return byte(0);
  }
  if (byte(0) < 0xE0) {
    return (byte(0) & 31U) << 6U | (byte(1) & 63U);
  }
  return (byte(0) & 15U) << 12U | (byte(1) & 63U) << 6U | (byte(2) & 63U);
}

size_t code_point_length(char lead) {
  const auto byte = static_cast<uint8_t>(lead);
  return byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
}

class CsvEncoder final : public stream::Encoder {
 public:
  explicit CsvEncoder(CsvOptions options) : options_(std::move(options)) {
    uint32_t highest = std::max<uint32_t>(first_code_point(options_.delimiter), '\n');
    if (options_.quote) {
      highest = std::max(highest, static_cast<uint32_t>(static_cast<uint8_t>(*options_.quote)));
    }
    least_safe_ = highest + 1;
    null_ = options_.null_literal.value_or("");
  }

  void encode(const Batch& batch, std::string& bytes, std::vector<size_t>& ends) override {
    ends.reserve(ends.size() + static_cast<size_t>(batch.row_count()));
    for (int32_t row = 0; row < batch.row_count(); ++row) {
      for (size_t i = 0; i < batch.columns().size(); ++i) {
        if (i > 0) {
          bytes += options_.delimiter;
        }
        append_field(bytes, batch.column(i), row);
      }
      ends.push_back(bytes.size());
    }
  }

 private:
  void append_field(std::string& out, const Column& column, int32_t row) {
    if (column.is_null(row)) {
      out += null_;
      return;
    }
    switch (column.type().kind()) {
      case TypeKind::kChar:
      case TypeKind::kVarChar:
        append_text(out, column.string_at(row));
        return;
      case TypeKind::kArray:
        text_.clear();
        for (int32_t i = column.list_begin(row); i < column.list_end(row); ++i) {
          append_element(text_, *column.child(0), i, i == column.list_begin(row));
        }
        append_text(out, text_);
        return;
      case TypeKind::kRow:
        text_.clear();
        for (size_t i = 0; i < column.child_count(); ++i) {
          append_element(text_, *column.child(i), column.is_constant() ? 0 : row, i == 0);
        }
        append_text(out, text_);
        return;
      case TypeKind::kDate:
      case TypeKind::kTime:
      case TypeKind::kTimestamp:
      case TypeKind::kTimestampLtz:
      case TypeKind::kBinary:
      case TypeKind::kVarBinary:
        text_.clear();
        append_plain(text_, column, row);
        append_text(out, text_);
        return;
      default:
        append_plain(out, column, row);
    }
  }

  void append_element(std::string& out, const Column& column, int32_t row, bool first) const {
    if (!first) {
      out += options_.array_delimiter;
    }
    if (column.is_null(row)) {
      out += null_;
    } else {
      append_plain(out, column, row);
    }
  }

  void append_plain(std::string& out, const Column& column, int32_t row) const {
    const DataType& type = column.type();
    switch (type.kind()) {
      case TypeKind::kBoolean:
        out += column.at<uint8_t>(row) != 0 ? "true" : "false";
        return;
      case TypeKind::kTinyInt:
        append_number(out, column.at<int8_t>(row));
        return;
      case TypeKind::kSmallInt:
        append_number(out, column.at<int16_t>(row));
        return;
      case TypeKind::kInt:
        append_number(out, column.at<int32_t>(row));
        return;
      case TypeKind::kBigInt:
        append_number(out, column.at<int64_t>(row));
        return;
      case TypeKind::kFloat:
        text::append_float(out, column.at<float>(row));
        return;
      case TypeKind::kDouble:
        text::append_double(out, column.at<double>(row));
        return;
      case TypeKind::kDecimal:
        append_decimal(out, column.at<Int128>(row), type.scale());
        return;
      case TypeKind::kChar:
      case TypeKind::kVarChar:
        out += column.string_at(row);
        return;
      default:
        append_special(out, column, row);
    }
  }

  static void append_special(std::string& out, const Column& column, int32_t row) {
    const DataType& type = column.type();
    switch (type.kind()) {
      case TypeKind::kBinary:
      case TypeKind::kVarBinary:
        append_base64(out, column.string_at(row));
        return;
      case TypeKind::kDate:
        append_iso_date(out, column.at<int32_t>(row));
        return;
      case TypeKind::kTime:
        append_java_time(out, column.at<int32_t>(row), true);
        return;
      case TypeKind::kTimestamp:
      case TypeKind::kTimestampLtz:
        append_java_timestamp(
            out,
            type.precision() <= 3 ? Int128{column.at<int64_t>(row)} : column.at<Int128>(row),
            type.precision(),
            {.zulu = type.kind() == TypeKind::kTimestampLtz});
        return;
      default:
        unreachable("a type without a CSV form");
    }
  }

  void append_decimal(std::string& out, Int128 unscaled, int32_t scale) const {
    if (options_.scientific_decimals) {
      append_stripped_decimal(out, unscaled, scale);
    } else {
      append_stripped_plain_decimal(out, unscaled, scale);
    }
  }

  template <typename T>
  static void append_number(std::string& out, T value) {
    const fmt::format_int digits(value);
    out.append(digits.data(), digits.size());
  }

  /// Jackson's loose check: any character up to the delimiter, the quote or the line feed may need
  /// quotes, whatever it is.
  bool needs_quotes(std::string_view text) const {
    if (!options_.quote) {
      return false;
    }
    if (utf16_length(text) > kLongestChecked) {
      return true;
    }
    for (size_t i = 0; i < text.size(); i += code_point_length(text[i])) {
      if (first_code_point(text.substr(i)) < least_safe_ ||
          (options_.escape && text[i] == *options_.escape)) {
        return true;
      }
    }
    return false;
  }

  void append_text(std::string& out, std::string_view text) const {
    if (!needs_quotes(text)) {
      out += text;
      return;
    }
    const char quote = *options_.quote;
    out += quote;
    for (const char c : text) {
      if (c == quote || (options_.escape && c == *options_.escape)) {
        out += c;
      }
      out += c;
    }
    out += quote;
  }

  CsvOptions options_;
  uint32_t least_safe_ = 0;
  std::string null_;
  std::string text_;
};

}  // namespace

std::unique_ptr<stream::Encoder> make_csv_encoder(CsvOptions options) {
  return std::make_unique<CsvEncoder>(std::move(options));
}

}  // namespace thalweg::formats
