#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace thalweg::connectors {

/// A part file while it is written: hidden under another name, so that no reader sees half of it.
/// One owner, one thread. What is never finished is deleted.
class PartFile {
 public:
  /// Makes the directory too. Throws kIoFailed.
  PartFile(const std::filesystem::path& directory, const std::string& name, int64_t opened_ms);
  ~PartFile();
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;

  void append(std::string_view bytes);
  /// Gives what is buffered to the system.
  void flush();
  /// Makes the bytes durable and closes the file; returns the committable.
  std::string finish();

  int64_t size() const { return size_; }

  int64_t opened_ms() const { return opened_ms_; }

 private:
  std::filesystem::path hidden_;
  std::filesystem::path visible_;
  int file_ = -1;
  std::string buffer_;
  int64_t size_ = 0;
  int64_t opened_ms_;
};

/// Gives the file of a committable its name. Does nothing the second time. Returns the directory.
std::filesystem::path commit_part_file(const std::string& committable);

/// Deletes what is in a directory, except hidden files and those whose names start with `kept`.
void clear_directory(const std::filesystem::path& directory, const std::string& kept);

/// The name of part `number`, or of the first after it that no file has yet; `number` becomes the
/// one taken.
std::string free_part_name(const std::filesystem::path& directory,
                           const std::string& prefix,
                           int64_t& number,
                           const std::string& suffix);

}  // namespace thalweg::connectors
