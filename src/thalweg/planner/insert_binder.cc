#include <algorithm>

#include <fmt/format.h>

#include "thalweg/catalog/catalog_manager.h"
#include "thalweg/common/error.h"
#include "thalweg/common/nearest_name.h"
#include "thalweg/planner/expression_binder.h"
#include "thalweg/planner/expression_rewrite.h"
#include "thalweg/planner/insert_cast.h"
#include "thalweg/planner/logical_build.h"
#include "thalweg/planner/planner.h"
#include "thalweg/planner/query_binder.h"
#include "thalweg/planner/table_binder.h"

namespace thalweg::planner {

using expression::ExpressionPtr;

namespace {

/// The columns that an INSERT fills: physical ones, then metadata that can be written; in the order
/// of the table's definition, which is that of the query's columns.
struct TargetColumn {
  std::string name;
  DataType type;
  /// Place in the sink's input.
  size_t place = 0;
};

std::vector<TargetColumn> target_columns(const catalog::CatalogTable& table,
                                         stream::TableContext& sink) {
  std::vector<TargetColumn> columns;
  size_t physical = 0;
  size_t metadata = sink.columns.size();
  for (size_t i = 0; i < table.columns.size(); ++i) {
    const sql::ColumnDefinition& column = table.columns[i];
    const DataType type = table.resolved.columns[i].type.with_time_attribute(TimeAttribute::kNone);
    if (column.kind == sql::ColumnKind::kPhysical) {
      columns.push_back({column.name.text, type, physical++});
    } else if (column.kind == sql::ColumnKind::kMetadata && !column.is_virtual) {
      sink.metadata_keys.push_back(metadata_key(column));
      columns.push_back({column.name.text, type, metadata++});
    }
  }
  return columns;
}

std::string schema_text(const Schema& schema) {
  std::string text;
  for (const Field& field : schema) {
    text += fmt::format("{}{}: {}",
                        text.empty() ? "" : ", ",
                        field.name,
                        field.type.with_time_attribute(TimeAttribute::kNone).to_string());
  }
  return fmt::format("[{}]", text);
}

[[noreturn]] void schema_mismatch(const stream::TableContext& sink,
                                  std::string_view cause,
                                  const Schema& query,
                                  const std::vector<TargetColumn>& targets) {
  Schema sink_schema;
  for (const TargetColumn& target : targets) {
    sink_schema.push_back({target.name, target.type});
  }
  throw Error(ErrorCode::kSinkSchemaMismatch,
              fmt::format("Column types of query result and sink for '{}' do not match.\nCause: "
                          "{}\n\nQuery schema: {}\nSink schema:  {}",
                          sink.table_name,
                          cause,
                          schema_text(query),
                          schema_text(sink_schema)));
}

/// Builds one INSERT.
class InsertBinder {
 public:
  InsertBinder(const catalog::TableEntry& entry,
               const stream::OptionMap& hint_options,
               const PlannerContext& context)
      : context_(context) {
    sink_->path = {entry.path.catalog, entry.path.database, entry.path.object};
    sink_->table = table_context(entry.path, *entry.table(), hint_options, context);
    sink_->hint_options = hint_options;
    targets_ = target_columns(*entry.table(), sink_->table);
  }

  LogicalPtr by_position(LogicalPtr query) {
    if (query->schema.size() != targets_.size()) {
      schema_mismatch(sink_->table, "Different number of columns.", query->schema, targets_);
    }
    std::vector<ExpressionPtr> values = all_columns(query->schema);
    return finish(std::move(query), values);
  }

