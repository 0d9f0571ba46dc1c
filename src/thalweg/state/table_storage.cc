#include "thalweg/state/table_storage.h"

#include <fmt/format.h>

#include "thalweg/common/error.h"

namespace thalweg::state {

namespace {

/// Small changes of objects are charged together.
constexpr int64_t kChargeStep = int64_t{16} << 10U;

StringView text_at(const std::byte* place) {
  StringView view;
  std::memcpy(&view, place, sizeof(view));
  return view;
}

void set_box(std::byte* place, ObjectBox* box) {
  std::memcpy(place, &box, sizeof(box));
}

}  // namespace

ObjectBox* box_at(const std::byte* place) {
  ObjectBox* box = nullptr;
  std::memcpy(&box, place, sizeof(box));
  return box;
}

TableStorage::TableStorage(const stream::StateSpec& spec,
                           std::string operator_name,
                           MemoryBudget& budget,
                           std::function<void()> pause)
    : shape_(spec),
      operator_name_(std::move(operator_name)),
      table_name_(spec.name),
      budget_(&budget),
      reserve_([this](int64_t bytes) { reserve_bytes(bytes); }),
      segments_(shape_.stride(), reserve_, std::move(pause)),
      strings_(reserve_) {}

TableStorage::~TableStorage() {
  for (ObjectBox* box : deferred_boxes_) {
    delete box;
  }
  for (stream::SlotId slot = 0; slot < segments_.used(); ++slot) {
    if (!segments_.is_live(slot)) {
      continue;
    }
    for (const FieldShape& field : shape_.values()) {
      if (field.storage == FieldStorage::kObject) {
        delete box_at(segments_.record(slot) + field.offset);
      }
    }
  }
}

void TableStorage::detach() {
  if (budget_ != nullptr) {
    budget_->release(charged_);
    charged_ = 0;
    budget_ = nullptr;
  }
}

void TableStorage::reserve_bytes(int64_t bytes) {
  if (budget_ == nullptr) {
    return;
  }
  if (bytes < 0) {
    budget_->release(-bytes);
    charged_ += bytes;
    return;
  }
  try {
    budget_->reserve(bytes);
  } catch (const Error& full) {
    throw Error(ErrorCode::kStateMemoryExceeded,
                fmt::format("State exceeds its memory budget: operator '{}' holds {} keys in {} "
                            "bytes of state '{}'. {}",
                            operator_name_,
                            segments_.live_count(),
                            charged_,
                            table_name_,
                            full.message()))
        .hint(full.hint_text());
  }
  charged_ += bytes;
}

void TableStorage::free_text(const StringView& view) {
  if (view.is_inline()) {
    return;
  }
  if (segments_.is_frozen()) {
    deferred_texts_.push_back(view);
  } else {
    strings_.remove(view);
  }
}

void TableStorage::assign_text(std::byte* place, std::string_view text) {
  const StringView old = text_at(place);
  const StringView added = strings_.add(text);
  std::memcpy(place, &added, sizeof(added));
  free_text(old);
}

void TableStorage::free_box(ObjectBox* box) {
  if (box == nullptr) {
    return;
  }
  object_resized(-box->object->byte_size() - static_cast<int64_t>(sizeof(ObjectBox)));
  if (segments_.is_frozen() && box->epoch < segments_.epoch()) {
    deferred_boxes_.push_back(box);
  } else {
    delete box;
  }
}

void TableStorage::put_object(std::byte* place, std::unique_ptr<stream::StateObject> object) {
  object_resized(object->byte_size() + static_cast<int64_t>(sizeof(ObjectBox)));
  set_box(place, new ObjectBox{std::move(object), segments_.epoch()});
}

stream::StateObject& TableStorage::writable_object(std::byte* place,
                                                   const stream::StateObjectKind& kind) {
  ObjectBox* box = box_at(place);
  if (box == nullptr) {
    put_object(place, kind.create());
  } else if (segments_.is_frozen() && box->epoch < segments_.epoch()) {
    put_object(place, box->object->clone());
    free_box(box);
  }
  return *box_at(place)->object;
}

void TableStorage::object_resized(int64_t delta_bytes) {
  object_bytes_pending_ += delta_bytes;
  if (object_bytes_pending_ >= kChargeStep || object_bytes_pending_ <= -kChargeStep) {
    reserve_bytes(std::exchange(object_bytes_pending_, 0));
  }
}

void TableStorage::free_fields(std::byte* record, const std::vector<FieldShape>& fields) {
  for (const FieldShape& field : fields) {
    if (field.storage == FieldStorage::kObject) {
      free_box(box_at(record + field.offset));
    } else if (field.storage != FieldStorage::kPlain) {
      free_text(text_at(record + field.offset));
    }
  }
}

std::shared_ptr<FrozenStore> TableStorage::freeze() {
  // Waits for a reader that is still on its way, so what was kept for it can go.
  segments_.cancel_freeze();
  free_deferred();
  return segments_.freeze();
}

void TableStorage::thaw_if_finished() {
  if (segments_.thaw_if_finished()) {
    free_deferred();
  }
}

void TableStorage::free_deferred() {
  for (const StringView& view : deferred_texts_) {
    strings_.remove(view);
  }
  deferred_texts_.clear();
  for (ObjectBox* box : deferred_boxes_) {
    delete box;
  }
  deferred_boxes_.clear();
}

}  // namespace thalweg::state
