// Any text as an Avro schema: it parses or gives an Error.
#include "thalweg/common/error.h"
#include "thalweg/formats/avro/avro_schema.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    thalweg::formats::avro::AvroSchema::parse({reinterpret_cast<const char*>(data), size});
  } catch (const thalweg::Error&) {
    return 0;
  }
  return 0;
}
