#include "thalweg/functions/aggregate/value_sequence.h"

#include <algorithm>

#include "thalweg/functions/aggregate/ordered_counts.h"

namespace thalweg::functions {

namespace {

int64_t size_of(const std::string& value) {
  return static_cast<int64_t>(sizeof(std::string) + (value.size() > 15 ? value.size() : 0));
}

bool take_first(std::deque<std::string>& values, const std::string& value) {
  const auto found = std::find(values.begin(), values.end(), value);
  if (found == values.end()) {
    return false;
  }
  values.erase(found);
  return true;
}

void write_all(std::string& bytes, const std::deque<std::string>& values) {
  write_item(bytes, static_cast<uint64_t>(values.size()));
  for (const std::string& value : values) {
    write_item(bytes, value);
  }
}

void read_all(std::string_view& bytes, std::deque<std::string>& values) {
  const auto size = read_item<uint64_t>(bytes);
  for (uint64_t i = 0; i < size; ++i) {
    values.push_back(read_item<std::string>(bytes));
  }
}

}  // namespace

const std::shared_ptr<const stream::StateObjectKind>& ValueSequence::kind() {
  static const auto made = std::make_shared<const stream::StateObjectKind>(stream::StateObjectKind{
      "value-sequence", [] { return std::make_unique<ValueSequence>(); }, &restore});
  return made;
}

int64_t ValueSequence::add(std::string value) {
  if (take_first(owed_, value)) {
    return -size_of(value);
  }
  const int64_t size = size_of(value);
  values_.push_back(std::move(value));
  return size;
}

int64_t ValueSequence::remove(const std::string& value) {
  if (take_first(values_, value)) {
    return -size_of(value);
  }
  owed_.push_back(value);
  return size_of(value);
}

std::unique_ptr<stream::StateObject> ValueSequence::clone() const {
  return std::make_unique<ValueSequence>(*this);
}

void ValueSequence::serialize(std::string& bytes) const {
  write_item(bytes, note);
  write_all(bytes, values_);
  write_all(bytes, owed_);
}

std::unique_ptr<stream::StateObject> ValueSequence::restore(std::string_view bytes) {
  auto restored = std::make_unique<ValueSequence>();
  restored->note = read_item<std::string>(bytes);
  read_all(bytes, restored->values_);
  read_all(bytes, restored->owed_);
  return restored;
}

int64_t ValueSequence::byte_size() const {
  int64_t bytes = 0;
  for (const auto* values : {&values_, &owed_}) {
    for (const std::string& value : *values) {
      bytes += size_of(value);
    }
  }
  return bytes;
}

Value ValueSequence::inspect() const {
  return Value(static_cast<int64_t>(values_.size()));
}

}  // namespace thalweg::functions
