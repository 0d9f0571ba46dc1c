#include "thalweg/connectors/kafka/epoch.h"

#include <cerrno>
#include <cstring>
#include <fstream>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "thalweg/common/error.h"
#include "thalweg/types/hash.h"

namespace thalweg::connectors::kafka {
namespace {

constexpr std::string_view kMagic = "TWKE";

/// What follows the header.
enum class Content : char {
  kRecords = 1,
  /// Name, size and checksum of a file of records.
  kFile = 2,
};

/// Bytes of a file that its checksum takes in at once.
constexpr size_t kChecksumBlock = size_t{64} << 10U;

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

[[noreturn]] void fail(const std::string& what) {
  throw Error(ErrorCode::kRestoreFailed,
              "Kafka sink's part of the checkpoint can't be read: " + what);
}

[[noreturn]] void fail_to_write(const std::string& path) {
  throw Error(ErrorCode::kIoFailed,
              fmt::format("Could not write '{}': {}", path, std::strerror(errno)))
      .hint("Kafka records wait there for their checkpoint; is the disk full?");
}

}  // namespace

/// A file that is being written, with the checksum of what it has.
class EpochBuilder::OpenFile {
 public:
  explicit OpenFile(EpochFile file)
      : file_(std::move(file)), out_(file_.path, std::ios::binary | std::ios::trunc) {
    check_written();
  }

  void append(std::string_view bytes) {
    while (!bytes.empty()) {
      const size_t count = std::min(bytes.size(), kChecksumBlock - block_.size());
      block_ += bytes.substr(0, count);
      bytes.remove_prefix(count);
      if (block_.size() == kChecksumBlock) {
        write_block();
      }
    }
  }

  /// Name, size and checksum.
  void finish(std::string& out) {
    write_block();
    out_.flush();
    check_written();
    out_.close();
    put_text(out, file_.name);
    put_number(out, size_);
    put_number(out, checksum_);
  }

  uint64_t size() const { return size_ + block_.size(); }

 private:
  void check_written() const {
    if (!out_) {
      fail_to_write(file_.path);
    }
  }

  void write_block() {
    if (block_.empty()) {
      return;
    }
    out_.write(block_.data(), static_cast<std::streamsize>(block_.size()));
    check_written();
    size_ += block_.size();
    checksum_ = mix_hash(checksum_, hash_bytes(block_));
    block_.clear();
  }

  EpochFile file_;
  std::ofstream out_;
  std::string block_;
  uint64_t size_ = 0;
  uint64_t checksum_ = 0;
};

EpochBuilder::EpochBuilder(Limits limits, NewEpochFile new_file)
    : limits_(limits), new_file_(std::move(new_file)) {}

EpochBuilder::~EpochBuilder() = default;

void EpochBuilder::send(const OutgoingRecord& record) {
  put(record);
  if (records_.size() > limits_.memory_bytes && may_spill_) {
    spill();
  }
  if (records_.size() + (file_ == nullptr ? 0 : file_->size()) > limits_.epoch_bytes) {
    throw Error(ErrorCode::kKafkaFailed,
                fmt::format("Kafka sink's records since the last checkpoint exceed {} MiB",
                            limits_.epoch_bytes >> 20U))
        .hint(
            "shorten 'execution.checkpointing.interval', or use 'sink.delivery-guarantee' = "
            "'at-least-once'");
  }
}

void EpochBuilder::spill() {
  if (file_ == nullptr) {
    EpochFile file = new_file_();
    may_spill_ = !file.name.empty();
    if (!may_spill_) {
      return;
    }
    file_ = std::make_unique<OpenFile>(std::move(file));
  }
  file_->append(records_);
  records_.clear();
}

void EpochBuilder::put(const OutgoingRecord& record) {
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
}

std::string EpochBuilder::finish(const EpochIdentity& identity,
                                 const std::vector<std::string>& topics) {
  std::string result(kMagic);
  result += static_cast<char>(file_ == nullptr ? Content::kRecords : Content::kFile);
  put_text(result, identity.writer_id);
  put_text(result, identity.transactional_id);
  put_number(result, static_cast<uint64_t>(identity.sequence));
  put_text(result, identity.description);
  put_number(result, topics.size());
  for (const std::string& topic : topics) {
    put_text(result, topic);
  }
  if (file_ == nullptr) {
    result += records_;
  } else {
    spill();
    file_->finish(result);
    file_.reset();
  }
  records_.clear();
  return result;
}

/// The records of a file, mapped: the system reads them as they are sent.
class EpochReader::MappedFile {
 public:
  explicit MappedFile(const std::string& path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat status{};
    if (file >= 0 && ::fstat(file, &status) == 0 && status.st_size > 0) {
      size_ = static_cast<size_t>(status.st_size);
      data_ = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0);
    }
    const int error = errno;
    if (file >= 0) {
      ::close(file);
    }
    if (data_ == MAP_FAILED) {
      fail(fmt::format("'{}': {}", path, std::strerror(error)));
    }
  }

  ~MappedFile() { ::munmap(data_, size_); }

  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::string_view bytes() const { return {static_cast<const char*>(data_), size_}; }

 private:
  void* data_ = MAP_FAILED;
  size_t size_ = 0;
};

EpochReader::EpochReader(std::string_view committable, const EpochFilePath& path_of)
    : rest_(committable) {
  if (!rest_.starts_with(kMagic)) {
    fail("it is of another kind");
  }
  rest_.remove_prefix(kMagic.size());
  const auto content = static_cast<Content>(take(1)[0]);
  if (content != Content::kRecords && content != Content::kFile) {
    fail("it is of another version");
  }
  identity_.writer_id = text();
  identity_.transactional_id = text();
  identity_.sequence = static_cast<int64_t>(number());
  identity_.description = text();
  topics_.resize(number());
  for (std::string& topic : topics_) {
    topic = text();
  }
  if (content == Content::kFile) {
    open_file(path_of);
  }
  records_ = rest_;
}

EpochReader::~EpochReader() = default;

void EpochReader::open_file(const EpochFilePath& path_of) {
  const std::string path = path_of(std::string(text()));
  const uint64_t size = number();
  const uint64_t checksum = number();
  file_ = std::make_unique<MappedFile>(path);
  rest_ = file_->bytes();
  uint64_t found = 0;
  for (size_t begin = 0; begin < rest_.size(); begin += kChecksumBlock) {
    found = mix_hash(found, hash_bytes(rest_.substr(begin, kChecksumBlock)));
  }
  if (rest_.size() != size || found != checksum) {
    fail("'" + path + "' is damaged");
  }
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
