#pragma once

#include <optional>
#include <string>
#include <vector>

#include "thalweg/stream/option.h"
#include "thalweg/types/data_type.h"

namespace thalweg::formats {

/// The checked options of one use of the format.
struct CsvOptions {
  /// One character, as UTF-8.
  std::string delimiter = ",";
  std::optional<char> quote = '"';
  std::optional<char> escape;
  bool allow_comments = false;
  bool ignore_parse_errors = false;
  std::string array_delimiter = ";";
  std::optional<std::string> null_literal;
  bool scientific_decimals = true;
};

std::vector<stream::OptionSpec> csv_option_specs();

/// Throws kInvalidOption.
CsvOptions read_csv_options(const stream::OptionMap& options);

/// Throws kUnsupportedFormatType for types without a CSV form: maps, and what is nested deeper than
/// once.
void check_csv_schema(const Schema& schema);

}  // namespace thalweg::formats
