#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "thalweg/common/ids.h"

namespace thalweg::state {

/// What a frame of a state file holds (docs/formats/checkpoint.md).
enum class FrameKind : uint8_t { kEnd = 0, kTable = 1, kEntries = 2, kList = 3 };

/// Writes one state file: frames, each with its size and checksum, flushed to the disk at the end.
/// One thread.
class StateFileWriter {
 public:
  /// Creates or empties the file; throws kIoFailed.
  explicit StateFileWriter(const std::string& path);
  ~StateFileWriter();
  StateFileWriter(const StateFileWriter&) = delete;
  StateFileWriter& operator=(const StateFileWriter&) = delete;

  void set_operator(OperatorId id) { operator_ = id; }

  /// `body` follows the kind and the operator's id.
  void write_frame(FrameKind kind, std::string_view body);

  /// Writes the end frame and makes the file durable; the file is not complete without it.
  void finish();

  int64_t bytes_written() const { return bytes_written_; }

 private:
  void write_raw(std::string_view bytes);
  void flush();

  std::string path_;
  int file_;
  OperatorId operator_{};
  std::string buffer_;
  std::string frame_;
  uint64_t frames_ = 0;
  int64_t bytes_written_ = 0;
};

/// A state file mapped into memory and checked. Immutable; shared by all who restore from it.
class StateFile {
 public:
  struct Frame {
    FrameKind kind = FrameKind::kEnd;
    OperatorId operator_id{};
    std::string_view body;
  };

  /// Throws kRestoreFailed when it is missing, cut or damaged.
  explicit StateFile(const std::string& path);
  ~StateFile();
  StateFile(const StateFile&) = delete;
  StateFile& operator=(const StateFile&) = delete;

  const std::string& path() const { return path_; }

  const std::vector<Frame>& frames() const { return frames_; }

 private:
  void map();
  void read_frames();

  std::string path_;
  const char* data_ = nullptr;
  size_t size_ = 0;
  std::vector<Frame> frames_;
};

}  // namespace thalweg::state
