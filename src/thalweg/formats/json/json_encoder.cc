#include "thalweg/formats/json/json_encoder.h"

#include <cmath>

#include <fmt/format.h>

#include "thalweg/common/check.h"
#include "thalweg/common/error.h"
#include "thalweg/formats/json/json_text.h"
#include "thalweg/formats/number_text.h"
#include "thalweg/types/text.h"

namespace thalweg::formats {

namespace {

/// The names of a row's fields as they are written: `"name":`.
struct Names {
  std::vector<std::string> keys;
  std::vector<Names> children;
};

Names make_names(const DataType& type) {
  Names names;
  for (size_t i = 0; i < type.child_count(); ++i) {
    names.children.push_back(make_names(type.child(i)));
    if (type.kind() == TypeKind::kRow) {
      std::string key;
      append_json_string(key, type.fields()[i].name);
      names.keys.push_back(key + ":");
    }
  }
  return names;
}

class JsonEncoder final : public stream::Encoder {
 public:
  JsonEncoder(const Schema& schema, JsonOptions options)
      : options_(std::move(options)), names_(make_names(DataType::row(schema))) {}

  void encode(const Batch& batch, std::string& bytes, std::vector<size_t>& ends) override {
    ends.reserve(ends.size() + static_cast<size_t>(batch.row_count()));
    for (int32_t row = 0; row < batch.row_count(); ++row) {
      append_row(bytes, batch.columns(), names_, row);
      ends.push_back(bytes.size());
    }
  }

 private:
  void append_row(std::string& out,
                  std::span<const ColumnPtr> columns,
                  const Names& names,
                  int32_t row) const {
    out += '{';
    bool first = true;
    for (size_t i = 0; i < columns.size(); ++i) {
      const Column& column = *columns[i];
      const bool null = column.is_null(row);
      if (null && options_.encode_ignore_null_fields) {
        continue;
      }
      if (!first) {
        out += ',';
      }
      first = false;
      out += names.keys[i];
      append_value(out, column, names.children[i], row);
    }
    out += '}';
  }

  void append_value(std::string& out, const Column& column, const Names& names, int32_t row) const {
    if (column.is_null(row)) {
      out += "null";
      return;
    }
    switch (column.type().kind()) {
      case TypeKind::kArray:
        append_array(out, column, names, row);
        return;
      case TypeKind::kMap:
      case TypeKind::kMultiset:
        append_map(out, column, names, row);
        return;
      case TypeKind::kRow:
        append_struct(out, column, names, row);
        return;
      default:
        append_scalar(out, column, row);
    }
  }

  void append_scalar(std::string& out, const Column& column, int32_t row) const {
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
      case TypeKind::kIntervalYearMonth:
        append_number(out, column.at<int32_t>(row));
        return;
      case TypeKind::kBigInt:
      case TypeKind::kIntervalDayTime:
        append_number(out, column.at<int64_t>(row));
        return;
      case TypeKind::kFloat:
        append_floating(out, column.at<float>(row));
        return;
      case TypeKind::kDouble:
        append_floating(out, column.at<double>(row));
        return;
      case TypeKind::kDecimal:
        if (options_.encode_decimal_as_plain_number) {
          text::append_decimal(out, column.at<Int128>(row), type.scale());
        } else {
          append_stripped_decimal(out, column.at<Int128>(row), type.scale());
        }
        return;
      case TypeKind::kChar:
      case TypeKind::kVarChar:
        append_json_string(out, column.string_at(row));
        return;
      default:
        out += '"';
        append_quoted(out, column, row);
        out += '"';
    }
  }

  /// Values whose text needs no escapes.
  void append_quoted(std::string& out, const Column& column, int32_t row) const {
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
        append_java_time(out, column.at<int32_t>(row), type.precision() > 0);
        return;
      case TypeKind::kTimestamp:
      case TypeKind::kTimestampLtz:
        append_java_timestamp(
            out,
            type.precision() <= 3 ? Int128{column.at<int64_t>(row)} : column.at<Int128>(row),
            type.precision(),
            type.kind() == TypeKind::kTimestamp ? options_.timestamp : options_.timestamp_ltz);
        return;
      default:
        unreachable("a type without a JSON form");
    }
  }

  template <typename T>
  static void append_number(std::string& out, T value) {
    const fmt::format_int digits(value);
    out.append(digits.data(), digits.size());
  }

  /// NaN and the infinities have no JSON form; Jackson puts them in quotes.
  template <typename T>
  static void append_floating(std::string& out, T value) {
    const bool quoted = !std::isfinite(value);
    if (quoted) {
      out += '"';
    }
    if constexpr (std::is_same_v<T, float>) {
      text::append_float(out, value);
    } else {
      text::append_double(out, value);
    }
    if (quoted) {
      out += '"';
    }
  }

  void append_array(std::string& out, const Column& column, const Names& names, int32_t row) const {
    out += '[';
    const int32_t begin = column.list_begin(row);
    for (int32_t i = begin; i < column.list_end(row); ++i) {
      if (i > begin) {
        out += ',';
      }
      append_value(out, *column.child(0), names.children[0], i);
    }
    out += ']';
  }

  void append_map(std::string& out, const Column& column, const Names& names, int32_t row) const {
    out += '{';
    bool first = true;
    for (int32_t i = column.list_begin(row); i < column.list_end(row); ++i) {
      const bool null_key = column.child(0)->is_null(i);
      if (null_key && options_.map_null_key_mode == MapNullKeyMode::kDrop) {
        continue;
      }
      if (null_key && options_.map_null_key_mode == MapNullKeyMode::kFail) {
        throw Error(ErrorCode::kEncodeFailed,
                    "JSON format doesn't support to serialize map data with null keys.")
            .hint(
                "Set 'json.map-null-key.mode' to 'DROP' to leave such entries out, or to "
                "'LITERAL' to write them under 'json.map-null-key.literal'.");
      }
      if (!first) {
        out += ',';
      }
      first = false;
      append_json_string(out,
                         null_key ? std::string_view(options_.map_null_key_literal)
                                  : column.child(0)->string_at(i));
      out += ':';
      append_value(out, *column.child(1), names.children[1], i);
    }
    out += '}';
  }

  void append_struct(std::string& out,
                     const Column& column,
                     const Names& names,
                     int32_t row) const {
    std::vector<ColumnPtr> children;
    children.reserve(column.child_count());
    for (size_t i = 0; i < column.child_count(); ++i) {
      children.push_back(column.child(i));
    }
    append_row(out, children, names, column.is_constant() ? 0 : row);
  }

  JsonOptions options_;
  Names names_;
};

}  // namespace

std::unique_ptr<stream::Encoder> make_json_encoder(const Schema& schema, JsonOptions options) {
  return std::make_unique<JsonEncoder>(schema, std::move(options));
}

}  // namespace thalweg::formats