  /// INSERT INTO t (a, b) or PARTITION (p = 'x'): what is not named is NULL.
  LogicalPtr by_name(const sql::Insert& insert, LogicalPtr query) {
    std::vector<ExpressionPtr> values(targets_.size());
    std::vector<size_t> open = named_targets(insert, values);
    if (open.size() != query->schema.size()) {
      throw Error(ErrorCode::kSinkSchemaMismatch,
                  fmt::format("Number of INSERT target columns ({}) does not equal number of "
                              "source items ({})",
                              open.size(),
                              query->schema.size()))
          .at(insert.table.position());
    }
    for (size_t i = 0; i < open.size(); ++i) {
      values[open[i]] = column_of(query->schema, i);
    }
    for (size_t i = 0; i < values.size(); ++i) {
      if (values[i]) {
        continue;
      }
      if (!targets_[i].type.is_nullable()) {
        throw Error(ErrorCode::kSinkSchemaMismatch,
                    fmt::format("Column '{}' has no default value and does not allow NULLs",
                                targets_[i].name))
            .at(insert.table.position());
      }
      values[i] = expression::make_literal(targets_[i].type, Value());
    }
    for (size_t i = 0; !insert.columns.empty() && i < open.size(); ++i) {
      sink_->target_columns.push_back(static_cast<int32_t>(open[i]));
    }
    return finish(std::move(query), values);
  }

  void set_options(bool is_overwrite, sql::Insert::OnConflict on_conflict) {
    sink_->is_overwrite = is_overwrite;
    sink_->on_conflict = on_conflict;
  }

 private:
  size_t find_target(const sql::Identifier& name) const {
    std::vector<std::string> names;
    for (size_t i = 0; i < targets_.size(); ++i) {
      if (targets_[i].name == name.text) {
        return i;
      }
      names.push_back(targets_[i].name);
    }
    Error error(ErrorCode::kColumnNotFound, fmt::format("Unknown target column '{}'", name.text));
    const std::string nearest = nearest_name(name.text, names);
    throw std::move(error)
        .at(name.position)
        .hint(nearest.empty() ? std::string() : fmt::format("Did you mean '{}'?", nearest));
  }

  void require_partition_key(const sql::Identifier& name) const {
    const std::vector<std::string>& keys = sink_->table.partition_keys;
    if (std::find(keys.begin(), keys.end(), name.text) == keys.end()) {
      throw Error(ErrorCode::kValidation,
                  fmt::format("Static partition column '{}' should be in the partition keys list "
                              "[{}] for table '{}'.",
                              name.text,
                              fmt::join(keys, ", "),
                              fmt::join(sink_->path, ".")))
          .at(name.position);
    }
  }

  /// Fills in the values of static partitions; gives the targets of the query's columns in order.
  std::vector<size_t> named_targets(const sql::Insert& insert,
                                    std::vector<ExpressionPtr>& values) const {
    const Scope scope;
    ExpressionBinder binder(context_, scope, "PARTITION");
    for (const sql::PartitionSpecItem& item : insert.partition) {
      const size_t target = find_target(item.name);
      require_partition_key(item.name);
      if (item.value) {
        values[target] = binder.bind(*item.value);
      }
    }
    std::vector<size_t> open;
    for (const sql::ObjectName& column : insert.columns) {
      if (!column.is_simple()) {
        throw Error(ErrorCode::kNotSupported, "INSERT into fields of a row is not supported")
            .at(column.position());
      }
      const size_t target = find_target(column.parts.front());
      if (std::find(open.begin(), open.end(), target) != open.end()) {
        throw Error(ErrorCode::kValidation,
                    fmt::format("Target column '{}' is assigned more than once", column.last()))
            .at(column.position());
      }
      open.push_back(target);
    }
    for (size_t i = 0; insert.columns.empty() && i < targets_.size(); ++i) {
      if (!values[i]) {
        open.push_back(i);
      }
    }
    return open;
  }

