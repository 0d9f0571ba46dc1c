#include <set>

#include "thalweg/catalog/describe.h"
#include "thalweg/catalog/show_create.h"
#include "thalweg/engine/statements.h"
#include "thalweg/functions/flink_names.h"
#include "thalweg/planner/function_lookup.h"
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

void require_catalog(const SessionState& state, const std::string& catalog) {
  if (!state.catalogs.has_catalog(catalog)) {
    throw Error(ErrorCode::kCatalogNotFound, fmt::format("Catalog {} does not exist", catalog))
        .hint("SHOW CATALOGS lists them");
  }
}

void check_database(const SessionState& state,
                    const std::pair<std::string, std::string>& database) {
  require_catalog(state, database.first);
  if (!state.catalogs.has_database(database.first, database.second)) {
    throw Error(ErrorCode::kCatalogNotFound,
                fmt::format("Database '{}'.'{}' doesn't exist.", database.first, database.second));
  }
}

catalog::TableEntry find_entry(const SessionState& state, const sql::ObjectName& name) {
  if (const auto entry = state.catalogs.find(name)) {
    return *entry;
  }
  throw Error(ErrorCode::kTableNotFound,
              fmt::format("Tables or views with the identifier '{}' doesn't exist.",
                          state.catalogs.qualify(name).summary()))
      .at(name.position());
}

catalog::TableEntry find_to_show(const SessionState& state,
                                 const sql::ObjectName& name,
                                 std::string_view kind) {
  if (const auto entry = state.catalogs.find(name)) {
    return *entry;
  }
  std::string upper(kind);
  std::transform(upper.begin(), upper.end(), upper.begin(), [](unsigned char c) {
    return static_cast<char>(std::toupper(c));
  });
  throw Error(ErrorCode::kTableNotFound,
              fmt::format("Could not execute SHOW CREATE {}. {} with identifier {} does not exist.",
                          upper,
                          kind,
                          state.catalogs.qualify(name).quoted()))
      .at(name.position());
}

/// Batch mode knows no time attributes.
std::string described_type(const std::string& type, bool is_batch) {
  return is_batch ? type.substr(0, type.find(" *")) : type;
}

