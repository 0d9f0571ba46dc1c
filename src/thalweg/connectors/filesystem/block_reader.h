#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "thalweg/stream/format.h"

namespace thalweg::connectors {

/// Reads a file in large blocks and frames it into records. One owner, one thread.
class BlockReader {
 public:
  /// Throws kFileNotFound or kIoFailed.
  BlockReader(const std::string& path, int64_t position);
  ~BlockReader();
  BlockReader(const BlockReader&) = delete;
  BlockReader& operator=(const BlockReader&) = delete;

  /// Frames up to `most` records that are in memory, reading on when there is none; none at the end
  /// of the file. Line ends are cut off. Good until the next call.
  const std::vector<std::string_view>& next(const stream::Decoder& decoder, size_t most);

  /// Where the first record of the last call starts.
  int64_t first_position() const { return first_position_; }

  /// Goes back so that the records after the first `count` come again.
  void keep(size_t count);

  /// Where the next record starts.
  int64_t position() const { return position_; }

 private:
  bool fill();
  void frame(const stream::Decoder& decoder, size_t most);

  std::string path_;
  int file_ = -1;
  std::vector<char> buffer_;
  size_t begin_ = 0;
  size_t end_ = 0;
  bool ended_ = false;
  int64_t position_ = 0;
  int64_t first_position_ = 0;
  std::vector<std::string_view> records_;
  std::vector<size_t> lengths_;
};

}  // namespace thalweg::connectors
