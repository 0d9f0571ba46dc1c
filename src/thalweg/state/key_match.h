#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "thalweg/state/table_storage.h"
#include "thalweg/types/column.h"

namespace thalweg::state {

/// Compares and stores keys of one flat number column without NULLs.
template <typename T>
struct NumberKey {
  const T* values;
  size_t offset;
  size_t null_offset;
  bool nullable;

  bool equal(const std::byte* record, size_t row) const {
    T stored;
    std::memcpy(&stored, record + offset, sizeof(T));
    return stored == values[row] && (!nullable || record[null_offset] == std::byte{0});
  }

  void store(TableStorage& storage, std::byte* record, size_t row) const {
    static_cast<void>(storage);
    std::memcpy(record + offset, &values[row], sizeof(T));
  }
};

/// The same for one text column.
struct TextKey {
  const StringView* values;
  size_t offset;
  size_t null_offset;
  bool nullable;

  bool equal(const std::byte* record, size_t row) const {
    StringView stored;
    std::memcpy(&stored, record + offset, sizeof(stored));
    return stored == values[row] && (!nullable || record[null_offset] == std::byte{0});
  }

  /// Into a new record, whose text is empty.
  void store(TableStorage& storage, std::byte* record, size_t row) const {
    if (values[row].is_inline()) {
      std::memcpy(record + offset, &values[row], sizeof(StringView));
    } else {
      storage.assign_text(record + offset, values[row].view());
    }
  }
};

/// Any number of columns of any type.
class GenericKey {
 public:
  GenericKey(const TableShape& shape, std::span<const ColumnPtr> columns, size_t rows);

  bool equal(const std::byte* record, size_t row) const;
  void store(TableStorage& storage, std::byte* record, size_t row) const;

 private:
  bool field_equal(const std::byte* record, size_t key, size_t row) const;

  const TableShape& shape_;
  std::span<const ColumnPtr> columns_;
  /// For each key column that is kept encoded: the encoding of each row.
  std::vector<std::vector<std::string>> encoded_;
};

}  // namespace thalweg::state
