#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "thalweg/runtime/message.h"
#include "thalweg/runtime/scheduler.h"

namespace thalweg::runtime {

/// A request that a task answers on its own thread, between two batches.
using Mail = std::function<void()>;

/// All that reaches one task: its bounded input channels and its mailbox. One thread takes; any
/// number push and post. Owned by the execution, outlives the threads.
class Inbox {
 public:
  /// What `take` found.
  struct Item {
    enum class Kind : uint8_t { kNothing, kMessage, kMail };
    Kind kind = Kind::kNothing;
    size_t channel = 0;
    Message message = {};
    Mail mail = {};
  };

  explicit Inbox(Scheduler& scheduler);

  /// Adds a channel that holds `capacity` messages; before any thread runs.
  size_t add_channel(size_t capacity);

  size_t channel_count() const { return channels_.size(); }

  /// Blocks while the channel is full; throws kJobCancelled when the receiver is gone.
  void push(size_t channel, Message message);
  /// The sender goes. Never blocks.
  void close(size_t channel, bool clean);

  void post(Mail mail);
  /// Makes a waiting `take` return.
  void wake();
  /// `take` and `push` throw kJobCancelled from now on.
  void cancel();
  /// The receiver goes: senders get kJobCancelled.
  void abandon();

  bool is_cancelled() const { return cancelled_.load(std::memory_order_relaxed); }

  /// Throws kJobCancelled.
  void throw_if_cancelled() const;

  /// Mail first, then the open channels in turn. Does not wait.
  bool try_take(Item& item);
  /// Waits until there is an item, `wake` is called or `deadline` has come; false without an item.
  bool take(Item& item, ProcessingTime deadline);
  /// As `take`, for at most `ms` of real time.
  bool take_briefly(Item& item, int64_t ms);

  /// Messages of a blocked channel stay where they are (alignment).
  void block(size_t channel);
  void unblock_all();

  /// Messages that wait in all channels; any thread.
  size_t queued() const;

 private:
  struct Channel {
    std::deque<Message> messages;
    size_t capacity = 0;
    bool blocked = false;
    /// Its sender waits for room. It is woken when half of the channel is free: to run for one
    /// message at a time would cost two switches of threads for each.
    bool has_waiting_sender = false;
  };

  bool take_locked(Item& item);

  Scheduler& scheduler_;
  std::shared_ptr<Monitor> monitor_;
  std::vector<Channel> channels_;
  std::deque<Mail> mails_;
  size_t next_channel_ = 0;
  bool woken_ = false;
  bool abandoned_ = false;
  bool is_receiver_waiting_ = false;
  std::atomic<bool> cancelled_{false};
};

/// What a task throws when its job was cancelled.
[[noreturn]] void throw_cancelled();

}  // namespace thalweg::runtime
