#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "thalweg/common/time_zone.h"
#include "thalweg/engine/result.h"

namespace thalweg::engine {

enum class PrintStyle : uint8_t {
  /// TableResult.print().
  kPrint,
  /// Flink's SQL client in tableau mode: times in the footer, widths from content in batch.
  kClient,
  /// One line for each change, no frame.
  kChangelog,
};

struct PrinterOptions {
  PrintStyle style = PrintStyle::kPrint;
  int32_t max_column_width = 30;
  TimeZone zone;
};

/// Turns a result into Flink's text, piece by piece as rows come. One result, one thread.
class ResultPrinter {
 public:
  /// `result` outlives the printer.
  ResultPrinter(Result& result, PrinterOptions options);

  /// Complete lines, each with its newline; empty when nothing came within `max_wait_ms`; nullopt
  /// after the last.
  std::optional<std::string> next(int64_t max_wait_ms);

 private:
  using Row = std::vector<std::string>;

  std::string first_text();
  std::string table_rows(const Batch& batch);
  std::string last_text();
  std::string header() const;
  std::string border() const;
  Row names() const;
  static std::string fitted(std::string_view cell, int32_t width);
  std::string line(const Row& cells) const;
  std::string plain_line(const Row& cells) const;
  std::vector<Row> render_rows(const Batch& batch) const;
  void set_widths_by_type();
  void widen_to(const std::vector<Row>& rows, int32_t limit);
  bool widths_come_from_content() const;
  std::optional<std::string> next_by_content(int64_t max_wait_ms);

  Result& result_;
  PrinterOptions options_;
  std::vector<int32_t> widths_;
  std::vector<Row> held_rows_;
  int64_t row_count_ = 0;
  int64_t started_ms_;
  bool started_ = false;
  bool ended_ = false;
};

/// Columns of a printed table that a text is given (character_width).
int32_t display_width(std::string_view text);

}  // namespace thalweg::engine
