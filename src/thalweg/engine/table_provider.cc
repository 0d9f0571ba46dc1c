#include "thalweg/engine/table_provider.h"

namespace thalweg::engine {

namespace {

constexpr const char* kConnectorOption = "connector";

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

std::vector<stream::MetadataKey> SessionTableProvider::metadata_keys(
    const stream::TableContext& table) const {
  const auto named = table.options.find(kConnectorOption);
  const stream::ConnectorFactory* factory =
      named == table.options.end() ? nullptr : process_.connectors.find(named->second);
  return factory == nullptr ? std::vector<stream::MetadataKey>{}
                            : factory->metadata_keys(table.options);
}

std::shared_ptr<stream::TableSource> SessionTableProvider::create_source(
    const stream::TableContext& table) const {
  return process_.connectors.connector_of(table).create_source(complete(table));
}

std::shared_ptr<stream::TableSink> SessionTableProvider::create_sink(
    const stream::TableContext& table) const {
  return process_.connectors.connector_of(table).create_sink(complete(table));
}

}  // namespace thalweg::engine
