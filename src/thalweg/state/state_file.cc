#include "thalweg/state/state_file.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "thalweg/common/error.h"
#include "thalweg/state/byte_stream.h"
#include "thalweg/state/crc32c.h"

namespace thalweg::state {

namespace {

constexpr std::string_view kMagic = "TWSTATE1";
constexpr size_t kBufferBytes = size_t{256} << 10U;

[[noreturn]] void fail_write(const std::string& path) {
  throw Error(ErrorCode::kIoFailed,
              fmt::format("Could not write checkpoint file '{}': {}", path, std::strerror(errno)));
}

[[noreturn]] void fail_read(const std::string& path, std::string_view why) {
  throw Error(ErrorCode::kRestoreFailed,
              fmt::format("Could not read checkpoint file '{}': {}", path, why));
}

}  // namespace

StateFileWriter::StateFileWriter(const std::string& path)
    : path_(path), file_(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644)) {
  if (file_ < 0) {
    fail_write(path_);
  }
  write_raw(kMagic);
}

StateFileWriter::~StateFileWriter() {
  if (file_ >= 0) {
    ::close(file_);
  }
}

void StateFileWriter::write_raw(std::string_view bytes) {
  buffer_.append(bytes);
  bytes_written_ += static_cast<int64_t>(bytes.size());
  if (buffer_.size() >= kBufferBytes) {
    flush();
  }
}

void StateFileWriter::flush() {
  std::string_view rest = buffer_;
  while (!rest.empty()) {
    const ssize_t written = ::write(file_, rest.data(), rest.size());
    if (written < 0) {
      if (errno == EINTR) {
        continue;
      }
      fail_write(path_);
    }
    rest.remove_prefix(static_cast<size_t>(written));
  }
  buffer_.clear();
}

void StateFileWriter::write_frame(FrameKind kind, std::string_view body) {
  frame_.clear();
  ByteWriter payload(frame_);
  payload.put(kind);
  payload.put(operator_.value);
  frame_.append(body);
  std::string head;
  ByteWriter writer(head);
  writer.put(static_cast<uint32_t>(frame_.size()));
  writer.put(crc32c(frame_));
  write_raw(head);
  write_raw(frame_);
  ++frames_;
}

void StateFileWriter::finish() {
  std::string body;
  ByteWriter(body).put(frames_);
  write_frame(FrameKind::kEnd, body);
  flush();
  if (::fsync(file_) != 0) {
    fail_write(path_);
  }
  if (::close(std::exchange(file_, -1)) != 0) {
    fail_write(path_);
  }
}

StateFile::StateFile(const std::string& path) : path_(path) {
  map();
  try {
    read_frames();
  } catch (...) {
    if (data_ != nullptr) {
      ::munmap(const_cast<char*>(data_), size_);
    }
    throw;
  }
}

StateFile::~StateFile() {
  if (data_ != nullptr) {
    ::munmap(const_cast<char*>(data_), size_);
  }
}

void StateFile::map() {
  const int file = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    fail_read(path_, std::strerror(errno));
  }
  struct stat info{};

  void* data = MAP_FAILED;
  if (::fstat(file, &info) == 0 && info.st_size > 0) {
    size_ = static_cast<size_t>(info.st_size);
    data = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0);
  }
  ::close(file);
  if (data == MAP_FAILED) {
    fail_read(path_, size_ == 0 ? "it is empty" : "it could not be mapped");
  }
  data_ = static_cast<const char*>(data);
}

void StateFile::read_frames() {
  const std::string_view all(data_, size_);
  if (!all.starts_with(kMagic)) {
    fail_read(path_, "it is not a state file of this version");
  }
  ByteReader reader(all.substr(kMagic.size()));
  while (!reader.at_end()) {
    const auto size = reader.get<uint32_t>();
    const auto checksum = reader.get<uint32_t>();
    const std::string_view frame(reader.take(size), size);
    if (crc32c(frame) != checksum) {
      fail_read(path_, "a checksum does not fit: the file is damaged");
    }
    ByteReader head(frame);
    Frame parsed;
    parsed.kind = head.get<FrameKind>();
    parsed.operator_id = {head.get<uint32_t>()};
    parsed.body = frame.substr(sizeof(FrameKind) + sizeof(uint32_t));
    if (parsed.kind == FrameKind::kEnd) {
      if (ByteReader(parsed.body).get<uint64_t>() == frames_.size()) {
        return;
      }
      break;
    }
    frames_.push_back(parsed);
  }
  fail_read(path_, "it ends too early");
}

}  // namespace thalweg::state
