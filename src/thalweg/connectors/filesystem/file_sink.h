#pragma once

#include <memory>

#include "thalweg/connectors/filesystem/filesystem_options.h"

namespace thalweg::connectors {

/// Writes part files, which become visible with their checkpoint or at the end of the input.
std::shared_ptr<stream::TableSink> make_file_sink(const stream::TableContext& context,
                                                  FilesystemOptions options);

}  // namespace thalweg::connectors
