#include "thalweg/engine/result_printer.h"

#include <chrono>

#include "thalweg/engine/character_width.h"
#include "thalweg/types/text.h"

namespace thalweg::engine {

namespace {

constexpr std::string_view kNullCell = "<NULL>";
constexpr std::string_view kCut = "...";

int64_t steady_ms() {
  const auto since_start = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(since_start).count();
}

/// The code point at the front of `text`, which is cut behind it. Malformed bytes count as one
/// each.
uint32_t pop_code_point(std::string_view& text) {
  const auto lead = static_cast<uint8_t>(text.front());
  const size_t length = lead < 0x80          ? 1
                        : (lead >> 5U) == 6  ? 2
                        : (lead >> 4U) == 14 ? 3
                        : (lead >> 3U) == 30 ? 4
                                             : 1;
  if (length == 1 || text.size() < length) {
    text.remove_prefix(1);
    return lead;
  }
  uint32_t point = lead & (0x7FU >> length);
  for (size_t i = 1; i < length; ++i) {
    point = point << 6U | (static_cast<uint8_t>(text[i]) & 0x3FU);
  }
  text.remove_prefix(length);
  return point;
}

/// The longest prefix that takes at most `width` columns.
std::string_view cut_to_width(std::string_view text, int32_t width) {
  std::string_view rest = text;
  int32_t used = 0;
  while (!rest.empty()) {
    const std::string_view before = rest;
    used += character_width(pop_code_point(rest));
    if (used > width) {
      return text.substr(0, text.size() - before.size());
    }
  }
  return text;
}

int32_t timestamp_width(int32_t precision) {
  return precision == 0 ? 19 : 20 + precision;
}

/// Flink's width for values of a type, or `fallback` where it has none (TableauStyle).
int32_t width_of_type(const DataType& type, int32_t fallback) {
  switch (type.kind()) {
    case TypeKind::kTinyInt:
      return 4;
    case TypeKind::kSmallInt:
      return 6;
    case TypeKind::kInt:
      return 11;
    case TypeKind::kBigInt:
      return 20;
    case TypeKind::kDecimal:
      return type.precision() + 2;
    case TypeKind::kBoolean:
      return 5;
    case TypeKind::kDate:
      return 10;
    case TypeKind::kTime:
      return type.precision() == 0 ? 8 : type.precision() + 9;
    case TypeKind::kTimestamp:
    case TypeKind::kTimestampLtz:
      return timestamp_width(type.precision());
    default:
      return fallback;
  }
}

std::string rows_in_set(int64_t count) {
  return fmt::format("{} {} in set", count, count == 1 ? "row" : "rows");
}

}  // namespace

int32_t display_width(std::string_view text) {
  int32_t width = 0;
  while (!text.empty()) {
    width += character_width(pop_code_point(text));
  }
  return width;
}

ResultPrinter::ResultPrinter(Result& result, PrinterOptions options)
    : result_(result), options_(std::move(options)), started_ms_(steady_ms()) {
  if (result_.shows_row_kinds) {
    widths_.push_back(2);
  }
  for (const Field& field : result_.schema) {
    widths_.push_back(display_width(field.name));
  }
  if (!widths_come_from_content()) {
    set_widths_by_type();
  }
}

bool ResultPrinter::widths_come_from_content() const {
  const bool is_batch_query = result_.kind == Result::Kind::kQuery && !result_.shows_row_kinds;
  return result_.kind == Result::Kind::kListing || result_.kind == Result::Kind::kText ||
         (options_.style == PrintStyle::kClient && is_batch_query);
}

void ResultPrinter::set_widths_by_type() {
  const size_t first = result_.shows_row_kinds ? 1 : 0;
  for (size_t i = 0; i < result_.schema.size(); ++i) {
    const int32_t width = width_of_type(result_.schema[i].type, options_.max_column_width);
    int32_t& chosen = widths_[first + i];
    chosen = std::max({chosen, width, static_cast<int32_t>(kNullCell.size())});
  }
}

void ResultPrinter::widen_to(const std::vector<Row>& rows, int32_t limit) {
  for (const Row& row : rows) {
    for (size_t i = 0; i < row.size(); ++i) {
      widths_[i] = std::max(widths_[i], std::min(limit, display_width(row[i])));
    }
  }
}

std::vector<ResultPrinter::Row> ResultPrinter::render_rows(const Batch& batch) const {
  std::vector<Row> rows(static_cast<size_t>(batch.row_count()));
  for (int32_t row = 0; row < batch.row_count(); ++row) {
    Row& cells = rows[static_cast<size_t>(row)];
    if (result_.shows_row_kinds) {
      cells.emplace_back(short_name(batch.kind(row)));
    }
    for (const ColumnPtr& column : batch.columns()) {
      std::string& cell = cells.emplace_back();
      if (column->is_null(row)) {
        cell = kNullCell;
      } else {
        text::append_value(cell, *column, row, text::Style::kCast, options_.zone);
      }
    }
  }
  return rows;
}

std::string ResultPrinter::border() const {
  std::string text = "+";
  for (const int32_t width : widths_) {
    text += std::string(static_cast<size_t>(width) + 2, '-') + "+";
  }
  return text + "\n";
}

/// Right-aligned; longer cells are cut.
std::string ResultPrinter::fitted(std::string_view cell, int32_t width) {
  std::string cut;
  int32_t own = display_width(cell);
  if (own > width) {
    cut = cut_to_width(cell, width - static_cast<int32_t>(kCut.size()));
    cut += kCut;
    cell = cut;
    own = display_width(cell);
  }
  std::string text(static_cast<size_t>(std::max(0, width - own)), ' ');
  text += cell;
  return text;
}

std::string ResultPrinter::line(const Row& cells) const {
  std::string text = "|";
  for (size_t i = 0; i < cells.size(); ++i) {
    text += " " + fitted(cells[i], widths_[i]) + " |";
  }
  return text + "\n";
}

std::string ResultPrinter::plain_line(const Row& cells) const {
  std::string text;
  for (size_t i = 0; i < cells.size(); ++i) {
    text += (i == 0 ? "" : "  ") + fitted(cells[i], widths_[i]);
  }
  return text + "\n";
}

ResultPrinter::Row ResultPrinter::names() const {
  Row names;
  if (result_.shows_row_kinds) {
    names.emplace_back("op");
  }
  for (const Field& field : result_.schema) {
    names.push_back(field.name);
  }
  return names;
}

std::string ResultPrinter::header() const {
  return border() + line(names()) + border();
}

std::string ResultPrinter::first_text() {
  switch (result_.kind) {
    case Result::Kind::kOk:
      ended_ = true;
      return options_.style == PrintStyle::kClient ? "[INFO] Execute statement succeeded.\n"
                                                   : "OK\n";
    case Result::Kind::kInsert:
      ended_ = true;
      return options_.style == PrintStyle::kPrint ? "-1\n" : "";
    case Result::Kind::kQuery:
      if (options_.style == PrintStyle::kChangelog) {
        return plain_line(names());
      }
      return options_.style == PrintStyle::kClient && !widths_come_from_content() ? header() : "";
    default:
      return "";
  }
}

std::string ResultPrinter::table_rows(const Batch& batch) {
  std::string text;
  const bool header_is_due =
      row_count_ == 0 && options_.style == PrintStyle::kPrint && batch.row_count() > 0;
  if (header_is_due) {
    text = header();
  }
  row_count_ += batch.row_count();
  for (const Row& row : render_rows(batch)) {
    if (options_.style == PrintStyle::kChangelog) {
      text += plain_line(row);
    } else {
      text += line(row);
    }
  }
  return text;
}

std::string ResultPrinter::last_text() {
  const double seconds = static_cast<double>(steady_ms() - started_ms_) / 1000.0;
  if (options_.style == PrintStyle::kChangelog) {
    return "";
  }
  if (options_.style == PrintStyle::kClient && !widths_come_from_content()) {
    return border() + fmt::format("Received a total of {} {} ({:.2f} seconds)\n",
                                  row_count_,
                                  row_count_ == 1 ? "row" : "rows",
                                  seconds);
  }
  const std::string time =
      options_.style == PrintStyle::kClient ? fmt::format(" ({:.2f} seconds)", seconds) : "";
  if (row_count_ == 0) {
    return "Empty set" + time + "\n";
  }
  return border() + rows_in_set(row_count_) + time + "\n";
}

std::optional<std::string> ResultPrinter::next_by_content(int64_t max_wait_ms) {
  Batch batch;
  const ResultRows::State state = result_.rows->next(max_wait_ms, batch);
  if (state == ResultRows::State::kPending) {
    return "";
  }
  if (state == ResultRows::State::kBatch) {
    std::vector<Row> rows = render_rows(batch);
    std::move(rows.begin(), rows.end(), std::back_inserter(held_rows_));
    return "";
  }
  ended_ = true;
  if (result_.kind == Result::Kind::kText) {
    return held_rows_.empty() ? "" : held_rows_[0][0] + "\n";
  }
  row_count_ = static_cast<int64_t>(held_rows_.size());
  if (row_count_ == 0) {
    return last_text();
  }
  const bool is_query = result_.kind == Result::Kind::kQuery;
  widen_to(held_rows_, is_query ? options_.max_column_width : std::numeric_limits<int32_t>::max());
  std::string text = header();
  for (const Row& row : held_rows_) {
    text += line(row);
  }
  return text + last_text();
}

std::optional<std::string> ResultPrinter::next(int64_t max_wait_ms) {
  if (ended_) {
    return std::nullopt;
  }
  if (!started_) {
    started_ = true;
    std::string text = first_text();
    if (!text.empty() || ended_) {
      return text;
    }
  }
  if (widths_come_from_content()) {
    return next_by_content(max_wait_ms);
  }
  Batch batch;
  switch (result_.rows->next(max_wait_ms, batch)) {
    case ResultRows::State::kPending:
      return "";
    case ResultRows::State::kBatch:
      return table_rows(batch);
    case ResultRows::State::kEnd:
      ended_ = true;
      return last_text();
  }
  return std::nullopt;
}

}  // namespace thalweg::engine
