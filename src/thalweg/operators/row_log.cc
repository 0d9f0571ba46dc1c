#include "thalweg/operators/row_log.h"

#include <cstring>

#include "thalweg/common/check.h"
#include "thalweg/operators/row_codec.h"

namespace thalweg::operators {

namespace {

constexpr size_t kHeadBytes = 1 + sizeof(uint32_t);

}  // namespace

const std::shared_ptr<const stream::StateObjectKind>& RowLog::kind() {
  static const auto kKind = std::make_shared<const stream::StateObjectKind>(
      stream::StateObjectKind{"rows",
                              [] { return std::make_unique<RowLog>(); },
                              [](std::string_view bytes) -> std::unique_ptr<stream::StateObject> {
                                auto log = std::make_unique<RowLog>();
                                log->bytes_ = bytes;
                                return log;
                              }});
  return kKind;
}

void RowLog::append(std::span<const ColumnPtr> columns, int32_t row, RowKind row_kind) {
  const size_t head = bytes_.size();
  bytes_.push_back(static_cast<char>(row_kind));
  bytes_.append(sizeof(uint32_t), '\0');
  encode_row(columns, row, bytes_);
  const auto size = static_cast<uint32_t>(bytes_.size() - head - kHeadBytes);
  std::memcpy(bytes_.data() + head + 1, &size, sizeof(size));
}

int32_t RowLog::read(std::span<ColumnBuilder> builders, std::vector<RowKind>& kinds) const {
  std::string_view rest = bytes_;
  int32_t rows = 0;
  while (!rest.empty()) {
    check(rest.size() >= kHeadBytes, "a row log ends too early");
    uint32_t size = 0;
    std::memcpy(&size, rest.data() + 1, sizeof(size));
    check(rest.size() - kHeadBytes >= size, "a row log ends too early");
    kinds.push_back(static_cast<RowKind>(rest[0]));
    decode_row(rest.substr(kHeadBytes, size), builders);
    rest.remove_prefix(kHeadBytes + size);
    ++rows;
  }
  return rows;
}

std::unique_ptr<stream::StateObject> RowLog::clone() const {
  return std::make_unique<RowLog>(*this);
}

void RowLog::serialize(std::string& bytes) const {
  bytes += bytes_;
}

int64_t RowLog::byte_size() const {
  return static_cast<int64_t>(sizeof(*this) + bytes_.capacity());
}

Value RowLog::inspect() const {
  int64_t rows = 0;
  for (std::string_view rest = bytes_; rest.size() >= kHeadBytes; ++rows) {
    uint32_t size = 0;
    std::memcpy(&size, rest.data() + 1, sizeof(size));
    rest.remove_prefix(kHeadBytes + size);
  }
  return Value(fmt::format("{} rows", rows));
}

}  // namespace thalweg::operators
