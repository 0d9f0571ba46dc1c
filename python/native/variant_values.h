#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <nanobind/nanobind.h>

/// VARIANT in Python: what json.loads makes of its text, and what json.dumps takes.
namespace thalweg::binding {

namespace nb = nanobind;

nb::object python_variant(std::string_view variant);

/// nullopt when the value has no JSON form. Leaves no Python error behind.
std::optional<std::string> engine_variant(nb::handle value);

}  // namespace thalweg::binding
