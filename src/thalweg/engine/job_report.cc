#include "thalweg/engine/job_report.h"

#include <limits>

#include "thalweg/stream/metrics.h"
#include "thalweg/types/text.h"

namespace thalweg::engine {

namespace {

namespace metric = stream::metric;

int64_t value_of(const runtime::OperatorMetrics& metrics, const char* name) {
  const auto found = metrics.values.find(name);
  return found == metrics.values.end() ? 0 : found->second;
}

/// "12,345,678".
std::string grouped(int64_t number) {
  const std::string digits = std::to_string(number);
  std::string text;
  for (size_t i = 0; i < digits.size(); ++i) {
    const size_t left = digits.size() - i;
    if (i > 0 && left % 3 == 0) {
      text += ',';
    }
    text += digits[i];
  }
  return text;
}

std::string time_text(int64_t ms) {
  std::string text;
  text::append_timestamp(text, ms, 3);
  return text;
}

/// The subtasks of one operator, added up.
struct OperatorTotals {
  std::string name;
  int64_t rows_in = 0;
  int64_t rows_out = 0;
  int64_t filtered = 0;
  int64_t late = 0;
  int64_t dropped_at_end = 0;
  int64_t next_window_end = std::numeric_limits<int64_t>::max();
  int64_t watermark = std::numeric_limits<int64_t>::max();
};

std::map<uint32_t, OperatorTotals> totals_by_operator(const runtime::Job& job) {
  std::map<uint32_t, OperatorTotals> all;
  for (const runtime::OperatorMetrics& metrics : job.metrics()) {
    OperatorTotals& totals = all[metrics.id.value];
    totals.name = metrics.name;
    totals.rows_in += value_of(metrics, metric::kRowsIn);
    totals.rows_out += value_of(metrics, metric::kRowsOut);
    totals.filtered += value_of(metrics, metric::kFilteredRows);
    totals.late += value_of(metrics, metric::kLateRows);
    totals.dropped_at_end += value_of(metrics, metric::kDroppedAtEnd);
    if (metrics.values.contains(metric::kNextWindowEnd)) {
      totals.next_window_end =
          std::min(totals.next_window_end, value_of(metrics, metric::kNextWindowEnd));
    }
    if (metrics.values.contains(metric::kCurrentWatermark)) {
      totals.watermark = std::min(totals.watermark, value_of(metrics, metric::kCurrentWatermark));
    }
  }
  return all;
}

std::string why_operator_is_silent(const OperatorTotals& totals) {
  if (totals.dropped_at_end > 0) {
    return fmt::format(
        "{} rows were in processing-time windows that had not ended when the input ended; such "
        "windows are "
        "dropped (use event time for bounded input)",
        grouped(totals.dropped_at_end));
  }
  if (totals.filtered > 0 && totals.filtered == totals.rows_in) {
    return fmt::format(
        "all {} rows were filtered out by {}", grouped(totals.filtered), totals.name);
  }
  if (totals.late > 0 && totals.late == totals.rows_in) {
    return fmt::format("all {} rows were late: their windows had ended by the watermark ({})",
                       grouped(totals.late),
                       totals.name);
  }
  const bool waits_for_window =
      totals.rows_in > 0 && totals.next_window_end != std::numeric_limits<int64_t>::max();
  if (!waits_for_window) {
    return {};
  }
  if (totals.watermark == kMinEventTime.ms) {
    return fmt::format(
        "no watermark has come yet; the first window ends at {} (a partition without rows holds it "
        "back: set "
        "'table.exec.source.idle-timeout')",
        time_text(totals.next_window_end));
  }
  return fmt::format("the watermark is at {}, the first window ends at {}",
                     time_text(totals.watermark),
                     time_text(totals.next_window_end));
}

}  // namespace

JobTotals totals_of(const runtime::Job& job) {
  JobTotals totals;
  for (const runtime::OperatorMetrics& metrics : job.metrics()) {
    totals.late += value_of(metrics, metric::kLateRows);
    totals.bad += value_of(metrics, metric::kBadRecords);
    // A source has no input and a sink no output to count.
    if (!metrics.values.contains(metric::kRowsIn)) {
      totals.rows_in += value_of(metrics, metric::kRowsOut);
    } else if (!metrics.values.contains(metric::kRowsOut)) {
      totals.rows_out += value_of(metrics, metric::kRowsIn);
    }
  }
  return totals;
}

std::string summary_of(const runtime::Job& job) {
  const JobTotals totals = totals_of(job);
  return fmt::format("{} rows in, {} rows out, {} late, {} bad records",
                     grouped(totals.rows_in),
                     grouped(totals.rows_out),
                     grouped(totals.late),
                     grouped(totals.bad));
}

std::string why_silent(const runtime::Job& job) {
  const JobTotals totals = totals_of(job);
  if (totals.rows_out > 0) {
    return {};
  }
  if (totals.rows_in == 0) {
    return totals.bad > 0 ? fmt::format("all {} records were bad and skipped", grouped(totals.bad))
                          : "no rows were read";
  }
  for (const auto& [id, one] : totals_by_operator(job)) {
    std::string reason = why_operator_is_silent(one);
    if (!reason.empty()) {
      return reason;
    }
  }
  return {};
}

}  // namespace thalweg::engine
