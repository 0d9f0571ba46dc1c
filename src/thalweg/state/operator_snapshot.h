#pragma once

#include <memory>
#include <string>
#include <vector>

namespace thalweg::state {

class TableSnapshot;
class StateFileWriter;

/// The frozen state of one operator on one subtask. Made on the task's thread, written on another;
/// going away ends it. Holds what it reads alive, so it may outlive its operator.
class OperatorSnapshot {
 public:
  OperatorSnapshot();
  ~OperatorSnapshot();
  OperatorSnapshot(OperatorSnapshot&&) noexcept;
  OperatorSnapshot& operator=(OperatorSnapshot&&) noexcept;

  struct List {
    std::string name;
    std::vector<std::string> items;
  };

  /// Writes all tables and lists; throws kCheckpointFailed or kIoFailed.
  void write(StateFileWriter& writer);

  bool is_empty() const { return tables.empty() && lists.empty(); }

  std::vector<std::unique_ptr<TableSnapshot>> tables;
  std::vector<List> lists;
};

}  // namespace thalweg::state
