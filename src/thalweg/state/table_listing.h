#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "thalweg/stream/state.h"

namespace thalweg::state {

class KeyedTableImpl;

/// One record of a table as texts, times in UTC.
struct ListedRecord {
  int32_t subtask = 0;
  /// By StateSpec::key.
  std::vector<std::string> key;
  /// The end of its window or slice, where the table has namespaces.
  std::optional<int64_t> name_space;
  /// By StateSpec::value.
  std::vector<std::string> fields;
};

/// A table of keyed state as an inspector shows it.
struct ListedTable {
  std::string name;
  std::vector<std::string> key_columns;
  std::vector<std::string> fields;
  bool has_namespace = false;
  /// All records, shown or not.
  int64_t record_count = 0;
  int64_t byte_size = 0;
  std::optional<int64_t> next_event_timer_ms;
  std::optional<int64_t> next_processing_timer_ms;
  std::vector<ListedRecord> records;
};

/// Which records to list.
struct ListingRequest {
  /// The text of the key, or of one of its columns; absent: any.
  std::optional<std::string> key;
  size_t limit = 100;
};

/// Lists one table on its task's thread, some thousand slots at a time, so that rows need not wait
/// until all were looked at. A record that changes meanwhile is shown as it is when its turn comes.
class TableLister {
 public:
  TableLister(const KeyedTableImpl& table, ListingRequest request, int32_t subtask);

  /// False when nothing more is to be looked at.
  bool step();

  ListedTable take() { return std::move(listed_); }

 private:
  void add(const std::vector<stream::SlotId>& slots);
  std::vector<std::vector<std::string>> key_texts(const std::vector<stream::SlotId>& slots) const;
  std::vector<std::string> field_texts(const std::vector<stream::SlotId>& slots,
                                       size_t field) const;
  bool matches(const std::vector<std::string>& key) const;

  const KeyedTableImpl& table_;
  ListingRequest request_;
  int32_t subtask_;
  stream::SlotId next_ = 0;
  ListedTable listed_;
};

}  // namespace thalweg::state
