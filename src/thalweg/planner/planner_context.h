#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "thalweg/catalog/function.h"
#include "thalweg/planner/table_access.h"
#include "thalweg/stream/option.h"

namespace thalweg::catalog {
class CatalogManager;
}

namespace thalweg::expression {
class FunctionRegistry;
}

namespace thalweg::planner {

/// Whether `execution.runtime-mode` is BATCH; STREAMING where it is not set, and for AUTOMATIC.
/// Throws kInvalidConfiguration for another value.
bool is_batch_mode(const stream::OptionMap& config);

/// What planning may look at: one for each session, owned by it, borrowed by binders and relations
/// (which the session outlives). Read by one thread at a time; `config` is the session's live
/// configuration.
struct PlannerContext {
  const catalog::CatalogManager& catalogs;
  const expression::FunctionRegistry& functions;
  const TableProvider& tables;
  const stream::OptionMap& config;
  /// Finds the code that CREATE FUNCTION names (an InlineCallable); empty where there is no host
  /// for it.
  std::function<std::shared_ptr<const catalog::InlineFunction>(const catalog::CatalogFunction&)>
      load_function = {};

  bool is_batch() const { return is_batch_mode(config); }

  /// `table.local-time-zone`, or the process's own zone.
  std::string time_zone() const;
  std::optional<std::string> find(const std::string& key) const;
  bool flag(const std::string& key, bool default_value) const;
};

}  // namespace thalweg::planner
