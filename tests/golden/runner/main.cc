// Runs golden files under every setting. usage: golden_runner [--only SETTING] PATH...
//
// A path is a file or a folder of *.test files. Prints what disagrees and 'N passed, M failed'.

#include <cstdio>
#include <exception>

#include "golden_run.h"

namespace thalweg::golden {

namespace {

std::vector<std::filesystem::path> files_below(const std::filesystem::path& path) {
  if (!std::filesystem::is_directory(path)) {
    return {path};
  }
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(path)) {
    if (entry.path().extension() == ".test") {
      files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<Settings> all_settings() {
  std::vector<Settings> settings;
  for (const int32_t parallelism : {1, 4}) {
    for (const size_t batch_rows : {1, 1024}) {
      for (const bool restarts : {false, true}) {
        settings.push_back({parallelism, batch_rows, restarts});
      }
    }
  }
  return settings;
}

/// True when every run of the file agrees.
bool check_file(const std::filesystem::path& path) {
  const GoldenFile file = read_golden_file(path);
  bool good = true;
  for (const Settings& settings : all_settings()) {
    if (settings.restarts_between_feeds && file.header.contains("restarts")) {
      continue;
    }
    for (const std::string& failure : GoldenRun(file, settings).run()) {
      std::printf("%s\n", failure.c_str());
      good = false;
    }
  }
  std::printf("%s %s\n", good ? "ok  " : "FAIL", path.c_str());
  return good;
}

}  // namespace

}  // namespace thalweg::golden

int main(int argc, char** argv) {
  int passed = 0;
  int failed = 0;
  for (int i = 1; i < argc; ++i) {
    for (const auto& path : thalweg::golden::files_below(argv[i])) {
      try {
        (thalweg::golden::check_file(path) ? passed : failed)++;
      } catch (const std::exception& error) {
        std::printf("FAIL %s: %s\n", path.c_str(), error.what());
        ++failed;
      }
      std::fflush(stdout);
    }
  }
  std::printf("%d passed, %d failed\n", passed, failed);
  return failed == 0 && passed > 0 ? 0 : 1;
}
