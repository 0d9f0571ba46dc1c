// Any bytes as a whole state file, and as the body of a frame whose checksum fits: read or refused.
#include <cstdio>
#include <fstream>
#include <string>

#include <unistd.h>

#include "thalweg/common/error.h"
#include "thalweg/state/restored_state.h"
#include "thalweg/state/state_file.h"

namespace {

using namespace thalweg;

const std::string& path() {
  static const std::string name = "/dev/shm/thalweg-state-fuzz-" + std::to_string(getpid());
  return name;
}

void read() {
  try {
    const auto file = std::make_shared<const state::StateFile>(path());
    for (const OperatorId id : state::operators_in(*file)) {
      const state::RestoredState restored(id, {file});
      restored.table_names();
      for (const std::string& name : restored.list_names()) {
        restored.list(name);
      }
    }
  } catch (const Error&) {
    return;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  std::ofstream(path(), std::ios::binary | std::ios::trunc) << bytes;
  read();
  for (const state::FrameKind kind :
       {state::FrameKind::kTable, state::FrameKind::kEntries, state::FrameKind::kList}) {
    state::StateFileWriter writer(path());
    writer.set_operator({7});
    writer.write_frame(kind, bytes);
    writer.finish();
    read();
  }
  std::remove(path().c_str());
  return 0;
}
