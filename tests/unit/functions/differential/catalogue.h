#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "thalweg/expression/expression.h"
#include "thalweg/expression/scalar_function.h"

namespace thalweg::functions::differential {

/// An argument that a function takes: any expression of the type, or just this literal (a unit).
struct Slot {
  DataType type;
  std::optional<Value> literal = std::nullopt;
};

/// A way to call a function.
struct Form {
  std::shared_ptr<const expression::ScalarFunction> function;
  std::vector<Slot> slots;
};

/// What expressions are made of: every registered scalar function that gives the same for the same
/// arguments, in the forms that its own `bind` takes, and SQL texts for what has a syntax of its
/// own.
class Catalogue {
 public:
  Catalogue();

  /// The forms of each function.
  const std::vector<std::vector<Form>>& functions() const { return functions_; }

  /// Forms whose result has the kind, or null.
  const std::vector<Form>* giving(TypeKind kind) const;

  /// Bound over the sample columns, each of which stands for any expression of its type.
  const std::vector<expression::ExpressionPtr>& templates() const { return templates_; }

 private:
  void discover(const std::shared_ptr<const expression::ScalarFunction>& function);

  std::vector<std::vector<Form>> functions_;
  std::map<TypeKind, std::vector<Form>> by_result_;
  std::vector<expression::ExpressionPtr> templates_;
};

}  // namespace thalweg::functions::differential
