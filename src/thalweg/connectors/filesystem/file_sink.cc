#include "thalweg/connectors/filesystem/file_sink.h"

#include <map>
#include <set>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "thalweg/common/error.h"
#include "thalweg/connectors/filesystem/part_file.h"
#include "thalweg/connectors/filesystem/partition_path.h"

namespace thalweg::connectors {

namespace {

/// What the writers of one sink share.
struct FileSinkPlan {
  FilesystemOptions options;
  std::vector<std::string> partition_keys;
  /// Columns of the batch: those of the partition keys, and the others, which go into the files.
  std::vector<size_t> partition_columns;
  std::vector<size_t> file_columns;
  const stream::FormatFactory* format = nullptr;
  stream::FormatContext format_context;
  bool is_batch = false;
  bool is_overwrite = false;
};

/// A committable that says what INSERT OVERWRITE replaces: a directory, and how the names of the
/// job's own files start. Others name part files.
constexpr std::string_view kClear = "clear\n";

/// A job's id in the form of a UUID, which is what file names carry.
std::string uuid_of(const JobId& job) {
  std::string text = job.to_string();
  for (const size_t at : {8U, 13U, 18U, 23U}) {
    text.insert(at, 1, '-');
  }
  return text;
}

class FileWriter final : public stream::SinkWriter {
 public:
  explicit FileWriter(std::shared_ptr<const FileSinkPlan> plan)
      : plan_(std::move(plan)), encoder_(plan_->format->create_encoder(plan_->format_context)) {}

  void open(stream::WriterContext& context) override {
    context_ = &context;
    job_prefix_ = fmt::format("{}-{}-", plan_->options.part_prefix, uuid_of(context.job()));
    prefix_ = plan_->is_batch ? fmt::format("{}task-{}-file-", job_prefix_, context.subtask())
                              : fmt::format("{}{}-", job_prefix_, context.subtask());
  }

  void write(const Batch& batch) override {
    if (plan_->partition_keys.empty()) {
      write_rows(batch, "");
      return;
    }
    for (const auto& [partition, rows] : partitions_of(batch)) {
      write_rows(batch.select(rows), partition);
    }
  }

  std::vector<std::string> prepare_commit(CheckpointId checkpoint) override {
    static_cast<void>(checkpoint);
    for (auto& [partition, file] : files_) {
      finished_.push_back(file->finish());
    }
    files_.clear();
    if (plan_->is_overwrite && plan_->partition_keys.empty() && context_->subtask() == 0) {
      written_.insert(plan_->options.path);  // replaced by no rows, too
    }
    std::vector<std::string> committables;
    for (const std::filesystem::path& directory : std::exchange(written_, {})) {
      committables.push_back(std::string(kClear) + directory.string() + '\n' + job_prefix_);
    }
    committables.insert(committables.end(), finished_.begin(), finished_.end());
    finished_.clear();
    return committables;
  }

  void commit(CheckpointId checkpoint, const std::vector<std::string>& committables) override {
    static_cast<void>(checkpoint);
    std::set<std::filesystem::path> directories;
    for (const std::string& committable : committables) {
      if (committable.starts_with(kClear)) {
        const size_t end = committable.rfind('\n');
        clear_directory(committable.substr(kClear.size(), end - kClear.size()),
                        committable.substr(end + 1));
      } else {
        directories.insert(commit_part_file(committable));
      }
    }
    if (plan_->options.success_file && !plan_->partition_keys.empty()) {
      for (const std::filesystem::path& directory : directories) {
        mark_finished(directory / *plan_->options.success_file);
      }
    }
  }

  void flush() override {
    for (auto& [partition, file] : files_) {
      file->flush();
    }
  }

 private:
  /// Rows of the batch by the directory they belong into, in order of the directories.
  std::map<std::string, std::vector<int32_t>> partitions_of(const Batch& batch) const {
    std::vector<ColumnPtr> columns;
    for (const size_t column : plan_->partition_columns) {
      columns.push_back(batch.column_ptr(column));
    }
    std::map<std::string, std::vector<int32_t>> partitions;
    for (int32_t row = 0; row < batch.row_count(); ++row) {
      partitions[partition_path_of(plan_->partition_keys,
                                   columns,
                                   row,
                                   plan_->options.default_partition_name,
                                   plan_->options.partition_names)]
          .push_back(row);
    }
    return partitions;
  }

