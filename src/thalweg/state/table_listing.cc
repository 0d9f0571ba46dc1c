#include "thalweg/state/table_listing.h"

#include <limits>

#include <fmt/format.h>

#include "thalweg/state/keyed_table_impl.h"
#include "thalweg/types/text.h"

namespace thalweg::state {

namespace {

/// Slots for one step: well under a millisecond.
constexpr stream::SlotId kSlotsAtOnce = 2048;

/// A value whose type only its owner knows.
void append_loosely(std::string& out, const Value& value) {
  struct Append {
    std::string& out;

    void operator()(std::monostate) const { out += "NULL"; }

    void operator()(bool truth) const { out += truth ? "TRUE" : "FALSE"; }

    void operator()(int64_t number) const { out += std::to_string(number); }

    void operator()(Int128 number) const { text::append_decimal(out, number, 0); }

    void operator()(double number) const { text::append_double(out, number); }

    void operator()(const std::string& bytes) const { out += bytes; }

    void operator()(const std::shared_ptr<const ValueList>& list) const {
      out += '[';
      for (size_t i = 0; i < list->size(); ++i) {
        out += i == 0 ? "" : ", ";
        append_loosely(out, (*list)[i]);
      }
      out += ']';
    }
  };

  std::visit(Append{out}, value.data);
}

std::vector<std::string> texts_of(const Column& column, size_t rows) {
  std::vector<std::string> texts(rows);
  for (size_t row = 0; row < rows; ++row) {
    text::append_value(
        texts[row], column, static_cast<int32_t>(row), text::Style::kCast, TimeZone::utc());
  }
  return texts;
}

std::optional<int64_t> time_of(const TimerBuckets& timers) {
  const int64_t next = timers.next_time();
  return next == std::numeric_limits<int64_t>::max() ? std::nullopt : std::optional(next);
}

}  // namespace

TableLister::TableLister(const KeyedTableImpl& table, ListingRequest request, int32_t subtask)
    : table_(table), request_(std::move(request)), subtask_(subtask) {
  const stream::StateSpec& spec = table.spec();
  listed_.name = spec.name;
  listed_.has_namespace = spec.has_namespace;
  listed_.record_count = table.size();
  listed_.byte_size = table.byte_size();
  listed_.next_event_timer_ms = time_of(table.event_timers());
  listed_.next_processing_timer_ms = time_of(table.processing_timers());
  for (const Field& column : spec.key) {
    listed_.key_columns.push_back(column.name);
  }
  for (const stream::StateField& field : spec.value) {
    listed_.fields.push_back(field.name);
  }
}

bool TableLister::step() {
  if (listed_.records.size() >= request_.limit || next_ >= table_.slot_end()) {
    return false;
  }
  std::vector<stream::SlotId> slots;
  const stream::SlotId end = std::min(table_.slot_end(), next_ + kSlotsAtOnce);
  table_.collect_slots(next_, end, slots);
  next_ = end;
  table_.sort_by_key(slots);
  add(slots);
  return listed_.records.size() < request_.limit && next_ < table_.slot_end();
}

bool TableLister::matches(const std::vector<std::string>& key) const {
  if (!request_.key) {
    return true;
  }
  return std::find(key.begin(), key.end(), *request_.key) != key.end() ||
         fmt::format("{}", fmt::join(key, ", ")) == *request_.key;
}

std::vector<std::vector<std::string>> TableLister::key_texts(
    const std::vector<stream::SlotId>& slots) const {
  std::vector<ColumnBuilder> builders = make_builders(table_.spec().key);
  table_.append_keys(slots, builders);
  std::vector<std::vector<std::string>> keys(slots.size());
  for (ColumnBuilder& builder : builders) {
    std::vector<std::string> texts = texts_of(*builder.finish(), slots.size());
    for (size_t i = 0; i < slots.size(); ++i) {
      keys[i].push_back(std::move(texts[i]));
    }
  }
  return keys;
}

std::vector<std::string> TableLister::field_texts(const std::vector<stream::SlotId>& slots,
                                                  size_t field) const {
  const stream::StateField& declared = table_.spec().value[field];
  if (declared.object == nullptr) {
    ColumnBuilder builder(declared.type);
    table_.append_field(slots, field, builder);
    return texts_of(*builder.finish(), slots.size());
  }
  std::vector<std::string> texts(slots.size());
  for (size_t i = 0; i < slots.size(); ++i) {
    const std::byte* place = table_.read(slots[i]) + table_.layout().offset(field);
    const stream::StateObject* object = table_.object(place);
    append_loosely(texts[i], object == nullptr ? Value() : object->inspect());
  }
  return texts;
}

void TableLister::add(const std::vector<stream::SlotId>& slots) {
  std::vector<std::vector<std::string>> keys = key_texts(slots);
  std::vector<stream::SlotId> chosen;
  const size_t first = listed_.records.size();
  for (size_t i = 0; i < slots.size() && first + chosen.size() < request_.limit; ++i) {
    if (matches(keys[i])) {
      ListedRecord record{.subtask = subtask_, .key = std::move(keys[i])};
      if (listed_.has_namespace) {
        record.name_space = table_.namespace_of(slots[i]);
      }
      listed_.records.push_back(std::move(record));
      chosen.push_back(slots[i]);
    }
  }
  for (size_t field = 0; field < listed_.fields.size(); ++field) {
    std::vector<std::string> texts = field_texts(chosen, field);
    for (size_t i = 0; i < chosen.size(); ++i) {
      listed_.records[first + i].fields.push_back(std::move(texts[i]));
    }
  }
}

}  // namespace thalweg::state
