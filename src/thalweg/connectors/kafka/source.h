#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "thalweg/connectors/kafka/reader.h"
#include "thalweg/connectors/kafka/split.h"
#include "thalweg/connectors/kafka/table_options.h"
#include "thalweg/connectors/kafka/topic_pattern.h"
#include "thalweg/stream/connector.h"

namespace thalweg::connectors::kafka {

/// A format as a table uses it.
struct FormatUse {
  const stream::FormatFactory* factory = nullptr;
  stream::FormatContext context;
};

struct SourceSettings {
  TableOptions options;
  ClientProperties properties;
  SourceLayout layout;
  FormatUse value;
  /// Without a key format its factory is null.
  FormatUse key;
  stream::ChangelogMode changelog_mode;
  bool auto_commit = false;
  int64_t auto_commit_interval_ms = 5000;
  Warn warn;
};

/// One use of a kafka table as a source. Finds partitions and their first and last offsets; one
/// thread calls discover_splits, any thread the rest.
class KafkaSource final : public stream::TableSource {
 public:
  explicit KafkaSource(SourceSettings settings);

  stream::Boundedness boundedness() const override;

  stream::ChangelogMode changelog_mode() const override { return settings_.changelog_mode; }

  /// Watermarks are kept for each partition apart, as in Flink's Kafka source.
  stream::SourceAbilities abilities() const override {
    const auto by_name = [](const FormatUse& use) {
      return use.factory == nullptr || use.factory->finds_fields_by_name();
    };
    return {.watermark_per_split = true,
            .nested_projection = by_name(settings_.key) && by_name(settings_.value)};
  }

  void on_restored() override { reads_new_from_start_ = true; }

  std::vector<stream::Split> discover_splits() override;

  void cancel() override { cancelled_ = true; }

  int64_t discovery_interval_ms() const override;
  std::unique_ptr<stream::SourceReader> create_reader() const override;

 private:
  std::vector<TopicPartition> find_partitions(Cluster& cluster) const;
  void add_new(Cluster& cluster);
  /// Offsets for `point` in the order of the partitions. `end` tells whether reading starts or
  /// stops there.
  enum class End : uint8_t { kStart, kStop };
  std::vector<int64_t> resolve(Cluster& cluster,
                               const ReadPoint& point,
                               End end,
                               const std::vector<TopicPartition>& partitions) const;
  std::vector<int64_t> resolve_group(Cluster& cluster,
                                     End end,
                                     const std::vector<TopicPartition>& partitions) const;
  std::vector<int64_t> resolve_specific(Cluster& cluster,
                                        const ReadPoint& point,
                                        End end,
                                        const std::vector<TopicPartition>& partitions) const;
  /// "earliest", "latest" or "none": where to go when there is no committed offset, or a position
  /// is gone.
  std::string offset_reset() const;

  SourceSettings settings_;
  std::optional<TopicPattern> pattern_;
  std::map<TopicPartition, KafkaSplit> known_;
  bool found_once_ = false;
  /// A partition that is new now appeared after the job's first start: it is read from its first
  /// record, as in Flink, whatever the startup mode.
  bool reads_new_from_start_ = false;
  std::atomic<bool> cancelled_ = false;
};

}  // namespace thalweg::connectors::kafka
