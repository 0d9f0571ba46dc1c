#include "thalweg/connectors/filesystem/block_reader.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "thalweg/common/error.h"

namespace thalweg::connectors {

namespace {

/// So much that a call costs nothing, so little that it stays in the cache until it is decoded.
constexpr size_t kBlockBytes = size_t{256} << 10U;
/// A record that is still not complete then is taken for a mistake (a quote that never closes).
constexpr size_t kLongestRecord = size_t{256} << 20U;

std::string_view without_line_end(std::string_view record) {
  if (record.ends_with('\n')) {
    record.remove_suffix(1);
  }
  if (record.ends_with('\r')) {
    record.remove_suffix(1);
  }
  return record;
}

}  // namespace

BlockReader::BlockReader(const std::string& path, int64_t position)
    : path_(path), position_(position) {
  file_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file_ < 0) {
    const bool gone = errno == ENOENT;
    throw Error(gone ? ErrorCode::kFileNotFound : ErrorCode::kIoFailed,
                fmt::format("Could not open {}: {}", path, std::strerror(errno)));
  }
  if (position > 0 && ::lseek(file_, position, SEEK_SET) < 0) {
    const int error = errno;
    ::close(file_);
    throw Error(ErrorCode::kIoFailed,
                fmt::format("Could not read {} from {}: {}", path, position, std::strerror(error)));
  }
}

BlockReader::~BlockReader() {
  ::close(file_);
}

/// Reads on behind what is in memory. Doubles what there is, so that a long record is looked
/// through no more than twice.
bool BlockReader::fill() {
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  if (end_ > kLongestRecord) {
    throw Error(ErrorCode::kBadRecord,
                fmt::format("The record at byte {} of {} is longer than {} bytes.",
                            position_,
                            path_,
                            kLongestRecord));
  }
  buffer_.resize(end_ + std::max(kBlockBytes, end_));
  ssize_t count = 0;
  do {
    count = ::read(file_, buffer_.data() + end_, buffer_.size() - end_);
  } while (count < 0 && errno == EINTR);
  if (count < 0) {
    throw Error(ErrorCode::kIoFailed,
                fmt::format("Could not read {}: {}", path_, std::strerror(errno)));
  }
  end_ += static_cast<size_t>(count);
  ended_ = count == 0;
  return count > 0;
}

void BlockReader::frame(const stream::Decoder& decoder, size_t most) {
  while (records_.size() < most && begin_ < end_) {
    const std::string_view rest(buffer_.data() + begin_, end_ - begin_);
    size_t length = decoder.record_end(rest);
    if (length == std::string_view::npos) {
      if (!ended_) {
        return;
      }
      length = rest.size();
    }
    records_.push_back(without_line_end(rest.substr(0, length)));
    lengths_.push_back(length);
    begin_ += length;
    position_ += static_cast<int64_t>(length);
  }
}

const std::vector<std::string_view>& BlockReader::next(const stream::Decoder& decoder,
                                                       size_t most) {
  records_.clear();
  lengths_.clear();
  first_position_ = position_;
  frame(decoder, most);
  while (records_.empty() && !ended_) {
    fill();
    frame(decoder, most);
  }
  return records_;
}

void BlockReader::keep(size_t count) {
  while (lengths_.size() > count) {
    begin_ -= lengths_.back();
    position_ -= static_cast<int64_t>(lengths_.back());
    lengths_.pop_back();
  }
}

}  // namespace thalweg::connectors
