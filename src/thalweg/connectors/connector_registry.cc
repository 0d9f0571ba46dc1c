#include "thalweg/connectors/connector_registry.h"

#include <fmt/format.h>

#include "thalweg/common/error.h"

namespace thalweg::connectors {

#define THALWEG_CONNECTOR(factory) std::unique_ptr<stream::ConnectorFactory> factory();
#include "thalweg/connectors/registered_connectors.def"
#undef THALWEG_CONNECTOR

ConnectorRegistry::ConnectorRegistry() {
#define THALWEG_CONNECTOR(factory) add(factory());
#include "thalweg/connectors/registered_connectors.def"
#undef THALWEG_CONNECTOR
}

void ConnectorRegistry::add(std::unique_ptr<stream::ConnectorFactory> factory) {
  std::string name = factory->name();
  factories_[std::move(name)] = std::move(factory);
}

const stream::ConnectorFactory* ConnectorRegistry::find(const std::string& name) const {
  const auto found = factories_.find(name);
  return found == factories_.end() ? nullptr : found->second.get();
}

const stream::ConnectorFactory& ConnectorRegistry::connector(const std::string& name) const {
  if (const stream::ConnectorFactory* factory = find(name)) {
    return *factory;
  }
  Error error(ErrorCode::kConnectorNotFound,
              fmt::format("Could not find any connector for identifier '{}'.\n\nAvailable "
                          "connector identifiers are:\n\n{}",
                          name,
                          fmt::join(names(), "\n")));
  const auto near = stream::did_you_mean(name, names());
  throw std::move(error).hint(near ? fmt::format("Did you mean '{}'?", *near) : "");
}

const stream::ConnectorFactory& ConnectorRegistry::connector_of(
    const stream::TableContext& table) const {
  const auto named = table.options.find("connector");
  if (named == table.options.end()) {
    throw Error(ErrorCode::kMissingOption,
                fmt::format("Table options do not contain an option key 'connector' for "
                            "discovering a connector: {}",
                            table.table_name))
        .hint(fmt::format("Write WITH ('connector' = ...) with one of: {}",
                          fmt::join(names(), ", ")));
  }
  return connector(named->second);
}

std::vector<std::string> ConnectorRegistry::names() const {
  std::vector<std::string> names;
  for (const auto& [name, factory] : factories_) {
    names.push_back(name);
  }
  return names;
}

}  // namespace thalweg::connectors
