#include "thalweg/connectors/in_turn/in_turn_source.h"

#include <algorithm>
#include <mutex>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "thalweg/common/check.h"

namespace thalweg::connectors {

namespace {

/// How often it is looked whether the next part may begin.
constexpr int64_t kTurnMs = 20;
/// Where nothing is to be discovered any more.
constexpr int64_t kNeverMs = 3'600'000;

std::string suffix_of(size_t part) {
  return part == 0 ? "" : fmt::format(" (source {})", part + 1);
}

/// A split of a part as one of the whole. Its position tells the part.
stream::Split outer_split(stream::Split split, size_t part) {
  return {split.id + suffix_of(part), fmt::format("{}:{}", part, split.position)};
}

size_t part_of(const stream::Split& split) {
  return std::stoull(split.position);
}

stream::Split inner_split(const stream::Split& split) {
  return {split.id.substr(0, split.id.size() - suffix_of(part_of(split)).size()),
          split.position.substr(split.position.find(':') + 1)};
}

/// A split without rows that tells a reader that a part began. Each reader gets one (splits are
/// dealt out in turn) and keeps it, so that any reader's share of a checkpoint tells the part.
stream::Split marker_of(size_t part, int32_t reader) {
  return {fmt::format("begin of source {}, reader {}", part + 1, reader + 1),
          fmt::format("{}:begin", part)};
}

bool is_marker(const stream::Split& split) {
  return split.position.ends_with(":begin") && split.id.starts_with("begin of source ");
}

/// Whose turn it is in one run of a job: what discovery and the readers tell each other.
class Turns {
 public:
  Turns(size_t parts, bool ends) : last_(parts - 1), ends_(ends) {}

  /// The run goes on from a checkpoint: the part is known once every reader has its splits.
  void restore() {
    const std::lock_guard lock(mutex_);
    is_restoring_ = true;
  }

  /// A reader has its restored splits; `part` is the latest among them, if there are any.
  void reader_began(int32_t readers, std::optional<size_t> part) {
    const std::lock_guard lock(mutex_);
    if (!is_restoring_) {
      return;
    }
    latest_ = std::max(latest_, part);
    if (++begun_ == readers) {
      is_restoring_ = false;
      is_discovered_ = true;
      // Readers keep their markers until everything is read.
      is_over_ = !latest_;
      part_ = latest_.value_or(last_);
      look_for_end();
    }
  }

  void add_unread(const std::string& split) {
    const std::lock_guard lock(mutex_);
    unread_.insert(split);
  }

  void were_read(const std::set<std::string>& splits) {
    const std::lock_guard lock(mutex_);
    std::erase_if(unread_, [&](const std::string& split) { return splits.contains(split); });
    look_for_end();
  }

  /// The part whose splits are to be looked for now. `discovered` follows.
  std::optional<size_t> to_discover(bool last_grows) {
    const std::lock_guard lock(mutex_);
    if (is_restoring_ || is_over_) {
      return std::nullopt;
    }
    if (is_discovered_ && part_ < last_ && unread_.empty()) {
      ++part_;
      is_discovered_ = false;
    }
    const bool wanted = !is_discovered_ || (part_ == last_ && last_grows);
    return wanted ? std::optional(part_) : std::nullopt;
  }

  void discovered() {
    const std::lock_guard lock(mutex_);
    is_discovered_ = true;
    look_for_end();
  }

  /// No part is to begin any more.
  bool is_settled() const {
    const std::lock_guard lock(mutex_);
    return is_over_ || (part_ == last_ && is_discovered_);
  }

  /// Everything is read.
  bool is_over() const {
    const std::lock_guard lock(mutex_);
    return is_over_;
  }

 private:
  void look_for_end() {
    is_over_ = is_over_ || (ends_ && part_ == last_ && is_discovered_ && unread_.empty());
  }

