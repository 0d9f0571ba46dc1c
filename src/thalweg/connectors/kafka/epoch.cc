#include "thalweg/connectors/kafka/epoch.h"

#include <fmt/format.h>

#include "thalweg/common/error.h"

namespace thalweg::connectors::kafka {
namespace {

constexpr std::string_view kMagic = "TWKE\x01";

// Which parts of a record are there.
constexpr uint64_t kHasKey = 1;
constexpr uint64_t kHasValue = 2;
constexpr uint64_t kHasTimestamp = 4;
constexpr uint64_t kHasHeaders = 8;

void put_number(std::string& out, uint64_t value) {
  while (value >= 0x80) {
    out += static_cast<char>(value | 0x80U);
    value >>= 7U;
  }
  out += static_cast<char>(value);
}

void put_text(std::string& out, std::string_view text) {
  put_number(out, text.size());
  out += text;
}

[[noreturn]] void fail(const char* what) {
  throw Error(ErrorCode::kRestoreFailed,
              std::string("Kafka sink's part of the checkpoint can't be read: ") + what);
}

}  // namespace

void EpochBuilder::send(const OutgoingRecord& record) {
  put_number(records_, record.topic);
  put_number(records_, static_cast<uint64_t>(record.partition));
  put_number(records_,
             (record.key ? kHasKey : 0) | (record.value ? kHasValue : 0) |
                 (record.timestamp_ms ? kHasTimestamp : 0) |
                 (record.headers.empty() ? 0 : kHasHeaders));
  if (record.key) {
    put_text(records_, *record.key);
  }
  if (record.value) {
    put_text(records_, *record.value);
  }
  if (record.timestamp_ms) {
    put_number(records_, static_cast<uint64_t>(*record.timestamp_ms));
  }
  if (!record.headers.empty()) {
    put_number(records_, record.headers.size());
    for (const auto& [name, value] : record.headers) {
      put_text(records_, name);
      put_number(records_, value ? 1 : 0);
      if (value) {
        put_text(records_, *value);
      }
    }
  }
  if (records_.size() > max_bytes_) {
    throw Error(ErrorCode::kKafkaFailed,
                fmt::format("Kafka sink's records since the last checkpoint exceed {} MiB",
                            max_bytes_ >> 20U))
        .hint(
            "shorten 'execution.checkpointing.interval', or use 'sink.delivery-guarantee' = "
            "'at-least-once'");
  }
}

std::string EpochBuilder::finish(const EpochIdentity& identity,
                                 const std::vector<std::string>& topics) {
  std::string result(kMagic);
  put_text(result, identity.writer_id);
  put_text(result, identity.transactional_id);
  put_number(result, static_cast<uint64_t>(identity.sequence));
  put_text(result, identity.description);
  put_number(result, topics.size());
  for (const std::string& topic : topics) {
    put_text(result, topic);
  }
  result += records_;
  records_.clear();
  return result;
}

EpochReader::EpochReader(std::string_view committable) : rest_(committable) {
  if (!rest_.starts_with(kMagic)) {
    fail("it is of another kind or version");
  }
  rest_.remove_prefix(kMagic.size());
  identity_.writer_id = text();
  identity_.transactional_id = text();
  identity_.sequence = static_cast<int64_t>(number());
  identity_.description = text();
  topics_.resize(number());
  for (std::string& topic : topics_) {
    topic = text();
  }
  records_ = rest_;
}

bool EpochReader::next(OutgoingRecord& record) {
  if (rest_.empty()) {
    return false;
  }
  record.topic = number();
  if (record.topic >= topics_.size()) {
    fail("a record names no topic");
  }
  record.partition = static_cast<int32_t>(number());
  const uint64_t parts = number();
  record.key = (parts & kHasKey) != 0 ? std::optional(text()) : std::nullopt;
  record.value = (parts & kHasValue) != 0 ? std::optional(text()) : std::nullopt;
  record.timestamp_ms =
      (parts & kHasTimestamp) != 0 ? std::optional(static_cast<int64_t>(number())) : std::nullopt;
  record.headers.clear();
  if ((parts & kHasHeaders) != 0) {
    for (uint64_t left = number(); left > 0; --left) {
      const std::string_view name = text();
      const bool has_value = number() != 0;
      record.headers.emplace_back(name, has_value ? std::optional(text()) : std::nullopt);
    }
  }
  return true;
}

std::string_view EpochReader::take(uint64_t size) {
  if (size > rest_.size()) {
    fail("it is cut short");
  }
  const std::string_view result = rest_.substr(0, size);
  rest_.remove_prefix(size);
  return result;
}

uint64_t EpochReader::number() {
  uint64_t value = 0;
  for (uint32_t shift = 0; shift < 64; shift += 7) {
    const auto byte = static_cast<unsigned char>(take(1)[0]);
    value |= static_cast<uint64_t>(byte & 0x7fU) << shift;
    if (byte < 0x80) {
      return value;
    }
  }
  fail("a number in it is too long");
}

std::string_view EpochReader::text() {
  return take(number());
}

}  // namespace thalweg::connectors::kafka
