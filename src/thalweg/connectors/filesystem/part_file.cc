#include "thalweg/connectors/filesystem/part_file.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "thalweg/common/error.h"

namespace thalweg::connectors {

namespace {

namespace fs = std::filesystem;

constexpr size_t kBufferBytes = size_t{256} << 10U;
constexpr const char* kSuffix = ".inprogress";

Error failed(const char* what, const fs::path& path, int error) {
  return Error(ErrorCode::kIoFailed,
               fmt::format("Could not {} {}: {}", what, path.string(), std::strerror(error)));
}

fs::path hidden_path(const fs::path& directory, const std::string& name) {
  return directory / ("." + name + kSuffix);
}

/// A new name is durable once its directory is.
void sync_directory(const fs::path& directory) {
  const int file = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file >= 0) {
    ::fsync(file);
    ::close(file);
  }
}

}  // namespace

PartFile::PartFile(const fs::path& directory, const std::string& name, int64_t opened_ms)
    : hidden_(hidden_path(directory, name)), visible_(directory / name), opened_ms_(opened_ms) {
  std::error_code error;
  fs::create_directories(directory, error);
  if (error) {
    throw failed("make the directory", directory, error.value());
  }
  file_ = ::open(hidden_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (file_ < 0) {
    throw failed("create", hidden_, errno);
  }
}

PartFile::~PartFile() {
  if (file_ >= 0) {
    ::close(file_);
    ::unlink(hidden_.c_str());
  }
}

void PartFile::append(std::string_view bytes) {
  buffer_ += bytes;
  size_ += static_cast<int64_t>(bytes.size());
  if (buffer_.size() >= kBufferBytes) {
    flush();
  }
}

void PartFile::flush() {
  std::string_view rest = buffer_;
  while (!rest.empty()) {
    const ssize_t count = ::write(file_, rest.data(), rest.size());
    if (count < 0 && errno != EINTR) {
      throw failed("write", hidden_, errno);
    }
    rest.remove_prefix(count < 0 ? 0 : static_cast<size_t>(count));
  }
  buffer_.clear();
}

std::string PartFile::finish() {
  flush();
  if (::fsync(file_) != 0) {
    throw failed("write", hidden_, errno);
  }
  const int file = file_;
  file_ = -1;
  if (::close(file) != 0) {
    throw failed("write", hidden_, errno);
  }
  return hidden_.string() + '\n' + visible_.string();
}

fs::path commit_part_file(const std::string& committable) {
  const size_t split = committable.find('\n');
  const fs::path hidden = committable.substr(0, split);
  const fs::path visible = committable.substr(split + 1);
  // Gone when it was committed before, whatever became of it since.
  if (::rename(hidden.c_str(), visible.c_str()) != 0 && errno != ENOENT) {
    throw failed("rename", hidden, errno);
  }
  sync_directory(visible.parent_path());
  return visible.parent_path();
}

void clear_directory(const fs::path& directory, const std::string& kept) {
  std::error_code error;
  for (fs::directory_iterator at(directory, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    if (!name.starts_with('.') && !name.starts_with('_') && !name.starts_with(kept)) {
      std::error_code failure;
      fs::remove_all(at->path(), failure);
      if (failure) {
        throw failed("delete", at->path(), failure.value());
      }
    }
  }
}

std::string free_part_name(const fs::path& directory,
                           const std::string& prefix,
                           int64_t& number,
                           const std::string& suffix) {
  for (;; ++number) {
    std::string name = prefix + std::to_string(number) + suffix;
    if (!fs::exists(directory / name) && !fs::exists(hidden_path(directory, name))) {
      return name;
    }
  }
}

}  // namespace thalweg::connectors
