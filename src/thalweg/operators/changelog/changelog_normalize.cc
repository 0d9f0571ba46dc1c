#include "thalweg/operators/changelog/changelog_normalize.h"

#include <algorithm>
#include <limits>

#include "thalweg/expression/evaluator.h"
#include "thalweg/operators/aggregate/result_changes.h"
#include "thalweg/operators/factory.h"
#include "thalweg/operators/key_columns.h"
#include "thalweg/operators/row_failure.h"
#include "thalweg/types/column_operations.h"

namespace thalweg::operators {

namespace {

/// Where the last row of a key lies before a row of the batch: in the batch (its row), in state
/// (-1 - the position among the remembered rows), or nowhere.
using RowSource = int32_t;
constexpr RowSource kNowhere = std::numeric_limits<int32_t>::min();

/// State is read and written once for each key of a batch; rows between find their predecessor in
/// the batch. One per subtask, task thread.
class ChangelogNormalize final : public stream::Operator {
 public:
  explicit ChangelogNormalize(const ChangelogNormalizeSpec& spec);

  void open(stream::OperatorContext& context) override;
  void on_batch(Batch batch, int32_t input, stream::Output& output) override;

 private:
  /// The batch with rows that the condition does not let through as -D.
  Batch judged(Batch batch);
  bool is_first_of_key(size_t position) const;
  void find_records(const Batch& batch);
  /// The rows of state that this batch's keys had before it.
  std::vector<ColumnPtr> read_remembered(const Batch& batch);
  /// Links each row to the one before it of its key, and remembers the last one.
  void link_rows(const Batch& batch);
  void remember(const Batch& batch, size_t row);
  void add_changes(const Batch& batch, std::span<const ColumnPtr> remembered, int32_t row);
  bool is_unchanged(const Batch& batch,
                    std::span<const ColumnPtr> remembered,
                    int32_t row,
                    RowSource previous) const;
  void add(RowKind kind, RowSource source);

