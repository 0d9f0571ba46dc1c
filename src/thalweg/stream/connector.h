#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "thalweg/stream/format.h"
#include "thalweg/stream/option.h"
#include "thalweg/stream/sink.h"
#include "thalweg/stream/source.h"
#include "thalweg/types/data_type.h"
#include "thalweg/types/value.h"

namespace thalweg::stream {

/// A metadata column that a connector can read or write (METADATA FROM 'key').
struct MetadataKey {
  std::string key;
  DataType type;
  bool writable = false;
};

/// Finds formats by name; given to connectors by the engine.
class FormatLookup {
 public:
  virtual ~FormatLookup() = default;
  /// Throws kFormatNotFound with the nearest names.
  virtual const FormatFactory& format(const std::string& name) const = 0;
};

/// Text lines that a sink shows to the user (print): the process's standard output, or a test's
/// list. Thread-safe.
using LineConsumer = std::function<void(std::string_view line)>;

/// A table as its connector sees it.
struct TableContext {
  /// `catalog`.`database`.`table`, unquoted with dots, for messages.
  std::string table_name;
  /// The physical columns, in order.
  Schema columns;
  /// Metadata keys that the query reads or writes. A source gives batches of `columns` (those in
  /// `projection`), then these; a sink gets batches of `columns`, then these.
  std::vector<std::string> metadata_keys;
  /// For sources: the columns that are used, as indices into `columns`, ascending; the reader gives
  /// only these.
  std::optional<std::vector<int32_t>> projection;
  std::vector<std::string> primary_key;
  std::vector<std::string> partition_keys;
  OptionMap options;
  const FormatLookup* formats = nullptr;
  std::string time_zone = "UTC";
  /// Streaming or batch runtime.
  bool is_batch = false;
  /// For sinks: INSERT OVERWRITE. Only for sinks that support it.
  bool is_overwrite = false;
  LineConsumer print_line;
  std::function<void(const std::string& warning)> warn;
  /// Replaces host:port pairs and hosts of URLs (--alias).
  std::function<std::string(const std::string& address)> resolve_address;
};

/// A connector: registered in one generated list, included by nobody else.
class ConnectorFactory {
 public:
  virtual ~ConnectorFactory() = default;
  virtual std::string name() const = 0;
  virtual std::vector<OptionSpec> option_specs() const = 0;

  virtual std::vector<MetadataKey> metadata_keys(const OptionMap& options) const {
    static_cast<void>(options);
    return {};
  }

  /// Throws kNotSupported when the connector has no source (or sink).
  virtual std::shared_ptr<TableSource> create_source(const TableContext& context) const = 0;
  virtual std::shared_ptr<TableSink> create_sink(const TableContext& context) const = 0;
};

/// The columns a source gives: projected physical ones, then metadata.
Schema produced_schema(const TableContext& context, const std::vector<MetadataKey>& keys);

/// The options of format `format` inside `options`, without their prefix: 'json.x' or
/// '<scope>.json.x' ('value.json.x').
OptionMap format_options(const OptionMap& options,
                         const std::string& scope,
                         const std::string& format);

}  // namespace thalweg::stream
