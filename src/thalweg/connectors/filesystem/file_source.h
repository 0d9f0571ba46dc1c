#pragma once

#include <memory>

#include "thalweg/connectors/filesystem/filesystem_options.h"

namespace thalweg::connectors {

/// Reads the files of a table: one split each, whose position is a byte offset.
std::shared_ptr<stream::TableSource> make_file_source(const stream::TableContext& context,
                                                      FilesystemOptions options);

}  // namespace thalweg::connectors
