#pragma once

#include <memory>

#include "thalweg/formats/csv/csv_options.h"
#include "thalweg/stream/format.h"

namespace thalweg::formats {

/// Writes each row as delimited fields, quoted where Jackson would.
std::unique_ptr<stream::Encoder> make_csv_encoder(CsvOptions options);

}  // namespace thalweg::formats
