#include "thalweg/operators/over/partition_expiry.h"

#include <cstring>
#include <limits>

namespace thalweg::operators {

namespace {

constexpr int64_t kNever = std::numeric_limits<int64_t>::min();

}  // namespace

void PartitionExpiry::declare_field(std::vector<stream::StateField>& fields) {
  field_ = fields.size();
  fields.push_back({"forget_at", DataType::big_int().not_null()});
}

void PartitionExpiry::bind(const stream::RecordLayout& layout, stream::KeyedTimers& timers) {
  offset_ = layout.offset(field_);
  timers_ = &timers;
}

void PartitionExpiry::start(std::byte* record) const {
  std::memcpy(record + offset_, &kNever, sizeof(kNever));
}

int64_t PartitionExpiry::forget_at(const std::byte* record) const {
  int64_t time_ms = 0;
  std::memcpy(&time_ms, record + offset_, sizeof(time_ms));
  return time_ms;
}

void PartitionExpiry::touch(std::byte* record, stream::SlotId slot, int64_t now_ms) {
  if (forget_at(record) >= now_ms + keep_ms_) {
    return;
  }
  const int64_t time_ms = now_ms + keep_ms_ + keep_ms_ / 2;
  std::memcpy(record + offset_, &time_ms, sizeof(time_ms));
  timers_->add(time_ms, slot);
}

bool PartitionExpiry::is_over(const std::byte* record, int64_t time_ms) const {
  const int64_t forgotten_ms = forget_at(record);
  return forgotten_ms != kNever && forgotten_ms <= time_ms;
}

bool PartitionExpiry::ends(const std::byte* record, int64_t time_ms) const {
  return forget_at(record) == time_ms;
}

}  // namespace thalweg::operators
