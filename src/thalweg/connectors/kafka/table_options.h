#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "thalweg/stream/option.h"
#include "thalweg/types/data_type.h"

namespace thalweg::connectors::kafka {

/// A point in a topic from which reading starts, or at which it stops.
struct ReadPoint {
  enum class Kind : uint8_t { kEarliest, kLatest, kGroup, kTimestamp, kSpecific, kNever };
  Kind kind = Kind::kNever;
  int64_t timestamp_ms = 0;
  /// By partition, for kSpecific.
  std::map<int32_t, int64_t> offsets = {};
};

enum class PartitionerKind : uint8_t { kDefault, kFixed };
enum class DeliveryGuarantee : uint8_t { kNone, kAtLeastOnce, kExactlyOnce };

/// The WITH options of a kafka table, checked. Options of the source on a sink are checked too, as
/// in Flink.
struct TableOptions {
  std::vector<std::string> topics;
  std::optional<std::string> topic_pattern;

  ReadPoint start;
  ReadPoint stop;
  int64_t discovery_interval_ms = 0;

  /// Format names with the scope of their options: "value" for 'value.format', empty for 'format'.
  std::string value_format;
  std::string value_scope;
  std::optional<std::string> key_format;
  /// Indices into the table's physical columns, in the order of 'key.fields'.
  std::vector<int32_t> key_fields;
  std::vector<int32_t> value_fields;
  std::string key_prefix;

  /// 'connector' = 'upsert-kafka'.
  bool upsert = false;

  PartitionerKind partitioner = PartitionerKind::kDefault;
  DeliveryGuarantee guarantee = DeliveryGuarantee::kAtLeastOnce;
  std::string transactional_id_prefix;
  std::optional<int32_t> sink_parallelism;
};

/// The lists of options: checks, reference page and `did you mean` come from them.
std::vector<stream::OptionSpec> kafka_option_specs();
std::vector<stream::OptionSpec> upsert_kafka_option_specs();

/// `columns` are the table's physical ones. Throws kMissingOption, kUnknownOption, kInvalidOption.
TableOptions parse_table_options(const stream::OptionMap& options, const Schema& columns);

/// The same for 'upsert-kafka': the key is the primary key, and reading starts at the beginning.
TableOptions parse_upsert_options(const stream::OptionMap& options,
                                  const Schema& columns,
                                  const std::vector<std::string>& primary_key);

}  // namespace thalweg::connectors::kafka
