#include "thalweg/state/operator_snapshot.h"

#include "thalweg/state/byte_stream.h"
#include "thalweg/state/state_file.h"
#include "thalweg/state/table_snapshot.h"

namespace thalweg::state {

OperatorSnapshot::OperatorSnapshot() = default;
OperatorSnapshot::~OperatorSnapshot() = default;
OperatorSnapshot::OperatorSnapshot(OperatorSnapshot&&) noexcept = default;
OperatorSnapshot& OperatorSnapshot::operator=(OperatorSnapshot&&) noexcept = default;

void OperatorSnapshot::write(StateFileWriter& writer) {
  for (const auto& table : tables) {
    table->write(writer);
  }
  for (const List& list : lists) {
    std::string body;
    ByteWriter body_writer(body);
    body_writer.put_text(list.name);
    body_writer.put_varint(list.items.size());
    for (const std::string& item : list.items) {
      body_writer.put_text(item);
    }
    writer.write_frame(FrameKind::kList, body);
  }
}

}  // namespace thalweg::state
