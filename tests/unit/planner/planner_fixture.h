#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "thalweg/catalog/catalog_manager.h"
#include "thalweg/expression/function_registry.h"
#include "thalweg/planner/planner.h"

namespace thalweg::planner {

/// Sources and sinks without a connector behind them: 'connector' = 'upsert' takes and gives
/// upserts, 'print' takes all changes, 'per-split' makes watermarks in the source, it and 'nested'
/// read single fields of rows, any other only inserts.
class FakeTables final : public TableProvider {
 public:
  std::vector<stream::MetadataKey> metadata_keys(const stream::TableContext& table) const override;
  std::shared_ptr<stream::TableSource> create_source(
      const stream::TableContext& table) const override;
  std::shared_ptr<stream::TableSink> create_sink(const stream::TableContext& table) const override;
};

/// A session as the planner sees one: all built-in functions, an empty catalog.
class Planning {
 public:
  explicit Planning(bool batch = false);

  /// CREATE TABLE and CREATE VIEW; SET through `config`.
  void run(std::string_view statement);
  std::string explain(std::string_view statement, const ExplainDetails& details = {});
  PhysicalPlan optimize(std::string_view statement);
  LogicalPtr bind(std::string_view statement);
  /// The message of the error that binding and optimizing gives, with its position; empty when
  /// there is none.
  std::string error(std::string_view statement);
  /// "name TYPE, ..." of a query.
  std::string schema(std::string_view query);

  const PlannerContext& context() const { return context_; }

  stream::OptionMap config;
  catalog::CatalogManager catalogs;

 private:
  std::vector<LogicalPtr> bind_roots(std::string_view statement);

  expression::FunctionRegistry functions_;
  FakeTables tables_;
  PlannerContext context_;
};

/// One section of an EXPLAIN text, without its heading.
std::string section(const std::string& text, std::string_view heading);

}  // namespace thalweg::planner
