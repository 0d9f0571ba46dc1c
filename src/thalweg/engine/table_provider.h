#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "thalweg/engine/configuration.h"
#include "thalweg/engine/process.h"
#include "thalweg/planner/table_access.h"

namespace thalweg::engine {

/// Makes sources and sinks for the planner from the process's connectors, with what a session adds:
/// formats, zone, where lines and warnings go, address aliases. Owned by its session and used on
/// its thread.
class SessionTableProvider final : public planner::TableProvider {
 public:
  struct Host {
    stream::LineConsumer print_line;
    std::function<void(const std::string&)> warn;
    std::map<std::string, std::string> address_aliases;
  };

  SessionTableProvider(const Process& process, const Configuration& config, Host host);

  std::vector<stream::MetadataKey> metadata_keys(const stream::TableContext& table) const override;
  std::shared_ptr<stream::TableSource> create_source(
      const stream::TableContext& table) const override;
  std::shared_ptr<stream::TableSink> create_sink(const stream::TableContext& table) const override;

  /// The address to use for one that DDL names: `host:port`, or the URL or comma-separated list it
  /// stands in.
  static std::string resolve(const std::map<std::string, std::string>& aliases,
                             std::string address);

 private:
  stream::TableContext complete(stream::TableContext table) const;
  /// A table without a connector, with the options of where it is kept.
  stream::TableContext placed(stream::TableContext table) const;

  const Process& process_;
  const Configuration& config_;
  Host host_;
};

}  // namespace thalweg::engine
