#include "thalweg/engine/table_provider.h"

#include "thalweg/engine/legacy_options.h"

namespace thalweg::engine {

namespace {

constexpr const char* kConnectorOption = "connector";
/// Where tables without a connector are kept, host:port; unset: nowhere.
constexpr const char* kManagedServers = "thalweg.managed.bootstrap.servers";

/// The formats of managed tables under the names that Confluent Cloud has for them.
std::string kafka_format(const std::string& name) {
  return name == "avro-registry" ? "avro-confluent" : name == "json-registry" ? "json" : name;
}

/// A managed table as a topic of its own name: changes by key where there is a primary key, all
/// rows otherwise.
stream::OptionMap managed_options(const stream::TableContext& table, const std::string& servers) {
  const bool keyed = !table.primary_key.empty();
  stream::OptionMap options = {{kConnectorOption, keyed ? "upsert-kafka" : "kafka"},
                               {"topic", table.table_name},
                               {"properties.bootstrap.servers", servers},
                               {keyed ? "value.format" : "format", "json"}};
  if (keyed) {
    options["key.format"] = "json";
  } else {
    options["scan.startup.mode"] = "earliest-offset";
  }
  for (const auto& [key, value] : table.options) {
    if (key == kConnectorOption || key == "changelog.mode") {
      continue;
    }
    if (key == "value.format") {
      options.erase("format");
    }
    options[key] = key.ends_with(".format") ? kafka_format(value) : value;
  }
  return options;
}

/// A place where `from` stands as a whole host:port, not as a part of a longer name.
bool is_whole_address(const std::string& text, size_t at, size_t length) {
  const auto is_name = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '-' || c == '_';
  };
  const bool begins = at == 0 || !is_name(text[at - 1]);
  const bool ends = at + length == text.size() || !is_name(text[at + length]);
  return begins && ends;
}

}  // namespace

SessionTableProvider::SessionTableProvider(const Process& process,
                                           const Configuration& config,
                                           Host host)
    : process_(process), config_(config), host_(std::move(host)) {}

std::string SessionTableProvider::resolve(const std::map<std::string, std::string>& aliases,
                                          std::string address) {
  for (const auto& [from, to] : aliases) {
    for (size_t at = address.find(from); at != std::string::npos; at = address.find(from, at)) {
      if (is_whole_address(address, at, from.size())) {
        address.replace(at, from.size(), to);
        at += to.size();
      } else {
        at += from.size();
      }
    }
  }
  return address;
}

stream::TableContext SessionTableProvider::complete(stream::TableContext table) const {
  table.formats = &process_.formats;
  table.time_zone = config_.time_zone();
  table.is_batch = config_.is_batch();
  table.print_line = host_.print_line;
  table.warn = host_.warn;
  table.resolve_address = [aliases = host_.address_aliases](const std::string& address) {
    return resolve(aliases, address);
  };
  return table;
}

stream::TableContext SessionTableProvider::placed(stream::TableContext table) const {
  table.options = without_legacy(table.options);
  const auto named = table.options.find(kConnectorOption);
  const auto servers = config_.find(kManagedServers);
  if (servers && (named == table.options.end() || named->second == "confluent")) {
    table.options = managed_options(table, *servers);
  }
  return table;
}

std::vector<stream::MetadataKey> SessionTableProvider::metadata_keys(
    const stream::TableContext& given) const {
  const stream::TableContext table = placed(given);
  const auto named = table.options.find(kConnectorOption);
  const stream::ConnectorFactory* factory =
      named == table.options.end() ? nullptr : process_.connectors.find(named->second);
  return factory == nullptr ? std::vector<stream::MetadataKey>{}
                            : factory->metadata_keys(table.options);
}

std::shared_ptr<stream::TableSource> SessionTableProvider::create_source(
    const stream::TableContext& table) const {
  const stream::TableContext of = complete(placed(table));
  return process_.connectors.connector_of(of).create_source(of);
}

std::shared_ptr<stream::TableSink> SessionTableProvider::create_sink(
    const stream::TableContext& table) const {
  const stream::TableContext of = complete(placed(table));
  return process_.connectors.connector_of(of).create_sink(of);
}

}  // namespace thalweg::engine
