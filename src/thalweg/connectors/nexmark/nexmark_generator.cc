#include "thalweg/connectors/nexmark/nexmark_generator.h"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include "thalweg/common/error.h"

namespace thalweg::connectors {

namespace {

constexpr int64_t kFirstPerson = 1000;
constexpr int64_t kFirstAuction = 1000;
constexpr int64_t kFirstCategory = 10;
constexpr int64_t kCategories = 5;
/// Bids and auctions may name people and auctions that are yet to come.
constexpr int64_t kPersonLead = 10;
constexpr int64_t kAuctionLead = 10;
/// One in so many is hot for a time.
constexpr int64_t kHotSpacing = 100;

/// A ROW of Nexmark: its fields in order. A table declares all of them, by whatever names; under
/// these names it may leave some out.
struct Shape {
  std::string_view name;
  NexmarkKind kind;
  std::vector<std::pair<std::string_view, TypeKind>> fields;
};

const std::array<Shape, 3>& shapes() {
  using enum TypeKind;
  static const std::array<Shape, 3> kShapes = {Shape{"person",
                                                     NexmarkKind::kPerson,
                                                     {{"id", kBigInt},
                                                      {"name", kVarChar},
                                                      {"emailAddress", kVarChar},
                                                      {"creditCard", kVarChar},
                                                      {"city", kVarChar},
                                                      {"state", kVarChar},
                                                      {"dateTime", kTimestamp},
                                                      {"extra", kVarChar}}},
                                               Shape{"auction",
                                                     NexmarkKind::kAuction,
                                                     {{"id", kBigInt},
                                                      {"itemName", kVarChar},
                                                      {"description", kVarChar},
                                                      {"initialBid", kBigInt},
                                                      {"reserve", kBigInt},
                                                      {"dateTime", kTimestamp},
                                                      {"expires", kTimestamp},
                                                      {"seller", kBigInt},
                                                      {"category", kBigInt},
                                                      {"extra", kVarChar}}},
                                               Shape{"bid",
                                                     NexmarkKind::kBid,
                                                     {{"auction", kBigInt},
                                                      {"bidder", kBigInt},
                                                      {"price", kBigInt},
                                                      {"channel", kVarChar},
                                                      {"url", kVarChar},
                                                      {"dateTime", kTimestamp},
                                                      {"extra", kVarChar}}}};
  return kShapes;
}

const Shape* shape_of(const std::string& column) {
  for (const Shape& shape : shapes()) {
    if (shape.name == column) {
      return &shape;
    }
  }
  return nullptr;
}

bool fits(TypeKind kind, const DataType& type) {
  return type.kind() == kind && (!type.is_timestamp() || type.precision() == 3);
}

/// Where in the shape each field of a row type stands; nothing when it is not one of its rows.
std::optional<std::vector<size_t>> places_in(const Shape& shape, const DataType& type) {
  if (type.kind() != TypeKind::kRow || type.child_count() == 0) {
    return std::nullopt;
  }
  const bool is_whole = type.child_count() == shape.fields.size();
  std::vector<size_t> places;
  size_t place = 0;
  for (const Field& field : type.fields()) {
    while (!is_whole && place < shape.fields.size() && shape.fields[place].first != field.name) {
      ++place;
    }
    if (place == shape.fields.size() || !fits(shape.fields[place].second, field.type)) {
      return std::nullopt;
    }
    places.push_back(place++);
  }
  return places;
}

void check_column(const Field& column) {
  if (column.name == "event_type" && column.type.kind() == TypeKind::kInt) {
    return;
  }
  const Shape* const shape = shape_of(column.name);
  if (shape != nullptr && places_in(*shape, column.type)) {
    return;
  }
  std::vector<std::string> columns = {"event_type INT"};
  for (const Shape& known : shapes()) {
    std::vector<std::string> fields;
    for (const auto& [name, kind] : known.fields) {
      fields.push_back(fmt::format("`{}` {}",
                                   name,
                                   kind == TypeKind::kBigInt    ? "BIGINT"
                                   : kind == TypeKind::kVarChar ? "VARCHAR"
                                                                : "TIMESTAMP(3)"));
    }
    columns.push_back(fmt::format("{} ROW<{}>", known.name, fmt::join(fields, ", ")));
  }
  throw Error(ErrorCode::kInvalidTable,
              fmt::format("Column '{}' {} is none of the 'nexmark' connector's.",
                          column.name,
                          column.type.to_string()))
      .hint(fmt::format("Its columns are: {}", fmt::join(columns, ", ")));
}

template <typename T>
void put(const MutableColumnPtr& column, int32_t row, T value) {
  if (column != nullptr) {
    column->mutable_values<T>()[static_cast<size_t>(row)] = value;
  }
}

void put_text(const MutableColumnPtr& column, int32_t row, std::string_view text) {
  if (column != nullptr) {
    put(column, row, column->heap().add(text));
  }
}

/// True when there are fields besides those: what follows is made from random bits, of which each
/// event has its own.
bool has_other_than(std::initializer_list<size_t> known,
                    const std::vector<MutableColumnPtr>& fields) {
  const auto wanted = std::count_if(
      fields.begin(), fields.end(), [](const auto& field) { return field != nullptr; });
  return wanted > std::count_if(known.begin(), known.end(), [&fields](size_t field) {
           return fields[field] != nullptr;
         });
}

/// The values of a column to fill; none when it is left out.
template <typename T>
std::span<T> values_of(const MutableColumnPtr& column) {
  return column == nullptr ? std::span<T>() : column->mutable_values<T>();
}

template <typename T>
void put(std::span<T> values, size_t at, T value) {
  if (!values.empty()) {
    values[at] = value;
  }
}

}  // namespace

/// A run of events, and which of them are of which kind.
struct NexmarkGenerator::Rows {
  int64_t first;
  int32_t count;
  /// Rows of people, auctions and bids.
  std::array<std::vector<int32_t>, 3> of_kind;

