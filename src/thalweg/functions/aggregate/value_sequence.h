#pragma once

#include <deque>
#include <string>

#include "thalweg/stream/state.h"

namespace thalweg::functions {

/// Encoded values in the order they came: the state of LISTAGG, ARRAY_AGG, and of FIRST_VALUE and
/// LAST_VALUE where rows are taken back. Owned by a state record.
class ValueSequence final : public stream::StateObject {
 public:
  static const std::shared_ptr<const stream::StateObjectKind>& kind();

  /// Both give the bytes gained or lost.
  int64_t add(std::string value);
  /// Takes the first equal value out; one that is not there is owed and cancels the next equal one.
  int64_t remove(const std::string& value);

  const std::deque<std::string>& values() const { return values_; }

  /// LISTAGG's separator.
  std::string note;

  std::unique_ptr<stream::StateObject> clone() const override;
  void serialize(std::string& bytes) const override;
  static std::unique_ptr<stream::StateObject> restore(std::string_view bytes);
  int64_t byte_size() const override;
  Value inspect() const override;

 private:
  std::deque<std::string> values_;
  std::deque<std::string> owed_;
};

}  // namespace thalweg::functions
