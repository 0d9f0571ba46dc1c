#pragma once

#include <string>
#include <vector>

#include "thalweg/connectors/filesystem/filesystem_options.h"

namespace thalweg::connectors {

/// The files of a table in order of their paths. Throws kFileNotFound when the path does not exist.
/// With partition keys, only files below a directory for each of them.
std::vector<std::string> discover_files(const FilesystemOptions& options,
                                        const std::vector<std::string>& partition_keys);

}  // namespace thalweg::connectors
