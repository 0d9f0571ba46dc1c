#include "thalweg/state/table_shape.h"

#include "thalweg/types/column.h"

namespace thalweg::state {

namespace {

size_t align(size_t offset, size_t alignment) {
  return (offset + alignment - 1) / alignment * alignment;
}

std::vector<stream::StateField> key_fields(const Schema& key) {
  std::vector<stream::StateField> fields;
  for (const Field& field : key) {
    fields.push_back({field.name, field.type});
  }
  return fields;
}

FieldStorage storage_of(const stream::StateField& field) {
  if (field.object != nullptr) {
    return FieldStorage::kObject;
  }
  switch (field.type.physical()) {
    case PhysicalKind::kString:
      return FieldStorage::kText;
    case PhysicalKind::kList:
    case PhysicalKind::kStruct:
      return FieldStorage::kEncoded;
    case PhysicalKind::kHandle:
      return FieldStorage::kEncodedOpaque;
    default:
      return FieldStorage::kPlain;
  }
}

std::vector<FieldShape> shapes_of(const std::vector<stream::StateField>& fields,
                                  const stream::RecordLayout& layout,
                                  size_t base) {
  std::vector<FieldShape> shapes;
  for (size_t i = 0; i < fields.size(); ++i) {
    FieldShape shape;
    shape.storage = storage_of(fields[i]);
    shape.physical = fields[i].object != nullptr ? PhysicalKind::kInt64 : fields[i].type.physical();
    shape.width = shape.storage == FieldStorage::kPlain ? width_of(shape.physical) : 0;
    shape.offset = base + layout.offset(i);
    shape.nullable = fields[i].object == nullptr && fields[i].type.is_nullable();
    shapes.push_back(shape);
  }
  return shapes;
}

bool any_owned(const std::vector<FieldShape>& fields) {
  return std::any_of(fields.begin(), fields.end(), [](const FieldShape& field) {
    return field.storage != FieldStorage::kPlain;
  });
}

}  // namespace

TableShape::TableShape(const stream::StateSpec& spec)
    : value_(spec.value),
      key_(key_fields(spec.key)),
      has_namespace_(spec.has_namespace),
      has_ttl_(spec.ttl_ms.has_value()) {
  key_offset_ = align(value_.size(), key_.alignment());
  keys_ = shapes_of(key_fields(spec.key), key_, key_offset_);
  values_ = shapes_of(spec.value, value_, 0);
  owns_memory_ = any_owned(keys_) || any_owned(values_);
  size_t end = key_offset_ + key_.size();
  if (has_namespace_) {
    namespace_offset_ = align(end, 8);
    end = namespace_offset_ + 8;
  }
  if (has_ttl_) {
    ttl_offset_ = align(end, 8);
    end = ttl_offset_ + 8;
  }
  const size_t alignment = std::max({size_t{4},
                                     value_.alignment(),
                                     key_.alignment(),
                                     has_namespace_ || has_ttl_ ? size_t{8} : size_t{4}});
  stride_ = align(std::max<size_t>(end, 1), alignment);
}

}  // namespace thalweg::state
