#include "thalweg/operators/over/frame_rows.h"

#include <cstring>

#include "thalweg/common/check.h"
#include "thalweg/operators/row_codec.h"

namespace thalweg::operators {

namespace {

constexpr size_t kHeadBytes = sizeof(int64_t) + sizeof(uint32_t);

/// The values of the first row, whose head is passed over.
std::string_view take_row(std::string_view& bytes) {
  check(bytes.size() >= kHeadBytes, "frame rows end too early");
  uint32_t size = 0;
  std::memcpy(&size, bytes.data() + sizeof(int64_t), sizeof(size));
  bytes.remove_prefix(kHeadBytes);
  check(bytes.size() >= size, "frame rows end too early");
  const std::string_view row = bytes.substr(0, size);
  bytes.remove_prefix(size);
  return row;
}

}  // namespace

const std::shared_ptr<const stream::StateObjectKind>& FrameRows::kind() {
  static const auto kKind = std::make_shared<const stream::StateObjectKind>(
      stream::StateObjectKind{"frame rows", [] { return std::make_unique<FrameRows>(); }, restore});
  return kKind;
}

int64_t FrameRows::first_time() const {
  int64_t time_ms = 0;
  std::memcpy(&time_ms, bytes_.data() + begin_, sizeof(time_ms));
  return time_ms;
}

void FrameRows::add(int64_t time_ms, std::span<const ColumnPtr> columns, int32_t row) {
  // What was taken makes room, as long as that moves no byte more than once in a while.
  if (begin_ >= bytes_.size() - begin_) {
    bytes_.erase(0, begin_);
    begin_ = 0;
  }
  const size_t head = bytes_.size();
  bytes_.append(reinterpret_cast<const char*>(&time_ms), sizeof(time_ms));
  bytes_.append(sizeof(uint32_t), '\0');
  encode_row(columns, row, bytes_);
  const auto size = static_cast<uint32_t>(bytes_.size() - head - kHeadBytes);
  std::memcpy(bytes_.data() + head + sizeof(time_ms), &size, sizeof(size));
  ++size_;
}

void FrameRows::take_first(std::span<ColumnBuilder> builders) {
  std::string_view rest = std::string_view(bytes_).substr(begin_);
  decode_row(take_row(rest), builders);
  begin_ = bytes_.size() - rest.size();
  --size_;
}

void FrameRows::read(std::span<ColumnBuilder> builders) const {
  std::string_view rest = std::string_view(bytes_).substr(begin_);
  while (!rest.empty()) {
    decode_row(take_row(rest), builders);
  }
}

std::unique_ptr<stream::StateObject> FrameRows::clone() const {
  return std::make_unique<FrameRows>(*this);
}

void FrameRows::serialize(std::string& bytes) const {
  bytes += std::string_view(bytes_).substr(begin_);
}

std::unique_ptr<stream::StateObject> FrameRows::restore(std::string_view bytes) {
  auto rows = std::make_unique<FrameRows>();
  rows->bytes_ = bytes;
  while (!bytes.empty()) {
    take_row(bytes);
    ++rows->size_;
  }
  return rows;
}

Value FrameRows::inspect() const {
  return Value(fmt::format("{} rows", size_));
}

}  // namespace thalweg::operators
