#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "thalweg/stream/state.h"
#include "thalweg/types/column_builder.h"

namespace thalweg::operators {

/// Rows of one partition by ascending time, those of one time as they came: the ones that wait, or
/// the ones in a frame. They are added anywhere and taken at the front. Owned by its record.
class TimedRows final : public stream::StateObject {
 public:
  static const std::shared_ptr<const stream::StateObjectKind>& kind();

  bool is_empty() const { return first_ == places_.size(); }

  int64_t size() const { return static_cast<int64_t>(places_.size() - first_); }

  /// Only while it is not empty.
  int64_t first_time() const { return places_[first_].time_ms; }

  /// True when it is the only row of its time.
  bool add(int64_t time_ms, std::span<const ColumnPtr> columns, int32_t row);
  /// Appends the first row to `builders` and removes it.
  void take_first(std::span<ColumnBuilder> builders);
  /// Appends all rows.
  void read(std::span<ColumnBuilder> builders) const;

  std::unique_ptr<stream::StateObject> clone() const override;
  void serialize(std::string& bytes) const override;
  int64_t byte_size() const override;
  Value inspect() const override;

 private:
  struct Place {
    int64_t time_ms = 0;
    size_t begin = 0;
    size_t size = 0;
  };

  static std::unique_ptr<stream::StateObject> restore(std::string_view bytes);

  std::string_view row(const Place& place) const {
    return std::string_view(bytes_).substr(place.begin, place.size);
  }

  /// Lets go of what was taken.
  void compact();

  /// Encoded rows in the order they came; a row that was taken leaves a gap.
  std::string bytes_;
  std::vector<Place> places_;
  /// The places before it were taken.
  size_t first_ = 0;
};

}  // namespace thalweg::operators
