// Any bytes behind a manifest's magic, with a checksum that fits: read or refused.
#include "thalweg/common/error.h"
#include "thalweg/runtime/checkpoint_manifest.h"
#include "thalweg/state/crc32c.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace thalweg;
  static const std::string whole = runtime::encode_manifest({});
  static const std::string magic = whole.substr(0, whole.find('\0'));
  std::string bytes = magic + std::string(reinterpret_cast<const char*>(data), size);
  const uint32_t checksum = state::crc32c(bytes);
  bytes.append(reinterpret_cast<const char*>(&checksum), sizeof checksum);
  try {
    runtime::decode_manifest(bytes);
  } catch (const Error&) {
    return 0;
  }
  return 0;
}
