#include "thalweg/connectors/filesystem/file_discovery.h"

#include <algorithm>
#include <regex>

#include <fmt/format.h>

#include "thalweg/common/error.h"
#include "thalweg/connectors/filesystem/partition_path.h"

namespace thalweg::connectors {

namespace {

namespace fs = std::filesystem;

bool is_hidden(const fs::path& path) {
  const std::string name = path.filename().string();
  return name.starts_with('.') || name.starts_with('_');
}

void list_below(const fs::path& directory, std::vector<std::string>& files) {
  std::error_code error;
  for (fs::recursive_directory_iterator at(directory, error), end; !error && at != end;
       at.increment(error)) {
    if (is_hidden(at->path())) {
      at.disable_recursion_pending();
    } else if (at->is_regular_file(error)) {
      files.push_back(at->path().string());
    }
    // A file may go between being listed and being looked at.
    error.clear();
  }
  if (error) {
    throw Error(ErrorCode::kIoFailed,
                fmt::format("Could not list {}: {}", directory.string(), error.message()));
  }
}

std::regex compile_pattern(const std::string& pattern) {
  try {
    return std::regex(pattern);
  } catch (const std::regex_error& error) {
    throw Error(ErrorCode::kInvalidOption,
                fmt::format("Invalid value for option 'source.path.regex-pattern': {} ({})",
                            pattern,
                            error.what()));
  }
}

}  // namespace

std::vector<std::string> discover_files(const FilesystemOptions& options,
                                        const std::vector<std::string>& partition_keys) {
  std::vector<std::string> files;
  if (fs::is_directory(options.path)) {
    list_below(options.path, files);
  } else if (fs::exists(options.path)) {
    files.push_back(options.path.string());
  } else if (partition_keys.empty()) {
    throw Error(ErrorCode::kFileNotFound,
                fmt::format("File does not exist: {}", options.path.string()))
        .hint("Check the path: a table's option 'path', or what the FileSource was given.");
  }
  if (options.path_pattern) {
    const std::regex pattern = compile_pattern(*options.path_pattern);
    std::erase_if(files,
                  [&pattern](const std::string& file) { return !std::regex_match(file, pattern); });
  }
  if (!partition_keys.empty()) {
    const size_t base = options.path.string().size();
    std::erase_if(files, [&partition_keys, base](const std::string& file) {
      const PartitionTexts texts = parse_partition_path(std::string_view(file).substr(base));
      return std::any_of(partition_keys.begin(), partition_keys.end(), [&texts](const auto& key) {
        return !texts.contains(key);
      });
    });
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace thalweg::connectors
