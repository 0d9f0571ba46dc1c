#include <algorithm>

#include "thalweg/common/error.h"
#include "thalweg/connectors/kafka/table_parts.h"

namespace thalweg::connectors {
namespace kafka {
namespace {

/// 'connector' = 'upsert-kafka': a topic as the changelog of a table with a primary key. A record
/// is the new row of its key; one without a value deletes it.
class UpsertKafkaConnector final : public stream::ConnectorFactory {
 public:
  std::string name() const override { return "upsert-kafka"; }

  std::vector<stream::OptionSpec> option_specs() const override {
    return upsert_kafka_option_specs();
  }

  std::vector<stream::MetadataKey> metadata_keys(const stream::OptionMap& options) const override {
    static_cast<void>(options);
    return kafka_metadata_keys(false);
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
    if (table.primary_key.empty()) {
      throw Error(ErrorCode::kInvalidTable,
                  "'upsert-kafka' tables require to define a PRIMARY KEY constraint: its columns "
                  "are the record's key")
          .hint("add PRIMARY KEY (...) NOT ENFORCED to the columns of " + table.table_name);
    }
    TableParts parts = make_table_parts(
        table, parse_upsert_options(table.options, table.columns, table.primary_key));
    for (const FormatUse* use : {&parts.key, &parts.value}) {
      if (!use->factory->changelog_mode().is_insert_only()) {
        throw Error(ErrorCode::kInvalidOption,
                    "'upsert-kafka' takes no format that carries changes itself: '" +
                        use->factory->name() + "'")
            .hint("use connector 'kafka' with it");
      }
    }
    return parts;
  }
};

}  // namespace
}  // namespace kafka

std::unique_ptr<stream::ConnectorFactory> make_upsert_kafka_connector() {
  return std::make_unique<kafka::UpsertKafkaConnector>();
}

}  // namespace thalweg::connectors
