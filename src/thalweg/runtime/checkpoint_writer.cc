#include "thalweg/runtime/checkpoint_writer.h"

#include <fmt/format.h>

namespace thalweg::runtime {

CheckpointWriter::CheckpointWriter(const TaskServices& services, CheckpointWriterEvents& events)
    : services_(services), events_(events), work_(services.scheduler) {
  thread_ = services.scheduler.start("checkpoints", [this] { run(); });
}

CheckpointWriter::~CheckpointWriter() {
  work_.post([this] { stops_ = true; });
  services_.scheduler.join(thread_);
}

void CheckpointWriter::run() {
  Inbox::Item item;
  while (!stops_) {
    if (work_.take(item, kMaxProcessingTime)) {
      item.mail();
      item.mail = nullptr;  // what it captured goes now, not with the next work
    }
  }
}

void CheckpointWriter::post(CheckpointId checkpoint, std::function<void()> work) {
  work_.post([this, checkpoint, work = std::move(work)] {
    if (current_ != checkpoint) {
      return;  // failed or abandoned meanwhile
    }
    try {
      work();
    } catch (const Error& error) {
      current_.reset();
      folder_.reset();
      events_.checkpoint_failed(checkpoint, error);
    } catch (const std::exception& exception) {
      current_.reset();
      folder_.reset();
      events_.checkpoint_failed(checkpoint, Error(ErrorCode::kInternal, exception.what()));
    }
  });
}

void CheckpointWriter::begin(CheckpointId checkpoint, std::filesystem::path path) {
  work_.post([this, checkpoint] { current_ = checkpoint; });
  post(checkpoint,
       [this, path = std::move(path)] { folder_ = std::make_unique<CheckpointFolder>(path); });
}

void CheckpointWriter::write(CheckpointId checkpoint, TaskSnapshot snapshot) {
  auto shared = std::make_shared<TaskSnapshot>(std::move(snapshot));
  post(checkpoint,
       [this, checkpoint, shared = std::move(shared)] { write_part(checkpoint, *shared); });
}

void CheckpointWriter::write_part(CheckpointId checkpoint, TaskSnapshot& snapshot) {
  const bool has_state = std::any_of(snapshot.operators.begin(),
                                     snapshot.operators.end(),
                                     [](const auto& one) { return !one.second->is_empty(); });
  for (const Committables& committables : snapshot.committables) {
    for (const std::string& file : committables.files) {
      folder_->take_along(services_.staging / file);
    }
  }
  std::string name;
  if (has_state) {
    name = fmt::format("task-{}-{}.state", snapshot.task.vertex, snapshot.task.subtask);
    state::StateFileWriter writer(folder_->file(name));
    for (const auto& [id, one] : snapshot.operators) {
      writer.set_operator(id);
      one->write(writer);
    }
    writer.finish();
  }
  snapshot.operators.clear();
  events_.part_written(checkpoint, snapshot.task, std::move(name));
}

void CheckpointWriter::publish(CheckpointManifest manifest) {
  const CheckpointId checkpoint = manifest.checkpoint;
  post(checkpoint, [this, checkpoint, manifest = std::move(manifest)] {
    services_.reached(HookPoint::kBeforeManifest, checkpoint);
    folder_->publish(manifest);
    const std::filesystem::path path = folder_->path();
    published_.emplace(checkpoint, path);
    folder_.reset();
    current_.reset();
    services_.reached(HookPoint::kAfterManifest, checkpoint);
    events_.checkpoint_published(checkpoint, path);
  });
}

void CheckpointWriter::abandon(CheckpointId checkpoint) {
  work_.post([this, checkpoint] {
    if (current_ == checkpoint) {
      current_.reset();
      folder_.reset();
    }
    if (published_ && published_->first == checkpoint) {
      std::error_code ignored;
      std::filesystem::remove_all(published_->second, ignored);
    }
    events_.checkpoint_abandoned(checkpoint);
  });
}

void CheckpointWriter::remove(std::filesystem::path path) {
  work_.post([path = std::move(path)] {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  });
}

}  // namespace thalweg::runtime
