#include "thalweg/types/column.h"

#include <cstring>

#include "thalweg/common/check.h"

namespace thalweg {

size_t width_of(PhysicalKind kind) {
  switch (kind) {
    case PhysicalKind::kBool:
    case PhysicalKind::kInt8:
      return 1;
    case PhysicalKind::kInt16:
      return 2;
    case PhysicalKind::kInt32:
    case PhysicalKind::kFloat:
    case PhysicalKind::kList:
      return 4;
    case PhysicalKind::kInt64:
    case PhysicalKind::kDouble:
    case PhysicalKind::kHandle:
      return 8;
    case PhysicalKind::kInt128:
    case PhysicalKind::kString:
      return 16;
    case PhysicalKind::kStruct:
      return 0;
  }
  unreachable("physical kind");
}

Column::Column(DataType type, int32_t size, bool constant, bool zeroed)
    : type_(std::move(type)), size_(size), constant_(constant) {
  const PhysicalKind kind = type_.physical();
  const auto stored = static_cast<size_t>(stored_size());
  const size_t entries = kind == PhysicalKind::kList ? stored + 1 : stored;
  data_bytes_ = entries * width_of(kind);
  if (data_bytes_ > 0) {
    // Zeroed: values under NULL are read by branch-free kernels. 64 bytes of slack allow whole
    // vector loads.
    constexpr size_t kSlack = 64;
    auto* const data = new (std::align_val_t{64}) std::byte[data_bytes_ + kSlack];
    data_ = std::shared_ptr<std::byte[]>(
        data, [](std::byte* freed) { operator delete[](freed, std::align_val_t{64}); });
    const size_t filled = zeroed ? 0 : data_bytes_;
    std::memset(data + filled, 0, data_bytes_ + kSlack - filled);
  }
}

Column::~Column() {
  if (owns_handles_ && opaque_ != nullptr) {
    opaque_->release(
        {reinterpret_cast<void* const*>(data_.get()), static_cast<size_t>(stored_size())});
  }
}

MutableColumnPtr Column::make(DataType type, int32_t size) {
  return MutableColumnPtr(new Column(std::move(type), size, false));
}

MutableColumnPtr Column::make_unfilled(DataType type, int32_t size) {
  return MutableColumnPtr(new Column(std::move(type), size, false, false));
}

MutableColumnPtr Column::make_constant(DataType type, int32_t size) {
  return MutableColumnPtr(new Column(std::move(type), size, true));
}

ColumnPtr Column::make_null(DataType type, int32_t size) {
  const DataType nullable = type.as_nullable();
  std::vector<ColumnPtr> children;
  for (size_t i = 0; i < nullable.child_count(); ++i) {
    const int32_t rows = nullable.kind() == TypeKind::kRow && size > 0 ? 1 : 0;
    children.push_back(make_null(nullable.child(i), rows));
  }
  auto column = make_constant(nullable, size);
  column->children_ = std::move(children);
  if (size > 0) {
    column->set_null(0);
  }
  return column;
}

MutableColumnPtr Column::make_list(DataType type,
                                   std::vector<int32_t> offsets,
                                   std::vector<ColumnPtr> children) {
  auto column = make(std::move(type), static_cast<int32_t>(offsets.size()) - 1);
  std::memcpy(column->data_.get(), offsets.data(), offsets.size() * sizeof(int32_t));
  column->children_ = std::move(children);
  return column;
}

MutableColumnPtr Column::make_struct(DataType type, int32_t size, std::vector<ColumnPtr> children) {
  auto column = make(std::move(type), size);
  column->children_ = std::move(children);
  return column;
}

void Column::ensure_validity() {
  if (validity_.empty()) {
    validity_.assign((static_cast<size_t>(stored_size()) + 63) / 64, ~uint64_t{0});
  }
}

void Column::add_nulls_of(const Column& other) {
  if (!other.may_have_nulls()) {
    return;
  }
  if (constant_ == other.constant_) {
    ensure_validity();
    for (size_t i = 0; i < validity_.size(); ++i) {
      validity_[i] &= other.validity_[i];
    }
  } else if (other.is_null(0)) {
    check(!constant_, "nulls of a flat column added to a constant");
    ensure_validity();
    std::fill(validity_.begin(), validity_.end(), uint64_t{0});
  }
}

StringHeap& Column::heap() {
  if (own_heap_ == nullptr) {
    auto heap = std::make_shared<StringHeap>();
    own_heap_ = heap.get();
    owners_.push_back(std::move(heap));
  }
  return *own_heap_;
}

void Column::share_storage(const Column& other) {
  owners_.insert(owners_.end(), other.owners_.begin(), other.owners_.end());
}

void Column::set_opaque_operations(std::shared_ptr<const OpaqueOperations> operations) {
  opaque_ = std::move(operations);
  owns_handles_ = true;
}

void Column::borrow_handles(ColumnPtr owner) {
  opaque_ = owner->opaque_;
  owners_.push_back(std::move(owner));
}

ColumnPtr Column::with_type(DataType type) const {
  check(type.physical() == type_.physical(), "retyped to another physical kind");
  check(!owns_handles_, "opaque columns keep their type");
  auto column = MutableColumnPtr(new Column(std::move(type), 0, constant_));
  column->size_ = size_;
  column->validity_ = validity_;
  column->data_ = data_;
  column->data_bytes_ = data_bytes_;
  column->children_ = children_;
  column->owners_ = owners_;
  column->opaque_ = opaque_;
  return column;
}

int64_t Column::byte_size() const {
  auto bytes = static_cast<int64_t>(data_bytes_ + validity_.size() * sizeof(uint64_t));
  if (own_heap_ != nullptr) {
    bytes += own_heap_->allocated_bytes();
  }
  for (const ColumnPtr& child : children_) {
    bytes += child->byte_size();
  }
  return bytes;
}

}  // namespace thalweg
