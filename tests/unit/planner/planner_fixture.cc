#include "planner/planner_fixture.h"

#include <fmt/format.h>

#include "thalweg/catalog/table_definition.h"
#include "thalweg/functions/register_all.h"
#include "thalweg/sql/parser.h"

namespace thalweg::planner {

namespace {

std::string connector_of(const stream::TableContext& table) {
  const auto found = table.options.find("connector");
  return found == table.options.end() ? "" : found->second;
}

class FakeSource final : public stream::TableSource {
 public:
  explicit FakeSource(std::string connector) : connector_(std::move(connector)) {}

  stream::Boundedness boundedness() const override { return stream::Boundedness::kBounded; }

  stream::ChangelogMode changelog_mode() const override {
    return connector_ == "upsert" ? stream::ChangelogMode::upsert()
                                  : stream::ChangelogMode::insert_only();
  }

  stream::SourceAbilities abilities() const override {
    return {.watermark_per_split = connector_ == "per-split",
            .nested_projection = connector_ == "nested" || connector_ == "per-split"};
  }

  std::vector<stream::Split> discover_splits() override { return {}; }

  std::unique_ptr<stream::SourceReader> create_reader() const override { return nullptr; }

 private:
  std::string connector_;
};

class FakeSink final : public stream::TableSink {
 public:
  explicit FakeSink(std::string connector) : connector_(std::move(connector)) {}

  stream::ChangelogMode accepted(const stream::ChangelogMode& requested) const override {
    if (connector_ == "print") {
      return requested;
    }
    return connector_ == "upsert" ? stream::ChangelogMode::upsert()
                                  : stream::ChangelogMode::insert_only();
  }

  std::unique_ptr<stream::SinkWriter> create_writer() const override { return nullptr; }

 private:
  std::string connector_;
};

}  // namespace

std::vector<stream::MetadataKey> FakeTables::metadata_keys(
    const stream::TableContext& table) const {
  static_cast<void>(table);
  return {{"timestamp", DataType::timestamp_ltz(3).not_null(), true},
          {"offset", DataType::big_int().not_null(), false}};
}

std::shared_ptr<stream::TableSource> FakeTables::create_source(
    const stream::TableContext& table) const {
  if (connector_of(table) == "missing") {
    throw Error(ErrorCode::kMissingOption, "One or more required options are missing.");
  }
  return std::make_shared<FakeSource>(connector_of(table));
}

std::shared_ptr<stream::TableSink> FakeTables::create_sink(
    const stream::TableContext& table) const {
  return std::make_shared<FakeSink>(connector_of(table));
}

Planning::Planning(bool batch) : context_{catalogs, functions_, tables_, config} {
  functions::register_all(functions_);
  config["table.local-time-zone"] = "UTC";
  if (batch) {
    config["execution.runtime-mode"] = "BATCH";
  }
}

void Planning::run(std::string_view text) {
  const sql::StatementPtr statement = sql::parse_statement(text);
  if (const auto* table = sql::if_a<sql::CreateTable>(*statement)) {
    catalog::CatalogTable defined = catalog::define_table(*table, catalogs);
    defined.resolved = resolve_columns(defined, context_);
    catalogs.create_table(catalogs.qualify(table->name),
                          std::make_shared<const catalog::CatalogTable>(std::move(defined)),
                          {});
    return;
  }
  const auto& create = sql::as<sql::CreateView>(*statement);
  auto view = std::make_shared<catalog::CatalogView>();
  view->query = create.query;
  view->catalog = catalogs.current_catalog();
  view->database = catalogs.current_database();
  view->schema = schema_of_query(*create.query, create.columns, true, context_);
  catalogs.create_view(catalogs.qualify(create.name), std::move(view), {});
}

std::vector<LogicalPtr> Planning::bind_roots(std::string_view text) {
  const sql::StatementPtr statement = sql::parse_statement(text);
  if (const auto* insert = sql::if_a<sql::Insert>(*statement)) {
    return {bind_insert(*insert, context_)};
  }
  if (const auto* set = sql::if_a<sql::StatementSet>(*statement)) {
    std::vector<LogicalPtr> roots;
    for (const sql::InsertPtr& insert : set->inserts) {
      roots.push_back(bind_insert(*insert, context_));
    }
    return roots;
  }
  return {bind_query(*sql::as<sql::QueryStatement>(*statement).query, context_)};
}

LogicalPtr Planning::bind(std::string_view statement) {
  return bind_roots(statement).front();
}

std::string Planning::explain(std::string_view statement, const ExplainDetails& details) {
  return planner::explain(bind_roots(statement), details, context_);
}

PhysicalPlan Planning::optimize(std::string_view statement) {
  return planner::optimize(bind_roots(statement), context_);
}

std::string Planning::error(std::string_view statement) {
  try {
    optimize(statement);
  } catch (const Error& error) {
    std::string text = error.message();
    if (error.position()) {
      text = fmt::format("{}:{}-{} {}",
                         error.position()->line,
                         error.position()->column,
                         error.position()->end_column,
                         text);
    }
    return text;
  }
  return {};
}

std::string Planning::schema(std::string_view query) {
  std::string text;
  const LogicalPtr plan = bind(query);
  for (const Field& field : plan->schema) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", field.name, field.type.to_string());
  }
  return text;
}

std::string section(const std::string& text, std::string_view heading) {
  const std::string title = fmt::format("== {} ==\n", heading);
  const size_t begin = text.find(title);
  if (begin == std::string::npos) {
    return {};
  }
  const size_t start = begin + title.size();
  const size_t end = text.find("\n\n", start);
  return text.substr(start, end == std::string::npos ? end : end + 1 - start);
}

}  // namespace thalweg::planner
