#include "thalweg/operators/aggregate/aggregate_set.h"

#include <numeric>

namespace thalweg::operators {

using expression::Accumulators;
using expression::AggregateCall;
using expression::AggregateInput;

namespace {

constexpr int32_t kNoDistinct = -1;

std::vector<ColumnPtr> arguments_of(const AggregateCall& call, const Batch& batch) {
  std::vector<ColumnPtr> arguments;
  arguments.reserve(call.arguments.size());
  for (const ColumnIndex argument : call.arguments) {
    arguments.push_back(batch.column_ptr(static_cast<size_t>(argument.value)));
  }
  return arguments;
}

bool passes(const Column* filter, int32_t row) {
  return filter == nullptr || (!filter->is_null(row) && filter->at<uint8_t>(row) != 0);
}

}  // namespace

struct AggregateSet::Aggregate {
  AggregateCall call;
  std::unique_ptr<expression::AggregateKernel> kernel;
  size_t first_field = 0;
  std::vector<size_t> offsets;
  int32_t distinct = kNoDistinct;
  uint32_t bit = 0;

  const Column* filter(const Batch& batch) const {
    return call.filter.value < 0 ? nullptr : &batch.column(static_cast<size_t>(call.filter.value));
  }

  Accumulators accumulators(std::span<std::byte* const> records,
                            stream::StateMemory& memory) const {
    return {records, offsets, memory};
  }
};

std::byte* read_only(const std::byte* record) {
  return const_cast<std::byte*>(record);
}

AggregateSet::AggregateSet(const std::vector<AggregateCall>& calls, bool needs_retract)
    : needs_retract_(needs_retract) {
  for (const AggregateCall& call : calls) {
    Aggregate aggregate;
    aggregate.call = call;
    std::vector<expression::BoundArgument> arguments;
    for (const DataType& type : call.signature.arguments) {
      arguments.push_back({type});
    }
    aggregate.kernel = call.function->make_kernel(call.signature, arguments, needs_retract);
    if (call.distinct) {
      for (size_t i = 0; i < distincts_.size() && aggregate.distinct == kNoDistinct; ++i) {
        if (distincts_[i].can_share() && distincts_[i].arguments() == call.arguments) {
          aggregate.distinct = static_cast<int32_t>(i);
        }
      }
      if (aggregate.distinct == kNoDistinct) {
        aggregate.distinct = static_cast<int32_t>(distincts_.size());
        distincts_.emplace_back(call.arguments, needs_retract);
      }
      aggregate.bit = distincts_[static_cast<size_t>(aggregate.distinct)].add_sharer();
    }
    aggregates_.push_back(std::move(aggregate));
  }
}

AggregateSet::~AggregateSet() = default;

size_t AggregateSet::size() const {
  return aggregates_.size();
}

const DataType& AggregateSet::result_type(size_t aggregate) const {
  return aggregates_[aggregate].call.signature.result;
}

std::vector<ColumnBuilder> AggregateSet::make_result_builders() const {
  std::vector<ColumnBuilder> builders;
  for (size_t i = 0; i < size(); ++i) {
    builders.emplace_back(result_type(i));
  }
  return builders;
}

void AggregateSet::declare_fields(std::vector<stream::StateField>& fields) {
  for (Aggregate& aggregate : aggregates_) {
    aggregate.first_field = fields.size();
    for (stream::StateField& field : aggregate.kernel->accumulator()) {
      field.name = aggregate.call.name + "." + field.name;
      fields.push_back(std::move(field));
    }
    aggregate.offsets.resize(fields.size() - aggregate.first_field);
  }
  for (DistinctRows& distinct : distincts_) {
    distinct.bind(fields.size());
    const std::shared_ptr<const stream::StateObjectKind> kind(&DistinctValues::kind(),
                                                              [](const auto*) {});
    fields.push_back({"distinct", DataType::bytes(), kind});
  }
}

void AggregateSet::bind(const stream::RecordLayout& layout) {
  for (Aggregate& aggregate : aggregates_) {
    for (size_t i = 0; i < aggregate.offsets.size(); ++i) {
      aggregate.offsets[i] = layout.offset(aggregate.first_field + i);
    }
  }
  for (DistinctRows& distinct : distincts_) {
    distinct.bind(layout.offset(distinct.place()));
  }
}

RowRecords AggregateSet::counted_rows(const Aggregate& aggregate,
                                      const Batch& batch,
                                      const RowRecords& rows,
                                      bool is_retract,
                                      stream::StateMemory& memory) {
  const Column* filter = aggregate.filter(batch);
  if (filter == nullptr && aggregate.distinct == kNoDistinct) {
    return rows;
  }
  counted_rows_.resize(rows.rows.size());
  counted_records_.resize(rows.rows.size());
  size_t count = 0;
  for (size_t i = 0; i < rows.rows.size(); ++i) {
    const int32_t row = rows.rows[i];
    counted_rows_[count] = row;
    counted_records_[count] = rows.records[i];
    bool counts = passes(filter, row);
    if (counts && aggregate.distinct != kNoDistinct) {
      counts = distincts_[static_cast<size_t>(aggregate.distinct)].observe(
          batch, row, is_retract, aggregate.bit, rows.records[i], memory);
    }
    count += static_cast<size_t>(counts);
  }
  return {std::span(counted_rows_).first(count), std::span(counted_records_).first(count)};
}

void AggregateSet::accumulate(const Batch& batch,
                              const RowRecords& rows,
                              stream::StateMemory& memory) {
  for (const Aggregate& aggregate : aggregates_) {
    const RowRecords counted = counted_rows(aggregate, batch, rows, false, memory);
    if (!counted.rows.empty()) {
      const auto arguments = arguments_of(aggregate.call, batch);
      aggregate.kernel->accumulate({arguments, counted.rows},
                                   aggregate.accumulators(counted.records, memory));
    }
  }
}

void AggregateSet::retract(const Batch& batch,
                           const RowRecords& rows,
                           stream::StateMemory& memory) {
  for (const Aggregate& aggregate : aggregates_) {
    const RowRecords counted = counted_rows(aggregate, batch, rows, true, memory);
    if (!counted.rows.empty()) {
      const auto arguments = arguments_of(aggregate.call, batch);
      aggregate.kernel->retract({arguments, counted.rows},
                                aggregate.accumulators(counted.records, memory));
    }
  }
}

void AggregateSet::apply(const Batch& batch, const RowRecords& rows, stream::StateMemory& memory) {
  if (!needs_retract_ || batch.is_insert_only()) {
    accumulate(batch, rows, memory);
    return;
  }
  // Additions first: a value that is replaced by itself never seems to be gone.
  for (const bool is_retract : {false, true}) {
    std::vector<int32_t> chosen_rows;
    std::vector<std::byte*> chosen_records;
    for (size_t i = 0; i < rows.rows.size(); ++i) {
      if (is_accumulate(batch.kind(rows.rows[i])) != is_retract) {
        chosen_rows.push_back(rows.rows[i]);
        chosen_records.push_back(rows.records[i]);
      }
    }
    if (is_retract) {
      retract(batch, {chosen_rows, chosen_records}, memory);
    } else {
      accumulate(batch, {chosen_rows, chosen_records}, memory);
    }
  }
}

void AggregateSet::update_rows(const Batch& batch,
                               const RowRecords& rows,
                               stream::StateMemory& memory,
                               std::span<ColumnBuilder> before,
                               std::span<ColumnBuilder> after) {
  const size_t size = rows.rows.size();
  kinds_.resize(size);
  for (size_t i = 0; i < size; ++i) {
    kinds_[i] = needs_retract_ ? batch.kind(rows.rows[i]) : RowKind::kInsert;
  }
  for (size_t a = 0; a < aggregates_.size(); ++a) {
    const Aggregate& aggregate = aggregates_[a];
    const Column* filter = aggregate.filter(batch);
    counts_.assign(size, 1);
    if (filter != nullptr || aggregate.distinct != kNoDistinct) {
      for (size_t i = 0; i < size; ++i) {
        const int32_t row = rows.rows[i];
        const bool counts =
            passes(filter, row) &&
            (aggregate.distinct == kNoDistinct ||
             distincts_[static_cast<size_t>(aggregate.distinct)].observe(
                 batch, row, !is_accumulate(kinds_[i]), aggregate.bit, rows.records[i], memory));
        counts_[i] = static_cast<uint8_t>(counts);
      }
    }
    const auto arguments = arguments_of(aggregate.call, batch);
    aggregate.kernel->update_rows({arguments, rows.rows},
                                  kinds_,
                                  counts_,
                                  aggregate.accumulators(rows.records, memory),
                                  before[a],
                                  after[a]);
  }
}

void AggregateSet::merge(const RecordSpan& into, const RecordSpan& from) {
  for (const Aggregate& aggregate : aggregates_) {
    if (aggregate.distinct == kNoDistinct) {
      aggregate.kernel->merge(aggregate.accumulators(into.records, into.memory),
                              aggregate.accumulators(from.records, from.memory));
    } else {
      merge_distinct(aggregate, into, from);
    }
  }
}

void AggregateSet::merge_distinct(const Aggregate& aggregate,
                                  const RecordSpan& into,
                                  const RecordSpan& from) {
  std::vector<ColumnBuilder> values;
  for (const DataType& type : aggregate.call.signature.arguments) {
    values.emplace_back(type);
  }
  counted_records_.clear();
  DistinctRows& distinct = distincts_[static_cast<size_t>(aggregate.distinct)];
  for (size_t i = 0; i < into.records.size(); ++i) {
    const int32_t added = distinct.merge(
        into.records[i], into.memory, from.records[i], from.memory, aggregate.bit, values);
    counted_records_.insert(counted_records_.end(), static_cast<size_t>(added), into.records[i]);
  }
  counted_rows_.resize(counted_records_.size());
  std::iota(counted_rows_.begin(), counted_rows_.end(), 0);
  std::vector<ColumnPtr> arguments;
  for (ColumnBuilder& builder : values) {
    arguments.push_back(builder.finish());
  }
  if (!counted_rows_.empty()) {
    aggregate.kernel->accumulate({arguments, counted_rows_},
                                 aggregate.accumulators(counted_records_, into.memory));
  }
}

void AggregateSet::append_results(const RecordSpan& records,
                                  std::span<ColumnBuilder> builders) const {
  for (size_t a = 0; a < aggregates_.size(); ++a) {
    aggregates_[a].kernel->append_results(
        aggregates_[a].accumulators(records.records, records.memory), builders[a]);
  }
}

}  // namespace thalweg::operators
