#include "thalweg/operators/sort/top_n.h"

#include <algorithm>
#include <cstring>

#include "thalweg/operators/row_codec.h"
#include "thalweg/operators/sort/sort_key_codec.h"

namespace thalweg::operators {

TopN::TopN(const TopNSpec& spec)
    : spec_(spec), last_rank_(spec.offset + spec.fetch), builders_(make_builders(spec.input)) {}

void TopN::open(stream::OperatorContext& context) {
  table_ = &context.keyed_table({.name = "rows",
                                 .key = {},
                                 .value = {{"rows", DataType::bytes(), RankedRows::kind()}},
                                 .ttl_ms = spec_.ttl_ms});
  offset_ = table_->layout().offset(0);
}

RankedRows& TopN::rows() {
  stream::SlotId slot[1];
  std::byte* record[1];
  uint8_t inserted[1];
  table_->find_or_insert({.columns = {}}, slot, record, inserted);
  return static_cast<RankedRows&>(
      table_->writable_object(record[0] + offset_, *RankedRows::kind()));
}

void TopN::on_batch(Batch batch, int32_t /*input*/, stream::Output& output) {
  RankedRows& rows = this->rows();
  const int64_t size_before = rows.byte_size();
  std::vector<Mark> marks;
  stream::for_each_run(
      batch,
      [&](int32_t begin, int32_t end) {
        for (int32_t row = begin; row < end; ++row) {
          sort_key_.clear();
          row_.clear();
          encode_sort_key(spec_.keys, batch.columns(), row, sort_key_);
          if (!spec_.update_key.empty()) {
            encode_update_key(batch.columns(), row);
          }
          encode_row(batch.columns(), row, row_);
          if (!spec_.update_key.empty()) {
            if (is_accumulate(batch.kind(row))) {
              put(rows);
            }
          } else if (is_accumulate(batch.kind(row))) {
            add(rows);
          } else {
            take_back(rows);
          }
        }
      },
      [&](EventTime watermark) {
        marks.push_back({static_cast<int32_t>(kinds_.size()), watermark});
      });
  table_->object_resized(rows.byte_size() - size_before);
  const auto count = static_cast<int32_t>(kinds_.size());
  Batch result = finish_batch(builders_);
  result.set_kinds(std::move(kinds_));
  kinds_ = {};
  result.set_marks(std::move(marks));
  if (count > 0 || !result.marks().empty()) {
    output.emit(std::move(result));
  }
}

/// Rows of an updating input are kept behind their key and its length.
void TopN::encode_update_key(std::span<const ColumnPtr> columns, int32_t row) {
  update_key_.clear();
  for (const ColumnIndex column : spec_.update_key) {
    encode_row(columns.subspan(static_cast<size_t>(column.value), 1), row, update_key_);
  }
  const auto size = static_cast<uint32_t>(update_key_.size());
  row_.append(reinterpret_cast<const char*>(&size), sizeof(size));
  row_ += update_key_;
}

void TopN::put(RankedRows& rows) {
  const auto present =
      rows.find_prefix(std::string_view(row_).substr(0, sizeof(uint32_t) + update_key_.size()));
  if (!present) {
    add(rows);
    return;
  }
  if (present->sort_key == sort_key_) {
    rows.replace(*present, row_);
  } else {
    rows.remove(present->sort_key, present->row);
    rows.insert(sort_key_, row_);
  }
  send_update(1, present->row, row_);
}

void TopN::add(RankedRows& rows) {
  const int64_t size_before = rows.size();
  if (!spec_.needs_retract && size_before >= last_rank_ &&
      (last_rank_ == 0 || sort_key_ >= rows.last_key())) {
    return;
  }
  const int64_t rank = rows.insert(sort_key_, row_);
  if (rank <= last_rank_) {
    // The new row and those that it moved down by one, up to the one that falls out.
    const auto moved = rows.range(rank, last_rank_ + 1);
    const bool falls_out = rank + static_cast<int64_t>(moved.size()) - 1 > last_rank_;
    if (falls_out && last_rank_ == 1 && !spec_.needs_retract) {
      send_update(rank, moved.back(), row_);
    } else if (spec_.offset == 0) {
      if (falls_out) {
        send(RowKind::kDelete, moved.back());
      }
      send(RowKind::kInsert, row_);
    } else {
      for (size_t i = 0; i + 1 < moved.size(); ++i) {
        send_update(rank + static_cast<int64_t>(i), moved[i + 1], moved[i]);
      }
      if (!falls_out && rows.size() > spec_.offset) {
        send(RowKind::kInsert, moved.back());
      }
    }
  }
  if (!spec_.needs_retract && rows.size() > last_rank_) {
    rows.remove_last();
  }
}

void TopN::take_back(RankedRows& rows) {
  const auto rank = rows.remove(sort_key_, row_);
  if (!rank.has_value() || *rank > last_rank_) {
    return;
  }
  // The rows that moved up by one, the last of them maybe into the result.
  const auto moved = rows.range(*rank, last_rank_);
  const bool comes_in = *rank + static_cast<int64_t>(moved.size()) - 1 == last_rank_;
  if (spec_.offset == 0) {
    send(RowKind::kDelete, row_);
    if (comes_in) {
      send(RowKind::kInsert, moved.back());
    }
    return;
  }
  std::string_view before = row_;
  int64_t at = *rank;
  for (const std::string_view row : moved) {
    send_update(at++, before, row);
    before = row;
  }
  if (!comes_in && at > spec_.offset) {
    send(RowKind::kDelete, before);
  }
}

void TopN::send_update(int64_t rank, std::string_view before, std::string_view after) {
  if (rank <= spec_.offset) {
    return;
  }
  if (spec_.generate_update_before) {
    send(RowKind::kUpdateBefore, before);
  }
  send(RowKind::kUpdateAfter, after);
}

void TopN::send(RowKind kind, std::string_view row) {
  if (!spec_.update_key.empty()) {
    uint32_t size = 0;
    std::memcpy(&size, row.data(), sizeof(size));
    row.remove_prefix(sizeof(size) + size);
  }
  decode_row(row, builders_);
  kinds_.push_back(kind);
}

}  // namespace thalweg::operators
