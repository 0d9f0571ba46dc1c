#pragma once

#include <memory>
#include <string>
#include <vector>

#include "thalweg/connectors/nexmark/nexmark_model.h"
#include "thalweg/connectors/nexmark/nexmark_texts.h"
#include "thalweg/types/batch.h"

namespace thalweg::connectors {

/// Makes batches of events as the columns of Nexmark's table: event_type, person, auction, bid. An
/// event depends on the seed and its number alone. Immutable, shared by the readers of a source.
class NexmarkGenerator {
 public:
  /// `columns`: those that are used, whose rows may lack fields. Throws kInvalidTable for one that
  /// Nexmark does not have.
  NexmarkGenerator(Schema columns, const NexmarkModel& model, uint64_t seed);

  /// True when rows call their fields as Nexmark does, so that some may be left out.
  bool has_usual_names() const;

  /// The events `first` to `first + count - 1`.
  Batch generate(int64_t first, int32_t count) const;

  const NexmarkModel& model() const { return model_; }

 private:
  struct Rows;

  ColumnPtr event_types(const Rows& rows) const;
  ColumnPtr events(const Field& of, const Rows& rows) const;
  void fill_person(int64_t event, int32_t row, std::vector<MutableColumnPtr>& fields) const;
  void fill_auction(int64_t event, int32_t row, std::vector<MutableColumnPtr>& fields) const;
  void fill_bids(const Rows& rows, std::vector<MutableColumnPtr>& fields) const;
  int64_t any_person(NexmarkModel::Newest newest, RandomBits& random) const;
  int64_t any_auction(NexmarkModel::Newest newest, RandomBits& random) const;
  int64_t auction_length_ms(int64_t event, RandomBits& random) const;

  Schema columns_;
  NexmarkModel model_;
  uint64_t seed_;
  std::shared_ptr<const NexmarkTexts> texts_;
};

}  // namespace thalweg::connectors
