#pragma once

#include <memory>

#include "handles.h"

namespace thalweg::binding {

/// `reference()`: connectors, formats and functions as they describe themselves, for the pages of
/// docs/reference.
void bind_reference(nanobind::module_& module, const std::shared_ptr<LazyProcess>& process);

}  // namespace thalweg::binding
