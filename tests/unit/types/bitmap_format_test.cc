#include "thalweg/types/bitmap_format.h"

#include <vector>

#include <doctest/doctest.h>

namespace thalweg::bitmap {

namespace {

/// Spaces between digits are left out.
std::string bytes_of(std::string_view hex) {
  std::string bytes;
  std::string digits;
  for (const char c : hex) {
    if (c != ' ') {
      digits += c;
    }
  }
  for (size_t i = 0; i + 1 < digits.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16));
  }
  return bytes;
}

std::string text_of(std::string_view bitmap) {
  std::string text;
  append_text(text, bitmap);
  return text;
}

/// The text of a bitmap from outside, or "refused".
std::string read(std::string_view hex) {
  const auto bitmap = from_untrusted(bytes_of(hex));
  return bitmap ? text_of(*bitmap) : "refused";
}

constexpr std::string_view kEmpty = "3a300000 00000000";
constexpr std::string_view kArray = "3a300000 01000000 0000 0100 10000000 0100 0300";
constexpr std::string_view kRuns = "3b300000 01 0000 0300 0100 0100 0300";

/// One container of the values 0 and 2 to 65535.
std::string large_bitset(std::string_view cardinality_less_one) {
  std::string bytes =
      bytes_of("3a300000 01000000 0000") + bytes_of(cardinality_less_one) + bytes_of("10000000 fd");
  return bytes + std::string(8191, '\xff');
}

}  // namespace

TEST_CASE("bitmaps are read and shown") {
  CHECK(read(kEmpty) == "{}");
  CHECK(read(kArray) == "{1,3}");
  CHECK(read(kRuns) == "{1,2,3,4}");
  CHECK(read("3a300000 02000000 0000 0000 ffff 0000 18000000 1a000000 0000 ffff") ==
        "{0,4294967295}");
  CHECK(cardinality(bytes_of(kEmpty)) == 0);
  CHECK(cardinality(bytes_of(kArray)) == 2);
  CHECK(cardinality(bytes_of(kRuns)) == 4);
}

TEST_CASE("equal sets become equal bytes") {
  CHECK(from_untrusted(bytes_of(kArray)) == bytes_of(kArray));
  CHECK(from_untrusted(bytes_of(kRuns)) == bytes_of(kRuns));
  // Bytes behind it; a cardinality of runs that is wrong; runs that touch; an array of a run.
  CHECK(from_untrusted(bytes_of(kRuns) + "more") == bytes_of(kRuns));
  CHECK(from_untrusted(bytes_of("3b300000 01 0000 ffff 0100 0100 0300")) == bytes_of(kRuns));
  CHECK(from_untrusted(bytes_of("3b300000 01 0000 0300 0200 0100 0000 0200 0200")) ==
        bytes_of(kRuns));
  CHECK(from_untrusted(bytes_of("3a300000 01000000 0000 0300 10000000 0100 0200 0300 0400")) ==
        bytes_of(kRuns));
  // Runs that save nothing; the form with runs for a bitmap without.
  CHECK(from_untrusted(bytes_of("3b300000 01 0000 0100 0200 0100 0000 0300 0000")) ==
        bytes_of(kArray));
  CHECK(from_untrusted(bytes_of("3b300000 00 0000 0100 0100 0300")) == bytes_of(kArray));
  // A run of three is an array of the same size, as Java has it.
  CHECK(from_untrusted(bytes_of("3b300000 01 0000 0200 0100 0100 0200")) ==
        bytes_of("3a300000 01000000 0000 0200 10000000 0100 0200 0300"));
  // A bitset with few runs.
  CHECK(from_untrusted(large_bitset("feff")) ==
        bytes_of("3b300000 01 0000 feff 0200 0000 0000 0200 fdff"));
}

TEST_CASE("offsets of containers with runs come with the fourth") {
  const std::string start = "3b300300 0f 0000 0300 0100 0300 0200 0300 0300 0300";
  const std::string runs = "0100 0100 0300 0100 0100 0300 0100 0100 0300 0100 0100 0300";
  const std::string offsets = " 25000000 2b000000 31000000 37000000 ";
  const std::string bytes = bytes_of(start + offsets + runs);
  CHECK(from_untrusted(bytes) == bytes);
  // Wrong ones are not looked at.
  CHECK(from_untrusted(bytes_of(start + " 00000000 00000000 00000000 00000000 " + runs)) == bytes);
  CHECK(text_of(bytes).starts_with("{1,2,3,4,65537,"));
}

TEST_CASE("bytes that are no bitmap are refused") {
  const std::vector<std::string> broken = {
      "",
      "3a",
      "3a300000",
      "3a300000 0000",
      "3c300000 00000000",
      "3a300000 01000100",                                                  // 65537 containers
      "3a300000 01000000 0000",                                             // ends in a description
      "3a300000 01000000 0000 0100 1000",                                   // ends in an offset
      "3a300000 01000000 0000 0100 10000000 0100",                          // ends in an array
      "3a300000 01000000 0000 0100 10000000 0300 0100",                     // descends
      "3a300000 01000000 0000 0100 10000000 0300 0300",                     // repeats
      "3a300000 02000000 0000 0000 0000 0000 18000000 1a000000 0000 0000",  // one key twice
      "3b300000",
      "3b300000 01 0000 0300",
      "3b300000 01 0000 0300 0100 0100",                 // ends in a run
      "3b300000 01 0000 0300 0000",                      // no run
      "3b300000 01 0000 0300 0100 ffff 0100",            // beyond the container
      "3b300000 01 0000 0300 0200 0100 0300 0400 0000",  // overlaps
      "3b300000 01 0000 0300 0200 0500 0000 0100 0000",  // descends
      "3b30ffff 01",
  };
  for (const std::string& hex : broken) {
    CHECK_MESSAGE(read(hex) == "refused", hex);
  }
  CHECK_FALSE(from_untrusted(large_bitset("fdff")).has_value());
  CHECK_FALSE(from_untrusted(large_bitset("feff").substr(0, 8000)).has_value());
}

TEST_CASE("a long text is cut where Java cuts it") {
  // 65536 values a container, 0 to 131071.
  const std::string all = bytes_of("3b300100 03 0000 ffff 0100 ffff 0100 0000 ffff 0100 0000 ffff");
  const std::string text = text_of(*from_untrusted(all));
  CHECK(text.starts_with("{0,1,2,"));
  CHECK(text.ends_with(",...}"));
  CHECK(text.size() > 0x80000);
  CHECK(text.size() < 0x80000 + 12);
  CHECK(cardinality(all) == 131072);
}

TEST_CASE("a visit ends when it is told to") {
  std::vector<uint32_t> firsts;
  visit_runs(bytes_of("3a300000 01000000 0000 0200 10000000 0100 0300 0500"),
             [&](uint32_t first, uint32_t) {
               firsts.push_back(first);
               return firsts.size() < 2;
             });
  CHECK(firsts == std::vector<uint32_t>{1, 3});
}

}  // namespace thalweg::bitmap
