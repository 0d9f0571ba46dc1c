#pragma once

#include <string>
#include <vector>

#include "thalweg/operators/sort/limit.h"
#include "thalweg/operators/sort/ranked_rows.h"

namespace thalweg::operators {

/// The first rows by an order, as a changelog (Flink's AppendOnlyTopNFunction and
/// RetractableTopNFunction, UpdatableTopNFunction and FastTop1Function, without partition and rank
/// number). Without OFFSET a row that falls out is sent as -D and the one that comes in as +I, or
/// both as an update where there is only one rank; with OFFSET every rank that changes is sent as
/// -U and +U. Keeps only the rows that count unless rows can be taken back. One subtask; task
/// thread.
class TopN final : public stream::Operator {
 public:
  explicit TopN(const TopNSpec& spec);

  void open(stream::OperatorContext& context) override;
  void on_batch(Batch batch, int32_t input, stream::Output& output) override;

 private:
  RankedRows& rows();
  void add(RankedRows& rows);
  void take_back(RankedRows& rows);
  /// Adds a row of an updating input, or puts it in the place of the one with its key.
  void put(RankedRows& rows);
  void encode_update_key(std::span<const ColumnPtr> columns, int32_t row);
  void send(RowKind kind, std::string_view row);
  /// Sends the change of one rank.
  void send_update(int64_t rank, std::string_view before, std::string_view after);

  TopNSpec spec_;
  int64_t last_rank_;
  stream::KeyedTable* table_ = nullptr;
  size_t offset_ = 0;
  std::string sort_key_;
  std::string update_key_;
  std::string row_;
  std::vector<ColumnBuilder> builders_;
  std::vector<RowKind> kinds_;
};

}  // namespace thalweg::operators
