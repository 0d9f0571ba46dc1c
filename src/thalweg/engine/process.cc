#include "thalweg/engine/process.h"

#include "thalweg/functions/register_all.h"

namespace thalweg::engine {

Process::Process() : memory("process") {
  functions::register_all(functions);
  runtime = runtime::make_runtime(memory);
}

}  // namespace thalweg::engine
