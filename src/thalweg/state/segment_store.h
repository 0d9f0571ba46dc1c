#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "thalweg/state/free_slots.h"
#include "thalweg/state/page_memory.h"
#include "thalweg/state/string_arena.h"
#include "thalweg/stream/state.h"

namespace thalweg::state {

/// What the store knows of a slot besides its record. Odd generations are live.
struct SlotHead {
  uint32_t generation = 0;
  uint32_t tag = 0;
};

/// A fixed run of records that never moves, cut into blocks: the unit that is saved before its
/// first change during a snapshot. `memory` holds at least `data`.
class Segment {
 public:
  Segment(std::shared_ptr<const PageMemory> memory, std::byte* data, size_t records, size_t blocks);

  std::byte* data() { return data_; }

  SlotHead* heads() { return heads_.get(); }

  /// Epoch and phase of each block, see FrozenStore.
  std::atomic<uint32_t>& state(size_t block) { return states_[block]; }

 private:
  std::shared_ptr<const PageMemory> memory_;
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
  FrozenStore(SegmentShape shape,
              std::vector<std::shared_ptr<Segment>> segments,
              uint32_t epoch,
              const ReserveBytes& reserve);

  /// Some neighbouring blocks: what the reader takes at once.
  struct Run {
    stream::SlotId first = 0;
    std::vector<std::byte> records = {};
    std::vector<SlotHead> heads = {};
  };

  size_t run_count() const { return block_count() / run_blocks_; }

  /// Reader's side: the run as it was.
  void read(size_t run, Run& image);

  /// Store's side: called before a record is written. Throws when the budget has no room for the
  /// block's image.
  void save(stream::SlotId slot);

  /// The reader needs nothing more; any thread.
  void finish() { finished_.store(true, std::memory_order_release); }

  bool is_finished() const { return finished_.load(std::memory_order_acquire); }

  /// Asks the reader to stop early.
  void cancel() { cancelled_.store(true, std::memory_order_release); }

  bool is_cancelled() const { return cancelled_.load(std::memory_order_acquire); }

  /// Store's side: what the images took from the budget.
  int64_t reserved_bytes() const { return reserved_bytes_; }

 private:
  enum Phase : uint32_t { kBusy = 1, kDone = 2 };

  uint32_t mark(Phase phase) const { return epoch_ * 4 + phase; }

  size_t block_count() const { return segments_.size() * shape_.blocks_per_segment(); }

  size_t segment_of(size_t block) const { return block / shape_.blocks_per_segment(); }

  size_t place_in_segment(size_t block) const { return block % shape_.blocks_per_segment(); }

  std::atomic<uint32_t>& state_of(size_t block) const {
    return segments_[segment_of(block)]->state(place_in_segment(block));
  }

  size_t block_bytes() const { return shape_.records_per_block() * shape_.stride; }

  size_t head_bytes() const { return shape_.records_per_block() * sizeof(SlotHead); }

  bool begin(std::atomic<uint32_t>& state) const;
  void copy(size_t block, std::byte* records, std::byte* heads) const;
  void make_room();

  SegmentShape shape_;
  std::vector<std::shared_ptr<Segment>> segments_;
  uint32_t epoch_;
  const ReserveBytes& reserve_;
  size_t run_blocks_;
  /// By segment, made with its first image, so that a freeze takes no longer for more blocks: the
  /// images that the store saved, records then heads. Read after the block's state is seen done.
  std::vector<std::unique_ptr<std::byte*[]>> saved_;
  /// Where they lie.
  std::vector<PageMemory> chunks_;
  std::byte* next_image_ = nullptr;
  size_t room_ = 0;
  int64_t reserved_bytes_ = 0;
  std::atomic<bool> finished_{false};
  std::atomic<bool> cancelled_{false};
};

/// Fixed-size records in segments, addressed by slot; freed slots are used again. One thread, but
/// for what it froze.
class SegmentStore {
 public:
  /// `pause` is called again and again while another thread is waited for.
  SegmentStore(size_t stride, const ReserveBytes& reserve, std::function<void()> pause);

  std::byte* record(stream::SlotId slot) const {
    return data_[slot >> shape_.segment_shift] +
           (slot & (shape_.records_per_segment() - 1)) * shape_.stride;
  }

  /// Finds records without looking at the store again; good until the next `allocate`.
  class Places {
   public:
    explicit Places(const SegmentStore& store)
        : data_(store.data_.data()),
          shift_(store.shape_.segment_shift),
          mask_(store.shape_.records_per_segment() - 1),
          stride_(store.shape_.stride) {}

    std::byte* record(stream::SlotId slot) const {
      return data_[slot >> shift_] + (slot & mask_) * stride_;
    }

   private:
    std::byte* const* data_;
    uint32_t shift_;
    size_t mask_;
    size_t stride_;
  };

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

  void prefetch_head(stream::SlotId slot) const { __builtin_prefetch(&head(slot), 1); }

  const SegmentShape& shape() const { return shape_; }

  size_t segment_count() const { return segments_.size(); }

  size_t segment_bytes() const;

 private:
  void add_segment();

  void thaw();
  std::byte* place_segment();

  SegmentShape shape_;
  const ReserveBytes& reserve_;
  std::function<void()> pause_;
  std::vector<std::shared_ptr<Segment>> segments_;
  /// Where new segments are cut from.
  std::shared_ptr<const PageMemory> memory_;
  size_t memory_left_ = 0;
  std::vector<std::byte*> data_;
  std::vector<SlotHead*> heads_;
  FreeSlots free_;
  stream::SlotId used_ = 0;
  uint32_t epoch_ = 0;
  std::shared_ptr<FrozenStore> frozen_;
};

}  // namespace thalweg::state
