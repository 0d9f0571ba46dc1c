#pragma once

#include <memory>

#include "thalweg/stream/format.h"

namespace thalweg::connectors {

/// The client of the schema registry that a format's options name ('url', 'basic-auth.*',
/// 'bearer-auth.*', 'ssl.*'). Speaks Confluent's REST API; connects at the first question, asks
/// each only once, and is thread-safe. Throws kInvalidOption here, kRegistryFailed and
/// kSchemaNotFound later.
std::shared_ptr<stream::SchemaRegistry> open_schema_registry(const stream::FormatContext& context);

}  // namespace thalweg::connectors
