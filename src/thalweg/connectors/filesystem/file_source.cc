#include "thalweg/connectors/filesystem/file_source.h"

#include <deque>

#include <fmt/format.h>

#include "thalweg/common/error.h"
#include "thalweg/connectors/filesystem/block_reader.h"
#include "thalweg/connectors/filesystem/file_columns.h"
#include "thalweg/connectors/filesystem/file_discovery.h"

namespace thalweg::connectors {

namespace {

/// Makes decoders; shared by the readers of a source.
struct FileFormat {
  const stream::FormatFactory* factory = nullptr;
  stream::FormatContext context;
};

class FileReader final : public stream::SourceReader {
 public:
  FileReader(std::shared_ptr<const FileColumns> columns, const FileFormat& format)
      : columns_(std::move(columns)),
        decoder_(format.factory->create_decoder(format.context)),
        carries_changes_(!format.factory->changelog_mode().is_insert_only()),
        builders_(make_builders(columns_->decoded_schema())) {}

  void open(stream::ReaderContext& context) override {
    skipped_ = &context.counter(stream::metric::kBadRecords);
  }

  void add_splits(std::vector<stream::Split> splits) override {
    for (stream::Split& split : splits) {
      waiting_.push_back(std::move(split));
    }
  }

  void no_more_splits() override { complete_ = true; }

  stream::PollResult poll(int64_t max_wait_ms) override {
    static_cast<void>(max_wait_ms);  // files never make wait
    while (file_ != nullptr || !waiting_.empty()) {
      if (file_ == nullptr) {
        open_next();
      }
      stream::PollResult result = read_batch();
      if (result.kind == stream::PollResult::Kind::kBatch) {
        return result;
      }
      file_.reset();
    }
    return {.kind =
                complete_ ? stream::PollResult::Kind::kEnd : stream::PollResult::Kind::kNothing};
  }

  std::vector<stream::Split> snapshot() const override {
    std::vector<stream::Split> splits;
    if (file_ != nullptr) {
      splits.push_back({*name_, std::to_string(file_->position())});
    }
    splits.insert(splits.end(), waiting_.begin(), waiting_.end());
    return splits;
  }

 private:
  void open_next() {
    const stream::Split split = std::move(waiting_.front());
    waiting_.pop_front();
    name_ = std::make_shared<const std::string>(split.id);
    file_ = std::make_unique<BlockReader>(split.id, std::stoll(split.position));
    constants_ = columns_->constants_of(split.id);
  }

  /// The next rows of the open file; kNothing at its end.
  stream::PollResult read_batch() {
    for (;;) {
      const std::vector<std::string_view>& records =
          file_->next(*decoder_, static_cast<size_t>(kTargetBatchRows));
      if (records.empty()) {
        return {.kind = stream::PollResult::Kind::kNothing};
      }
      rows_per_record_.clear();
      kinds_.clear();
      stream::DecodeResult decoded = decoder_->decode(
          records, builders_, &rows_per_record_, carries_changes_ ? &kinds_ : nullptr);
      skipped_->add(decoded.skipped);
      file_->keep(static_cast<size_t>(decoded.records));
      int32_t rows = 0;
      for (const int32_t count : rows_per_record_) {
        rows += count;
      }
      if (rows > 0 || decoded.failure) {
        return make_result(rows, std::move(decoded));
      }
    }
  }

  stream::PollResult make_result(int32_t rows, stream::DecodeResult decoded) {
    std::vector<ColumnPtr> columns;
    for (ColumnBuilder& builder : builders_) {
      columns.push_back(builder.finish());
    }
    Batch batch(rows, columns_->assemble(columns, constants_, rows));
    // The positions of further rows can't be told from that of the first.
    batch.set_origin({name_, rows == 1 ? file_->first_position() : -1});
    if (carries_changes_) {
      batch.set_kinds(std::move(kinds_));
      kinds_ = {};
    }
    stream::PollResult result{.kind = stream::PollResult::Kind::kBatch,
                              .batch = std::move(batch),
                              .failure = std::nullopt,
                              .split = name_};
    if (decoded.failure) {
      result.failure = Error(
          decoded.failure->code(),
          fmt::format("{} (byte {} of {})", decoded.failure->message(), file_->position(), *name_));
    }
    return result;
  }

  std::shared_ptr<const FileColumns> columns_;
  std::unique_ptr<stream::Decoder> decoder_;
  bool carries_changes_;
  std::vector<ColumnBuilder> builders_;
  stream::Counter* skipped_ = nullptr;
  std::deque<stream::Split> waiting_;
  bool complete_ = false;
  std::shared_ptr<const std::string> name_;
  std::unique_ptr<BlockReader> file_;
  std::vector<Value> constants_;
  std::vector<int32_t> rows_per_record_;
  std::vector<RowKind> kinds_;
};

class FileSource final : public stream::TableSource {
 public:
  FileSource(const stream::TableContext& context, FilesystemOptions options)
      : options_(std::move(options)),
        partition_keys_(context.partition_keys),
        columns_(std::make_shared<const FileColumns>(context, options_)) {
    format_.factory = &context.formats->format(options_.format);
    format_.context = {
        .schema = columns_->physical(),
        .options = stream::format_options(context.options, "", options_.format),
        .time_zone = context.time_zone,
        .projection = columns_->physical_projection(),
    };
    format_.factory->create_decoder(format_.context);  // what can't be decoded is said at once
  }

  stream::Boundedness boundedness() const override {
    return options_.monitor_interval_ms ? stream::Boundedness::kUnbounded
                                        : stream::Boundedness::kBounded;
  }

  stream::ChangelogMode changelog_mode() const override {
    return format_.factory->changelog_mode();
  }

  stream::SourceAbilities abilities() const override {
    return {.nested_projection = format_.factory->finds_fields_by_name()};
  }

  std::vector<stream::Split> discover_splits() override {
    std::vector<stream::Split> splits;
    for (std::string& file : discover_files(options_, partition_keys_)) {
      splits.push_back({std::move(file), "0"});
    }
    return splits;
  }

  int64_t discovery_interval_ms() const override {
    return options_.monitor_interval_ms.value_or(0);
  }

  std::unique_ptr<stream::SourceReader> create_reader() const override {
    return std::make_unique<FileReader>(columns_, format_);
  }

 private:
  FilesystemOptions options_;
  std::vector<std::string> partition_keys_;
  std::shared_ptr<const FileColumns> columns_;
  FileFormat format_;
};

}  // namespace

std::shared_ptr<stream::TableSource> make_file_source(const stream::TableContext& context,
                                                      FilesystemOptions options) {
  return std::make_shared<FileSource>(context, std::move(options));
}

}  // namespace thalweg::connectors
