#include "thalweg/planner/table_binder.h"

#include <algorithm>

#include <fmt/format.h>

#include "thalweg/common/error.h"
#include "thalweg/planner/expression_binder.h"
#include "thalweg/planner/expression_rewrite.h"
#include "thalweg/planner/insert_cast.h"
#include "thalweg/planner/logical_build.h"

namespace thalweg::planner {

using expression::ExpressionPtr;

const std::string& metadata_key(const sql::ColumnDefinition& column) {
  return column.metadata_key ? *column.metadata_key : column.name.text;
}

stream::TableContext table_context(const catalog::ObjectPath& path,
                                   const catalog::CatalogTable& table,
                                   const stream::OptionMap& hint_options,
                                   const PlannerContext& context) {
  stream::TableContext result;
  result.table_name = path.summary();
  for (size_t i = 0; i < table.columns.size(); ++i) {
    if (table.columns[i].kind == sql::ColumnKind::kPhysical) {
      const DataType& type = table.resolved.columns[i].type;
      result.columns.push_back({table.columns[i].name.text,
                                type.with_time_attribute(TimeAttribute::kNone),
                                table.columns[i].comment.value_or("")});
    }
  }
  if (table.primary_key) {
    result.primary_key = table.primary_key->columns;
  }
  result.partition_keys = table.partition_keys;
  result.options = table.options;
  for (const auto& [key, value] : hint_options) {
    result.options[key] = value;
  }
  result.time_zone = context.time_zone();
  result.is_batch = context.is_batch();
  return result;
}

namespace {

bool is_secret(const std::string& key) {
  for (const std::string_view word : {"password", "secret", "token", "sasl.jaas", "apikey"}) {
    if (key.find(word) != std::string::npos) {
      return true;
    }
  }
  return false;
}

std::string list_options(const stream::OptionMap& options) {
  std::string text;
  for (const auto& [key, value] : options) {
    text += fmt::format("\n'{}'='{}'", key, is_secret(key) ? "******" : value);
  }
  return text;
}

/// Flink's words around the connector's own error, which keeps its code and hint.
[[noreturn]] void wrap(std::string_view what,
                       const Error& cause,
                       const stream::TableContext& table,
                       SourcePosition position) {
  Error error(
      cause.code(),
      fmt::format("Unable to create a {} table '{}'.\n\nTable options are:\n{}\n\nCause: {}",
                  what,
                  table.table_name,
                  list_options(table.options),
                  cause.message()));
  if (position.line > 0) {
    throw std::move(error).at(position).hint(cause.hint_text());
  }
  throw std::move(error).hint(cause.hint_text());
}

}  // namespace

std::shared_ptr<stream::TableSource> create_source(const stream::TableContext& table,
                                                   SourcePosition position,
                                                   const PlannerContext& context) {
  try {
    return context.tables.create_source(table);
  } catch (const Error& cause) {
    wrap("source for reading", cause, table, position);
  }
}

std::shared_ptr<stream::TableSink> create_sink(const stream::TableContext& table,
                                               SourcePosition position,
                                               const PlannerContext& context) {
  try {
    return context.tables.create_sink(table);
  } catch (const Error& cause) {
    wrap("sink for writing", cause, table, position);
  }
}

namespace {

/// The metadata columns of a scan, each with the type that the connector gives.
Schema metadata_columns(const catalog::CatalogTable& table,
                        stream::TableContext& scan,
                        const PlannerContext& context) {
  Schema schema;
  std::vector<stream::MetadataKey> known;
  for (const sql::ColumnDefinition& column : table.columns) {
    if (column.kind != sql::ColumnKind::kMetadata) {
      continue;
    }
    if (known.empty()) {
      known = context.tables.metadata_keys(scan);
    }
    const std::string& key = metadata_key(column);
    const auto found = std::find_if(
        known.begin(), known.end(), [&](const auto& candidate) { return candidate.key == key; });
    if (found == known.end()) {
      std::string names;
      for (const stream::MetadataKey& candidate : known) {
        names += "\n" + candidate.key;
      }
      throw Error(ErrorCode::kInvalidTable,
                  fmt::format("Invalid metadata key '{}' in column '{}' of table '{}'. The "
                              "connector supports the following metadata keys for reading:{}",
                              key,
                              column.name.text,
                              scan.table_name,
                              names));
    }
    if (std::find(scan.metadata_keys.begin(), scan.metadata_keys.end(), key) ==
        scan.metadata_keys.end()) {
      scan.metadata_keys.push_back(key);
      schema.push_back({key, found->type});
    }
  }
  return schema;
}

/// What Flink checks of a source (its DynamicSourceUtils, 2.3).
void check_source(const LogicalScan& scan, SourcePosition position, const PlannerContext& context) {
  const stream::ChangelogMode& changelog = scan.changelog;
  if (context.is_batch() && scan.boundedness == stream::Boundedness::kUnbounded) {
    throw Error(ErrorCode::kNotSupported,
                fmt::format("Querying an unbounded table '{}' in batch mode is not allowed. The "
                            "table source is unbounded.",
                            scan.table.table_name))
        .at(position)
        .hint("Run it in streaming mode, or set an option of the table that ends it.");
  }
  if (context.is_batch() && !changelog.is_insert_only()) {
    throw Error(ErrorCode::kNotSupported,
                fmt::format("Querying a table in batch mode is currently only possible for "
                            "INSERT-only table sources. But the source for table '{}' produces "
                            "other changelog messages than INSERT.",
                            scan.table.table_name))
        .at(position);
  }
  if (changelog.update_after && !changelog.update_before && scan.table.primary_key.empty()) {
    throw Error(ErrorCode::kInvalidTable,
                fmt::format("Table '{}' produces a changelog stream that contains UPDATE_AFTER but "
                            "no UPDATE_BEFORE. This requires defining a primary key constraint on "
                            "the table.",
                            scan.table.table_name))
        .at(position)
        .hint("Add PRIMARY KEY (...) NOT ENFORCED to the table.");
  }
}

std::shared_ptr<LogicalScan> make_scan(const catalog::ObjectPath& path,
                                       const catalog::CatalogTable& table,
                                       const stream::OptionMap& hint_options,
                                       SourcePosition position,
                                       const PlannerContext& context) {
  auto scan = std::make_shared<LogicalScan>();
  scan->path = {path.catalog, path.database, path.object};
  scan->table = table_context(path, table, hint_options, context);
  scan->hint_options = hint_options;
  scan->schema = scan->table.columns;
  // The source is made once to learn what it can do; the plan's own one knows the projection.
  stream::TableContext plain = scan->table;
  const std::shared_ptr<stream::TableSource> source = create_source(plain, position, context);
  scan->changelog = source->changelog_mode();
  scan->boundedness = source->boundedness();
  scan->abilities = source->abilities();
  const bool has_old_values = scan->changelog.update_before || !scan->changelog.update_after;
  scan->is_normalized =
      !context.is_batch() && !scan->changelog.is_insert_only() &&
      (!has_old_values || context.flag("table.exec.source.cdc-events-duplicate", false));
  check_source(*scan, position, context);
  const Schema metadata = metadata_columns(table, scan->table, context);
  scan->schema.insert(scan->schema.end(), metadata.begin(), metadata.end());
  return scan;
}

ExpressionPtr scan_column(const LogicalScan& scan, const std::string& name, size_t first) {
  for (size_t i = first; i < scan.schema.size(); ++i) {
    if (scan.schema[i].name == name) {
      return column_of(scan.schema, i);
    }
  }
  unreachable("a column of a scan");
}

/// Binds computed columns: their names mean the table's physical and metadata columns.
class ComputedColumnBinder final : public ExpressionBinder {
 public:
  ComputedColumnBinder(const PlannerContext& context,
                       const Scope& scope,
                       const std::vector<ExpressionPtr>& values)
      : ExpressionBinder(context, scope, "computed column"), values_(values) {}

