#include "thalweg/formats/json/json_decoder.h"

#include <algorithm>

#include <fmt/format.h>

#include "thalweg/common/error.h"
#include "thalweg/formats/json/json_index.h"
#include "thalweg/formats/json/json_reader.h"
#include "thalweg/formats/json/json_template.h"
#include "thalweg/formats/json/json_text.h"

namespace thalweg::formats {

namespace {

/// Records are indexed together up to this many bytes: enough to forget the cost of the call, few
/// enough for the cache.
constexpr size_t kChunkBytes = size_t{1} << 15U;

/// So many records unlike the one before are borne before only now and then one is compared.
constexpr uint32_t kPatience = 16;
constexpr uint32_t kRetryAfter = 64;

/// Texts with room behind them, and the index over them.
struct IndexedText {
  std::vector<char> bytes = std::vector<char>(kChunkBytes * 2);
  size_t size = 0;
  JsonIndex index = {};

  void clear() { size = 0; }

  /// Adds a record and a line end, which no string goes over.
  void add(std::string_view record) {
    const size_t needed = size + record.size() + 1 + JsonIndex::kPadding;
    if (bytes.size() < needed) {
      bytes.resize(needed * 2);
    }
    std::copy(record.begin(), record.end(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
    size += record.size();
    bytes[size++] = '\n';
  }

  std::string_view run() {
    std::memset(bytes.data() + size, ' ', JsonIndex::kPadding);
    return index.run(bytes.data(), size);
  }
};

class JsonDecoder final : public stream::Decoder {
 public:
  JsonDecoder(const Schema& schema, JsonOptions options) : reader_(schema, std::move(options)) {}

  stream::DecodeResult decode(std::span<const std::string_view> records,
                              std::span<ColumnBuilder> builders,
                              std::vector<int32_t>* rows_per_record,
                              std::vector<RowKind>* kinds) override {
    static_cast<void>(kinds);
    stream::DecodeResult result;
    row_ = builders.empty() ? 0 : builders.front().size();
    while (!records.empty() && !result.failure) {
      const size_t count = fill_chunk(records);
      decode_chunk(records.first(count), builders, rows_per_record, result);
      records = records.subspan(count);
    }
    return result;
  }

 private:
  size_t fill_chunk(std::span<const std::string_view> records) {
    chunk_.clear();
    size_t count = 0;
    do {
      chunk_.add(records[count++]);
    } while (count < records.size() && chunk_.size + records[count].size() < kChunkBytes);
    return count;
  }

  void decode_chunk(std::span<const std::string_view> records,
                    std::span<ColumnBuilder> builders,
                    std::vector<int32_t>* rows_per_record,
                    stream::DecodeResult& result) {
    // One record that can't be indexed spoils the index of all: then each is looked at alone.
    const bool indexed = chunk_.run().empty();
    const uint32_t* position = chunk_.index.positions();
    uint32_t limit = 0;
    for (const std::string_view record : records) {
      limit += static_cast<uint32_t>(record.size()) + 1;
      bool row = false;
      if (!record.empty()) {
        row = (indexed && decode_indexed(position, limit, builders)) ||
              decode_alone(record, builders);
        if (!row && !reader_.options().ignore_parse_errors) {
          result.failure =
              Error(ErrorCode::kBadRecord,
                    fmt::format("Failed to deserialize JSON '{}'. {}", record, problem_));
          return;
        }
        result.skipped += row ? 0 : 1;
      }
      row_ += row ? 1 : 0;
      ++result.records;
      if (rows_per_record != nullptr) {
        rows_per_record->push_back(row ? 1 : 0);
      }
    }
  }

  /// A record of the chunk; `position` moves past it.
  bool decode_indexed(const uint32_t*& position,
                      uint32_t limit,
                      std::span<ColumnBuilder> builders) {
    JsonWalker walker(chunk_.index, chunk_.bytes.data(), position, limit);
    const bool row = read_usual(walker, builders) || read_any(walker, position, builders);
    position = walker.position();
    // Behind a record's end there may be more of it, and a broken one stops anywhere.
    while (*position < limit && *position < chunk_.size) {
      ++position;
    }
    if (!row) {
      truncate(builders);
    }
    return row;
  }

  /// A record that looks like the one before.
  bool read_usual(JsonWalker& walker, std::span<ColumnBuilder> builders) {
    if (misses_ > kPatience && misses_ % kRetryAfter != 0) {
      return false;
    }
    if (walker.take('{') && template_.read(walker, builders)) {
      misses_ = 0;
      return true;
    }
    truncate(builders);
    return false;
  }

  /// Any record, from its start; the next ones may look like it.
  bool read_any(JsonWalker& walker, const uint32_t* start, std::span<ColumnBuilder> builders) {
    walker = JsonWalker(chunk_.index, chunk_.bytes.data(), start, walker.limit());
    if (!reader_.read_record(walker, builders, row_)) {
      return false;
    }
    if (misses_ <= kPatience || misses_ % kRetryAfter == 0) {
      template_.learn(reader_.plan(), reader_.options());
    }
    ++misses_;
    return true;
  }

  /// A record by itself, as it is and then with what Jackson forgives put right.
  bool decode_alone(std::string_view record, std::span<ColumnBuilder> builders) {
    if (decode_single(record, builders)) {
      return true;
    }
    const std::string problem = std::move(problem_);
    const std::optional<std::string> repaired = tolerate_json(record);
    if (repaired && decode_single(*repaired, builders)) {
      return true;
    }
    problem_ = problem;
    return false;
  }

  bool decode_single(std::string_view record, std::span<ColumnBuilder> builders) {
    single_.clear();
    single_.add(record);
    problem_ = single_.run();
    if (!problem_.empty()) {
      return false;
    }
    JsonWalker walker(single_.index,
                      single_.bytes.data(),
                      single_.index.positions(),
                      static_cast<uint32_t>(single_.size));
    if (reader_.read_record(walker, builders, row_)) {
      return true;
    }
    problem_ = reader_.problem();
    truncate(builders);
    return false;
  }

  void truncate(std::span<ColumnBuilder> builders) const {
    for (ColumnBuilder& builder : builders) {
      builder.truncate(row_);
    }
  }

  JsonReader reader_;
  JsonTemplate template_;
  /// Records since the last that looked like the one before it.
  uint32_t misses_ = 0;
  IndexedText chunk_;
  IndexedText single_;
  int32_t row_ = 0;
  std::string problem_;
};

}  // namespace

std::unique_ptr<stream::Decoder> make_json_decoder(const Schema& schema, JsonOptions options) {
  return std::make_unique<JsonDecoder>(schema, std::move(options));
}

}  // namespace thalweg::formats
