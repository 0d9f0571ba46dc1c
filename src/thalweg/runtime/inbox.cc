#include "thalweg/runtime/inbox.h"

#include "thalweg/common/error.h"

namespace thalweg::runtime {

void throw_cancelled() {
  throw Error(ErrorCode::kJobCancelled, "Job was cancelled.");
}

Inbox::Inbox(Scheduler& scheduler) : scheduler_(scheduler), monitor_(std::make_shared<Monitor>()) {}

size_t Inbox::add_channel(size_t capacity) {
  channels_.emplace_back();
  channels_.back().capacity = capacity;
  return channels_.size() - 1;
}

void Inbox::throw_if_cancelled() const {
  if (cancelled_.load(std::memory_order_relaxed)) {
    throw_cancelled();
  }
}

void Inbox::push(size_t channel, Message message) {
  scheduler_.pause_point();
  MonitorLock lock(monitor_->mutex);
  Channel& target = channels_[channel];
  while (target.messages.size() >= target.capacity && !abandoned_ && !is_cancelled()) {
    target.has_waiting_sender = true;
    scheduler_.wait(monitor_, lock, kMaxProcessingTime);
  }
  if (abandoned_) {
    throw_cancelled();
  }
  throw_if_cancelled();
  target.messages.push_back(std::move(message));
  if (is_receiver_waiting_) {
    scheduler_.notify(*monitor_);
  }
}

void Inbox::close(size_t channel, bool clean) {
  const MonitorLock lock(monitor_->mutex);
  channels_[channel].messages.push_back(Message::closed(clean));
  scheduler_.notify(*monitor_);
}

void Inbox::post(Mail mail) {
  const MonitorLock lock(monitor_->mutex);
  if (abandoned_) {
    return;  // whoever waits for an answer sees that the mail is gone
  }
  mails_.push_back(std::move(mail));
  scheduler_.notify(*monitor_);
}

void Inbox::wake() {
  const MonitorLock lock(monitor_->mutex);
  woken_ = true;
  scheduler_.notify(*monitor_);
}

void Inbox::cancel() {
  const MonitorLock lock(monitor_->mutex);
  cancelled_.store(true, std::memory_order_relaxed);
  scheduler_.notify(*monitor_);
}

void Inbox::abandon() {
  const MonitorLock lock(monitor_->mutex);
  abandoned_ = true;
  for (Channel& channel : channels_) {
    channel.messages.clear();
  }
  mails_.clear();
  scheduler_.notify(*monitor_);
}

bool Inbox::take_locked(Item& item) {
  throw_if_cancelled();
  if (!mails_.empty()) {
    item.kind = Item::Kind::kMail;
    item.mail = std::move(mails_.front());
    mails_.pop_front();
    return true;
  }
  for (size_t i = 0; i < channels_.size(); ++i) {
    const size_t index = next_channel_;
    next_channel_ = next_channel_ + 1 == channels_.size() ? 0 : next_channel_ + 1;
    Channel& channel = channels_[index];
    if (channel.blocked || channel.messages.empty()) {
      continue;
    }
    item.kind = Item::Kind::kMessage;
    item.channel = index;
    item.message = std::move(channel.messages.front());
    channel.messages.pop_front();
    if (channel.has_waiting_sender && channel.messages.size() <= channel.capacity / 2) {
      channel.has_waiting_sender = false;
      scheduler_.notify(*monitor_);
    }
    return true;
  }
  item.kind = Item::Kind::kNothing;
  return false;
}

bool Inbox::try_take(Item& item) {
  const MonitorLock lock(monitor_->mutex);
  woken_ = false;
  return take_locked(item);
}

bool Inbox::take(Item& item, ProcessingTime deadline) {
  MonitorLock lock(monitor_->mutex);
  while (!take_locked(item)) {
    if (woken_ || (deadline != kMaxProcessingTime && scheduler_.now() >= deadline)) {
      woken_ = false;
      return false;
    }
    is_receiver_waiting_ = true;
    scheduler_.wait(monitor_, lock, deadline);
    is_receiver_waiting_ = false;
  }
  return true;
}

bool Inbox::take_briefly(Item& item, int64_t ms) {
  MonitorLock lock(monitor_->mutex);
  if (take_locked(item)) {
    return true;
  }
  if (!woken_) {
    is_receiver_waiting_ = true;
    scheduler_.wait_briefly(monitor_, lock, ms);
    is_receiver_waiting_ = false;
  }
  woken_ = false;
  return take_locked(item);
}

void Inbox::block(size_t channel) {
  const MonitorLock lock(monitor_->mutex);
  channels_[channel].blocked = true;
}

void Inbox::unblock_all() {
  const MonitorLock lock(monitor_->mutex);
  for (Channel& channel : channels_) {
    channel.blocked = false;
  }
}

size_t Inbox::queued() const {
  const MonitorLock lock(monitor_->mutex);
  size_t count = 0;
  for (const Channel& channel : channels_) {
    count += channel.messages.size();
  }
  return count;
}

}  // namespace thalweg::runtime
