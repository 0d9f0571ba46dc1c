#include <algorithm>

#include <fmt/format.h>

#include "thalweg/common/error.h"
#include "thalweg/formats/changelog_json/change_dialect.h"
#include "thalweg/formats/json/json_decoder.h"
#include "thalweg/formats/json/json_encoder.h"
#include "thalweg/formats/projected_schema.h"

namespace thalweg::formats {

namespace {

/// The options of the json format that these formats have, too.
constexpr std::string_view kSharedOptions[] = {"ignore-parse-errors",
                                               "timestamp-format.standard",
                                               "map-null-key.mode",
                                               "map-null-key.literal",
                                               "encode.decimal-as-plain-number",
                                               "encode.ignore-null-fields"};

std::vector<stream::OptionSpec> shared_option_specs() {
  std::vector<stream::OptionSpec> shared;
  for (stream::OptionSpec& spec : json_option_specs()) {
    if (std::ranges::find(kSharedOptions, spec.key) != std::end(kSharedOptions)) {
      shared.push_back(std::move(spec));
    }
  }
  return shared;
}

JsonOptions shared_options(const stream::OptionMap& options) {
  stream::OptionMap shared;
  for (const std::string_view key : kSharedOptions) {
    const auto found = options.find(std::string(key));
    if (found != options.end()) {
      shared.insert(*found);
    }
  }
  return read_json_options(shared);
}

/// Takes the changes out of each record; their rows are JSON objects like those of the json format.
class ChangeDecoder final : public stream::Decoder {
 public:
  ChangeDecoder(const Schema& schema, JsonOptions options, std::unique_ptr<ChangeDialect> dialect)
      : ignores_errors_(options.ignore_parse_errors),
        rows_(make_json_decoder(schema, std::move(options))),
        dialect_(std::move(dialect)) {}

  stream::DecodeResult decode(std::span<const std::string_view> records,
                              std::span<ColumnBuilder> builders,
                              std::vector<int32_t>* rows_per_record,
                              std::vector<RowKind>* kinds) override {
    stream::DecodeResult result;
    for (const std::string_view record : records) {
      changes_.clear();
      std::optional<std::string> problem;
      if (!record.empty()) {
        problem = dialect_->read(record, changes_);
      }
      int32_t rows = 0;
      if (!problem) {
        problem = append_rows(builders, kinds, rows);
      }
      if (problem && !ignores_errors_) {
        result.failure = Error(
            ErrorCode::kBadRecord,
            fmt::format("Corrupt {} JSON message '{}'. {}", dialect_->tool(), record, *problem));
        return result;
      }
      result.skipped += problem ? 1 : 0;
      ++result.records;
      if (rows_per_record != nullptr) {
        rows_per_record->push_back(rows);
      }
    }
    return result;
  }

 private:
  /// All rows of a record or none.
  std::optional<std::string> append_rows(std::span<ColumnBuilder> builders,
                                         std::vector<RowKind>* kinds,
                                         int32_t& rows) {
    texts_.clear();
    for (const Change& change : changes_) {
      texts_.emplace_back(change.row);
    }
    const int32_t before = builders.empty() ? 0 : builders.front().size();
    made_.clear();
    const stream::DecodeResult decoded = rows_->decode(texts_, builders, &made_, nullptr);
    if (decoded.failure || std::ranges::count(made_, 0) > 0) {
      for (ColumnBuilder& builder : builders) {
        builder.truncate(before);
      }
      return decoded.failure ? decoded.failure->message() : "One of its rows is no JSON object.";
    }
    for (const Change& change : changes_) {
      ++rows;
      if (kinds != nullptr) {
        kinds->push_back(change.kind);
      }
    }
    return std::nullopt;
  }

  bool ignores_errors_;
  std::unique_ptr<stream::Decoder> rows_;
  std::unique_ptr<ChangeDialect> dialect_;
  std::vector<Change> changes_;
  std::vector<std::string_view> texts_;
  std::vector<int32_t> made_;
};

/// An update is written as the old row that goes and the new one that comes.
class ChangeEncoder final : public stream::Encoder {
 public:
  ChangeEncoder(const Schema& schema, JsonOptions options, std::unique_ptr<ChangeDialect> dialect)
      : drops_nulls_(options.encode_ignore_null_fields),
        rows_(make_json_encoder(schema, std::move(options))),
        dialect_(std::move(dialect)) {}

  void encode(const Batch& batch, std::string& bytes, std::vector<size_t>& ends) override {
    texts_.clear();
    text_ends_.clear();
    rows_->encode(batch, texts_, text_ends_);
    size_t begin = 0;
    for (int32_t row = 0; row < batch.row_count(); ++row) {
      const size_t end = text_ends_[static_cast<size_t>(row)];
      dialect_->write(std::string_view(texts_).substr(begin, end - begin),
                      is_accumulate(batch.kind(row)),
                      drops_nulls_,
                      bytes);
      ends.push_back(bytes.size());
      begin = end;
    }
  }

 private:
  bool drops_nulls_;
  std::unique_ptr<stream::Encoder> rows_;
  std::unique_ptr<ChangeDialect> dialect_;
  std::string texts_;
  std::vector<size_t> text_ends_;
};

class ChangeFormat final : public stream::FormatFactory {
 public:
  ChangeFormat(std::string name,
               std::vector<stream::OptionSpec> dialect_options,
               MakeDialect make_dialect)
      : name_(std::move(name)), options_(std::move(dialect_options)), make_dialect_(make_dialect) {
    for (stream::OptionSpec& spec : shared_option_specs()) {
      options_.push_back(std::move(spec));
    }
  }

  std::string name() const override { return name_; }

  std::vector<stream::OptionSpec> option_specs() const override { return options_; }

  stream::ChangelogMode changelog_mode() const override { return stream::ChangelogMode::all(); }

  std::unique_ptr<stream::Decoder> create_decoder(
      const stream::FormatContext& context) const override {
    const Schema schema = projected_schema(context);
    check_types(schema);
    return std::make_unique<ChangeDecoder>(
        schema, shared_options(context.options), make_dialect_(context.options));
  }

  std::unique_ptr<stream::Encoder> create_encoder(
      const stream::FormatContext& context) const override {
    check_types(context.schema);
    const auto schema_include = context.options.find("schema-include");
    if (schema_include != context.options.end() && schema_include->second == "true") {
      throw Error(ErrorCode::kInvalidOption,
                  fmt::format("{0} serialization doesn't support '{0}.schema-include' option been "
                              "set to true.",
                              name_));
    }
    return std::make_unique<ChangeEncoder>(
        context.schema, shared_options(context.options), make_dialect_(context.options));
  }

 private:
  static void check_types(const Schema& schema) {
    for (const Field& field : schema) {
      check_json_type(field.type);
    }
  }

  std::string name_;
  std::vector<stream::OptionSpec> options_;
  MakeDialect make_dialect_;
};

}  // namespace

std::unique_ptr<stream::FormatFactory> make_change_format(
    std::string name, std::vector<stream::OptionSpec> dialect_options, MakeDialect make_dialect) {
  return std::make_unique<ChangeFormat>(std::move(name), std::move(dialect_options), make_dialect);
}

}  // namespace thalweg::formats