  Rows(int64_t first_event, int32_t rows, const NexmarkModel& model)
      : first(first_event), count(rows) {
    int64_t place = first % model.events_per_round();
    for (int32_t row = 0; row < count; ++row) {
      of_kind[static_cast<size_t>(model.kind_of(place))].push_back(row);
      place = place + 1 == model.events_per_round() ? 0 : place + 1;
    }
  }
};

NexmarkGenerator::NexmarkGenerator(Schema columns, const NexmarkModel& model, uint64_t seed)
    : columns_(std::move(columns)),
      model_(model),
      seed_(seed),
      texts_(std::make_shared<const NexmarkTexts>(
          seed, 2 * std::max({model.person_bytes, model.auction_bytes, model.bid_bytes}))) {
  for (const Field& column : columns_) {
    check_column(column);
  }
}

bool NexmarkGenerator::has_usual_names() const {
  return std::all_of(columns_.begin(), columns_.end(), [](const Field& column) {
    const Shape* const shape = shape_of(column.name);
    return shape == nullptr || std::equal(shape->fields.begin(),
                                          shape->fields.end(),
                                          column.type.fields().begin(),
                                          column.type.fields().end(),
                                          [](const auto& known, const Field& field) {
                                            return known.first == field.name;
                                          });
  });
}

Batch NexmarkGenerator::generate(int64_t first, int32_t count) const {
  const Rows rows(first, count, model_);
  std::vector<ColumnPtr> columns;
  for (const Field& column : columns_) {
    columns.push_back(shape_of(column.name) == nullptr ? event_types(rows) : events(column, rows));
  }
  return {count, std::move(columns)};
}

ColumnPtr NexmarkGenerator::event_types(const Rows& rows) const {
  const MutableColumnPtr column = Column::make(DataType::integer(), rows.count);
  const std::span<int32_t> values = column->mutable_values<int32_t>();
  for (size_t kind = 0; kind < rows.of_kind.size(); ++kind) {
    for (const int32_t row : rows.of_kind[kind]) {
      values[static_cast<size_t>(row)] = static_cast<int32_t>(kind);
    }
  }
  return column;
}

ColumnPtr NexmarkGenerator::events(const Field& of, const Rows& rows) const {
  const DataType& type = of.type;
  const Shape& shape = *shape_of(of.name);
  const std::vector<size_t> places = *places_in(shape, type);
  const std::vector<int32_t>& present = rows.of_kind[static_cast<size_t>(shape.kind)];
  std::vector<uint64_t> validity((static_cast<size_t>(rows.count) + 63) / 64);
  for (const int32_t row : present) {
    validity[static_cast<size_t>(row) >> 6U] |= uint64_t{1} << (static_cast<uint32_t>(row) & 63U);
  }
  std::vector<ColumnPtr> children;
  std::vector<MutableColumnPtr> fields(shape.fields.size());
  for (size_t i = 0; i < type.child_count(); ++i) {
    const MutableColumnPtr field = Column::make(type.child(i).as_nullable(), rows.count);
    std::copy(validity.begin(), validity.end(), field->mutable_validity().begin());
    if (type.child(i).is_character()) {
      field->keep_alive(texts_);
    }
    fields[places[i]] = field;
    children.push_back(field);
  }
  switch (shape.kind) {
    case NexmarkKind::kPerson:
      for (const int32_t row : present) {
        fill_person(rows.first + row, row, fields);
      }
      break;
    case NexmarkKind::kAuction:
      for (const int32_t row : present) {
        fill_auction(rows.first + row, row, fields);
      }
      break;
    case NexmarkKind::kBid:
      fill_bids(rows, fields);
      break;
  }
  const MutableColumnPtr column = Column::make_struct(type, rows.count, std::move(children));
  std::copy(validity.begin(), validity.end(), column->mutable_validity().begin());
  return column;
}

int64_t NexmarkGenerator::any_person(NexmarkModel::Newest newest, RandomBits& random) const {
  const int64_t people = newest.person + 1;
  const int64_t active = std::min(people, model_.active_people);
  return people - active + random.between(0, active + kPersonLead - 1);
}

int64_t NexmarkGenerator::any_auction(NexmarkModel::Newest newest, RandomBits& random) const {
  const int64_t oldest = std::max<int64_t>(newest.auction - model_.auctions_in_flight, 0);
  return oldest + random.between(0, newest.auction - oldest + kAuctionLead);
}

/// So long that about as many auctions are open as there should be.
int64_t NexmarkGenerator::auction_length_ms(int64_t event, RandomBits& random) const {
  const int64_t events_ahead =
      model_.auctions_in_flight * model_.events_per_round() / model_.auction_proportion;
  const int64_t horizon = model_.time_of(event + events_ahead) - model_.time_of(event);
  return 1 + random.between(0, std::max<int64_t>(horizon * 2, 1) - 1);
}

void NexmarkGenerator::fill_person(int64_t event,
                                   int32_t row,
                                   std::vector<MutableColumnPtr>& fields) const {
  put(fields[0], row, model_.newest(event).person + kFirstPerson);
  put(fields[6], row, model_.time_of(event));
  if (!has_other_than({0, 6}, fields)) {
    return;
  }
  RandomBits random(seed_, static_cast<uint64_t>(event), 0);
  const std::string name =
      fmt::format("{} {}", NexmarkTexts::first_name(random), NexmarkTexts::last_name(random));
  const std::string email = fmt::format(
      "{}@{}.com", texts_->letters(7, random).view(), texts_->letters(5, random).view());
  const std::string card = fmt::format("{:04} {:04} {:04} {:04}",
                                       random.up_to(9999),
                                       random.up_to(9999),
                                       random.up_to(9999),
                                       random.up_to(9999));
  const std::string_view city = NexmarkTexts::city(random);
  const std::string_view state = NexmarkTexts::state(random);
  const auto used = static_cast<int64_t>(8 + name.size() + email.size() + card.size() +
                                         city.size() + state.size());
  put_text(fields[1], row, name);
  put_text(fields[2], row, email);
  put_text(fields[3], row, card);
  put(fields[4], row, StringView(city));
  put(fields[5], row, StringView(state));
  put(fields[7], row, texts_->extra(used, model_.person_bytes, random));
}

void NexmarkGenerator::fill_auction(int64_t event,
                                    int32_t row,
                                    std::vector<MutableColumnPtr>& fields) const {
  const NexmarkModel::Newest newest = model_.newest(event);
  put(fields[0], row, newest.auction + kFirstAuction);
  put(fields[5], row, model_.time_of(event));
  if (!has_other_than({0, 5}, fields)) {
    return;
  }
  RandomBits random(seed_, static_cast<uint64_t>(event), 0);
  const bool hot = random.between(0, model_.hot_sellers_ratio - 1) > 0;
  const int64_t seller =
      hot ? newest.person / kHotSpacing * kHotSpacing : any_person(newest, random);
  const StringView item = texts_->words(20, random);
  const StringView description = texts_->words(100, random);
  const int64_t initial_bid = texts_->price(random);
  put(fields[1], row, item);
  put(fields[2], row, description);
  put(fields[3], row, initial_bid);
  put(fields[4], row, initial_bid + texts_->price(random));
  put(fields[6], row, model_.time_of(event) + auction_length_ms(event, random));
  put(fields[7], row, seller + kFirstPerson);
  put(fields[8], row, kFirstCategory + random.between(0, kCategories - 1));
  const auto used = static_cast<int64_t>(8 * 6 + item.size() + description.size());
  put(fields[9], row, texts_->extra(used, model_.auction_bytes, random));
}

/// Nearly all events are bids.
void NexmarkGenerator::fill_bids(const Rows& rows, std::vector<MutableColumnPtr>& fields) const {
  const auto auctions = values_of<int64_t>(fields[0]);
  const auto bidders = values_of<int64_t>(fields[1]);
  const auto prices = values_of<int64_t>(fields[2]);
  const auto channels = values_of<StringView>(fields[3]);
  const auto urls = values_of<StringView>(fields[4]);
  const auto times = values_of<int64_t>(fields[5]);
  const auto extras = values_of<StringView>(fields[6]);
  for (const int32_t row : rows.of_kind[static_cast<size_t>(NexmarkKind::kBid)]) {
    const int64_t event = rows.first + row;
    const auto at = static_cast<size_t>(row);
    const NexmarkModel::Newest newest = model_.newest(event);
    RandomBits random(seed_, static_cast<uint64_t>(event), 0);
    const bool hot_auction = random.between(0, model_.hot_auctions_ratio - 1) > 0;
    const int64_t auction =
        hot_auction ? newest.auction / kHotSpacing * kHotSpacing : any_auction(newest, random);
    const bool hot_bidder = random.between(0, model_.hot_bidders_ratio - 1) > 0;
    const int64_t bidder =
        hot_bidder ? newest.person / kHotSpacing * kHotSpacing + 1 : any_person(newest, random);
    const NexmarkChannel& channel = texts_->channel(random);
    put(auctions, at, auction + kFirstAuction);
    put(bidders, at, bidder + kFirstPerson);
    put(prices, at, texts_->price(random));
    put(channels, at, channel.name);
    put(urls, at, channel.url);
    put(times, at, model_.time_of(event));
    if (!extras.empty()) {
      extras[at] = texts_->extra(8 * 4, model_.bid_bytes, random);
    }
  }
}

}  // namespace thalweg::connectors
