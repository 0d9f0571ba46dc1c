#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "thalweg/runtime/checkpoint_manifest.h"
#include "thalweg/state/state_file.h"

namespace thalweg::runtime {

/// The folder of one checkpoint while it is written: nothing is under its final name before all of
/// it is on the disk. Writer thread only.
class CheckpointFolder {
 public:
  /// Makes `final_path` + ".inprogress"; throws kIoFailed.
  explicit CheckpointFolder(std::filesystem::path final_path);
  /// Removes what was not published.
  ~CheckpointFolder();
  CheckpointFolder(const CheckpointFolder&) = delete;
  CheckpointFolder& operator=(const CheckpointFolder&) = delete;

  std::string file(const std::string& name) const { return (working_ / name).string(); }

  /// Makes a file that lies elsewhere a part of the checkpoint, under its own name, and durable.
  void take_along(const std::filesystem::path& file);

  /// Writes the manifest and gives the folder its name.
  void publish(const CheckpointManifest& manifest);

  const std::filesystem::path& path() const { return final_; }

 private:
  std::filesystem::path final_;
  std::filesystem::path working_;
  bool published_ = false;
};

/// A complete checkpoint that was opened for restoring. Immutable.
struct StoredCheckpoint {
  std::filesystem::path path;
  CheckpointManifest manifest;
  std::vector<std::shared_ptr<const state::StateFile>> files;
};

/// Finds the checkpoint that `path` means: one itself, or the newest in a folder of checkpoints, of
/// one job or of several. Throws kRestoreFailed when there is none.
std::filesystem::path resolve_checkpoint(const std::filesystem::path& path);

/// Only the manifest, for whoever wants to know what is inside.
CheckpointManifest read_manifest(const std::filesystem::path& checkpoint);

std::shared_ptr<const StoredCheckpoint> open_checkpoint(const std::filesystem::path& path);

}  // namespace thalweg::runtime
