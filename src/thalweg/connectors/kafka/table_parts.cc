#include "thalweg/connectors/kafka/table_parts.h"

#include <algorithm>

namespace thalweg::connectors::kafka {
namespace {

using stream::OptionMap;
using stream::TableContext;

OptionMap java_properties_of(const OptionMap& options) {
  constexpr std::string_view kPrefix = "properties.";
  OptionMap result;
  for (const auto& [key, value] : options) {
    if (key.starts_with(kPrefix)) {
      result.emplace(key.substr(kPrefix.size()), value);
    }
  }
  return result;
}

/// Key columns lose their prefix in the format's eyes.
Schema fields_of(const Schema& columns,
                 const std::vector<int32_t>& chosen,
                 const std::string& prefix) {
  Schema fields;
  for (const int32_t index : chosen) {
    Field field = columns[static_cast<size_t>(index)];
    field.name = field.name.substr(prefix.size());
    fields.push_back(std::move(field));
  }
  return fields;
}

FormatUse format_use(const TableContext& table,
                     const std::string& format,
                     const std::string& scope,
                     Schema schema) {
  FormatUse use;
  use.factory = &table.formats->format(format);
  use.context.schema = std::move(schema);
  use.context.options = stream::format_options(table.options, scope, format);
  use.context.time_zone = table.time_zone;
  use.context.resolve_address = table.resolve_address;
  return use;
}

/// The wanted ones of a format's fields: told to the format, and where each goes.
FormatFields project(FormatUse& use,
                     const std::vector<int32_t>& columns,
                     const std::optional<std::vector<int32_t>>& projection) {
  FormatFields fields;
  std::vector<int32_t> wanted;
  for (size_t i = 0; i < columns.size(); ++i) {
    size_t output = static_cast<size_t>(columns[i]);
    if (projection) {
      const auto found = std::find(projection->begin(), projection->end(), columns[i]);
      if (found == projection->end()) {
        continue;
      }
      output = static_cast<size_t>(found - projection->begin());
    }
    wanted.push_back(static_cast<int32_t>(i));
    fields.schema.push_back(use.context.schema[i]);
    fields.outputs.push_back(output);
  }
  if (wanted.size() < columns.size()) {
    use.context.projection = std::move(wanted);
  }
  return fields;
}

ClientProperties properties_of(const TableContext& table, PropertyScope role) {
  ClientProperties properties =
      translate_properties(java_properties_of(table.options), role, table.warn);
  properties.resolve_address = table.resolve_address;
  return properties;
}

SinkLayout sink_layout(const TableContext& table, const TableOptions& options) {
  SinkLayout layout;
  layout.key_columns.assign(options.key_fields.begin(), options.key_fields.end());
  layout.value_columns.assign(options.value_fields.begin(), options.value_fields.end());
  // Of the formats only raw writes NULL as no bytes at all.
  layout.null_key = options.key_format == "raw";
  layout.null_value = options.value_format == "raw";
  for (size_t i = 0; i < table.metadata_keys.size(); ++i) {
    const size_t column = table.columns.size() + i;
    switch (metadata_kind(table.metadata_keys[i])) {
      case MetadataKind::kTopic:
        layout.topic_column = column;
        break;
      case MetadataKind::kTimestamp:
        layout.timestamp_column = column;
        break;
      case MetadataKind::kHeaders:
        layout.headers_column = column;
        break;
      default:
        throw Error(
            ErrorCode::kInvalidTable,
            "Metadata key '" + table.metadata_keys[i] + "' of connector 'kafka' can't be written")
            .hint("declare the column VIRTUAL");
    }
  }
  return layout;
}

}  // namespace

TableParts make_table_parts(const TableContext& table, TableOptions parsed) {
  TableParts parts{.options = std::move(parsed), .key = {}, .value = {}};
  const TableOptions& options = parts.options;
  const std::string topic =
      options.topics.empty() ? options.topic_pattern.value_or("") : options.topics.front();
  parts.value = format_use(table,
                           options.value_format,
                           options.value_scope,
                           fields_of(table.columns, options.value_fields, ""));
  parts.value.context.topic = topic;
  if (options.key_format) {
    parts.key = format_use(table,
                           *options.key_format,
                           "key",
                           fields_of(table.columns, options.key_fields, options.key_prefix));
    parts.key.context.topic = topic;
    parts.key.context.is_key = true;
  }
  return parts;
}

SourceSettings make_source_settings(const TableContext& table, TableParts parts) {
  SourceSettings settings;
  settings.properties = properties_of(table, PropertyScope::kConsumer);
  const auto& properties = settings.properties.settings;
  settings.auto_commit = properties.at("enable.auto.commit") == "true";
  if (const auto interval = properties.find("auto.commit.interval.ms");
      interval != properties.end()) {
    settings.auto_commit_interval_ms = std::stoll(interval->second);
  }
  settings.layout.physical_count =
      table.projection ? table.projection->size() : table.columns.size();
  settings.layout.upsert = parts.options.upsert;
  if (parts.key.factory != nullptr) {
    settings.layout.key = project(parts.key, parts.options.key_fields, table.projection);
  }
  settings.layout.value = project(parts.value, parts.options.value_fields, table.projection);
  for (const std::string& key : table.metadata_keys) {
    settings.layout.metadata.push_back(metadata_kind(key));
  }
  settings.changelog_mode =
      parts.options.upsert
          ? stream::ChangelogMode{.insert = false, .update_after = true, .remove = true}
          : parts.value.factory->changelog_mode();
  settings.options = std::move(parts.options);
  settings.key = std::move(parts.key);
  settings.value = std::move(parts.value);
  settings.warn = table.warn;
  return settings;
}

SinkSettings make_sink_settings(const TableContext& table, TableParts parts) {
  SinkSettings settings;
  settings.layout = sink_layout(table, parts.options);
  settings.layout.upsert = parts.options.upsert;
  settings.changelog_mode = parts.options.upsert ? stream::ChangelogMode::upsert()
                                                 : parts.value.factory->changelog_mode();
  settings.writer.properties = properties_of(table, PropertyScope::kProducer);
  settings.writer.options = std::move(parts.options);
  settings.writer.warn = table.warn;
  settings.key = std::move(parts.key);
  settings.value = std::move(parts.value);
  return settings;
}

}  // namespace thalweg::connectors::kafka
