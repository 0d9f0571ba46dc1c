#include <fmt/format.h>

#include "thalweg/catalog/catalog_manager.h"
#include "thalweg/common/error.h"
#include "thalweg/common/nearest_name.h"
#include "thalweg/planner/inline_plan.h"
#include "thalweg/planner/logical_build.h"
#include "thalweg/planner/query_binder.h"
#include "thalweg/planner/table_binder.h"

namespace thalweg::planner {

namespace {

constexpr int32_t kMaxViewDepth = 64;

stream::OptionMap options_of(const std::vector<sql::Hint>& hints, const PlannerContext& context) {
  stream::OptionMap options;
  for (const sql::Hint& hint : hints) {
    if (hint.name.text != "OPTIONS" && hint.name.text != "options") {
      continue;
    }
    if (!context.flag("table.dynamic-table-options.enabled", true)) {
      throw Error(ErrorCode::kValidation,
                  "The 'OPTIONS' hint is allowed only when the config option "
                  "'table.dynamic-table-options.enabled' is set to true.")
          .at(hint.name.position);
    }
    for (const sql::HintArgument& argument : hint.args) {
      options[argument.key] = argument.value;
    }
  }
  return options;
}

[[noreturn]] void object_not_found(const sql::ObjectName& name,
                                   const catalog::CatalogManager& catalogs) {
  Error error(ErrorCode::kTableNotFound, fmt::format("Object '{}' not found", name.last()));
  const catalog::ObjectPath path = catalogs.qualify(name);
  std::string nearest;
  if (catalogs.has_catalog(path.catalog) && catalogs.has_database(path.catalog, path.database)) {
    nearest = nearest_name(name.last(), catalogs.tables(path.catalog, path.database));
  }
  if (!nearest.empty()) {
    throw std::move(error).at(name.position()).hint(fmt::format("Did you mean '{}'?", nearest));
  }
  throw std::move(error).at(name.position());
}

}  // namespace

std::optional<catalog::TableEntry> QueryBinder::find_table(const sql::ObjectName& name) const {
  return view_ == nullptr ? context_.catalogs.find(name)
                          : context_.catalogs.find(name, view_->catalog, view_->database);
}

LogicalPtr QueryBinder::bind_table(const sql::ObjectName& name,
                                   const std::vector<sql::Hint>& hints) {
  const std::optional<catalog::TableEntry> entry = find_table(name);
  if (!entry) {
    object_not_found(name, context_.catalogs);
  }
  const stream::OptionMap options = options_of(hints, context_);
  if (entry->is_view()) {
    if (!options.empty()) {
      throw Error(ErrorCode::kValidation,
                  fmt::format("View '{}' cannot be enriched with new options. Hints can only be "
                              "applied to tables.",
                              entry->path.quoted()))
          .at(name.position());
    }
    return bind_view(*entry->view(), name.position());
  }
  return bind_scan(entry->path, *entry->table(), options, name.position(), context_);
}

LogicalPtr QueryBinder::bind_view(const catalog::CatalogView& view, SourcePosition position) {
  if (view.inline_query) {
    return static_cast<const InlinePlan&>(*view.inline_query).plan;
  }
  if (view_depth_ >= kMaxViewDepth) {
    throw Error(ErrorCode::kValidation, "Views refer to each other in a circle").at(position);
  }
  const catalog::CatalogView* outer_view = std::exchange(view_, &view);
  std::vector<CommonTables> outer_tables = std::exchange(common_tables_, {});
  ++view_depth_;
  LogicalPtr plan;
  try {
    plan = bind(*view.query);
  } catch (const Error& error) {
    // Positions inside the view's text mean nothing in the statement that names the view.
    throw Error(error.code(), error.message()).at(position).hint(error.hint_text());
  }
  --view_depth_;
  view_ = outer_view;
  common_tables_ = std::move(outer_tables);
  const std::vector<std::string> names = names_of(view.schema);
  return names == names_of(plan->schema) ? plan : make_rename(std::move(plan), names);
}

}  // namespace thalweg::planner
