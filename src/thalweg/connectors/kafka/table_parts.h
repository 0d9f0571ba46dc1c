#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "thalweg/connectors/kafka/sink.h"
#include "thalweg/connectors/kafka/source.h"
#include "thalweg/stream/connector.h"

namespace thalweg::connectors::kafka {

/// The parts that source and sink of one table are made of; the same for `kafka` and
/// `upsert-kafka`.
struct TableParts {
  TableOptions options;
  FormatUse key;
  FormatUse value;
};

TableParts make_table_parts(const stream::TableContext& table, TableOptions options);

SourceSettings make_source_settings(const stream::TableContext& table, TableParts parts);

SinkSettings make_sink_settings(const stream::TableContext& table, TableParts parts);

}  // namespace thalweg::connectors::kafka
