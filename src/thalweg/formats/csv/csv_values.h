#pragma once

#include <string>
#include <string_view>

#include "thalweg/formats/csv/csv_options.h"
#include "thalweg/types/column_builder.h"

namespace thalweg::formats {

/// Appends the value that `text` stands for in a column of a plain type, not NULL. False, with
/// nothing appended, when it stands for none.
bool append_csv_scalar(std::string_view text, const DataType& type, ColumnBuilder& builder);

/// The same for any column: arrays and rows are taken apart. NULL literals become NULL, and so does
/// what does not fit when errors are ignored; otherwise false, with `problem` saying why.
bool append_csv_value(std::string_view text,
                      const CsvOptions& options,
                      ColumnBuilder& builder,
                      std::string& problem);

}  // namespace thalweg::formats