 protected:
  ExpressionPtr replace(const sql::Expr& expr) override {
    const auto* column = sql::if_a<sql::Column>(expr);
    if (column == nullptr || !column->name.is_simple()) {
      return nullptr;
    }
    return values_[static_cast<size_t>(scope().resolve(column->name).column.value)];
  }

 private:
  const std::vector<ExpressionPtr>& values_;
};

bool has_derived_columns(const catalog::CatalogTable& table) {
  return std::any_of(table.columns.begin(), table.columns.end(), [](const auto& column) {
    return column.kind != sql::ColumnKind::kPhysical;
  });
}

/// A metadata column comes out of the scan under the name that the table gives it.
void name_metadata(LogicalScan& scan,
                   const expression::Expression& value,
                   const std::string& name) {
  const auto place = static_cast<size_t>(value.column.value);
  const bool is_taken = std::any_of(scan.schema.begin(),
                                    scan.schema.end(),
                                    [&](const Field& field) { return field.name == name; });
  if (!is_taken) {
    scan.schema[place].name = name;
  }
}

LogicalPtr add_derived_columns(std::shared_ptr<LogicalScan> scan,
                               const catalog::CatalogTable& table,
                               const PlannerContext& context) {
  Schema named;
  std::vector<ExpressionPtr> values;
  const size_t physical = scan->table.columns.size();
  for (const sql::ColumnDefinition& column : table.columns) {
    if (column.kind == sql::ColumnKind::kComputed) {
      continue;
    }
    ExpressionPtr value = column.kind == sql::ColumnKind::kPhysical
                              ? scan_column(*scan, column.name.text, 0)
                              : scan_column(*scan, metadata_key(column), physical);
    if (column.kind == sql::ColumnKind::kMetadata &&
        !value->type.equals_ignoring_nullability(column.type)) {
      value = expression::make_cast(std::move(value), column.type, false, column.position);
    }
    named.push_back({column.name.text, value->type});
    values.push_back(std::move(value));
  }
  size_t column_place = 0;
  for (const sql::ColumnDefinition& column : table.columns) {
    if (column.kind == sql::ColumnKind::kComputed) {
      continue;
    }
    const ExpressionPtr& value = values[column_place++];
    if (column.kind == sql::ColumnKind::kMetadata && plain_column(*value) >= 0) {
      name_metadata(*scan, *value, column.name.text);
    }
  }
  Scope scope;
  scope.add("", {}, named);
  ComputedColumnBinder binder(context, scope, values);
  std::vector<ExpressionPtr> projections;
  std::vector<std::string> names;
  size_t next = 0;
  for (const sql::ColumnDefinition& column : table.columns) {
    names.push_back(column.name.text);
    projections.push_back(column.kind == sql::ColumnKind::kComputed ? binder.bind(*column.expr)
                                                                    : values[next++]);
  }
  return make_project(std::move(scan), std::move(projections), names);
}

LogicalPtr add_watermark(LogicalPtr input,
                         const sql::WatermarkDefinition& watermark,
                         const PlannerContext& context) {
  Scope scope;
  scope.add("", {}, input->schema);
  auto node = std::make_shared<LogicalWatermarkAssigner>();
  node->row_time = scope.resolve(watermark.column).column;
  ExpressionBinder binder(context, scope, "WATERMARK");
  node->watermark = binder.bind(*watermark.expr);
  node->schema = input->schema;
  DataType& type = node->schema[static_cast<size_t>(node->row_time.value)].type;
  type = type.with_time_attribute(TimeAttribute::kEventTime);
  node->inputs.push_back(std::move(input));
  return node;
}

}  // namespace

LogicalPtr bind_scan(const catalog::ObjectPath& path,
                     const catalog::CatalogTable& table,
                     const stream::OptionMap& hint_options,
                     SourcePosition position,
                     const PlannerContext& context) {
  std::shared_ptr<LogicalScan> scan = make_scan(path, table, hint_options, position, context);
  LogicalPtr plan = scan;
  if (has_derived_columns(table)) {
    plan = add_derived_columns(std::move(scan), table, context);
  }
  if (table.watermark && !context.is_batch()) {
    plan = add_watermark(std::move(plan), *table.watermark, context);
  }
  return plan;
}

}  // namespace thalweg::planner
