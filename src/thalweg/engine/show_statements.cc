#include <set>

#include "thalweg/catalog/describe.h"
#include "thalweg/catalog/show_create.h"
#include "thalweg/engine/statements.h"
#include "thalweg/types/column_builder.h"

namespace thalweg::engine {

namespace {

using Names = std::vector<std::string>;

/// Keeps what the LIKE or ILIKE of a SHOW asks for.
Names filtered(const sql::Show& show, Names names) {
  if (show.like) {
    std::erase_if(names, [&show](const std::string& name) {
      return catalog::matches_pattern(name, *show.like, show.ilike) == show.not_like;
    });
  }
  return names;
}

Result listing(const sql::Show& show, const std::string& column, Names names) {
  std::vector<std::vector<std::string>> rows;
  for (std::string& name : filtered(show, std::move(names))) {
    rows.push_back({std::move(name)});
  }
  return text_listing({column}, rows);
}

/// [catalog.]database after FROM or IN, or the current one.
std::pair<std::string, std::string> database_of(const SessionState& state, const sql::Show& show) {
  const std::vector<std::string> parts = show.name.strings();
  if (parts.size() > 1) {
    return {parts[0], parts[1]};
  }
  return {state.catalogs.current_catalog(),
          parts.empty() ? state.catalogs.current_database() : parts[0]};
}

void check_database(const SessionState& state,
                    const std::pair<std::string, std::string>& database) {
  if (!state.catalogs.has_database(database.first, database.second)) {
    throw Error(
        ErrorCode::kCatalogNotFound,
        fmt::format(
            "Database '{}' does not exist in catalog '{}'", database.second, database.first));
  }
}

catalog::TableEntry find_entry(const SessionState& state, const sql::ObjectName& name) {
  if (const auto entry = state.catalogs.find(name)) {
    return *entry;
  }
  throw Error(ErrorCode::kTableNotFound,
              fmt::format("Table or view with identifier '{}' doesn't exist",
                          state.catalogs.qualify(name).summary()))
      .at(name.position());
}

Result description(const catalog::TableEntry& entry, const sql::Show* show) {
  const catalog::Description described = catalog::describe(entry);
  Result result{.kind = Result::Kind::kListing};
  result.schema = {{"name", DataType::string()},
                   {"type", DataType::string()},
                   {"null", DataType::boolean()},
                   {"key", DataType::string()},
                   {"extras", DataType::string()},
                   {"watermark", DataType::string()}};
  if (described.has_comments) {
    result.schema.push_back({"comment", DataType::string()});
  }
  std::vector<ColumnBuilder> builders = make_builders(result.schema);
  for (const catalog::DescribeRow& row : described.rows) {
    if (show != nullptr && filtered(*show, {row.name}).empty()) {
      continue;
    }
    builders[0].append_string(row.name);
    builders[1].append_string(row.type);
    builders[2].append(static_cast<uint8_t>(row.nullable));
    builders[3].append_string(row.key);
    builders[4].append_string(row.extras);
    builders[5].append_string(row.watermark);
    if (described.has_comments) {
      builders[6].append_string(row.comment);
    }
  }
  result.rows = make_static_rows(finish_batch(builders));
  return result;
}

Names function_names(const SessionState& state, bool user_only) {
  const Names user = state.catalogs.user_functions(state.catalogs.current_catalog(),
                                                   state.catalogs.current_database());
  std::set<std::string> names(user.begin(), user.end());
  if (!user_only) {
    for (std::string name : state.process->functions.names()) {
      std::transform(
          name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
      names.insert(std::move(name));
    }
  }
  return {names.begin(), names.end()};
}

Result show_tables(const SessionState& state, const sql::Show& show, bool views_only) {
  const auto database = database_of(state, show);
  check_database(state, database);
  return views_only
             ? listing(show, "view name", state.catalogs.views(database.first, database.second))
             : listing(show, "table name", state.catalogs.tables(database.first, database.second));
}

Result show_full_modules() {
  Result result{.kind = Result::Kind::kListing};
  result.schema = {{"module name", DataType::string()}, {"used", DataType::boolean()}};
  std::vector<ColumnBuilder> builders = make_builders(result.schema);
  builders[0].append_string("core");
  builders[1].append(uint8_t{1});
  result.rows = make_static_rows(finish_batch(builders));
  return result;
}

/// The catalog here keeps none, as Flink's in memory, until ALTER TABLE adds one.
Result show_partitions(const SessionState& state, const sql::Show& show) {
  const catalog::TableEntry entry = find_entry(state, show.name);
  if (entry.table() == nullptr || entry.table()->partition_keys.empty()) {
    throw Error(ErrorCode::kValidation,
                fmt::format("Table {} is not partitioned.", show.name.last()))
        .at(show.position);
  }
  return text_listing({"partition name"}, {});
}

/// SHOW CREATE ..., or null.
std::optional<Result> try_show_create(const SessionState& state, const sql::Show& show) {
  switch (show.show_kind) {
    case sql::ShowKind::kCreateTable:
      return text_listing({"result"}, {{catalog::show_create_table(find_entry(state, show.name))}});
    case sql::ShowKind::kCreateView:
      return text_listing({"result"}, {{catalog::show_create_view(find_entry(state, show.name))}});
    case sql::ShowKind::kCreateCatalog:
      return text_listing({"result"},
                          {{catalog::show_create_catalog(
                              show.name.last(), state.catalogs.catalog_info(show.name.last()))}});
    default:
      return std::nullopt;
  }
}

}  // namespace

Result execute_show(SessionState& state, const sql::Show& show) {
  if (auto result = try_show_create(state, show)) {
    return std::move(*result);
  }
  const catalog::CatalogManager& catalogs = state.catalogs;
  switch (show.show_kind) {
    case sql::ShowKind::kCatalogs:
      return listing(show, "catalog name", catalogs.catalogs());
    case sql::ShowKind::kCurrentCatalog:
      return text_listing({"current catalog name"}, {{catalogs.current_catalog()}});
    case sql::ShowKind::kDatabases:
      return listing(show,
                     "database name",
                     catalogs.databases(show.name.parts.empty() ? catalogs.current_catalog()
                                                                : show.name.last()));
    case sql::ShowKind::kCurrentDatabase:
      return text_listing({"current database name"}, {{catalogs.current_database()}});
    case sql::ShowKind::kTables:
    case sql::ShowKind::kViews:
      return show_tables(state, show, show.show_kind == sql::ShowKind::kViews);
    case sql::ShowKind::kColumns:
      return description(find_entry(state, show.name), &show);
    case sql::ShowKind::kFunctions:
    case sql::ShowKind::kUserFunctions:
      return listing(show,
                     "function name",
                     function_names(state, show.show_kind == sql::ShowKind::kUserFunctions));
    case sql::ShowKind::kModules:
      return text_listing({"module name"}, {{"core"}});
    case sql::ShowKind::kFullModules:
      return show_full_modules();
    case sql::ShowKind::kJars:
      return text_listing({"jars"}, {});
    case sql::ShowKind::kPartitions:
      return show_partitions(state, show);
    case sql::ShowKind::kJobs:
      return execute_show_jobs(state);
    default:
      throw Error(ErrorCode::kNotSupported, "This form of SHOW is not supported").at(show.position);
  }
}

static Result describe_catalog(const SessionState& state, const sql::Describe& describe) {
  const std::string& name = describe.name.last();
  const catalog::CatalogManager::CatalogInfo& info = state.catalogs.catalog_info(name);
  std::vector<std::vector<std::string>> rows = {{"name", name}};
  if (const auto type = info.options.find("type"); type != info.options.end()) {
    rows.push_back({"type", type->second});
  }
  rows.push_back({"comment", info.comment.value_or("")});
  if (describe.extended) {
    for (const auto& [key, value] : info.options) {
      if (key != "type") {
        rows.push_back({"option:" + key, value});
      }
    }
  }
  return text_listing({"info name", "info value"}, rows);
}

Result execute_describe(SessionState& state, const sql::Describe& describe) {
  if (describe.describe_kind == sql::DescribeKind::kCatalog) {
    return describe_catalog(state, describe);
  }
  if (describe.describe_kind != sql::DescribeKind::kTable) {
    throw Error(ErrorCode::kNotSupported, "Only tables, views and catalogs can be described")
        .at(describe.position);
  }
  return description(find_entry(state, describe.name), nullptr);
}

}  // namespace thalweg::engine