  const size_t last_;
  const bool ends_;
  mutable std::mutex mutex_;
  size_t part_ = 0;
  bool is_discovered_ = false;
  bool is_over_ = false;
  bool is_restoring_ = false;
  int32_t begun_ = 0;
  std::optional<size_t> latest_;
  /// Splits of the part at hand that some reader has not read to their end.
  std::set<std::string> unread_;
};

/// What the readers of a run share.
struct Plan {
  Schema columns;
  std::vector<SourcePart> parts;
};

/// Reads the splits of one part after the other; passes on what the part's own reader asks.
class InTurnReader final : public stream::SourceReader, public stream::ReaderContext {
 public:
  InTurnReader(std::shared_ptr<const Plan> plan, std::shared_ptr<Turns> turns)
      : plan_(std::move(plan)), turns_(std::move(turns)) {}

  void open(stream::ReaderContext& context) override { context_ = &context; }

  void add_splits(std::vector<stream::Split> splits) override {
    std::vector<stream::Split> own;
    for (stream::Split& split : splits) {
      const size_t part = part_of(split);
      latest_ = std::max(latest_, std::optional(part));
      if (is_marker(split)) {
        context_->split_ended(split.id);
        markers_.push_back(std::move(split));
        continue;
      }
      if (reader_ == nullptr) {
        part_ = part;
        reader_ = plan_->parts[part].source->create_reader();
        reader_->open(*this);
      }
      check(part == part_, "splits of one part come once those of the part before are read");
      turns_->add_unread(split.id);
      open_splits_.insert(split.id);
      held_.insert(split.id);
      own.push_back(inner_split(split));
    }
    if (!own.empty()) {
      reader_->add_splits(std::move(own));
      if (plan_->parts[part_].source->discovery_interval_ms() <= 0) {
        reader_->no_more_splits();
      }
    }
  }

  void no_more_splits() override {}

  stream::PollResult poll(int64_t max_wait_ms) override {
    if (!began_) {
      began_ = true;
      turns_->reader_began(context_->parallelism(), latest_);
    }
    if (reader_ == nullptr) {
      return {.kind = turns_->is_over() ? stream::PollResult::Kind::kEnd
                                        : stream::PollResult::Kind::kNothing};
    }
    stream::PollResult result = reader_->poll(max_wait_ms);
    if (result.kind == stream::PollResult::Kind::kEnd) {
      end_part();
      return {};
    }
    if (result.kind == stream::PollResult::Kind::kBatch) {
      settle(result);
    }
    return result;
  }

  std::vector<stream::Split> snapshot() const override {
    std::vector<stream::Split> splits = markers_;
    if (reader_ != nullptr) {
      for (stream::Split& split : reader_->snapshot()) {
        splits.push_back(outer_split(std::move(split), part_));
      }
    }
    return splits;
  }

  void on_checkpoint_complete(CheckpointId checkpoint) override {
    if (reader_ != nullptr) {
      reader_->on_checkpoint_complete(checkpoint);
    }
  }

  void close() override {
    if (reader_ != nullptr) {
      reader_->close();
    }
  }

  // ReaderContext of the part's reader
  int32_t subtask() const override { return context_->subtask(); }

  int32_t parallelism() const override { return context_->parallelism(); }

  ProcessingTime now() const override { return context_->now(); }

  stream::Counter& counter(const std::string& name) override { return context_->counter(name); }

  void wake() override { context_->wake(); }

  void split_ended(const std::string& split) override { end_split(split + suffix_of(part_)); }

 private:
  void end_split(const std::string& split) {
    if (open_splits_.erase(split) > 0) {
      context_->split_ended(split);
    }
  }

  void end_part() {
    while (!open_splits_.empty()) {
      end_split(std::string(*open_splits_.begin()));
    }
    reader_->close();
    reader_.reset();
    turns_->were_read(held_);
    held_.clear();
  }

  /// The batch as one of the whole source.
  void settle(stream::PollResult& result) const {
    std::vector<ColumnPtr> columns;
    const std::vector<int32_t>& places = plan_->parts[part_].places;
    for (size_t i = 0; i < places.size(); ++i) {
      columns.push_back(places[i] < 0
                            ? Column::make_null(plan_->columns[i].type, result.batch.row_count())
                            : result.batch.column_ptr(static_cast<size_t>(places[i])));
    }
    Origin origin = result.batch.origin();
    const auto& split = origin.split != nullptr ? origin.split : result.split;
    if (split != nullptr) {
      origin.split = std::make_shared<const std::string>(*split + suffix_of(part_));
    }
    result.batch = result.batch.with_columns(std::move(columns));
    result.batch.set_origin(std::move(origin));
  }

