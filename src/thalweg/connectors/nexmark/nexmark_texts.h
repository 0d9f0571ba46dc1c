#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "thalweg/connectors/datagen/random_bits.h"
#include "thalweg/types/string_view.h"

namespace thalweg::connectors {

/// Where a bid came from.
struct NexmarkChannel {
  StringView name;
  StringView url;
};

/// Made-up texts, made once: events only point into them. Immutable, shared by all readers and kept
/// alive by the columns.
class NexmarkTexts {
 public:
  NexmarkTexts(uint64_t seed, int64_t longest);

  /// Any letters: exactly `length` of them.
  StringView letters(int64_t length, RandomBits& random) const {
    const auto room = static_cast<int64_t>(letters_.size()) - length;
    const auto at = static_cast<size_t>(random.up_to(static_cast<uint64_t>(room)));
    return StringView(std::string_view(letters_).substr(at, static_cast<size_t>(length)));
  }

  /// Letters and some spaces: from 3 to `longest` - 1 characters.
  StringView words(int64_t longest, RandomBits& random) const;

  /// Letters that fill an event of `used` bytes up to about `wanted`.
  StringView extra(int64_t used, int64_t wanted, RandomBits& random) const;

  const NexmarkChannel& channel(RandomBits& random) const;

  /// From 100 to 100,000,000; small ones are as likely as big ones on a logarithmic scale.
  int64_t price(RandomBits& random) const { return prices_[random.next() & (kPrices - 1)]; }

  static std::string_view first_name(RandomBits& random);
  static std::string_view last_name(RandomBits& random);
  static std::string_view city(RandomBits& random);
  static std::string_view state(RandomBits& random);

 private:
  static constexpr size_t kPrices = size_t{1} << 16U;

  std::string letters_;
  std::string words_;
  StringHeap heap_;
  std::vector<NexmarkChannel> hot_channels_;
  std::vector<NexmarkChannel> channels_;
  std::vector<int64_t> prices_;
};

}  // namespace thalweg::connectors
