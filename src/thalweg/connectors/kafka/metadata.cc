#include "thalweg/connectors/kafka/metadata.h"

#include <map>
#include <optional>
#include <string_view>

#include "thalweg/common/error.h"
#include "thalweg/types/column_builder.h"

namespace thalweg::connectors::kafka {
namespace {

const DataType& type_of(MetadataKind kind) {
  static const std::vector<stream::MetadataKey> keys = kafka_metadata_keys(false);
  return keys[static_cast<size_t>(kind)].type;
}

void append_headers(ColumnBuilder& builder, const rd_kafka_message_t& message) {
  // Of headers with one name the last counts, as in Flink.
  std::map<std::string_view, std::optional<std::string_view>> headers;
  rd_kafka_headers_t* list = nullptr;
  if (rd_kafka_message_headers(&message, &list) == RD_KAFKA_RESP_ERR_NO_ERROR) {
    const char* name = nullptr;
    const void* value = nullptr;
    size_t size = 0;
    for (size_t i = 0;
         rd_kafka_header_get_all(list, i, &name, &value, &size) == RD_KAFKA_RESP_ERR_NO_ERROR;
         ++i) {
      headers[name] = value == nullptr
                          ? std::nullopt
                          : std::optional(std::string_view(static_cast<const char*>(value), size));
    }
  }
  for (const auto& [name, value] : headers) {
    builder.child(0).append_string(name);
    if (value) {
      builder.child(1).append_string(*value);
    } else {
      builder.child(1).append_null();
    }
  }
  builder.append_list();
}

void append(ColumnBuilder& builder, MetadataKind kind, const rd_kafka_message_t& message) {
  rd_kafka_timestamp_type_t timestamp_type = RD_KAFKA_TIMESTAMP_NOT_AVAILABLE;
  switch (kind) {
    case MetadataKind::kHeaders:
      append_headers(builder, message);
      break;
    case MetadataKind::kOffset:
      builder.append<int64_t>(message.offset);
      break;
    case MetadataKind::kTimestamp:
      builder.append<int64_t>(rd_kafka_message_timestamp(&message, &timestamp_type));
      break;
    case MetadataKind::kTimestampType:
      rd_kafka_message_timestamp(&message, &timestamp_type);
      builder.append_string(timestamp_type == RD_KAFKA_TIMESTAMP_CREATE_TIME ? "CreateTime"
                            : timestamp_type == RD_KAFKA_TIMESTAMP_LOG_APPEND_TIME
                                ? "LogAppendTime"
                                : "NoTimestampType");
      break;
    case MetadataKind::kTopic:
    case MetadataKind::kPartition:
    case MetadataKind::kLeaderEpoch:
      builder.append_null();
      break;
  }
}

}  // namespace

std::vector<stream::MetadataKey> kafka_metadata_keys(bool writable_topic) {
  return {
      {"topic", DataType::string().not_null(), writable_topic},
      {"partition", DataType::integer().not_null(), false},
      {"headers", DataType::map(DataType::string(), DataType::bytes()).not_null(), true},
      {"leader-epoch", DataType::integer(), false},
      {"offset", DataType::big_int().not_null(), false},
      {"timestamp", DataType::timestamp_ltz(3).not_null(), true},
      {"timestamp-type", DataType::string().not_null(), false},
  };
}

MetadataKind metadata_kind(const std::string& key) {
  const auto keys = kafka_metadata_keys(false);
  std::vector<std::string> names;
  for (size_t i = 0; i < keys.size(); ++i) {
    if (keys[i].key == key) {
      return static_cast<MetadataKind>(i);
    }
    names.push_back(keys[i].key);
  }
  const auto near = stream::did_you_mean(key, names);
  throw Error(ErrorCode::kInvalidTable, "Connector 'kafka' has no metadata key '" + key + "'")
      .hint(near ? "did you mean '" + *near + "'?"
                 : fmt::format("it has {}", fmt::join(names, ", ")));
}

ColumnPtr metadata_column(MetadataKind kind,
                          const TopicPartition& partition,
                          std::span<const rd_kafka_message_t* const> messages) {
  const auto size = static_cast<int32_t>(messages.size());
  switch (kind) {
    case MetadataKind::kTopic:
      return constant_column(type_of(kind), Value(partition.topic), size);
    case MetadataKind::kPartition:
      return constant_column(type_of(kind), Value(int64_t{partition.partition}), size);
    case MetadataKind::kLeaderEpoch:
      // librdkafka 2.0 knows the epoch but doesn't tell it; Flink's column is nullable.
      return Column::make_null(type_of(kind), size);
    default:
      break;
  }
  ColumnBuilder builder(type_of(kind));
  for (const rd_kafka_message_t* message : messages) {
    append(builder, kind, *message);
  }
  return builder.finish();
}

}  // namespace thalweg::connectors::kafka
