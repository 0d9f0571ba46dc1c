#include "thalweg/connectors/kafka/table_parts.h"

namespace thalweg::connectors {
namespace kafka {
namespace {

bool writes_topic_column(const stream::OptionMap& options) {
  const auto topic = options.find("topic");
  return topic == options.end() || topic->second.find(';') != std::string::npos;
}

/// 'connector' = 'kafka': a topic as an append-only table.
class KafkaConnector final : public stream::ConnectorFactory {
 public:
  std::string name() const override { return "kafka"; }

  std::vector<stream::OptionSpec> option_specs() const override { return kafka_option_specs(); }

  std::vector<stream::MetadataKey> metadata_keys(const stream::OptionMap& options) const override {
    return kafka_metadata_keys(writes_topic_column(options));
  }

  std::shared_ptr<stream::TableSource> create_source(
      const stream::TableContext& table) const override {
    return std::make_shared<KafkaSource>(make_source_settings(table, parts_of(table)));
  }

  std::shared_ptr<stream::TableSink> create_sink(const stream::TableContext& table) const override {
    return std::make_shared<KafkaSink>(make_sink_settings(table, parts_of(table)));
  }

 private:
  static TableParts parts_of(const stream::TableContext& table) {
    return make_table_parts(table, parse_table_options(table.options, table.columns));
  }
};

}  // namespace
}  // namespace kafka

std::unique_ptr<stream::ConnectorFactory> make_kafka_connector() {
  return std::make_unique<kafka::KafkaConnector>();
}

}  // namespace thalweg::connectors