Result description(const catalog::TableEntry& entry, const sql::Show* show, bool is_batch) {
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
    builders[1].append_string(described_type(row.type, is_batch));
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
    for (const functions::FlinkName& built_in : functions::flink_names()) {
      names.emplace(built_in.name);
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

/// The catalog here keeps none, as Flink's in memory, until ALTER TABLE adds one.
Result show_partitions(const SessionState& state, const sql::Show& show) {
  const catalog::ObjectPath path = state.catalogs.qualify(show.name);
  const std::optional<catalog::TableEntry> entry = state.catalogs.find(show.name);
  if (!entry) {
    throw Error(ErrorCode::kTableNotFound,
                fmt::format("Could not execute SHOW PARTITIONS {}. Table (or view) {}.{} does not "
                            "exist in Catalog {}.",
                            path.summary(),
                            path.database,
                            path.object,
                            path.catalog))
        .at(show.name.position());
  }
  if (entry->table() == nullptr || entry->table()->partition_keys.empty()) {
    throw Error(
        ErrorCode::kValidation,
        fmt::format("Could not execute SHOW PARTITIONS {}. Table {}.{} in catalog {} is not "
                    "partitioned.",
                    path.summary(),
                    path.database,
                    path.object,
                    path.catalog))
        .at(show.position);
  }
  return text_listing({"partition name"}, {});
}

/// SHOW CREATE ..., or null.
std::optional<Result> try_show_create(const SessionState& state, const sql::Show& show) {
  switch (show.show_kind) {
    case sql::ShowKind::kCreateTable:
      return text_listing({"result"},
                          {{catalog::show_create_table(find_to_show(state, show.name, "Table"))}});
    case sql::ShowKind::kCreateView:
      return text_listing({"result"},
                          {{catalog::show_create_view(find_to_show(state, show.name, "View"))}});
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
    case sql::ShowKind::kDatabases: {
      const std::string& catalog =
          show.name.parts.empty() ? catalogs.current_catalog() : show.name.last();
      require_catalog(state, catalog);
      return listing(show, "database name", catalogs.databases(catalog));
    }
    case sql::ShowKind::kCurrentDatabase:
      return text_listing({"current database name"}, {{catalogs.current_database()}});
    case sql::ShowKind::kTables:
    case sql::ShowKind::kViews:
      return show_tables(state, show, show.show_kind == sql::ShowKind::kViews);
    case sql::ShowKind::kColumns:
      return description(find_entry(state, show.name), &show, state.planner.is_batch());
    case sql::ShowKind::kFunctions:
    case sql::ShowKind::kUserFunctions:
      return listing(show,
                     "function name",
                     function_names(state, show.show_kind == sql::ShowKind::kUserFunctions));
    case sql::ShowKind::kModules:
      return show_modules(state);
    case sql::ShowKind::kFullModules:
      return show_full_modules(state);
    case sql::ShowKind::kMaterializedTables:
      return text_listing({"materialized table name"}, {});
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

/// What DESCRIBE FUNCTION EXTENDED says of a function of any kind.
struct FunctionFacts {
  std::string kind;
  std::string forms;
  bool is_deterministic = true;
};

static FunctionFacts facts_of(const planner::FoundFunction& found) {
  if (found.scalar != nullptr) {
    return {"SCALAR", found.scalar->forms, found.scalar->is_deterministic};
  }
  if (found.aggregate != nullptr) {
    return {"AGGREGATE", found.aggregate->forms};
  }
  return {"TABLE", found.table->forms};
}

/// The forms as they are shown in errors, without their quotes.
static std::string signature_of(std::string forms) {
  std::erase(forms, '\'');
  return forms;
}

static Result describe_function(const SessionState& state, const sql::Describe& describe) {
  const planner::FoundFunction found = planner::find_function(describe.name, state.planner);
  if (found.scalar == nullptr && found.aggregate == nullptr && found.table == nullptr) {
    throw Error(
        ErrorCode::kFunctionNotFound,
        fmt::format("Function with the identifier '{}' doesn't exist.", describe.name.dotted()))
        .at(describe.name.position());
  }
  const bool is_temporary =
      describe.name.is_simple() &&
      state.catalogs.find_temporary_system_function(describe.name.last()) != nullptr;
  const bool is_system =
      is_temporary || state.catalogs.find_catalog_function(describe.name) == nullptr;
  const auto text = [](bool value) { return std::string(value ? "true" : "false"); };
  std::vector<std::vector<std::string>> rows = {{"is system function", text(is_system)},
                                                {"is temporary", text(is_temporary)}};
  if (describe.extended) {
    const FunctionFacts facts = facts_of(found);
    rows.push_back({"kind", facts.kind});
    rows.push_back({"requirements", "[]"});
    rows.push_back({"is deterministic", text(facts.is_deterministic)});
    rows.push_back({"supports constant folding", text(true)});
    rows.push_back({"signature", signature_of(facts.forms)});
  }
  return text_listing({"info name", "info value"}, rows);
}

Result execute_describe(SessionState& state, const sql::Describe& describe) {
  if (describe.describe_kind == sql::DescribeKind::kFunction) {
    return describe_function(state, describe);
  }
  if (describe.describe_kind == sql::DescribeKind::kCatalog) {
    return describe_catalog(state, describe);
  }
  if (describe.describe_kind != sql::DescribeKind::kTable) {
    throw Error(ErrorCode::kNotSupported,
                "Only tables, views, functions and catalogs can be described")
        .at(describe.position);
  }
  return description(find_entry(state, describe.name), nullptr, state.planner.is_batch());
}

}  // namespace thalweg::engine
