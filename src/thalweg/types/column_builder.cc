#include "thalweg/types/column_builder.h"

#include <algorithm>

#include "thalweg/common/check.h"
#include "thalweg/types/batch.h"

namespace thalweg {

ColumnBuilder::ColumnBuilder(DataType type)
    : type_(std::move(type)), physical_(type_.physical()), width_(width_of(physical_)) {
  for (size_t i = 0; i < type_.child_count(); ++i) {
    children_.emplace_back(type_.child(i));
  }
}

ColumnBuilder::~ColumnBuilder() = default;
ColumnBuilder::ColumnBuilder(ColumnBuilder&&) noexcept = default;
ColumnBuilder& ColumnBuilder::operator=(ColumnBuilder&&) noexcept = default;

void ColumnBuilder::grow() {
  capacity_ = std::max(64, capacity_ * 2);
  data_.resize(static_cast<size_t>(capacity_) * std::max<size_t>(width_, 1));
}

void ColumnBuilder::append_null() {
  null_rows_.push_back(size_);
  ensure_room();
  if (physical_ == PhysicalKind::kList) {
    append<int32_t>(children_[0].size());
    return;
  }
  std::byte* const place = data_.data() + static_cast<size_t>(size_) * width_;
  switch (width_) {  // known widths are cleared without a call
    case 0:
      break;
    case 8:
      std::memset(place, 0, 8);
      break;
    case 16:
      std::memset(place, 0, 16);
      break;
    default:
      std::memset(place, 0, width_);
  }
  ++size_;
  for (ColumnBuilder& child : children_) {
    child.append_null();
  }
}

void ColumnBuilder::append_struct() {
  ensure_room();
  ++size_;
}

void ColumnBuilder::append_from(const Column& column, int32_t row) {
  if (column.is_null(row)) {
    append_null();
    return;
  }
  switch (physical_) {
    case PhysicalKind::kString:
      append_string(column.string_at(row));
      return;
    case PhysicalKind::kList: {
      for (size_t i = 0; i < children_.size(); ++i) {
        for (int32_t element = column.list_begin(row); element < column.list_end(row); ++element) {
          children_[i].append_from(*column.child(i), element);
        }
      }
      append_list();
      return;
    }
    case PhysicalKind::kStruct:
      for (size_t i = 0; i < children_.size(); ++i) {
        children_[i].append_from(*column.child(i), column.is_constant() ? 0 : row);
      }
      append_struct();
      return;
    case PhysicalKind::kHandle: {
      void* const handle = column.at<void*>(row);
      opaque_ = column.opaque_operations();
      opaque_->retain(handle);
      append(handle);
      return;
    }
    default:
      ensure_room();
      std::memcpy(data_.data() + static_cast<size_t>(size_) * width_,
                  column.values<std::byte>().data() +
                      static_cast<size_t>(column.is_constant() ? 0 : row) * width_,
                  width_);
      ++size_;
  }
}

void ColumnBuilder::append_value(const Value& value) {
  if (value.is_null()) {
    append_null();
    return;
  }
  switch (physical_) {
    case PhysicalKind::kBool:
      append(static_cast<uint8_t>(std::get<bool>(value.data)));
      return;
    case PhysicalKind::kInt8:
      append(static_cast<int8_t>(std::get<int64_t>(value.data)));
      return;
    case PhysicalKind::kInt16:
      append(static_cast<int16_t>(std::get<int64_t>(value.data)));
      return;
    case PhysicalKind::kInt32:
      append(static_cast<int32_t>(std::get<int64_t>(value.data)));
      return;
    case PhysicalKind::kInt64:
      append(std::get<int64_t>(value.data));
      return;
    case PhysicalKind::kInt128:
      append(std::get<Int128>(value.data));
      return;
    case PhysicalKind::kFloat:
      append(static_cast<float>(std::get<double>(value.data)));
      return;
    case PhysicalKind::kDouble:
      append(std::get<double>(value.data));
      return;
    case PhysicalKind::kString:
      append_string(std::get<std::string>(value.data));
      return;
    case PhysicalKind::kList: {
      const ValueList& list = value.list();
      for (size_t i = 0; i < list.size(); ++i) {
        children_[i % children_.size()].append_value(list[i]);
      }
      append_list();
      return;
    }
    case PhysicalKind::kStruct:
      for (size_t i = 0; i < children_.size(); ++i) {
        children_[i].append_value(value.list()[i]);
      }
      append_struct();
      return;
    case PhysicalKind::kHandle:
      unreachable("an opaque object has no Value");
  }
}

void ColumnBuilder::truncate(int32_t size) {
  if (size > size_) {
    return;
  }
  // Also when this builder has the right size: its children may hold parts of a value that was
  // never closed.
  if (opaque_ != nullptr) {
    auto* handles = reinterpret_cast<void**>(data_.data());
    opaque_->release({handles + size, handles + size_});
  }
  if (physical_ == PhysicalKind::kList) {
    const int32_t end = size == 0 ? 0 : reinterpret_cast<const int32_t*>(data_.data())[size - 1];
    for (ColumnBuilder& child : children_) {
      child.truncate(end);
    }
  } else {
    for (ColumnBuilder& child : children_) {
      child.truncate(size);
    }
  }
  while (!null_rows_.empty() && null_rows_.back() >= size) {
    null_rows_.pop_back();
  }
  size_ = size;
}

StringHeap& ColumnBuilder::heap() {
  if (heap_ == nullptr) {
    heap_ = std::make_shared<StringHeap>();
    owners_.push_back(heap_);
  }
  return *heap_;
}

void ColumnBuilder::keep_alive(std::shared_ptr<const void> owner) {
  if (owners_.empty() || owners_.back() != owner) {
    owners_.push_back(std::move(owner));
  }
}

ColumnPtr ColumnBuilder::finish() {
  std::vector<ColumnPtr> children;
  children.reserve(children_.size());
  for (ColumnBuilder& child : children_) {
    children.push_back(child.finish());
  }
  MutableColumnPtr column;
  if (physical_ == PhysicalKind::kList) {
    std::vector<int32_t> offsets(static_cast<size_t>(size_) + 1);
    if (size_ > 0) {
      std::memcpy(offsets.data() + 1, data_.data(), static_cast<size_t>(size_) * sizeof(int32_t));
    }
    column = Column::make_list(type_, std::move(offsets), std::move(children));
  } else if (physical_ == PhysicalKind::kStruct) {
    column = Column::make_struct(type_, size_, std::move(children));
  } else {
    column = Column::make(type_, size_);
    if (size_ > 0) {
      std::memcpy(column->mutable_values<std::byte>().data(),
                  data_.data(),
                  static_cast<size_t>(size_) * width_);
    }
  }
  if (!null_rows_.empty()) {
    const std::span<uint64_t> validity = column->mutable_validity();
    for (const int32_t row : null_rows_) {
      validity[static_cast<size_t>(row) >> 6U] &=
          ~(uint64_t{1} << (static_cast<uint32_t>(row) & 63U));
    }
  }
  for (std::shared_ptr<const void>& owner : owners_) {
    column->keep_alive(std::move(owner));
  }
  if (opaque_ != nullptr) {
    column->set_opaque_operations(opaque_);
  }
  size_ = 0;
  null_rows_.clear();
  owners_.clear();
  heap_.reset();
  return column;
}

std::vector<ColumnBuilder> make_builders(const Schema& schema) {
  std::vector<ColumnBuilder> builders;
  builders.reserve(schema.size());
  for (const Field& field : schema) {
    builders.emplace_back(field.type);
  }
  return builders;
}

Batch finish_batch(std::vector<ColumnBuilder>& builders) {
  const int32_t rows = builders.empty() ? 0 : builders.front().size();
  std::vector<ColumnPtr> columns;
  columns.reserve(builders.size());
  for (ColumnBuilder& builder : builders) {
    columns.push_back(builder.finish());
  }
  return Batch(rows, std::move(columns));
}

}  // namespace thalweg