  void write_rows(const Batch& batch, const std::string& partition) {
    std::vector<ColumnPtr> columns;
    for (const size_t column : plan_->file_columns) {
      columns.push_back(batch.column_ptr(column));
    }
    bytes_.clear();
    ends_.clear();
    encoder_->encode(batch.with_columns(std::move(columns)), bytes_, ends_);
    size_t begin = 0;
    for (const size_t end : ends_) {
      PartFile& file = open_file(partition);
      file.append(std::string_view(bytes_).substr(begin, end - begin));
      file.append(encoder_->record_separator());
      begin = end;
    }
  }

  /// The partition's open file; a full or old one makes room for the next.
  PartFile& open_file(const std::string& partition) {
    std::unique_ptr<PartFile>& file = files_[partition];
    const int64_t now = context_->now().ms;
    if (file != nullptr && (file->size() >= plan_->options.rolling_file_size ||
                            now - file->opened_ms() >= plan_->options.rollover_interval_ms)) {
      finished_.push_back(file->finish());
      file.reset();
    }
    if (file == nullptr) {
      const std::filesystem::path directory =
          partition.empty() ? plan_->options.path : plan_->options.path / partition;
      const std::string name =
          free_part_name(directory, prefix_, next_number_, plan_->options.part_suffix);
      file = std::make_unique<PartFile>(directory, name, now);
      ++next_number_;
      if (plan_->is_overwrite) {
        written_.insert(directory);
      }
    }
    return *file;
  }

  static void mark_finished(const std::filesystem::path& marker) {
    const int file = ::open(marker.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
    if (file < 0) {
      throw Error(ErrorCode::kIoFailed, fmt::format("Could not create {}", marker.string()));
    }
    ::close(file);
  }

  std::shared_ptr<const FileSinkPlan> plan_;
  std::unique_ptr<stream::Encoder> encoder_;
  stream::WriterContext* context_ = nullptr;
  std::string job_prefix_;
  std::string prefix_;
  int64_t next_number_ = 0;
  std::map<std::string, std::unique_ptr<PartFile>> files_;
  std::vector<std::string> finished_;
  /// Directories that INSERT OVERWRITE replaces.
  std::set<std::filesystem::path> written_;
  std::string bytes_;
  std::vector<size_t> ends_;
};

class FileSink final : public stream::TableSink {
 public:
  explicit FileSink(std::shared_ptr<const FileSinkPlan> plan) : plan_(std::move(plan)) {}

  stream::ChangelogMode accepted(const stream::ChangelogMode& requested) const override {
    const stream::ChangelogMode written = plan_->format->changelog_mode();
    return {requested.insert,
            requested.update_before && written.update_before,
            requested.update_after && written.update_after,
            requested.remove && written.remove};
  }

  std::optional<int32_t> parallelism() const override { return plan_->options.sink_parallelism; }

  bool supports_overwrite() const override { return true; }

  std::unique_ptr<stream::SinkWriter> create_writer() const override {
    return std::make_unique<FileWriter>(plan_);
  }

 private:
  std::shared_ptr<const FileSinkPlan> plan_;
};

}  // namespace

std::shared_ptr<stream::TableSink> make_file_sink(const stream::TableContext& context,
                                                  FilesystemOptions options) {
  auto plan = std::make_shared<FileSinkPlan>();
  plan->options = std::move(options);
  plan->partition_keys = context.partition_keys;
  plan->is_batch = context.is_batch;
  plan->is_overwrite = context.is_overwrite;
  if (context.is_overwrite && !context.is_batch) {
    throw Error(ErrorCode::kNotSupported, "Streaming mode not support overwrite.")
        .hint("Run INSERT OVERWRITE in batch mode, or use INSERT INTO.");
  }
  Schema written;
  for (const std::string& key : context.partition_keys) {
    for (size_t i = 0; i < context.columns.size(); ++i) {
      if (context.columns[i].name == key) {
        plan->partition_columns.push_back(i);
      }
    }
  }
  for (size_t i = 0; i < context.columns.size(); ++i) {
    const auto& keys = context.partition_keys;
    if (std::find(keys.begin(), keys.end(), context.columns[i].name) == keys.end()) {
      plan->file_columns.push_back(i);
      written.push_back(context.columns[i]);
    }
  }
  plan->format = &context.formats->format(plan->options.format);
  plan->format_context = {
      .schema = std::move(written),
      .options = stream::format_options(context.options, "", plan->options.format),
      .time_zone = context.time_zone};
  plan->format->create_encoder(plan->format_context);  // what can't be encoded is said at once
  return std::make_shared<FileSink>(std::move(plan));
}

}  // namespace thalweg::connectors
