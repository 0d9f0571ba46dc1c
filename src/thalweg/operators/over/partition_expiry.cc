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

void PartitionExpiry::touch(std::byte* record, stream::SlotId slot, int64_t now_ms) {
  int64_t forget_at = kNever;
  std::memcpy(&forget_at, record + offset_, sizeof(forget_at));
  if (forget_at >= now_ms + keep_ms_) {
    return;
  }
  forget_at = now_ms + keep_ms_ + keep_ms_ / 2;
  std::memcpy(record + offset_, &forget_at, sizeof(forget_at));
  timers_->add(forget_at, slot);
}

bool PartitionExpiry::ends(const std::byte* record, int64_t time_ms) const {
  return std::memcmp(record + offset_, &time_ms, sizeof(time_ms)) == 0;
}

}  // namespace thalweg::operators
