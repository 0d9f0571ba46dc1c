#include "thalweg/types/batch_merge.h"

#include "thalweg/common/check.h"
#include "thalweg/types/column_operations.h"

namespace thalweg {

namespace {

std::vector<ColumnPtr> concat_columns(std::span<const Batch> pieces) {
  std::vector<ColumnPtr> columns;
  std::vector<ColumnPtr> parts(pieces.size());
  for (size_t column = 0; column < pieces[0].columns().size(); ++column) {
    for (size_t i = 0; i < pieces.size(); ++i) {
      parts[i] = pieces[i].column_ptr(column);
    }
    columns.push_back(concat(parts));
  }
  return columns;
}

void concat_kinds(std::span<const Batch> pieces, Batch& result) {
  std::vector<RowKind> kinds;
  kinds.reserve(static_cast<size_t>(result.row_count()));
  bool any = false;
  for (const Batch& piece : pieces) {
    if (piece.is_insert_only()) {
      kinds.insert(kinds.end(), static_cast<size_t>(piece.row_count()), RowKind::kInsert);
    } else {
      kinds.insert(kinds.end(), piece.kinds()->begin(), piece.kinds()->end());
      any = true;
    }
  }
  if (any) {
    result.set_kinds(std::move(kinds));
  }
}

void concat_marks(std::span<const Batch> pieces, Batch& result) {
  std::vector<Mark> marks;
  int32_t offset = 0;
  for (const Batch& piece : pieces) {
    for (const Mark& mark : piece.marks()) {
      const Mark moved{mark.row + offset, mark.watermark};
      if (!marks.empty() && marks.back().row == moved.row) {
        marks.back() = moved;
      } else {
        marks.push_back(moved);
      }
    }
    offset += piece.row_count();
  }
  result.set_marks(std::move(marks));
}

void concat_event_times(std::span<const Batch> pieces, Batch& result) {
  std::vector<ColumnPtr> parts;
  for (const Batch& piece : pieces) {
    if (piece.event_times() != nullptr) {
      parts.push_back(piece.event_times());
    }
  }
  if (!parts.empty()) {
    check(parts.size() == pieces.size(), "batches with and without event times are merged");
    result.set_event_times(concat(parts));
  }
}

}  // namespace

Batch concat_batches(std::span<const Batch> pieces) {
  check(!pieces.empty(), "no batch to merge");
  if (pieces.size() == 1) {
    return pieces[0];
  }
  int32_t rows = 0;
  bool same_split = true;
  bool adjoining = true;
  for (const Batch& piece : pieces) {
    same_split = same_split && piece.origin().split == pieces[0].origin().split;
    adjoining =
        adjoining && piece.origin().first_position == pieces[0].origin().first_position + rows;
    rows += piece.row_count();
  }
  Batch result(rows, concat_columns(pieces));
  concat_kinds(pieces, result);
  concat_marks(pieces, result);
  concat_event_times(pieces, result);
  if (same_split) {
    result.set_origin(
        {pieces[0].origin().split, adjoining ? pieces[0].origin().first_position : -1});
  }
  return result;
}

}  // namespace thalweg
