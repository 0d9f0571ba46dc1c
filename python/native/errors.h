#pragma once

#include <string>
#include <string_view>

#include <nanobind/nanobind.h>

#include "thalweg/common/error.h"

namespace thalweg::binding {

/// Makes engine errors arrive in Python as the class that stands for their Flink class, and the
/// engine's own bugs (std::logic_error and the like) as RuntimeError.
void register_exceptions(nanobind::module_& module);

/// Sets the Python error for `error`; `sql` is the statement it is about, for the line with the
/// caret.
void set_python_error(const Error& error, std::string_view sql = {});

/// Runs `work` and turns an Error into the Python error that shows `sql`.
template <typename Work>
auto with_statement(std::string_view sql, const Work& work) {
  try {
    return work();
  } catch (const Error& error) {
    set_python_error(error, sql);
    throw nanobind::python_error();
  }
}

}  // namespace thalweg::binding
