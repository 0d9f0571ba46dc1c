#pragma once

#include <string>
#include <vector>

#include "thalweg/expression/row_kernel.h"
#include "thalweg/functions/signature.h"

namespace thalweg::functions {

/// What the reference says about a function.
struct Documentation {
  std::vector<std::string> names;
  std::string forms;
  std::string description;
  std::vector<std::string> examples = {};
};

inline expression::ScalarFunction documented(Documentation documentation, Bind bind) {
  expression::ScalarFunction function;
  function.names = std::move(documentation.names);
  function.forms = std::move(documentation.forms);
  function.description = std::move(documentation.description);
  function.examples = std::move(documentation.examples);
  function.bind = std::move(bind);
  return function;
}

/// A function that is one lambda over the values of a row (see row_kernel.h).
template <typename Out, typename... In, typename F>
expression::ScalarFunction simple(Documentation documentation, Bind bind, F f) {
  expression::ScalarFunction function = documented(std::move(documentation), std::move(bind));
  function.is_infallible = !std::is_invocable_v<F, expression::RowFault&, In...> &&
                           !std::is_invocable_v<F, expression::RowFault&, std::string&, In...>;
  function.make_kernel = [f](const Signature& signature, std::span<const BoundArgument>) {
    return expression::row_kernel<Out, In...>(signature.result, f);
  };
  return function;
}

}  // namespace thalweg::functions
