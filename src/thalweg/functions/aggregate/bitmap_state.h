#pragma once

#include <map>

#include "thalweg/functions/bitmap/bitmap.h"
#include "thalweg/stream/state.h"

namespace thalweg::functions {

/// A bitmap that rows were put into: the state of an aggregate of bitmaps that gets no rows to take
/// back, or needs nothing more to do so (XOR). Owned by a state record.
class BitmapState final : public stream::StateObject {
 public:
  static const std::shared_ptr<const stream::StateObjectKind>& kind();

  /// Rows put in, less rows taken back.
  int64_t rows() const { return rows_; }

  const Bitmap& set() const { return set_; }

  /// Bytes gained, as of combine.
  int64_t add(uint32_t value);
  /// `rows` are those that `other` stands for. The first ones are taken as they are.
  int64_t combine(BitmapOperation operation, const Bitmap& other, int64_t rows);

  std::unique_ptr<StateObject> clone() const override;
  void serialize(std::string& bytes) const override;
  static std::unique_ptr<StateObject> restore(std::string_view bytes);

  int64_t byte_size() const override { return bytes_; }

  Value inspect() const override { return Value(set_.cardinality()); }

 private:
  Bitmap set_;
  int64_t rows_ = 0;
  int64_t changes_ = 0;
  int64_t bytes_ = 0;
};

/// How many rows have each value: the state of an aggregate of bitmaps that takes rows back. A
/// value may be owed (negative count) when its retraction came first. Owned by a state record.
class BitmapCounts final : public stream::StateObject {
 public:
  static const std::shared_ptr<const stream::StateObjectKind>& kind();

  int64_t rows() const { return rows_; }

  void add_rows(int64_t rows) { rows_ += rows; }

  /// Bytes gained or lost.
  int64_t count(uint32_t value, int64_t step);
  /// Adds what another one has, its rows too. Bytes gained or lost.
  int64_t merge(const BitmapCounts& other);

  /// Values that some row has.
  const Bitmap& present() const { return present_; }

  /// Values that as many rows have as there are.
  Bitmap in_all_rows() const;

  std::unique_ptr<StateObject> clone() const override;
  void serialize(std::string& bytes) const override;
  static std::unique_ptr<StateObject> restore(std::string_view bytes);

  int64_t byte_size() const override { return bytes_; }

  Value inspect() const override { return Value(present_.cardinality()); }

 private:
  int64_t measure() const;

  int64_t rows_ = 0;
  Bitmap present_;
  /// Counts other than 0 and 1, which most values have.
  std::map<uint32_t, int64_t> other_counts_;
  int64_t changes_ = 0;
  int64_t bytes_ = 0;
};

}  // namespace thalweg::functions
