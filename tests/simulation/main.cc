// Runs small jobs one thread at a time, with faults that a seed chooses, and looks whether every
// row was committed once. Some seeds are run twice: the threads must take the same turns.
//
// usage: simulation_test [--first SEED] [--seeds N] [--verbose]     (default: 1500 seeds from 1)
// A failure names its seed; `--first SEED --seeds 1` replays it.

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include <unistd.h>

#include "simulation/scenario.h"

namespace thalweg::simulation {

namespace {

constexpr uint64_t kReplayEach = 10;

struct Arguments {
  uint64_t first = 1;
  uint64_t seeds = 1500;
  bool verbose = false;
};

Arguments parse(int count, char** values) {
  Arguments arguments;
  for (int i = 1; i < count; ++i) {
    const std::string_view name = values[i];
    if (name == "--verbose") {
      arguments.verbose = true;
    } else if (name == "--first" && i + 1 < count) {
      arguments.first = std::strtoull(values[++i], nullptr, 10);
    } else if (name == "--seeds" && i + 1 < count) {
      arguments.seeds = std::strtoull(values[++i], nullptr, 10);
    } else {
      std::fprintf(stderr, "usage: simulation_test [--first SEED] [--seeds N] [--verbose]\n");
      std::exit(2);
    }
  }
  return arguments;
}

void report(const Scenario& scenario, const std::string& what) {
  std::fprintf(stderr,
               "FAILED seed %llu: %s\n  %s\n  replay: simulation_test --first %llu --seeds 1\n",
               static_cast<unsigned long long>(scenario.seed),
               what.c_str(),
               scenario.to_string().c_str(),
               static_cast<unsigned long long>(scenario.seed));
}

/// What is wrong with an outcome, or "".
std::string fault_of(const Scenario& scenario, const Outcome& outcome) {
  if (!outcome.failure.empty()) {
    return outcome.failure;
  }
  const std::vector<std::string> wanted = expected(scenario);
  if (outcome.committed == wanted) {
    return "";
  }
  const auto [had, missed] = std::mismatch(
      outcome.committed.begin(), outcome.committed.end(), wanted.begin(), wanted.end());
  return fmt::format("{} rows were committed, not {}; the first that differs is '{}', not '{}'",
                     outcome.committed.size(),
                     wanted.size(),
                     had == outcome.committed.end() ? "" : *had,
                     missed == wanted.end() ? "" : *missed);
}

int run_all(const Arguments& arguments) {
  // In memory where that can be: thousands of checkpoints would wait for the disk.
  const std::filesystem::path memory = "/dev/shm";
  const std::filesystem::path above =
      std::filesystem::is_directory(memory) ? memory : std::filesystem::temp_directory_path();
  const std::string folder = above / fmt::format("thalweg-simulation-{}", ::getpid());
  std::filesystem::create_directories(folder);
  int64_t failed = 0;
  int64_t struck = 0;
  for (uint64_t seed = arguments.first; seed < arguments.first + arguments.seeds; ++seed) {
    const Scenario scenario(seed);
    const Outcome outcome = run(scenario, folder);
    struck += outcome.faults_struck;
    std::string fault = fault_of(scenario, outcome);
    if (fault.empty() && (seed % kReplayEach == 0 || arguments.seeds == 1)) {
      const Outcome again = run(scenario, folder);
      if (again.trace_hash != outcome.trace_hash || again.turns != outcome.turns) {
        fault = fmt::format(
            "the same seed took {} turns, then {}, or others", outcome.turns, again.turns);
      }
    }
    if (!fault.empty()) {
      ++failed;
      report(scenario, fault);
    } else if (arguments.verbose) {
      std::printf("seed %llu: %lld turns, %lld faults; %s\n",
                  static_cast<unsigned long long>(seed),
                  static_cast<long long>(outcome.turns),
                  static_cast<long long>(outcome.faults_struck),
                  scenario.to_string().c_str());
    }
  }
  std::filesystem::remove_all(folder);
  std::printf("%llu seeds, %lld faults struck, %lld failed\n",
              static_cast<unsigned long long>(arguments.seeds),
              static_cast<long long>(struck),
              static_cast<long long>(failed));
  return failed == 0 ? 0 : 1;
}

}  // namespace

}  // namespace thalweg::simulation

int main(int count, char** values) {
  return thalweg::simulation::run_all(thalweg::simulation::parse(count, values));
}
