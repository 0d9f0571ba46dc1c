#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "thalweg/runtime/checkpoint_store.h"
#include "thalweg/runtime/inbox.h"

namespace thalweg::runtime {

/// What the writer tells the coordinator; called on the writer's thread.
class CheckpointWriterEvents {
 public:
  virtual ~CheckpointWriterEvents() = default;
  /// A task's part is on the disk; `state_file` is empty when it has none.
  virtual void part_written(CheckpointId checkpoint, TaskId task, std::string state_file) = 0;
  virtual void checkpoint_published(CheckpointId checkpoint, std::filesystem::path path) = 0;
  virtual void checkpoint_failed(CheckpointId checkpoint, Error error) = 0;
  /// Nothing of an abandoned checkpoint is held any more.
  virtual void checkpoint_abandoned(CheckpointId checkpoint) = 0;
};

/// Writes checkpoints on a thread of its own, while the tasks go on. Used by the master thread.
class CheckpointWriter {
 public:
  CheckpointWriter(const TaskServices& services, CheckpointWriterEvents& events);
  /// Writes nothing more and waits for the thread.
  ~CheckpointWriter();
  CheckpointWriter(const CheckpointWriter&) = delete;
  CheckpointWriter& operator=(const CheckpointWriter&) = delete;

  void begin(CheckpointId checkpoint, std::filesystem::path path);
  void write(CheckpointId checkpoint, TaskSnapshot snapshot);
  void publish(CheckpointManifest manifest);
  void abandon(CheckpointId checkpoint);
  /// Removes complete checkpoints that are no longer kept.
  void remove(std::filesystem::path path);

 private:
  void run();
  void post(CheckpointId checkpoint, std::function<void()> work);
  void write_part(CheckpointId checkpoint, TaskSnapshot& snapshot);

  const TaskServices& services_;
  CheckpointWriterEvents& events_;
  Inbox work_;
  bool stops_ = false;
  std::optional<CheckpointId> current_;
  std::unique_ptr<CheckpointFolder> folder_;
  /// The last one that is complete on the disk; the coordinator may not know it yet.
  std::optional<std::pair<CheckpointId, std::filesystem::path>> published_;
  std::thread thread_;
};

}  // namespace thalweg::runtime
