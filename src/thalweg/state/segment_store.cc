#include "thalweg/state/segment_store.h"

#include <thread>

namespace thalweg::state {

namespace {

constexpr size_t kSegmentBytes = size_t{256} << 10U;
/// Small, as the first batches behind a barrier write to a block with nearly every row.
constexpr size_t kBlockBytes = size_t{1} << 10U;
/// Blocks that the reader takes at once.
constexpr size_t kRunBlocks = 8;
/// Images are kept in pieces of this size.
constexpr size_t kImageChunkBytes = size_t{512} << 10U;
/// Stores of more segments are large: theirs are cut from huge pages.
constexpr size_t kSmallSegments = 16;

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

Segment::Segment(std::shared_ptr<const PageMemory> memory,
                 std::byte* data,
                 size_t records,
                 size_t blocks)
    : memory_(std::move(memory)),
      data_(data),
      heads_(std::make_unique<SlotHead[]>(records)),
      states_(std::make_unique<std::atomic<uint32_t>[]>(blocks)) {}

FrozenStore::FrozenStore(SegmentShape shape,
                         std::vector<std::shared_ptr<Segment>> segments,
                         uint32_t epoch,
                         const ReserveBytes& reserve)
    : shape_(shape),
      segments_(std::move(segments)),
      epoch_(epoch),
      reserve_(reserve),
      run_blocks_(std::min(kRunBlocks, shape.blocks_per_segment())) {
  saved_.resize(segments_.size());
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

void FrozenStore::copy(size_t block, std::byte* records, std::byte* heads) const {
  Segment& segment = *segments_[segment_of(block)];
  const size_t first = place_in_segment(block) * shape_.records_per_block();
  std::memcpy(records, segment.data() + first * shape_.stride, block_bytes());
  std::memcpy(heads, segment.heads() + first, head_bytes());
}

void FrozenStore::read(size_t run, Run& image) {
  image.first = static_cast<stream::SlotId>(run * run_blocks_ * shape_.records_per_block());
  image.records.resize(run_blocks_ * block_bytes());
  image.heads.resize(run_blocks_ * shape_.records_per_block());
  auto* records = image.records.data();
  auto* heads = reinterpret_cast<std::byte*>(image.heads.data());
  for (size_t block = run * run_blocks_; block < (run + 1) * run_blocks_; ++block) {
    std::atomic<uint32_t>& state = state_of(block);
    if (begin(state)) {
      copy(block, records, heads);
      state.store(mark(kDone), std::memory_order_release);
    } else {
      const std::byte* const saved = saved_[segment_of(block)][place_in_segment(block)];
      std::memcpy(records, saved, block_bytes());
      std::memcpy(heads, saved + block_bytes(), head_bytes());
    }
    records += block_bytes();
    heads += head_bytes();
  }
}

void FrozenStore::make_room() {
  const size_t needed = block_bytes() + head_bytes();
  if (room_ >= needed) {
    return;
  }
  const size_t bytes = std::max(kImageChunkBytes, needed);
  reserve_(static_cast<int64_t>(bytes));
  reserved_bytes_ += static_cast<int64_t>(bytes);
  chunks_.emplace_back(bytes);
  next_image_ = chunks_.back().data();
  room_ = bytes;
}

void FrozenStore::save(stream::SlotId slot) {
  const size_t block = slot >> shape_.block_shift;
  if (block >= block_count()) {
    return;  // made after the freeze
  }
  std::atomic<uint32_t>& state = state_of(block);
  if (state.load(std::memory_order_acquire) == mark(kDone)) {
    return;
  }
  const bool is_read = is_finished();
  if (!is_read) {
    make_room();
    if (saved_[segment_of(block)] == nullptr) {
      saved_[segment_of(block)] = std::make_unique<std::byte*[]>(shape_.blocks_per_segment());
    }
  }
  if (!begin(state)) {
    return;
  }
  if (!is_read) {
    copy(block, next_image_, next_image_ + block_bytes());
    saved_[segment_of(block)][place_in_segment(block)] = next_image_;
    next_image_ += block_bytes() + head_bytes();
    room_ -= block_bytes() + head_bytes();
  }
  state.store(mark(kDone), std::memory_order_release);
}

SegmentStore::SegmentStore(size_t stride, const ReserveBytes& reserve, std::function<void()> pause)
    : shape_(shape_for(stride)), reserve_(reserve), pause_(std::move(pause)) {}

size_t SegmentStore::segment_bytes() const {
  return shape_.records_per_segment() * (shape_.stride + sizeof(SlotHead)) +
         shape_.blocks_per_segment() * sizeof(std::atomic<uint32_t>);
}

std::byte* SegmentStore::place_segment() {
  const size_t bytes = shape_.records_per_segment() * shape_.stride;
  if (memory_left_ < bytes) {
    const bool is_large = segments_.size() >= kSmallSegments && bytes * 2 <= PageMemory::kHugePage;
    memory_left_ = is_large ? PageMemory::kHugePage : bytes;
    memory_ = std::make_shared<const PageMemory>(memory_left_);
  }
  // From the end: what is left lies in front.
  memory_left_ -= bytes;
  return memory_->data() + memory_left_;
}

void SegmentStore::add_segment() {
  reserve_(static_cast<int64_t>(segment_bytes()));
  std::byte* const data = place_segment();
  segments_.push_back(std::make_shared<Segment>(
      memory_, data, shape_.records_per_segment(), shape_.blocks_per_segment()));
  data_.push_back(segments_.back()->data());
  heads_.push_back(segments_.back()->heads());
}

stream::SlotId SegmentStore::allocate(uint32_t tag) {
  stream::SlotId slot = used_;
  const bool reused = free_.size() > 0;
  if (reused) {
    slot = free_.take_lowest();
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
  free_.add(slot);
}

std::shared_ptr<FrozenStore> SegmentStore::freeze() {
  cancel_freeze();
  ++epoch_;
  frozen_ = std::make_shared<FrozenStore>(shape_, segments_, epoch_, reserve_);
  return frozen_;
}

bool SegmentStore::thaw_if_finished() {
  if (frozen_ == nullptr || !frozen_->is_finished()) {
    return false;
  }
  thaw();
  return true;
}

void SegmentStore::thaw() {
  reserve_(-frozen_->reserved_bytes());
  frozen_.reset();
}

void SegmentStore::cancel_freeze() {
  if (frozen_ == nullptr) {
    return;
  }
  frozen_->cancel();
  while (!frozen_->is_finished()) {
    pause_();
  }
  thaw();
}

}  // namespace thalweg::state
