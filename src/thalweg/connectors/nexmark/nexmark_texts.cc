#include "thalweg/connectors/nexmark/nexmark_texts.h"

#include <array>
#include <cmath>

#include <fmt/format.h>

namespace thalweg::connectors {

namespace {

constexpr size_t kPoolBytes = size_t{1} << 16U;
constexpr int64_t kShortestText = 3;
constexpr uint64_t kChannels = 10000;
/// Half of the bids come over the well-known channels.
constexpr uint64_t kHotChannels = 2;

constexpr std::array<std::string_view, 4> kHotChannelNames = {
    "Google", "Facebook", "Baidu", "Apple"};
constexpr std::array<std::string_view, 11> kFirstNames = {
    "Peter", "Paul", "Luke", "John", "Saul", "Vicky", "Kate", "Julie", "Sarah", "Deiter", "Walter"};
constexpr std::array<std::string_view, 9> kLastNames = {
    "Shultz", "Abrams", "Spencer", "White", "Bartels", "Walton", "Smith", "Jones", "Noris"};
constexpr std::array<std::string_view, 10> kCities = {"Phoenix",
                                                      "Los Angeles",
                                                      "San Francisco",
                                                      "Boise",
                                                      "Portland",
                                                      "Bend",
                                                      "Redmond",
                                                      "Seattle",
                                                      "Kent",
                                                      "Cheyenne"};
constexpr std::array<std::string_view, 6> kStates = {"AZ", "CA", "ID", "OR", "WA", "WY"};

template <size_t N>
std::string_view pick(const std::array<std::string_view, N>& from, RandomBits& random) {
  return from[random.up_to(N - 1)];
}

char letter(RandomBits& random) {
  return static_cast<char>('a' + static_cast<int>(random.up_to(25)));
}

/// One text in thirteen places has the special character.
std::string made_up_text(int64_t length, char special, RandomBits& random) {
  std::string text;
  for (int64_t i = 0; i < length; ++i) {
    text += random.up_to(12) == 0 ? special : letter(random);
  }
  return text;
}

std::string made_up_url(RandomBits& random) {
  std::string url = "https://www.nexmark.com/";
  for (int part = 0; part < 3; ++part) {
    url += made_up_text(random.between(3, 4), '_', random) + "/";
  }
  return url + "item.htm?query=1";
}

uint32_t reverse_bits(uint32_t value) {
  uint32_t reversed = 0;
  for (int bit = 0; bit < 32; ++bit) {
    reversed = reversed << 1U | (value >> static_cast<uint32_t>(bit) & 1U);
  }
  return reversed;
}

}  // namespace

NexmarkTexts::NexmarkTexts(uint64_t seed, int64_t longest) {
  RandomBits random(seed, 0, 0);
  const size_t size = kPoolBytes + static_cast<size_t>(longest);
  for (size_t i = 0; i < size; ++i) {
    letters_ += letter(random);
  }
  words_ = made_up_text(static_cast<int64_t>(size), ' ', random);
  for (const std::string_view name : kHotChannelNames) {
    hot_channels_.push_back({heap_.add(name), heap_.add(made_up_url(random))});
  }
  for (uint64_t i = 0; i < kChannels; ++i) {
    std::string url = made_up_url(random);
    if (random.up_to(9) > 0) {
      const auto id = static_cast<int32_t>(reverse_bits(static_cast<uint32_t>(i)));
      url += fmt::format("&channel_id={}", std::abs(static_cast<int64_t>(id)));
    }
    channels_.push_back({heap_.add(fmt::format("channel-{}", i)), heap_.add(url)});
  }
  for (size_t i = 0; i < kPrices; ++i) {
    const double exponent = 6.0 * static_cast<double>(i) / static_cast<double>(kPrices);
    prices_.push_back(std::llround(std::pow(10.0, exponent) * 100.0));
  }
}

StringView NexmarkTexts::words(int64_t longest, RandomBits& random) const {
  const int64_t length = random.between(kShortestText, longest - 1);
  const auto room = static_cast<uint64_t>(static_cast<int64_t>(words_.size()) - length);
  std::string_view text = std::string_view(words_).substr(static_cast<size_t>(random.up_to(room)),
                                                          static_cast<size_t>(length));
  while (text.starts_with(' ')) {
    text.remove_prefix(1);
  }
  while (text.ends_with(' ')) {
    text.remove_suffix(1);
  }
  return StringView(text);
}

StringView NexmarkTexts::extra(int64_t used, int64_t wanted, RandomBits& random) const {
  if (used > wanted) {
    return {};
  }
  const int64_t room = wanted - used;
  const int64_t spread = (room + 2) / 5;  // a fifth more or less
  return letters(spread == 0 ? room : room - spread + random.between(0, 2 * spread - 1), random);
}

const NexmarkChannel& NexmarkTexts::channel(RandomBits& random) const {
  if (random.up_to(kHotChannels - 1) > 0) {
    return hot_channels_[random.up_to(hot_channels_.size() - 1)];
  }
  return channels_[random.up_to(kChannels - 1)];
}

std::string_view NexmarkTexts::first_name(RandomBits& random) {
  return pick(kFirstNames, random);
}

std::string_view NexmarkTexts::last_name(RandomBits& random) {
  return pick(kLastNames, random);
}

std::string_view NexmarkTexts::city(RandomBits& random) {
  return pick(kCities, random);
}

std::string_view NexmarkTexts::state(RandomBits& random) {
  return pick(kStates, random);
}

}  // namespace thalweg::connectors
