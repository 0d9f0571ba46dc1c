#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "thalweg/types/batch.h"
#include "thalweg/types/data_type.h"

namespace thalweg::golden {

/// Rows in golden files: "+I ann | 12:00:01 | NULL". A time of day alone means the first of January
/// 1970, in both directions.

/// Appends one row a batch of `batch_rows`; throws std::runtime_error for text that does not fit
/// the schema.
std::vector<Batch> parse_rows(const std::vector<std::string>& lines,
                              const Schema& schema,
                              size_t batch_rows);

std::vector<std::string> format_rows(const Batch& batch);

/// ms since the epoch of "12:00:01.5" or "2024-01-02 03:04:05".
int64_t parse_time(std::string_view text);
std::string format_time(int64_t ms);

}  // namespace thalweg::golden
