#pragma once

#include <memory>
#include <string>
#include <vector>

#include "thalweg/common/ids.h"
#include "thalweg/state/keyed_table_impl.h"
#include "thalweg/state/state_file.h"

namespace thalweg::state {

/// What a checkpoint holds for one operator on one subtask: the key groups of that subtask out of
/// the files of all subtasks that wrote it. Immutable.
class RestoredState {
 public:
  RestoredState(OperatorId id, std::vector<std::shared_ptr<const StateFile>> files)
      : id_(id), files_(std::move(files)) {}

  /// True when the checkpoint has the table. Throws kRestoreFailed when its schema is another.
  bool has_table(const stream::StateSpec& spec) const;
  /// Fills an empty table with the entries of `range`.
  void fill(KeyedTableImpl& table, KeyGroupRange range) const;
  /// The items of all subtasks.
  std::vector<std::string> list(const std::string& name) const;

  std::vector<std::string> table_names() const;
  std::vector<std::string> list_names() const;

 private:
  OperatorId id_;
  std::vector<std::shared_ptr<const StateFile>> files_;
};

/// The operators that have state in a file.
std::vector<OperatorId> operators_in(const StateFile& file);

}  // namespace thalweg::state
