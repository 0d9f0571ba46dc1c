#include "thalweg/state/segment_store.h"

#include <cstdlib>
#include <new>
#include <thread>

namespace thalweg::state {

namespace {

constexpr size_t kSegmentBytes = size_t{256} << 10U;
/// Small, so that the first write to a block during a snapshot copies little.
constexpr size_t kBlockBytes = size_t{8} << 10U;

SegmentShape shape_for(size_t stride) {
  const auto records = [stride](size_t bytes) {
    return std::bit_floor(std::max<size_t>(1, bytes / stride));
  };
  SegmentShape shape;
  shape.stride = stride;
  shape.segment_shift =
      static_cast<uint32_t>(std::countr_zero(std::max<size_t>(8, records(kSegmentBytes))));
  shape.block_shift = static_cast<uint32_t>(std::countr_zero(records(kBlockBytes)));
  return shape;
}

}  // namespace

Segment::Segment(size_t records, size_t stride, size_t blocks)
    : data_(static_cast<std::byte*>(std::calloc(records, stride))),
      heads_(std::make_unique<SlotHead[]>(records)),
      states_(std::make_unique<std::atomic<uint32_t>[]>(blocks)) {
  if (data_ == nullptr) {
    throw std::bad_alloc();
  }
}

Segment::~Segment() {
  std::free(data_);
}

FrozenStore::FrozenStore(SegmentShape shape,
                         std::vector<std::shared_ptr<Segment>> segments,
                         uint32_t epoch)
    : shape_(shape), segments_(std::move(segments)), epoch_(epoch) {
  saved_.resize(segments_.size() * shape_.blocks_per_segment());
}

bool FrozenStore::begin(std::atomic<uint32_t>& state) const {
  uint32_t seen = state.load(std::memory_order_acquire);
  while (seen != mark(kDone)) {
    if (seen == mark(kBusy)) {
      // The other side copies a few kilobytes.
      std::this_thread::yield();
      seen = state.load(std::memory_order_acquire);
    } else if (state.compare_exchange_weak(seen, mark(kBusy), std::memory_order_acq_rel)) {
      return true;
    }
  }
  return false;
}

void FrozenStore::copy(size_t block, Block& image) const {
  Segment& segment = *segments_[block / shape_.blocks_per_segment()];
  const size_t records = shape_.records_per_block();
  const size_t first = (block % shape_.blocks_per_segment()) * records;
  image.first = static_cast<stream::SlotId>(block * records);
  image.records.resize(records * shape_.stride);
  std::memcpy(image.records.data(), segment.data() + first * shape_.stride, image.records.size());
  image.heads.assign(segment.heads() + first, segment.heads() + first + records);
}

void FrozenStore::read(size_t block, Block& image) {
  std::atomic<uint32_t>& state =
      segments_[block / shape_.blocks_per_segment()]->state(block % shape_.blocks_per_segment());
  if (begin(state)) {
    copy(block, image);
    state.store(mark(kDone), std::memory_order_release);
  } else {
    image = std::move(*saved_[block]);
    saved_[block].reset();
  }
}

void FrozenStore::save(stream::SlotId slot) {
  const size_t block = slot >> shape_.block_shift;
  if (block >= saved_.size()) {
    return;  // made after the freeze
  }
  std::atomic<uint32_t>& state =
      segments_[block / shape_.blocks_per_segment()]->state(block % shape_.blocks_per_segment());
  if (state.load(std::memory_order_acquire) == mark(kDone) || !begin(state)) {
    return;
  }
  if (!is_finished()) {
    saved_[block] = std::make_unique<Block>();
    copy(block, *saved_[block]);
    saved_bytes_ += static_cast<int64_t>(saved_[block]->records.size());
  }
  state.store(mark(kDone), std::memory_order_release);
}

SegmentStore::SegmentStore(size_t stride, ReserveBytes reserve)
    : shape_(shape_for(stride)), reserve_(std::move(reserve)) {}

size_t SegmentStore::segment_bytes() const {
  return shape_.records_per_segment() * (shape_.stride + sizeof(SlotHead)) +
         shape_.blocks_per_segment() * sizeof(std::atomic<uint32_t>);
}

void SegmentStore::add_segment() {
  reserve_(static_cast<int64_t>(segment_bytes()));
  segments_.push_back(std::make_shared<Segment>(
      shape_.records_per_segment(), shape_.stride, shape_.blocks_per_segment()));
  data_.push_back(segments_.back()->data());
  heads_.push_back(segments_.back()->heads());
}

stream::SlotId SegmentStore::allocate(uint32_t tag) {
  stream::SlotId slot = used_;
  const bool reused = !free_.empty();
  if (reused) {
    slot = free_.back();
    free_.pop_back();
  } else {
    if (slot == segments_.size() * shape_.records_per_segment()) {
      add_segment();
    }
    ++used_;
  }
  touch(slot);
  if (reused) {
    std::memset(record(slot), 0, shape_.stride);
  }
  SlotHead& claimed = head(slot);
  ++claimed.generation;
  claimed.tag = tag;
  return slot;
}

void SegmentStore::release(stream::SlotId slot) {
  touch(slot);
  ++head(slot).generation;
  free_.push_back(slot);
}

std::shared_ptr<FrozenStore> SegmentStore::freeze() {
  cancel_freeze();
  ++epoch_;
  frozen_ = std::make_shared<FrozenStore>(shape_, segments_, epoch_);
  return frozen_;
}

bool SegmentStore::thaw_if_finished() {
  if (frozen_ != nullptr && frozen_->is_finished()) {
    frozen_.reset();
    return true;
  }
  return false;
}

void SegmentStore::cancel_freeze() {
  if (frozen_ == nullptr) {
    return;
  }
  frozen_->cancel();
  while (!frozen_->is_finished()) {
    std::this_thread::yield();
  }
  frozen_.reset();
}

}  // namespace thalweg::state
