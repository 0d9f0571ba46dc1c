#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

// Runs a fuzz target without libFuzzer: the seeds of a folder as they are, then random changes of
// them. The same number gives the same inputs. usage: TARGET FOLDER [RUNS [SEED]]    replay of one
// input: TARGET FILE

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

constexpr int64_t kDefaultRuns = 20000;
constexpr size_t kMaxSize = 4096;
constexpr int kMaxChanges = 6;

using Random = std::mt19937_64;

size_t below(Random& random, size_t limit) {
  return limit == 0 ? 0 : random() % limit;
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// One change: a byte, a bit, a cut, a doubled piece, or a piece of another seed.
void change(std::string& input, const std::vector<std::string>& seeds, Random& random) {
  enum Change : uint8_t { kByte, kBit, kCut, kDouble, kSplice, kChangeCount };

  const size_t at = below(random, input.size() + 1);
  const size_t length = 1 + below(random, 16);
  switch (below(random, kChangeCount)) {
    case kByte:
      input.insert(at, 1, static_cast<char>(random()));
      break;
    case kBit:
      if (at < input.size()) {
        input[at] = static_cast<char>(input[at] ^ (1 << below(random, 8)));
      }
      break;
    case kCut:
      input.erase(at, length);
      break;
    case kDouble:
      input.insert(at, input.substr(at, length));
      break;
    default: {
      const std::string& other = seeds[below(random, seeds.size())];
      const size_t from = below(random, other.size() + 1);
      input.insert(at, other.substr(from, 4 * length));
      break;
    }
  }
}

/// The input that is being run, left behind by a crash to be replayed.
class LastInput {
 public:
  explicit LastInput(std::string path)
      : path_(std::move(path)), file_(::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {}

  void keep(const std::string& input) const {
    if (::ftruncate(file_, static_cast<off_t>(input.size())) != 0 ||
        ::pwrite(file_, input.data(), input.size(), 0) < 0) {
      std::cerr << "cannot write " << path_ << '\n';
    }
  }

  void forget() const { ::unlink(path_.c_str()); }

 private:
  std::string path_;
  int file_;
};

void run(const std::string& input) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(input.data()), input.size());
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) {
    std::cerr << "usage: TARGET FOLDER [RUNS [SEED]]\n       TARGET FILE\n";
    return 2;
  }
  const std::filesystem::path from = arguments[1];
  if (std::filesystem::is_regular_file(from)) {
    run(read_file(from));
    return 0;
  }
  std::vector<std::string> seeds;
  for (const auto& entry : std::filesystem::directory_iterator(from)) {
    seeds.push_back(read_file(entry.path()));
  }
  std::sort(seeds.begin(), seeds.end());
  if (seeds.empty()) {
    std::cerr << "no seeds in " << from << '\n';
    return 2;
  }
  const int64_t runs = count > 2 ? std::atoll(arguments[2]) : kDefaultRuns;
  Random random(count > 3 ? static_cast<uint64_t>(std::atoll(arguments[3])) : 1);
  const LastInput last(std::string(arguments[0]) + ".last-input");
  for (const std::string& seed : seeds) {
    last.keep(seed);
    run(seed);
  }
  for (int64_t i = 0; i < runs; ++i) {
    std::string input = seeds[below(random, seeds.size())];
    for (size_t changes = 1 + below(random, kMaxChanges); changes > 0; --changes) {
      change(input, seeds, random);
    }
    input.resize(std::min(input.size(), kMaxSize));
    last.keep(input);
    run(input);
  }
  last.forget();
  std::cout << std::filesystem::path(arguments[0]).filename().string() << ": " << seeds.size()
            << " seeds, " << runs << " changed inputs passed\n";
  return 0;
}
