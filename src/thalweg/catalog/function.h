#pragma once

#include <memory>
#include <string>
#include <vector>

#include "thalweg/catalog/table.h"

namespace thalweg::catalog {

/// A function given as an object rather than by name (a Python function of the Table API); the
/// engine derives its own.
struct InlineFunction {
  virtual ~InlineFunction() = default;
  InlineFunction() = default;
  InlineFunction(const InlineFunction&) = delete;
  InlineFunction& operator=(const InlineFunction&) = delete;
};

/// What CREATE FUNCTION says, or an inline function.
struct CatalogFunction {
  /// JAVA, SCALA, SQL or PYTHON.
  std::string language = "JAVA";
  /// The class, or module.name for Python.
  std::string identifier;
  std::vector<sql::FunctionResource> resources;
  OptionMap options;
  std::shared_ptr<const InlineFunction> inline_function;
};

using CatalogFunctionPtr = std::shared_ptr<const CatalogFunction>;

}  // namespace thalweg::catalog
