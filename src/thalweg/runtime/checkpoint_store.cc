#include "thalweg/runtime/checkpoint_store.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "thalweg/common/error.h"

namespace thalweg::runtime {

namespace {

namespace fs = std::filesystem;

constexpr const char* kManifestName = "manifest";

[[noreturn]] void fail(const fs::path& path, std::string_view why) {
  throw Error(ErrorCode::kIoFailed,
              fmt::format("Could not write checkpoint '{}': {}", path.string(), why));
}

void sync_path(const fs::path& path, int flags) {
  const int file = ::open(path.c_str(), flags | O_CLOEXEC);
  const bool synced = file >= 0 && ::fsync(file) == 0;
  const int error = errno;
  if (file >= 0) {
    ::close(file);
  }
  if (!synced) {
    fail(path, std::strerror(error));
  }
}

void write_durably(const fs::path& path, const std::string& bytes) {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out.flush();
  if (!out) {
    fail(path, std::strerror(errno));
  }
  out.close();
  sync_path(path, O_RDONLY);
}

bool is_checkpoint(const fs::path& path) {
  std::error_code ignored;
  return path.extension() != ".inprogress" && fs::is_regular_file(path / kManifestName, ignored);
}

/// The newest checkpoint directly below `folder`.
void find_newest(const fs::path& folder,
                 int levels,
                 std::optional<std::pair<fs::file_time_type, fs::path>>& newest) {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (!entry.is_directory(error)) {
      continue;
    }
    if (is_checkpoint(entry.path())) {
      const auto time = fs::last_write_time(entry.path() / kManifestName, error);
      if (!newest || time > newest->first) {
        newest.emplace(time, entry.path());
      }
    } else if (levels > 1) {
      find_newest(entry.path(), levels - 1, newest);
    }
  }
}

}  // namespace

CheckpointFolder::CheckpointFolder(fs::path final_path)
    : final_(std::move(final_path)), working_(final_.string() + ".inprogress") {
  std::error_code error;
  fs::remove_all(working_, error);
  fs::create_directories(working_, error);
  if (error) {
    fail(working_, error.message());
  }
}

CheckpointFolder::~CheckpointFolder() {
  if (!published_) {
    std::error_code ignored;
    fs::remove_all(working_, ignored);
  }
}

void CheckpointFolder::take_along(const fs::path& file) {
  const fs::path to = working_ / file.filename();
  std::error_code error;
  fs::create_hard_link(file, to, error);
  if (error) {
    // On another file system.
    fs::copy_file(file, to, error);
  }
  if (error) {
    fail(to, error.message());
  }
  sync_path(to, O_RDONLY);
}

void CheckpointFolder::publish(const CheckpointManifest& manifest) {
  write_durably(working_ / kManifestName, encode_manifest(manifest));
  sync_path(working_, O_RDONLY | O_DIRECTORY);
  std::error_code error;
  fs::rename(working_, final_, error);
  if (error) {
    fail(final_, error.message());
  }
  published_ = true;
  sync_path(final_.parent_path(), O_RDONLY | O_DIRECTORY);
}

fs::path resolve_checkpoint(const fs::path& path) {
  if (is_checkpoint(path)) {
    return path;
  }
  std::optional<std::pair<fs::file_time_type, fs::path>> newest;
  find_newest(path, 2, newest);
  if (!newest) {
    throw Error(ErrorCode::kRestoreFailed,
                fmt::format("No checkpoint or savepoint found at '{}'", path.string()))
        .hint("name the folder of a checkpoint ('.../chk-7'), of a savepoint, or of a job");
  }
  return newest->second;
}

CheckpointManifest read_manifest(const fs::path& checkpoint) {
  std::ifstream in(checkpoint / kManifestName, std::ios::binary);
  if (!in) {
    throw Error(
        ErrorCode::kRestoreFailed,
        fmt::format(
            "Could not read checkpoint '{}': {}", checkpoint.string(), std::strerror(errno)));
  }
  const std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  return decode_manifest(bytes);
}

std::shared_ptr<const StoredCheckpoint> open_checkpoint(const fs::path& path) {
  auto stored = std::make_shared<StoredCheckpoint>();
  stored->path = resolve_checkpoint(path);
  stored->manifest = read_manifest(stored->path);
  for (const TaskRecord& task : stored->manifest.tasks) {
    if (!task.state_file.empty()) {
      stored->files.push_back(
          std::make_shared<const state::StateFile>((stored->path / task.state_file).string()));
    }
  }
  return stored;
}

}  // namespace thalweg::runtime
