#pragma once

#include <memory>
#include <string>
#include <vector>

#include "thalweg/stream/connector.h"

namespace thalweg::planner {

/// Makes the sources and sinks of tables for the planner. The engine implements it over its
/// connectors; it fills in what a TableContext needs from the session (formats, zone, lines,
/// warnings, addresses). The planner wraps the errors as Flink words them ("Unable to create a
/// source for reading table ...").
class TableProvider {
 public:
  virtual ~TableProvider() = default;
  /// The metadata that the table's connector can read or write, its format's included. Empty when
  /// the connector is unknown.
  virtual std::vector<stream::MetadataKey> metadata_keys(
      const stream::TableContext& table) const = 0;
  virtual std::shared_ptr<stream::TableSource> create_source(
      const stream::TableContext& table) const = 0;
  virtual std::shared_ptr<stream::TableSink> create_sink(
      const stream::TableContext& table) const = 0;
};

}  // namespace thalweg::planner
