#include "thalweg/stream/state.h"
#include "thalweg/types/column.h"

namespace thalweg::stream {

namespace {

size_t align(size_t offset, size_t alignment) {
  return (offset + alignment - 1) / alignment * alignment;
}

/// Bytes and alignment of a field: objects are pointers; nested and opaque values are kept as the
/// bytes of a string.
size_t field_width(const StateField& field) {
  if (field.object != nullptr) {
    return sizeof(void*);
  }
  switch (field.type.physical()) {
    case PhysicalKind::kList:
    case PhysicalKind::kStruct:
    case PhysicalKind::kHandle:
      return sizeof(StringView);
    default:
      return width_of(field.type.physical());
  }
}

size_t field_alignment(const StateField& field) {
  const size_t width = field_width(field);
  const bool is_number = field.object == nullptr && field.type.physical() == PhysicalKind::kInt128;
  return is_number ? width : std::min<size_t>(width, 8);
}

}  // namespace

RecordLayout::RecordLayout(std::span<const StateField> fields) {
  for (size_t i = 0; i < fields.size(); ++i) {
    if (fields[i].object == nullptr && fields[i].type.is_nullable()) {
      null_fields_ = i + 1;
    }
  }
  size_t offset = (null_fields_ + 7) / 8;
  for (const StateField& field : fields) {
    const size_t alignment = field_alignment(field);
    offset = align(offset, alignment);
    offsets_.push_back(offset);
    offset += field_width(field);
    alignment_ = std::max(alignment_, alignment);
  }
  size_ = align(offset, alignment_);
}

}  // namespace thalweg::stream
