#include "row_text.h"

#include <stdexcept>

#include <fmt/format.h>

#include "thalweg/types/column_builder.h"
#include "thalweg/types/text.h"

namespace thalweg::golden {

namespace {

constexpr std::string_view kFirstDay = "1970-01-01 ";
constexpr std::string_view kNoFraction = ".000";

std::string_view trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') {
    text.remove_prefix(1);
  }
  while (!text.empty() && text.back() == ' ') {
    text.remove_suffix(1);
  }
  return text;
}

std::vector<std::string_view> split_cells(std::string_view line) {
  std::vector<std::string_view> cells;
  while (true) {
    const size_t bar = line.find(" |");
    cells.push_back(trim(line.substr(0, bar)));
    if (bar == std::string_view::npos) {
      return cells;
    }
    line.remove_prefix(bar + 2);
  }
}

RowKind parse_kind(std::string_view name) {
  for (const RowKind kind :
       {RowKind::kInsert, RowKind::kUpdateBefore, RowKind::kUpdateAfter, RowKind::kDelete}) {
    if (name == short_name(kind)) {
      return kind;
    }
  }
  throw std::runtime_error("a row begins with +I, -U, +U or -D, not " + std::string(name));
}

Value parse_value(std::string_view text, const DataType& type) {
  if (text == "NULL") {
    return {};
  }
  switch (type.physical()) {
    case PhysicalKind::kBool:
      return Value(text::parse_boolean(text).value());
    case PhysicalKind::kFloat:
    case PhysicalKind::kDouble:
      return Value(text::parse_double(text).value());
    case PhysicalKind::kString:
      return Value(std::string(text));
    case PhysicalKind::kInt128:
      return Value(text::parse_decimal(text, type.precision(), type.scale()).value());
    default:
      break;
  }
  if (type.kind() == TypeKind::kDate) {
    return Value(int64_t{text::parse_date(text).value()});
  }
  return Value(type.is_timestamp() ? parse_time(text) : text::parse_int64(text).value());
}

std::string shorten_time(std::string text) {
  if (text.starts_with(kFirstDay)) {
    text.erase(0, kFirstDay.size());
  }
  if (text.ends_with(kNoFraction)) {
    text.erase(text.size() - kNoFraction.size());
  }
  return text;
}

}  // namespace

int64_t parse_time(std::string_view text) {
  const bool has_date = text.find('-') != std::string_view::npos;
  const std::string whole =
      has_date ? std::string(text) : std::string(kFirstDay) + std::string(text);
  const auto value = text::parse_timestamp(whole, 3);
  if (!value) {
    throw std::runtime_error("not a time: " + std::string(text));
  }
  return static_cast<int64_t>(*value);
}

std::string format_time(int64_t ms) {
  std::string text;
  text::append_timestamp(text, ms, 3);
  return shorten_time(std::move(text));
}

std::vector<Batch> parse_rows(const std::vector<std::string>& lines,
                              const Schema& schema,
                              size_t batch_rows) {
  std::vector<Batch> batches;
  std::vector<ColumnBuilder> builders = make_builders(schema);
  std::vector<RowKind> kinds;
  const auto finish = [&] {
    if (!kinds.empty()) {
      Batch& batch = batches.emplace_back(finish_batch(builders));
      batch.set_kinds(std::move(kinds));
      kinds.clear();
    }
  };
  for (const std::string& line : lines) {
    const std::vector<std::string_view> cells =
        split_cells(std::string_view(line).substr(std::min<size_t>(3, line.size())));
    if (cells.size() != schema.size()) {
      throw std::runtime_error(
          fmt::format("{} cells for {} columns: {}", cells.size(), schema.size(), line));
    }
    kinds.push_back(parse_kind(std::string_view(line).substr(0, 2)));
    for (size_t i = 0; i < cells.size(); ++i) {
      builders[i].append_value(parse_value(cells[i], schema[i].type));
    }
    if (kinds.size() == batch_rows) {
      finish();
    }
  }
  finish();
  return batches;
}

std::vector<std::string> format_rows(const Batch& batch) {
  std::vector<std::string> lines;
  for (int32_t row = 0; row < batch.row_count(); ++row) {
    std::string line(short_name(batch.kind(row)));
    for (size_t i = 0; i < batch.columns().size(); ++i) {
      const Column& column = batch.column(i);
      std::string cell;
      text::append_value(cell, column, row, text::Style::kCast, TimeZone::utc());
      line += i == 0 ? " " : " | ";
      line += column.type().is_timestamp() ? shorten_time(std::move(cell)) : cell;
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace thalweg::golden
