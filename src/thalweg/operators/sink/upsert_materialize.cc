#include "thalweg/operators/sink/upsert_materialize.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "thalweg/common/check.h"
#include "thalweg/operators/factory.h"
#include "thalweg/operators/key_columns.h"
#include "thalweg/operators/row_codec.h"

namespace thalweg::operators {

namespace {

void append_sized(std::string& bytes, std::string_view part) {
  const auto size = static_cast<uint32_t>(part.size());
  bytes.append(reinterpret_cast<const char*>(&size), sizeof(size));
  bytes += part;
}

std::string take_sized(std::string_view& bytes) {
  uint32_t size = 0;
  check(bytes.size() >= sizeof(size), "a list of rows ends too early");
  std::memcpy(&size, bytes.data(), sizeof(size));
  check(bytes.size() - sizeof(size) >= size, "a list of rows ends too early");
  std::string part(bytes.substr(sizeof(size), size));
  bytes.remove_prefix(sizeof(size) + size);
  return part;
}

/// The rows of one key in the order they came. Owned by its record.
class KeptRows final : public stream::StateObject {
 public:
  struct Row {
    /// By which it is found.
    std::string match;
    std::string values;
  };

  static const std::shared_ptr<const stream::StateObjectKind>& kind() {
    static const auto kKind = std::make_shared<const stream::StateObjectKind>(
        stream::StateObjectKind{"rows-of-key",
                                [] { return std::make_unique<KeptRows>(); },
                                [](std::string_view bytes) -> std::unique_ptr<stream::StateObject> {
                                  auto kept = std::make_unique<KeptRows>();
                                  while (!bytes.empty()) {
                                    std::string match = take_sized(bytes);
                                    kept->rows.push_back({std::move(match), take_sized(bytes)});
                                  }
                                  return kept;
                                }});
    return kKind;
  }

  std::unique_ptr<stream::StateObject> clone() const override {
    return std::make_unique<KeptRows>(*this);
  }

  void serialize(std::string& bytes) const override {
    for (const Row& row : rows) {
      append_sized(bytes, row.match);
      append_sized(bytes, row.values);
    }
  }

  int64_t byte_size() const override {
    size_t size = sizeof(*this);
    for (const Row& row : rows) {
      size += sizeof(row) + row.match.size() + row.values.size();
    }
    return static_cast<int64_t>(size);
  }

  Value inspect() const override { return Value(fmt::format("{} rows", rows.size())); }

  std::vector<Row> rows;
};

/// One per subtask, task thread.
class UpsertMaterialize final : public stream::Operator {
 public:
  explicit UpsertMaterialize(const UpsertMaterializeSpec& spec) : spec_(spec) {
    if (spec_.match.empty()) {
      for (size_t i = 0; i < spec_.input.size(); ++i) {
        spec_.match.push_back({static_cast<int32_t>(i)});
      }
    }
  }

  void open(stream::OperatorContext& context) override {
    stream::StateSpec state{.name = "rows-of-keys",
                            .key = fields_at(spec_.input, spec_.keys),
                            .value = {{"rows", DataType::bytes(), KeptRows::kind()}}};
    state.ttl_ms = spec_.ttl_ms;
    table_ = &context.keyed_table(state);
    offset_ = table_->layout().offset(0);
  }

  void on_batch(Batch batch, int32_t /*input*/, stream::Output& output) override {
    const auto rows = static_cast<size_t>(batch.row_count());
    std::vector<stream::SlotId> slots(rows);
    std::vector<std::byte*> records(rows);
    std::vector<uint8_t> inserted(rows);
    table_->find_or_insert({.columns = columns_at(batch, spec_.keys)}, slots, records, inserted);
    std::vector<ColumnBuilder> builders = make_builders(spec_.input);
    std::vector<RowKind> kinds;
    std::vector<Mark> marks;
    stream::for_each_run(
        batch,
        [&](int32_t begin, int32_t end) {
          for (int32_t row = begin; row < end; ++row) {
            apply(batch, row, records[static_cast<size_t>(row)], builders, kinds);
          }
        },
        [&](EventTime watermark) {
          marks.push_back({static_cast<int32_t>(kinds.size()), watermark});
        });
    erase_empty(slots, records);
    if (kinds.empty() && marks.empty()) {
      return;
    }
    Batch result = finish_batch(builders);
    result.set_kinds(std::move(kinds));
    result.set_marks(std::move(marks));
    output.emit(std::move(result));
  }

 private:
  void apply(const Batch& batch,
             int32_t row,
             std::byte* record,
             std::span<ColumnBuilder> builders,
             std::vector<RowKind>& kinds) {
    auto& kept =
        static_cast<KeptRows&>(table_->writable_object(record + offset_, *KeptRows::kind()));
    const int64_t size_before = kept.byte_size();
    KeptRows::Row given;
    encode_row(columns_at(batch, spec_.match), row, given.match);
    encode_row(batch.columns(), row, given.values);
    const auto emit = [&](RowKind kind, const std::string& values) {
      kinds.push_back(kind);
      decode_row(values, builders);
    };
    if (is_accumulate(batch.kind(row))) {
      emit(kept.rows.empty() ? RowKind::kInsert : RowKind::kUpdateAfter, given.values);
      kept.rows.push_back(std::move(given));
    } else {
      const auto found = std::find_if(kept.rows.begin(), kept.rows.end(), [&](const auto& known) {
        return known.match == given.match;
      });
      if (found != kept.rows.end()) {
        const bool was_last = found + 1 == kept.rows.end();
        kept.rows.erase(found);
        if (kept.rows.empty()) {
          emit(RowKind::kDelete, given.values);
        } else if (was_last) {
          emit(RowKind::kUpdateAfter, kept.rows.back().values);
        }
      }
    }
    table_->object_resized(kept.byte_size() - size_before);
  }

  void erase_empty(std::span<const stream::SlotId> slots, std::span<std::byte* const> records) {
    std::vector<stream::SlotId> empty;
    for (size_t i = 0; i < slots.size(); ++i) {
      const auto* kept = static_cast<const KeptRows*>(table_->object(records[i] + offset_));
      if (kept == nullptr || kept->rows.empty()) {
        empty.push_back(slots[i]);
      }
    }
    std::sort(empty.begin(), empty.end());
    empty.erase(std::unique(empty.begin(), empty.end()), empty.end());
    if (!empty.empty()) {
      table_->erase(empty);
    }
  }

  UpsertMaterializeSpec spec_;
  stream::KeyedTable* table_ = nullptr;
  size_t offset_ = 0;
};

}  // namespace

std::shared_ptr<const stream::OperatorFactory> make_upsert_materialize(UpsertMaterializeSpec spec) {
  return make_factory<UpsertMaterialize>(std::move(spec));
}

}  // namespace thalweg::operators
