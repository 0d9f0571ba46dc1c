#pragma once

#include <cstdint>
#include <string>

#include "thalweg/runtime/job.h"

namespace thalweg::engine {

/// What went through a job so far, added up over its operators.
struct JobTotals {
  int64_t rows_in = 0;
  int64_t rows_out = 0;
  int64_t late = 0;
  int64_t bad = 0;
};

JobTotals totals_of(const runtime::Job& job);

/// "1,200 rows in, 40 rows out, 3 late, 0 bad records".
std::string summary_of(const runtime::Job& job);

/// In one line, why a job has given no rows: no input, all filtered, the watermark behind the first
/// window's end, all late, processing-time windows dropped at the end. Empty when it can't tell.
std::string why_silent(const runtime::Job& job);

}  // namespace thalweg::engine
