#include "thalweg/formats/csv/csv_decoder.h"

#include <fmt/format.h>

#include "thalweg/common/error.h"
#include "thalweg/formats/csv/csv_splitter.h"
#include "thalweg/formats/csv/csv_values.h"
#include "thalweg/formats/number_text.h"
#include "thalweg/formats/utf8.h"

namespace thalweg::formats {

namespace {

class CsvDecoder final : public stream::Decoder {
 public:
  CsvDecoder(const stream::FormatContext& context, CsvOptions options)
      : options_(std::move(options)), splitter_(options_), schema_(context.schema) {
    targets_.assign(schema_.size(), -1);
    for (size_t i = 0; i < (context.projection ? context.projection->size() : schema_.size());
         ++i) {
      const size_t column = context.projection ? static_cast<size_t>((*context.projection)[i]) : i;
      targets_[column] = static_cast<int32_t>(i);
    }
  }

  size_t record_end(std::string_view bytes) const override { return splitter_.record_end(bytes); }

  stream::DecodeResult decode(std::span<const std::string_view> records,
                              std::span<ColumnBuilder> builders,
                              std::vector<int32_t>* rows_per_record,
                              std::vector<RowKind>* kinds) override {
    static_cast<void>(kinds);
    stream::DecodeResult result;
    for (const std::string_view record : records) {
      int32_t rows = 0;
      if (!is_comment(record)) {
        if (decode_record(record, builders)) {
          rows = 1;
        } else if (options_.ignore_parse_errors) {
          ++result.skipped;
        } else {
          result.failure =
              Error(ErrorCode::kBadRecord,
                    fmt::format("Failed to deserialize CSV row '{}'. {}", record, problem_));
          return result;
        }
      }
      ++result.records;
      if (rows_per_record != nullptr) {
        rows_per_record->push_back(rows);
      }
    }
    return result;
  }

 private:
  /// With comments allowed, blank lines are skipped too.
  bool is_comment(std::string_view record) const {
    if (!options_.allow_comments) {
      return false;
    }
    const size_t first = record.find_first_not_of(" \r\n");
    return first == std::string_view::npos || record[first] == '#';
  }

  bool decode_record(std::string_view record, std::span<ColumnBuilder> builders) {
    const int32_t row = builders.empty() ? 0 : builders.front().size();
    if (decode_fields(record, builders)) {
      return true;
    }
    for (ColumnBuilder& builder : builders) {
      builder.truncate(row);
    }
    return false;
  }

  bool decode_fields(std::string_view record, std::span<ColumnBuilder> builders) {
    if (!is_valid_utf8(record)) {
      problem_ = "The record is not UTF-8.";
      return false;
    }
    if (options_.allow_comments) {
      record.remove_prefix(record.find_first_not_of(" \r\n"));
    }
    splitter_.start(record);
    size_t column = 0;
    std::string_view field;
    CsvSplitter::Step step = CsvSplitter::Step::kEnd;
    while ((step = splitter_.next(field)) == CsvSplitter::Step::kField) {
      if (column < schema_.size()) {
        if (!decode_field(field, column, builders)) {
          return false;
        }
      } else if (!trim_java(field).empty()) {
        // Blank fields behind the last column are forgiven (Jackson's ALLOW_TRAILING_COMMA).
        problem_ =
            fmt::format("Too many entries: expected at most {} (value #{} ({} chars) \"{}\")",
                        schema_.size(),
                        column,
                        utf16_length(field),
                        field);
        return false;
      }
      ++column;
    }
    if (step == CsvSplitter::Step::kBroken) {
      problem_ = splitter_.problem();
      return false;
    }
    return pad(column, builders);
  }

  bool decode_field(std::string_view text, size_t column, std::span<ColumnBuilder> builders) {
    const int32_t target = targets_[column];
    if (target < 0) {
      return true;
    }
    std::string why;
    if (append_csv_value(text, options_, builders[static_cast<size_t>(target)], why)) {
      return true;
    }
    problem_ = fmt::format("Fail to deserialize at field: {}. {}", schema_[column].name, why);
    return false;
  }

  /// The columns that a short record lacks.
  bool pad(size_t column, std::span<ColumnBuilder> builders) {
    if (column < schema_.size() && !options_.ignore_parse_errors) {
      problem_ = fmt::format(
          "Row length mismatch. {} fields expected but was {}.", schema_.size(), column);
      return false;
    }
    for (; column < schema_.size(); ++column) {
      if (targets_[column] >= 0) {
        builders[static_cast<size_t>(targets_[column])].append_null();
      }
    }
    return true;
  }

  CsvOptions options_;
  CsvSplitter splitter_;
  Schema schema_;
  /// The builder of each column, or -1.
  std::vector<int32_t> targets_;
  std::string problem_;
};

}  // namespace

std::unique_ptr<stream::Decoder> make_csv_decoder(const stream::FormatContext& context,
                                                  CsvOptions options) {
  return std::make_unique<CsvDecoder>(context, std::move(options));
}

}  // namespace thalweg::formats
