#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "thalweg/expression/aggregate_function.h"
#include "thalweg/expression/scalar_function.h"
#include "thalweg/expression/table_function.h"

namespace thalweg::expression {

/// All built-in functions by upper-case name. Filled once by functions::register_all, then read by
/// any thread.
class FunctionRegistry {
 public:
  void add(ScalarFunction function);
  void add(AggregateFunction function);
  void add(TableFunction function);

  std::shared_ptr<const ScalarFunction> find_scalar(const std::string& upper_name) const;
  std::shared_ptr<const AggregateFunction> find_aggregate(const std::string& upper_name) const;
  std::shared_ptr<const TableFunction> find_table(const std::string& upper_name) const;
  /// Canonical names, sorted (SHOW FUNCTIONS, did you mean), without those that only plans use
  /// ("$SUM0").
  std::vector<std::string> names() const;

 private:
  std::map<std::string, std::shared_ptr<const ScalarFunction>> scalars_;
  std::map<std::string, std::shared_ptr<const AggregateFunction>> aggregates_;
  std::map<std::string, std::shared_ptr<const TableFunction>> tables_;
};

}  // namespace thalweg::expression
