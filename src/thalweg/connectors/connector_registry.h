#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "thalweg/stream/connector.h"

namespace thalweg::connectors {

/// Connectors by the name of the 'connector' option. Made and owned by the engine; immutable once
/// statements run, so any thread may read it.
class ConnectorRegistry {
 public:
  /// Holds every connector of registered_connectors.def.
  ConnectorRegistry();

  /// Adds a connector that was given what it needs (test-stream and its feeds), or replaces one.
  void add(std::unique_ptr<stream::ConnectorFactory> factory);

  /// Throws kConnectorNotFound with the nearest name and all that exist.
  const stream::ConnectorFactory& connector(const std::string& name) const;

  /// Null when there is none.
  const stream::ConnectorFactory* find(const std::string& name) const;

  /// The connector that a table's options name; throws kMissingOption when they name none.
  const stream::ConnectorFactory& connector_of(const stream::TableContext& table) const;

  /// In order of the alphabet.
  std::vector<std::string> names() const;

 private:
  std::map<std::string, std::unique_ptr<stream::ConnectorFactory>> factories_;
};

}  // namespace thalweg::connectors
