#pragma once

#include "functions/differential/catalogue.h"
#include "functions/differential/random.h"

namespace thalweg::functions::differential {

/// Makes random typed expressions over the sample columns.
class Generator {
 public:
  explicit Generator(const Catalogue& catalogue) : catalogue_(catalogue) {}

  /// Of any type.
  expression::ExpressionPtr make(Random& random) const;

 private:
  expression::ExpressionPtr of_type(const DataType& type, int depth, Random& random) const;
  expression::ExpressionPtr leaf(const DataType& type, Random& random) const;
  expression::ExpressionPtr form(const DataType& type, int depth, Random& random) const;
  expression::ExpressionPtr cast(int depth, Random& random) const;
  expression::ExpressionPtr call(const Form& form, int depth, Random& random) const;
  expression::ExpressionPtr argument(const Form& form,
                                     size_t index,
                                     int depth,
                                     Random& random) const;
  expression::ExpressionPtr filled(const expression::ExpressionPtr& pattern,
                                   int depth,
                                   Random& random) const;
  expression::ExpressionPtr any(int depth, Random& random) const;
  std::vector<expression::ExpressionPtr> operands(const DataType& type,
                                                  size_t count,
                                                  int depth,
                                                  Random& random) const;

  const Catalogue& catalogue_;
};

}  // namespace thalweg::functions::differential
