#include "thalweg/engine/process.h"

#include "thalweg/connectors/kafka/registry_client.h"
#include "thalweg/formats/avro/avro_confluent_format.h"
#include "thalweg/functions/register_all.h"

namespace thalweg::engine {

Process::Process() : memory("process") {
  functions::register_all(functions);
  formats.add(formats::make_avro_confluent_format(connectors::open_schema_registry));
  runtime = runtime::make_runtime(memory);
}

}  // namespace thalweg::engine