  ChangelogNormalizeSpec spec_;
  std::vector<size_t> value_columns_;
  stream::KeyedTable* table_ = nullptr;
  std::vector<stream::SlotId> slots_;
  std::vector<std::byte*> records_;
  std::vector<uint8_t> inserted_;
  /// Rows by slot, then position.
  std::vector<size_t> by_key_;
  std::vector<RowSource> previous_;
  std::vector<stream::SlotId> erased_;
  ResultChanges changes_;
  std::optional<expression::Evaluator> condition_;
  stream::OperatorContext* context_ = nullptr;
};

ChangelogNormalize::ChangelogNormalize(const ChangelogNormalizeSpec& spec) : spec_(spec) {
  for (size_t i = 0; i < spec_.input.size(); ++i) {
    const auto is_this = [i](ColumnIndex key) { return static_cast<size_t>(key.value) == i; };
    if (std::none_of(spec_.keys.begin(), spec_.keys.end(), is_this)) {
      value_columns_.push_back(i);
    }
  }
  if (spec_.condition) {
    condition_.emplace(std::vector<expression::ExpressionPtr>{spec_.condition});
  }
}

void ChangelogNormalize::open(stream::OperatorContext& context) {
  context_ = &context;
  spec_.evaluation.subtask = context.subtask();
  stream::StateSpec state{.name = "last-rows", .key = fields_at(spec_.input, spec_.keys)};
  for (const size_t column : value_columns_) {
    state.value.push_back({spec_.input[column].name, spec_.input[column].type.as_nullable()});
  }
  state.ttl_ms = spec_.ttl_ms;
  table_ = &context.keyed_table(state);
}

Batch ChangelogNormalize::judged(Batch batch) {
  spec_.evaluation.now = context_->now();
  expression::RowErrors errors;
  const auto passes = condition_->evaluate(batch, spec_.evaluation, errors);
  if (!errors.empty()) {
    throw_row_failure(*errors.first(), batch);
  }
  std::vector<int32_t> passed;
  selected_rows(*passes[0], passed);
  std::vector<RowKind> kinds(static_cast<size_t>(batch.row_count()), RowKind::kDelete);
  for (const int32_t row : passed) {
    kinds[static_cast<size_t>(row)] = batch.kind(row);
  }
  batch.set_kinds(std::move(kinds));
  return batch;
}

void ChangelogNormalize::on_batch(Batch batch, int32_t /*input*/, stream::Output& output) {
  if (condition_) {
    batch = judged(std::move(batch));
  }
  changes_.clear();
  find_records(batch);
  const std::vector<ColumnPtr> remembered = read_remembered(batch);
  link_rows(batch);
  std::vector<Mark> marks;
  stream::for_each_run(
      batch,
      [&](int32_t begin, int32_t end) {
        for (int32_t row = begin; row < end; ++row) {
          add_changes(batch, remembered, row);
        }
      },
      [&](EventTime watermark) { marks.push_back({changes_.size(), watermark}); });
  if (changes_.size() == 0 && marks.empty()) {
    return;
  }
  Batch result = changes_.build({}, remembered, batch.columns());
  result.set_marks(std::move(marks));
  output.emit(std::move(result));
}

void ChangelogNormalize::find_records(const Batch& batch) {
  const auto rows = static_cast<size_t>(batch.row_count());
  slots_.resize(rows);
  records_.resize(rows);
  inserted_.resize(rows);
  table_->find_or_insert({.columns = columns_at(batch, spec_.keys)}, slots_, records_, inserted_);
  by_key_.resize(rows);
  for (size_t i = 0; i < rows; ++i) {
    by_key_[i] = i;
  }
  std::sort(by_key_.begin(), by_key_.end(), [this](size_t left, size_t right) {
    return slots_[left] != slots_[right] ? slots_[left] < slots_[right] : left < right;
  });
}

bool ChangelogNormalize::is_first_of_key(size_t position) const {
  return position == 0 || slots_[by_key_[position]] != slots_[by_key_[position - 1]];
}

std::vector<ColumnPtr> ChangelogNormalize::read_remembered(const Batch& batch) {
  std::vector<stream::SlotId> known_slots;
  std::vector<int32_t> known_rows;
  for (size_t i = 0; i < by_key_.size(); ++i) {
    const size_t row = by_key_[i];
    if (is_first_of_key(i) && inserted_[row] == 0) {
      known_slots.push_back(slots_[row]);
      known_rows.push_back(static_cast<int32_t>(row));
    }
  }
  std::vector<ColumnPtr> columns(spec_.input.size());
  for (const ColumnIndex key : spec_.keys) {
    const auto column = static_cast<size_t>(key.value);
    columns[column] = gather(batch.column_ptr(column), known_rows);
  }
  for (size_t field = 0; field < value_columns_.size(); ++field) {
    const size_t column = value_columns_[field];
    ColumnBuilder builder(batch.column(column).type());
    table_->append_field(known_slots, field, builder);
    columns[column] = builder.finish();
  }
  return columns;
}

void ChangelogNormalize::link_rows(const Batch& batch) {
  previous_.resize(by_key_.size());
  erased_.clear();
  RowSource last = kNowhere;
  int32_t known = 0;
  for (size_t i = 0; i < by_key_.size(); ++i) {
    const size_t row = by_key_[i];
    if (is_first_of_key(i)) {
      last = inserted_[row] != 0 ? kNowhere : -1 - known++;
    }
    previous_[row] = last;
    const auto batch_row = static_cast<int32_t>(row);
    last = is_accumulate(batch.kind(batch_row)) ? batch_row : kNowhere;
    if (i + 1 < by_key_.size() && !is_first_of_key(i + 1)) {
      continue;
    }
    if (last == kNowhere) {
      erased_.push_back(slots_[row]);
    } else {
      remember(batch, row);
    }
  }
  if (!erased_.empty()) {
    table_->erase(erased_);
  }
}

void ChangelogNormalize::remember(const Batch& batch, size_t row) {
  for (size_t field = 0; field < value_columns_.size(); ++field) {
    table_->store_field(
        records_[row], field, batch.column(value_columns_[field]), static_cast<int32_t>(row));
  }
}

void ChangelogNormalize::add_changes(const Batch& batch,
                                     std::span<const ColumnPtr> remembered,
                                     int32_t row) {
  const RowSource previous = previous_[static_cast<size_t>(row)];
  const bool is_present = is_accumulate(batch.kind(row));
  if (previous == kNowhere) {
    // What takes back an unknown row has nothing to take back.
    if (is_present) {
      add(RowKind::kInsert, row);
    }
    return;
  }
  if (!is_present) {
    add(RowKind::kDelete, previous);
    return;
  }
  // With a time to live unchanged rows are sent too, so that state further on does not expire.
  if (!spec_.ttl_ms.has_value() && is_unchanged(batch, remembered, row, previous)) {
    return;
  }
  if (spec_.generate_update_before) {
    add(RowKind::kUpdateBefore, previous);
  }
  add(RowKind::kUpdateAfter, row);
}

bool ChangelogNormalize::is_unchanged(const Batch& batch,
                                      std::span<const ColumnPtr> remembered,
                                      int32_t row,
                                      RowSource previous) const {
  return std::all_of(value_columns_.begin(), value_columns_.end(), [&](size_t column) {
    return previous >= 0
               ? equal_values(batch.column(column), row, batch.column(column), previous)
               : equal_values(batch.column(column), row, *remembered[column], -1 - previous);
  });
}

void ChangelogNormalize::add(RowKind kind, RowSource source) {
  const bool is_remembered = source < 0;
  changes_.add(kind, 0, is_remembered ? -1 - source : source, is_remembered);
}

}  // namespace

std::shared_ptr<const stream::OperatorFactory> make_changelog_normalize(
    ChangelogNormalizeSpec spec) {
  return make_factory<ChangelogNormalize>(std::move(spec));
}

}  // namespace thalweg::operators