  std::shared_ptr<const Plan> plan_;
  std::shared_ptr<Turns> turns_;
  stream::ReaderContext* context_ = nullptr;
  bool began_ = false;
  std::optional<size_t> latest_;
  std::vector<stream::Split> markers_;
  /// Reads `part_`; null before its splits come and once they are read.
  std::unique_ptr<stream::SourceReader> reader_;
  size_t part_ = 0;
  std::set<std::string> held_;
  /// Of those, the ones that the task does not know to have ended.
  std::set<std::string> open_splits_;
};

class InTurnSource final : public stream::TableSource {
 public:
  explicit InTurnSource(Plan plan) : plan_(std::make_shared<const Plan>(std::move(plan))) {}

  stream::Boundedness boundedness() const override { return last().boundedness(); }

  stream::SourceAbilities abilities() const override {
    return {.watermark_per_split = std::ranges::any_of(plan_->parts, [](const SourcePart& part) {
              return part.source->abilities().watermark_per_split;
            })};
  }

  std::vector<stream::Split> discover_splits() override {
    is_running_ = true;
    const bool last_grows = last().discovery_interval_ms() > 0;
    const std::optional<size_t> part = turns_->to_discover(last_grows);
    if (!part) {
      return {};
    }
    if (is_restored_ && turns_->is_settled()) {
      last().on_restored();
      is_restored_ = false;
    }
    std::vector<stream::Split> splits;
    for (stream::Split& split : plan_->parts[*part].source->discover_splits()) {
      splits.push_back(outer_split(std::move(split), *part));
      if (!(last_grows && *part + 1 == plan_->parts.size())) {
        turns_->add_unread(splits.back().id);
      }
    }
    for (int32_t reader = 0; reader < readers_; ++reader) {
      splits.push_back(marker_of(*part, reader));
    }
    turns_->discovered();
    return splits;
  }

  void on_restored() override {
    is_running_ = true;
    is_restored_ = true;
    turns_->restore();
  }

  int64_t discovery_interval_ms() const override {
    if (turns_ == nullptr || !turns_->is_settled()) {
      return kTurnMs;
    }
    const int64_t interval = last().discovery_interval_ms();
    return interval > 0 ? interval : kNeverMs;
  }

  std::optional<int32_t> fixed_parallelism() const override {
    for (const SourcePart& part : plan_->parts) {
      if (const auto fixed = part.source->fixed_parallelism()) {
        return fixed;
      }
    }
    return std::nullopt;
  }

  void cancel() override {
    for (const SourcePart& part : plan_->parts) {
      part.source->cancel();
    }
  }

  /// A run makes its readers before it discovers splits.
  std::unique_ptr<stream::SourceReader> create_reader() const override {
    if (turns_ == nullptr || is_running_) {
      is_running_ = false;
      is_restored_ = false;
      readers_ = 0;
      turns_ = std::make_shared<Turns>(plan_->parts.size(),
                                       last().boundedness() == stream::Boundedness::kBounded);
    }
    ++readers_;
    return std::make_unique<InTurnReader>(plan_, turns_);
  }

 private:
  stream::TableSource& last() const { return *plan_->parts.back().source; }

  std::shared_ptr<const Plan> plan_;
  /// Of the run at hand; the job's own thread makes and asks them.
  mutable std::shared_ptr<Turns> turns_;
  mutable bool is_running_ = false;
  mutable bool is_restored_ = false;
  mutable int32_t readers_ = 0;
};

}  // namespace

std::shared_ptr<stream::TableSource> make_in_turn_source(Schema columns,
                                                         std::vector<SourcePart> parts) {
  return std::make_shared<InTurnSource>(Plan{std::move(columns), std::move(parts)});
}

}  // namespace thalweg::connectors