  LogicalPtr finish(LogicalPtr query, const std::vector<ExpressionPtr>& values) {
    for (size_t i = 0; i < targets_.size(); ++i) {
      if (!supports_implicit_cast(values[i]->type, targets_[i].type)) {
        schema_mismatch(
            sink_->table,
            fmt::format(
                "Incompatible types for sink column '{}' at position {}.", targets_[i].name, i + 1),
            query->schema,
            targets_);
      }
    }
    // As Flink: with one cast all columns get the sink's names and types, otherwise none does.
    bool casts = false;
    for (size_t i = 0; i < targets_.size(); ++i) {
      casts = casts || !avoids_cast(values[i]->type, targets_[i].type);
    }
    std::vector<ExpressionPtr> columns(targets_.size());
    std::vector<std::string> names(targets_.size());
    for (size_t i = 0; i < targets_.size(); ++i) {
      const TargetColumn& target = targets_[i];
      const int32_t source = plain_column(*values[i]);
      names[target.place] = casts        ? target.name
                            : source < 0 ? fmt::format("EXPR${}", i)
                                         : query->schema[static_cast<size_t>(source)].name;
      columns[target.place] =
          casts ? cast_to(values[i], target.type.as_nullable()) : as_type(values[i], target.type);
    }
    names = make_unique(std::move(names));
    sink_->query_columns = names;
    LogicalPtr input = projected(std::move(query), std::move(columns), names);
    sink_->schema = input->schema;
    sink_->inputs.push_back(std::move(input));
    return sink_;
  }

  static ExpressionPtr cast_to(const ExpressionPtr& value, const DataType& type) {
    return value->type == type ? value : expression::make_cast(value, type, false, value->position);
  }

  /// Merged into the query's own projection, as Calcite's builder does.
  static LogicalPtr projected(LogicalPtr query,
                              std::vector<ExpressionPtr> columns,
                              const std::vector<std::string>& names) {
    if (is_identity(columns, query->schema) && names_of(query->schema) == names) {
      return query;
    }
    const auto* project = if_a<LogicalProject>(*query);
    if (project == nullptr || !std::all_of(project->projections.begin(),
                                           project->projections.end(),
                                           [](const ExpressionPtr& projection) {
                                             return is_deterministic(*projection);
                                           })) {
      return make_project(std::move(query), std::move(columns), names);
    }
    for (ExpressionPtr& column : columns) {
      column = substitute(column, project->projections);
    }
    return make_project(project->inputs[0], std::move(columns), names);
  }

  const PlannerContext& context_;
  std::shared_ptr<LogicalSink> sink_ = std::make_shared<LogicalSink>();
  std::vector<TargetColumn> targets_;
};

catalog::TableEntry require_table(const sql::ObjectName& name, const PlannerContext& context) {
  std::optional<catalog::TableEntry> entry = context.catalogs.find(name);
  if (!entry) {
    const catalog::ObjectPath path = context.catalogs.qualify(name);
    throw Error(ErrorCode::kTableNotFound,
                fmt::format("Cannot find table '{}' in any of the catalogs {}, nor as a temporary "
                            "table.",
                            path.quoted(),
                            fmt::format("[{}]", fmt::join(context.catalogs.catalogs(), ", "))))
        .at(name.position());
  }
  if (entry->is_view()) {
    throw Error(ErrorCode::kValidation,
                fmt::format("View '{}' can't be written to.", entry->path.summary()))
        .at(name.position());
  }
  return *entry;
}

stream::OptionMap hint_options(const std::vector<sql::Hint>& hints) {
  stream::OptionMap options;
  for (const sql::Hint& hint : hints) {
    for (const sql::HintArgument& argument : hint.args) {
      options[argument.key] = argument.value;
    }
  }
  return options;
}

}  // namespace

LogicalPtr bind_insert(const sql::Insert& insert, const PlannerContext& context) {
  const catalog::TableEntry entry = require_table(insert.table, context);
  LogicalPtr query = QueryBinder(context).bind(*insert.query);
  InsertBinder binder(entry, hint_options(insert.hints), context);
  binder.set_options(insert.overwrite, insert.on_conflict);
  const bool is_named = !insert.columns.empty() || !insert.partition.empty();
  return is_named ? binder.by_name(insert, std::move(query)) : binder.by_position(std::move(query));
}

LogicalPtr bind_insert(const sql::ObjectName& path,
                       LogicalPtr query,
                       bool is_overwrite,
                       const PlannerContext& context) {
  const catalog::TableEntry entry = require_table(path, context);
  InsertBinder binder(entry, {}, context);
  binder.set_options(is_overwrite, sql::Insert::OnConflict::kUnset);
  return binder.by_position(std::move(query));
}

}  // namespace thalweg::planner
