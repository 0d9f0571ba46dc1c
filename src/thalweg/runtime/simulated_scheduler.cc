#include <chrono>
#include <list>
#include <map>
#include <random>

#include "thalweg/common/check.h"
#include "thalweg/runtime/scheduler.h"

namespace thalweg::runtime {

namespace {

/// Turns in a millisecond of simulated time.
constexpr uint64_t kTurnsPerMs = 8;

/// Slow threads get this share of the turns of fast ones.
constexpr uint64_t kSlowness = 16;

/// Lets one thread run at a time. Whoever waits or pauses hands the baton to a thread chosen by the
/// seed; when all wait, the clock jumps to the earliest time that one waits for. Threads that it
/// did not start (a test's) are outside of it.
class SimulatedScheduler final : public Scheduler {
 public:
  SimulatedScheduler(uint64_t seed, ProcessingTime start, OnTurn on_turn)
      : random_(seed), now_(start), on_turn_(std::move(on_turn)) {}

  ProcessingTime now() const override {
    const std::lock_guard guard(mutex_);
    return now_;
  }

  void wait(const std::shared_ptr<Monitor>& monitor,
            MonitorLock& lock,
            ProcessingTime deadline) override {
    std::unique_lock guard(mutex_);
    Participant* me = find_me();
    if (me == nullptr) {
      guard.unlock();
      monitor->changed.wait_for(lock, std::chrono::milliseconds(1));
      return;
    }
    me->waits_on = monitor.get();
    me->deadline = deadline;
    lock.unlock();
    choose();
    me->turn.wait(guard, [this, me] { return running_ == me; });
    guard.unlock();
    lock.lock();
  }

  void wait_briefly(const std::shared_ptr<Monitor>& monitor,
                    MonitorLock& lock,
                    int64_t ms) override {
    wait(monitor, lock, {now().ms + ms});
  }

  void notify(Monitor& monitor) override {
    monitor.changed.notify_all();
    const std::lock_guard guard(mutex_);
    for (Participant& one : participants_) {
      if (one.waits_on == &monitor) {
        one.waits_on = nullptr;
      }
    }
    if (running_ == nullptr) {
      choose();
    }
  }

  void pause_point() override {
    std::unique_lock guard(mutex_);
    if (Participant* me = find_me()) {
      choose();
      me->turn.wait(guard, [this, me] { return running_ == me; });
    }
  }

  std::thread start(std::string name, std::function<void()> body) override {
    std::unique_lock guard(mutex_);
    Participant& participant = participants_.emplace_back();
    participant.name = std::move(name);
    participant.weight = random_() % 4 == 0 ? 1 : kSlowness;
    std::thread thread([this, &participant, body = std::move(body)] {
      {
        std::unique_lock turn(mutex_);
        participant.turn.wait(turn, [this, &participant] { return running_ == &participant; });
      }
      body();
      leave(participant);
    });
    by_thread_[thread.get_id()] = &participant;
    if (running_ == nullptr) {
      choose();
    }
    return thread;
  }

  void join(std::thread& thread) override {
    const auto runs = [this, id = thread.get_id()] {
      const std::lock_guard guard(mutex_);
      return by_thread_.contains(id);
    };
    while (runs()) {
      pause_point();
    }
    thread.join();
  }

  bool is_simulated() const override { return true; }

 private:
  struct Participant {
    std::string name;
    uint64_t weight = 1;
    std::condition_variable turn;
    const Monitor* waits_on = nullptr;
    ProcessingTime deadline = kMaxProcessingTime;
  };

  Participant* find_me() {
    const auto found = by_thread_.find(std::this_thread::get_id());
    return found == by_thread_.end() ? nullptr : found->second;
  }

  void leave(Participant& participant) {
    const std::lock_guard guard(mutex_);
    by_thread_.erase(std::this_thread::get_id());
    participants_.remove_if(
        [&participant](const Participant& one) { return &one == &participant; });
    choose();
  }

  /// Gives the baton on; nobody has it when all wait for something without a time.
  void choose() {
    if (++turns_ % kTurnsPerMs == 0) {
      ++now_.ms;
    }
    std::vector<Participant*> ready = runnable();
    if (ready.empty()) {
      advance();
      ready = runnable();
    }
    running_ = ready.empty() ? nullptr : draw(ready);
    if (running_ != nullptr) {
      running_->waits_on = nullptr;
      if (on_turn_) {
        on_turn_(running_->name, now_);
      }
      running_->turn.notify_one();
    }
  }

  Participant* draw(const std::vector<Participant*>& ready) {
    uint64_t sum = 0;
    for (const Participant* one : ready) {
      sum += one->weight;
    }
    uint64_t drawn = random_() % sum;
    for (Participant* one : ready) {
      if (drawn < one->weight) {
        return one;
      }
      drawn -= one->weight;
    }
    unreachable("a draw is below the sum of the weights");
  }

  std::vector<Participant*> runnable() {
    std::vector<Participant*> ready;
    for (Participant& one : participants_) {
      if (one.waits_on == nullptr || one.deadline <= now_) {
        ready.push_back(&one);
      }
    }
    return ready;
  }

  void advance() {
    ProcessingTime earliest = kMaxProcessingTime;
    for (const Participant& one : participants_) {
      earliest = std::min(earliest, one.deadline);
    }
    if (earliest != kMaxProcessingTime) {
      now_ = std::max(now_, earliest);
    }
  }

  mutable std::mutex mutex_;
  std::mt19937_64 random_;
  ProcessingTime now_;
  OnTurn on_turn_;
  uint64_t turns_ = 0;
  std::list<Participant> participants_;
  std::map<std::thread::id, Participant*> by_thread_;
  Participant* running_ = nullptr;
};

}  // namespace

std::unique_ptr<Scheduler> make_simulated_scheduler(uint64_t seed,
                                                    ProcessingTime start,
                                                    OnTurn on_turn) {
  return std::make_unique<SimulatedScheduler>(seed, start, std::move(on_turn));
}

}  // namespace thalweg::runtime
