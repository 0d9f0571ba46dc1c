#include "thalweg/expression/function_registry.h"

#include "thalweg/common/check.h"

namespace thalweg::expression {

namespace {

template <typename Function>
void add_names(std::map<std::string, std::shared_ptr<const Function>>& functions,
               Function function) {
  auto shared = std::make_shared<const Function>(std::move(function));
  for (const std::string& name : shared->names) {
    const bool is_new = functions.emplace(name, shared).second;
    check(is_new, "two functions of one name");
  }
}

template <typename Function>
std::shared_ptr<const Function> find_name(
    const std::map<std::string, std::shared_ptr<const Function>>& functions,
    const std::string& name) {
  const auto found = functions.find(name);
  return found == functions.end() ? nullptr : found->second;
}

}  // namespace

void FunctionRegistry::add(ScalarFunction function) {
  add_names(scalars_, std::move(function));
}

void FunctionRegistry::add(AggregateFunction function) {
  add_names(aggregates_, std::move(function));
}

void FunctionRegistry::add(TableFunction function) {
  add_names(tables_, std::move(function));
}

std::shared_ptr<const ScalarFunction> FunctionRegistry::find_scalar(
    const std::string& upper_name) const {
  return find_name(scalars_, upper_name);
}

std::shared_ptr<const AggregateFunction> FunctionRegistry::find_aggregate(
    const std::string& upper_name) const {
  return find_name(aggregates_, upper_name);
}

std::shared_ptr<const TableFunction> FunctionRegistry::find_table(
    const std::string& upper_name) const {
  return find_name(tables_, upper_name);
}

std::vector<std::string> FunctionRegistry::names() const {
  // One map merges and sorts all kinds.
  std::map<std::string, bool> names;
  for (const auto& entry : scalars_) {
    names[entry.second->name()] = true;
  }
  for (const auto& entry : aggregates_) {
    names[entry.second->name()] = true;
  }
  for (const auto& entry : tables_) {
    names[entry.second->name()] = true;
  }
  std::vector<std::string> result;
  result.reserve(names.size());
  for (const auto& entry : names) {
    if (!entry.first.starts_with('$')) {
      result.push_back(entry.first);
    }
  }
  return result;
}

}  // namespace thalweg::expression
