#include "thalweg/connectors/kafka/table_options.h"

namespace thalweg::connectors::kafka {
namespace {

using stream::OptionSpec;
using stream::OptionType;

std::vector<OptionSpec> common_specs() {
  return {
      {.key = "connector", .required = true, .description = "`kafka`."},
      {.key = "topic",
       .type = OptionType::kList,
       .description = "Topics to read, separated by semicolons, or the topic to write. With "
                      "several, a sink writes "
                      "to the one that the `topic` metadata column names."},
      {.key = "topic-pattern",
       .description =
           "A regular expression for the names of topics to read; not together with `topic`."},
      {.key = "properties.bootstrap.servers",
       .required = true,
       .description = "Comma-separated addresses of brokers. Every `properties.KEY` is the setting "
                      "KEY of Kafka's "
                      "Java clients; what becomes of each is in the table of Kafka properties."},
      {.key = "properties.group.id",
       .description =
           "Consumer group whose offsets are kept up on checkpoints; needed for `group-offsets`."},
      {.key = "format", .description = "Format of the value; the same as `value.format`."},
      {.key = "value.format", .description = "Format of the value."},
      {.key = "key.format",
       .description = "Format of the key; without it keys are neither read nor written."},
      {.key = "key.fields",
       .type = OptionType::kList,
       .description = "Columns of the key, separated by semicolons."},
      {.key = "key.fields-prefix",
       .default_value = "",
       .description = "A prefix of the key columns' names that the key format does not see."},
      {.key = "value.fields-include",
       .type = OptionType::kEnum,
       .default_value = "ALL",
       .description = "Whether the value holds the key columns too.",
       .values = {"ALL", "EXCEPT_KEY"}},
  };
}

std::vector<OptionSpec> scan_specs() {
  return {
      {.key = "scan.startup.mode",
       .type = OptionType::kEnum,
       .default_value = "group-offsets",
       .description = "Where reading starts.",
       .values =
           {"earliest-offset", "latest-offset", "group-offsets", "timestamp", "specific-offsets"}},
      {.key = "scan.startup.specific-offsets",
       .description = "`partition:0,offset:42;partition:1,offset:300` for `specific-offsets`."},
      {.key = "scan.startup.timestamp-millis",
       .type = OptionType::kLong,
       .description = "Milliseconds since the epoch for `timestamp`."},
      {.key = "scan.bounded.mode",
       .type = OptionType::kEnum,
       .default_value = "unbounded",
       .description = "Where reading stops.",
       .values = {"unbounded", "latest-offset", "group-offsets", "timestamp", "specific-offsets"}},
      {.key = "scan.bounded.specific-offsets",
       .description = "`partition:0,offset:42;partition:1,offset:300` for `specific-offsets`."},
      {.key = "scan.bounded.timestamp-millis",
       .type = OptionType::kLong,
       .description = "Milliseconds since the epoch for `timestamp`."},
      {.key = "scan.topic-partition-discovery.interval",
       .type = OptionType::kDuration,
       .default_value = "5 min",
       .description = "How often new topics and partitions are looked for; `0` turns that off."},
      {.key = "scan.parallelism",
       .type = OptionType::kInt,
       .description = "Taken for compatibility: `parallelism.default` decides."},
      {.key = "scan.watermark.idle-timeout",
       .type = OptionType::kDuration,
       .description =
           "Taken for compatibility: `table.exec.source.idle-timeout` decides for all sources."},
      {.key = "scan.watermark.emit.strategy",
       .type = OptionType::kEnum,
       .default_value = "on-periodic",
       .description = "Taken for compatibility: watermarks are sent periodically.",
       .values = {"on-periodic", "on-event"}},
      {.key = "scan.watermark.emit.on-event.gap",
       .type = OptionType::kInt,
       .default_value = "1",
       .description = "Taken for compatibility, as `scan.watermark.emit.strategy`."},
      {.key = "scan.watermark.alignment.group",
       .description = "Taken for compatibility: sources are not aligned."},
      {.key = "scan.watermark.alignment.max-drift",
       .type = OptionType::kDuration,
       .description = "Taken for compatibility: sources are not aligned."},
      {.key = "scan.watermark.alignment.update-interval",
       .type = OptionType::kDuration,
       .default_value = "1 s",
       .description = "Taken for compatibility: sources are not aligned."},
  };
}

std::vector<OptionSpec> sink_specs() {
  return {
      {.key = "sink.partitioner",
       .default_value = "default",
       .description = "`default`: by the key's hash as Kafka's Java client does it, spread evenly "
                      "without a key; `fixed`: "
                      "each subtask writes to one partition; `round-robin`: spread evenly, without "
                      "a key only."},
      {.key = "sink.delivery-guarantee",
       .type = OptionType::kEnum,
       .default_value = "at-least-once",
       .description = "`exactly-once` sends each checkpoint's records in one transaction.",
       .values = {"none", "at-least-once", "exactly-once"},
       .fallback_keys = {"sink.semantic"}},
      {.key = "sink.transactional-id-prefix",
       .description =
           "Prefix of transactional ids, needed for `exactly-once`; no two jobs may share it."},
      {.key = "sink.transaction-naming-strategy",
       .type = OptionType::kEnum,
       .default_value = "DEFAULT",
       .description = "Taken for compatibility: ids are one for each subtask, and are reused.",
       .values = {"DEFAULT", "POOLING", "INCREMENTING"}},
      {.key = "sink.parallelism",
       .type = OptionType::kInt,
       .description = "Parallelism of the sink."},
  };
}

}  // namespace

std::vector<OptionSpec> kafka_option_specs() {
  std::vector<OptionSpec> specs = common_specs();
  for (auto&& part : {scan_specs(), sink_specs()}) {
    specs.insert(specs.end(), part.begin(), part.end());
  }
  return specs;
}

std::vector<OptionSpec> upsert_kafka_option_specs() {
  std::vector<OptionSpec> specs;
  for (OptionSpec& spec : kafka_option_specs()) {
    const bool only_appending = spec.key.starts_with("scan.startup.") || spec.key == "key.fields" ||
                                spec.key == "format" || spec.key == "sink.partitioner";
    if (!only_appending) {
      specs.push_back(std::move(spec));
    }
  }
  specs[0].description = "`upsert-kafka`.";
  for (OptionSpec& spec : specs) {
    spec.required = spec.required || spec.key == "key.format" || spec.key == "value.format";
  }
  specs.push_back(
      {.key = "sink.buffer-flush.max-rows",
       .type = OptionType::kInt,
       .default_value = "0",
       .description =
           "Taken for compatibility: every row is sent, the producer gathers them into requests."});
  specs.push_back({.key = "sink.buffer-flush.interval",
                   .type = OptionType::kDuration,
                   .default_value = "0 s",
                   .description = "Taken for compatibility, as `sink.buffer-flush.max-rows`."});
  return specs;
}

}  // namespace thalweg::connectors::kafka
