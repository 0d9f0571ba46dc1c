#include "thalweg/types/bitmap_format.h"

#include <array>
#include <bit>
#include <cstring>
#include <vector>

#include <fmt/format.h>

#include "thalweg/common/check.h"

namespace thalweg::bitmap {

namespace {

constexpr uint32_t kCookieWithoutRuns = 12346;
constexpr uint32_t kCookieWithRuns = 12347;
constexpr size_t kMostContainers = size_t{1} << 16U;
constexpr uint32_t kContainerValues = uint32_t{1} << 16U;
/// A bitmap with runs and fewer containers has no offsets.
constexpr size_t kLeastContainersWithOffsets = 4;
constexpr uint32_t kMostArrayValues = 4096;
constexpr size_t kBitsetWords = 1024;
constexpr size_t kBitsetBytes = kBitsetWords * sizeof(uint64_t);
constexpr size_t kRunBytes = 2 * sizeof(uint16_t);

enum class Form : uint8_t { kArray, kBitset, kRuns };

/// A part of the bytes. `payload` is values, words, or pairs of a first value and a length less
/// one.
struct Container {
  uint16_t key = 0;
  Form form = Form::kArray;
  /// As written, which bytes from outside need not keep to for runs.
  uint32_t written_cardinality = 0;
  std::string_view payload;
};

/// Lower halves of consecutive values.
struct Run {
  uint32_t first;
  uint32_t last;
};

template <typename T>
T load(std::string_view bytes, size_t index) {
  T value;
  std::memcpy(&value, bytes.data() + index * sizeof(T), sizeof(T));
  return value;
}

template <typename T>
void store(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

/// Takes the bytes apart without looking into containers.
class Splitter {
 public:
  explicit Splitter(std::string_view bytes) : rest_(bytes) {}

  /// nullopt when the bytes end too early or do not begin as a bitmap.
  std::optional<std::vector<Container>> split() {
    const auto count = read_start();
    if (!count || rest_.size() < *count * 2 * sizeof(uint16_t)) {
      return std::nullopt;
    }
    const std::string_view descriptions = take(*count * 2 * sizeof(uint16_t));
    if (has_offsets_ && take(*count * sizeof(uint32_t)).size() < *count * sizeof(uint32_t)) {
      return std::nullopt;
    }
    std::vector<Container> containers;
    containers.reserve(*count);
    for (size_t i = 0; i < *count; ++i) {
      Container container{load<uint16_t>(descriptions, 2 * i),
                          form_of(i, load<uint16_t>(descriptions, 2 * i + 1)),
                          load<uint16_t>(descriptions, 2 * i + 1) + 1U,
                          {}};
      if (!read_payload(container)) {
        return std::nullopt;
      }
      containers.push_back(container);
    }
    return containers;
  }

 private:
  std::string_view take(size_t size) {
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(taken.size());
    return taken;
  }

  /// The number of containers.
  std::optional<size_t> read_start() {
    const std::string_view cookie_bytes = take(sizeof(uint32_t));
    if (cookie_bytes.size() < sizeof(uint32_t)) {
      return std::nullopt;
    }
    const auto cookie = load<uint32_t>(cookie_bytes, 0);
    if (cookie == kCookieWithoutRuns) {
      const std::string_view count_bytes = take(sizeof(uint32_t));
      if (count_bytes.size() < sizeof(uint32_t)) {
        return std::nullopt;
      }
      const auto count = load<uint32_t>(count_bytes, 0);
      has_offsets_ = true;
      return count <= kMostContainers ? std::optional<size_t>(count) : std::nullopt;
    }
    if ((cookie & 0xFFFFU) != kCookieWithRuns) {
      return std::nullopt;
    }
    const size_t count = (cookie >> 16U) + 1;
    run_flags_ = take((count + 7) / 8);
    has_offsets_ = count >= kLeastContainersWithOffsets;
    return run_flags_.size() == (count + 7) / 8 ? std::optional(count) : std::nullopt;
  }

  Form form_of(size_t index, uint16_t cardinality_less_one) const {
    if (!run_flags_.empty() &&
        (static_cast<unsigned char>(run_flags_[index / 8]) >> (index % 8) & 1U) != 0) {
      return Form::kRuns;
    }
    return cardinality_less_one < kMostArrayValues ? Form::kArray : Form::kBitset;
  }

  bool read_payload(Container& container) {
    size_t size = kBitsetBytes;
    if (container.form == Form::kArray) {
      size = container.written_cardinality * sizeof(uint16_t);
    } else if (container.form == Form::kRuns) {
      const std::string_view count = take(sizeof(uint16_t));
      if (count.size() < sizeof(uint16_t)) {
        return false;
      }
      size = load<uint16_t>(count, 0) * kRunBytes;
    }
    container.payload = take(size);
    return container.payload.size() == size;
  }

  std::string_view rest_;
  std::string_view run_flags_;
  bool has_offsets_ = false;
};

/// What decides a container's form.
struct Shape {
  uint32_t cardinality = 0;
  uint32_t runs = 0;
  bool is_valid = true;

  /// Java's RoaringBitmap.runOptimize of a container without runs.
  Form form() const {
    const bool is_array = cardinality <= kMostArrayValues;
    const size_t plain_bytes = is_array ? cardinality * sizeof(uint16_t) : kBitsetBytes;
    if (sizeof(uint16_t) + runs * kRunBytes < plain_bytes) {
      return Form::kRuns;
    }
    return is_array ? Form::kArray : Form::kBitset;
  }
};

Shape shape_of_array(const Container& container) {
  Shape shape{container.written_cardinality, 1};
  uint32_t previous = load<uint16_t>(container.payload, 0);
  for (size_t i = 1; i < shape.cardinality; ++i) {
    const uint32_t value = load<uint16_t>(container.payload, i);
    shape.is_valid &= value > previous;
    shape.runs += value != previous + 1 ? 1 : 0;
    previous = value;
  }
  return shape;
}

Shape shape_of_bitset(const Container& container) {
  Shape shape;
  uint64_t carried = 0;
  for (size_t i = 0; i < kBitsetWords; ++i) {
    const auto word = load<uint64_t>(container.payload, i);
    shape.cardinality += static_cast<uint32_t>(std::popcount(word));
    shape.runs += static_cast<uint32_t>(std::popcount(word & ~(word << 1U | carried)));
    carried = word >> 63U;
  }
  shape.is_valid = shape.cardinality == container.written_cardinality;
  return shape;
}

Run run_at(const Container& container, size_t index) {
  const uint32_t first = load<uint16_t>(container.payload, 2 * index);
  return {first, first + load<uint16_t>(container.payload, 2 * index + 1)};
}

/// Runs that touch count as one.
Shape shape_of_runs(const Container& container) {
  Shape shape;
  const size_t count = container.payload.size() / kRunBytes;
  int64_t previous_last = -2;
  for (size_t i = 0; i < count; ++i) {
    const Run run = run_at(container, i);
    shape.is_valid &= run.first > previous_last && run.last < kContainerValues;
    shape.cardinality += run.last - run.first + 1;
    shape.runs += run.first != previous_last + 1 ? 1 : 0;
    previous_last = run.last;
  }
  shape.is_valid &= count > 0;
  return shape;
}

Shape shape_of(const Container& container) {
  switch (container.form) {
    case Form::kArray:
      return shape_of_array(container);
    case Form::kBitset:
      return shape_of_bitset(container);
    case Form::kRuns:
      return shape_of_runs(container);
  }
  unreachable("form of a container");
}

/// Appends a run, or makes the last one longer.
void add_run(std::vector<Run>& runs, Run run) {
  if (!runs.empty() && runs.back().last + 1 == run.first) {
    runs.back().last = run.last;
  } else {
    runs.push_back(run);
  }
}

void add_word(std::vector<Run>& runs, uint64_t word, uint32_t base) {
  while (word != 0) {
    const auto first = static_cast<uint32_t>(std::countr_zero(word));
    const auto length = static_cast<uint32_t>(std::countr_one(word >> first));
    add_run(runs, {base + first, base + first + length - 1});
    word &= length == 64 ? 0 : ~(((uint64_t{1} << length) - 1) << first);
  }
}

std::vector<Run> runs_of(const Container& container) {
  std::vector<Run> runs;
  switch (container.form) {
    case Form::kArray:
      for (size_t i = 0; i < container.written_cardinality; ++i) {
        const uint32_t value = load<uint16_t>(container.payload, i);
        add_run(runs, {value, value});
      }
      break;
    case Form::kBitset:
      for (size_t i = 0; i < kBitsetWords; ++i) {
        add_word(runs, load<uint64_t>(container.payload, i), static_cast<uint32_t>(i * 64));
      }
      break;
    case Form::kRuns:
      for (size_t i = 0; i < container.payload.size() / kRunBytes; ++i) {
        add_run(runs, run_at(container, i));
      }
      break;
  }
  return runs;
}

void append_bitset(std::string& bytes, const std::vector<Run>& runs) {
  std::array<uint64_t, kBitsetWords> words{};
  for (const Run& run : runs) {
    for (uint32_t value = run.first; value <= run.last; ++value) {
      words[value / 64] |= uint64_t{1} << (value % 64);
    }
  }
  bytes.append(reinterpret_cast<const char*>(words.data()), kBitsetBytes);
}

void append_payload(std::string& bytes, const std::vector<Run>& runs, Form form) {
  if (form == Form::kBitset) {
    append_bitset(bytes, runs);
    return;
  }
  if (form == Form::kRuns) {
    store(bytes, static_cast<uint16_t>(runs.size()));
  }
  for (const Run& run : runs) {
    if (form == Form::kRuns) {
      store(bytes, static_cast<uint16_t>(run.first));
      store(bytes, static_cast<uint16_t>(run.last - run.first));
      continue;
    }
    for (uint32_t value = run.first; value <= run.last; ++value) {
      store(bytes, static_cast<uint16_t>(value));
    }
  }
}

/// Cookie, number of containers and, with runs, which have them.
std::string start_of(const std::vector<Shape>& shapes) {
  std::string bytes;
  std::string flags((shapes.size() + 7) / 8, '\0');
  bool has_runs = false;
  for (size_t i = 0; i < shapes.size(); ++i) {
    if (shapes[i].form() == Form::kRuns) {
      flags[i / 8] = static_cast<char>(flags[i / 8] | 1 << (i % 8));
      has_runs = true;
    }
  }
  const auto count = static_cast<uint32_t>(shapes.size());
  if (has_runs) {
    store(bytes, kCookieWithRuns | (count - 1) << 16U);
    bytes += flags;
  } else {
    store(bytes, kCookieWithoutRuns);
    store(bytes, count);
  }
  return bytes;
}

/// Each container in the form of its shape.
std::string write(const std::vector<Container>& containers, const std::vector<Shape>& shapes) {
  std::string bytes = start_of(shapes);
  const bool has_runs = load<uint16_t>(bytes, 0) == kCookieWithRuns;
  for (size_t i = 0; i < containers.size(); ++i) {
    store(bytes, containers[i].key);
    store(bytes, static_cast<uint16_t>(shapes[i].cardinality - 1));
  }
  const bool has_offsets = !has_runs || containers.size() >= kLeastContainersWithOffsets;
  const size_t offsets = bytes.size();
  bytes.resize(offsets + (has_offsets ? containers.size() * sizeof(uint32_t) : 0));
  for (size_t i = 0; i < containers.size(); ++i) {
    if (has_offsets) {
      const auto offset = static_cast<uint32_t>(bytes.size());
      std::memcpy(bytes.data() + offsets + i * sizeof(offset), &offset, sizeof(offset));
    }
    if (shapes[i].form() == containers[i].form && shapes[i].form() != Form::kRuns) {
      bytes += containers[i].payload;
    } else {
      append_payload(bytes, runs_of(containers[i]), shapes[i].form());
    }
  }
  return bytes;
}

std::vector<Container> split_trusted(std::string_view bitmap) {
  auto containers = Splitter(bitmap).split();
  check(containers.has_value(), "a value of type BITMAP that is no bitmap");
  return std::move(*containers);
}

}  // namespace

std::optional<std::string> from_untrusted(std::string_view bytes) {
  const auto containers = Splitter(bytes).split();
  if (!containers) {
    return std::nullopt;
  }
  std::vector<Shape> shapes;
  for (size_t i = 0; i < containers->size(); ++i) {
    const bool ascends = i == 0 || (*containers)[i].key > (*containers)[i - 1].key;
    shapes.push_back(shape_of((*containers)[i]));
    if (!ascends || !shapes[i].is_valid) {
      return std::nullopt;
    }
  }
  return write(*containers, shapes);
}

void make_canonical(std::string& bytes) {
  const std::vector<Container> containers = split_trusted(bytes);
  std::vector<Shape> shapes;
  bool changes = false;
  for (const Container& container : containers) {
    shapes.push_back(shape_of(container));
    changes = changes || shapes.back().form() != container.form;
  }
  if (changes) {
    bytes = write(containers, shapes);
  }
}

void visit_runs(std::string_view bitmap, const RunVisitor& visit) {
  for (const Container& container : split_trusted(bitmap)) {
    const uint32_t base = uint32_t{container.key} << 16U;
    for (const Run& run : runs_of(container)) {
      if (!visit(base + run.first, base + run.last)) {
        return;
      }
    }
  }
}

int64_t cardinality(std::string_view bitmap) {
  int64_t total = 0;
  for (const Container& container : split_trusted(bitmap)) {
    total += container.written_cardinality;
  }
  return total;
}

void append_text(std::string& out, std::string_view bitmap) {
  constexpr size_t kMostCharacters = 0x80000;
  const size_t start = out.size();
  out += '{';
  visit_runs(bitmap, [&](uint32_t first, uint32_t last) {
    for (uint64_t value = first; value <= last; ++value) {
      if (out.size() > start + 1) {
        out += ',';
        if (out.size() - start > kMostCharacters) {
          out += "...";
          return false;
        }
      }
      fmt::format_to(std::back_inserter(out), "{}", value);
    }
    return true;
  });
  out += '}';
}

}  // namespace thalweg::bitmap
