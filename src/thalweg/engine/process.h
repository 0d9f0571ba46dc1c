#pragma once

#include <memory>

#include "thalweg/common/memory_budget.h"
#include "thalweg/connectors/connector_registry.h"
#include "thalweg/expression/function_registry.h"
#include "thalweg/formats/format_registry.h"
#include "thalweg/runtime/job.h"

namespace thalweg::engine {

/// What all sessions of a process share: the registries and the runtime. Made once by the host (the
/// extension module, a test), before any session; outlives them. Registries are read-only once
/// sessions run.
struct Process {
  Process();

  MemoryBudget memory;
  expression::FunctionRegistry functions;
  formats::FormatRegistry formats;
  connectors::ConnectorRegistry connectors;
  std::unique_ptr<runtime::Runtime> runtime;
};

}  // namespace thalweg::engine
