#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "thalweg/state/string_arena.h"
#include "thalweg/stream/state.h"

namespace thalweg::state {

/// What the store knows of a slot besides its record. Odd generations are live.
struct SlotHead {
  uint32_t generation = 0;
  uint32_t tag = 0;
};

/// A fixed run of records that never moves, cut into blocks: the unit that is saved before its
/// first change during a snapshot.
class Segment {
 public:
  Segment(size_t records, size_t stride, size_t blocks);
  ~Segment();
  Segment(const Segment&) = delete;
  Segment& operator=(const Segment&) = delete;

  std::byte* data() { return data_; }

  SlotHead* heads() { return heads_.get(); }

  /// Epoch and phase of each block, see FrozenStore.
  std::atomic<uint32_t>& state(size_t block) { return states_[block]; }

 private:
  std::byte* data_;
  std::unique_ptr<SlotHead[]> heads_;
  std::unique_ptr<std::atomic<uint32_t>[]> states_;
};

/// How slots map to segments and blocks.
struct SegmentShape {
  size_t stride = 0;
  uint32_t segment_shift = 0;
  uint32_t block_shift = 0;

  size_t records_per_segment() const { return size_t{1} << segment_shift; }

  size_t records_per_block() const { return size_t{1} << block_shift; }

  size_t blocks_per_segment() const { return size_t{1} << (segment_shift - block_shift); }
};

/// All records of a store as they were at one moment, for a thread that is not the store's. Each
/// block is copied once: by the reader, or by the store just before it changes it, whoever comes
/// first.
class FrozenStore {
 public:
  FrozenStore(SegmentShape shape, std::vector<std::shared_ptr<Segment>> segments, uint32_t epoch);

  struct Block {
    stream::SlotId first = 0;
    std::vector<std::byte> records = {};
    std::vector<SlotHead> heads = {};
  };

  size_t block_count() const { return saved_.size(); }

  /// Reader's side: the block as it was.
  void read(size_t block, Block& image);

  /// Store's side: called before a record is written.
  void save(stream::SlotId slot);

  /// The reader needs nothing more; any thread.
  void finish() { finished_.store(true, std::memory_order_release); }

  bool is_finished() const { return finished_.load(std::memory_order_acquire); }

  /// Asks the reader to stop early.
  void cancel() { cancelled_.store(true, std::memory_order_release); }

  bool is_cancelled() const { return cancelled_.load(std::memory_order_acquire); }

  int64_t saved_bytes() const { return saved_bytes_; }

 private:
  enum Phase : uint32_t { kBusy = 1, kDone = 2 };

  uint32_t mark(Phase phase) const { return epoch_ * 4 + phase; }

  bool begin(std::atomic<uint32_t>& state) const;
  void copy(size_t block, Block& image) const;

  SegmentShape shape_;
  std::vector<std::shared_ptr<Segment>> segments_;
  uint32_t epoch_;
  /// Images that the store saved; read after the block's state is seen done.
  std::vector<std::unique_ptr<Block>> saved_;
  int64_t saved_bytes_ = 0;
  std::atomic<bool> finished_{false};
  std::atomic<bool> cancelled_{false};
};

/// Fixed-size records in segments, addressed by slot; freed slots are used again. One thread, but
/// for what it froze.
class SegmentStore {
 public:
  SegmentStore(size_t stride, ReserveBytes reserve);

  std::byte* record(stream::SlotId slot) const {
    return data_[slot >> shape_.segment_shift] +
           (slot & (shape_.records_per_segment() - 1)) * shape_.stride;
  }

  SlotHead& head(stream::SlotId slot) const {
    return heads_[slot >> shape_.segment_shift][slot & (shape_.records_per_segment() - 1)];
  }

  bool is_live(stream::SlotId slot) const {
    return slot < used_ && (head(slot).generation & 1U) != 0;
  }

  /// A live slot with a zeroed record.
  stream::SlotId allocate(uint32_t tag);
  void release(stream::SlotId slot);

  /// Before any write to a slot's record or head.
  void touch(stream::SlotId slot) {
    if (frozen_ != nullptr) [[unlikely]] {
      frozen_->save(slot);
    }
  }

  bool is_frozen() const { return frozen_ != nullptr; }

  /// The number of the last freeze.
  uint32_t epoch() const { return epoch_; }

  std::shared_ptr<FrozenStore> freeze();
  /// True when the last freeze is over: from now on nothing is saved.
  bool thaw_if_finished();
  /// Stops the reader of the last freeze and waits for it.
  void cancel_freeze();

  /// Slots that were ever used; some may be free.
  stream::SlotId used() const { return used_; }

  size_t live_count() const { return used_ - free_.size(); }

  const SegmentShape& shape() const { return shape_; }

  size_t segment_count() const { return segments_.size(); }

  size_t segment_bytes() const;

 private:
  void add_segment();

  SegmentShape shape_;
  ReserveBytes reserve_;
  std::vector<std::shared_ptr<Segment>> segments_;
  std::vector<std::byte*> data_;
  std::vector<SlotHead*> heads_;
  std::vector<stream::SlotId> free_;
  stream::SlotId used_ = 0;
  uint32_t epoch_ = 0;
  std::shared_ptr<FrozenStore> frozen_;
};

}  // namespace thalweg::state
