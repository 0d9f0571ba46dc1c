#include <doctest/doctest.h>

#include "thalweg/functions/time/fixed_layout.h"
#include "thalweg/functions/time/java_date_pattern.h"
#include "thalweg/types/civil_date.h"

namespace thalweg::functions {

namespace {

constexpr int64_t kTime = 1'710'506'096'789;  // 2024-03-15 12:34:56.789

std::string formatted(std::string_view pattern, PatternStyle style, int64_t ms = kTime) {
  std::string text;
  JavaDatePattern::compile(pattern, style)->format(text, {ms, 123'456});
  return text;
}

std::string parsed(std::string_view pattern, PatternStyle style, std::string_view text) {
  const auto time = JavaDatePattern::compile(pattern, style)->parse(text);
  if (!time) {
    return "none";
  }
  std::string shown;
  JavaDatePattern::compile("uuuu-MM-dd HH:mm:ss.SSSSSSSSS", PatternStyle::kFormatter)
      ->format(shown, *time);
  return shown;
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

}  // namespace

TEST_CASE("a fixed layout takes digits where digits stand and nothing else") {
  // Shorter than a word, a word, and no whole number of words.
  for (const std::string_view form : {"00:00", "0000-0000", "0000-00-00 00:00:00", "0"}) {
    FixedLayout layout;
    for (const char c : form) {
      REQUIRE((c == '0' ? layout.add_number(1) : layout.add_text({&c, 1})));
    }
    CHECK(layout.form() == form);
    for (size_t place = 0; place < form.size(); ++place) {
      for (int code = 0; code < 256; ++code) {
        std::string text(form);
        text[place] = static_cast<char>(code);
        const bool expected = form[place] == '0' ? is_digit(text[place]) : text == form;
        FixedLayout::Digits digits;
        REQUIRE_MESSAGE(layout.read(text, digits) == expected, text);
        if (form[place] == '0' && expected) {
          CHECK(digits[place] == text[place] - '0');
        }
      }
    }
    FixedLayout::Digits digits;
    CHECK_FALSE(layout.read(std::string(form) + "0", digits));
    CHECK_FALSE(layout.read(form.substr(1), digits));
  }
  FixedLayout layout;
  CHECK(layout.add_text(std::string(FixedLayout::kLongest, 'x')));
  CHECK_FALSE(layout.add_number(1));
}

TEST_CASE("numbers of fixed widths are written and read like others") {
  constexpr auto kFormatter = PatternStyle::kFormatter;
  constexpr auto kSimple = PatternStyle::kSimple;
  CHECK(formatted("yyyy-MM-dd HH:mm:ss.SSS", kFormatter) == "2024-03-15 12:34:56.789");
  CHECK(formatted("yyMMdd", kFormatter) == "240315");
  CHECK(formatted("SSSSSS", kFormatter) == "789123");
  CHECK(formatted("SSSSSSSSSSSS", kFormatter) == "789123456000");
  CHECK(formatted("HH 'o''clock'", kFormatter) == "12 o'clock");
  CHECK(formatted("''''", kFormatter) == "'");
  CHECK(formatted("''''", kSimple) == "''");
  CHECK(formatted("'a''b' HH", kFormatter) == "a'b 12");
  CHECK(formatted("'o''clock'''", kSimple) == "o'clock'");
  CHECK_FALSE(JavaDatePattern::compile("'''", kFormatter).has_value());
  CHECK_FALSE(JavaDatePattern::compile("HH 'h", kSimple).has_value());
  CHECK(formatted("hh:mm a", kFormatter) == "12:34 PM");
  CHECK(formatted("kk KK DD", kSimple, 0) == "24 00 01");
  // Too wide for its place: as many digits as it takes.
  CHECK(formatted("yyyy-MM", kFormatter, kMsPerDay * 10'000'000) == "+29349-01");
  CHECK(formatted("yyyy-MM", kSimple, kMsPerDay * 10'000'000) == "29349-01");
  CHECK(formatted("y-MM", kFormatter, kMsPerDay * 10'000'000) == "29349-01");
  CHECK(formatted("yyyyy-MM", kFormatter, kMsPerDay * 10'000'000) == "29349-01");
  CHECK(formatted("DD.yyyy", kFormatter) == "75.2024");
  CHECK(formatted("DD.yyyy", kFormatter, kTime + 100 * kMsPerDay) == "175.2024");
  CHECK(formatted("uuuu-MM-dd", kFormatter, -62'198'755'200'000) == "-0001-01-01");
  CHECK(formatted("yyyy-MM-dd G", kFormatter, -62'198'755'200'000) == "0002-01-01 BC");

  CHECK(parsed("yyyy-MM-dd HH:mm:ss", kFormatter, "2024-02-29 23:59:59") ==
        "2024-02-29 23:59:59.000000000");
  CHECK(parsed("yyyyMMddHHmmssSSS", kFormatter, "20240229235959123") ==
        "2024-02-29 23:59:59.123000000");
  CHECK(parsed("yyMMdd", kFormatter, "701231") == "2070-12-31 00:00:00.000000000");
  CHECK(parsed("yyMMdd", kSimple, "701231") == "1970-12-31 00:00:00.000000000");
  CHECK(parsed("HH:mm:ss.SSS", kSimple, "01:02:03.004") == "1970-01-01 01:02:03.004000000");
  CHECK(parsed("yyyy-MM-dd", kFormatter, "2023-02-29") == "none");
  CHECK(parsed("yyyy-MM-dd", kSimple, "2023-02-29") == "2023-03-01 00:00:00.000000000");
  CHECK(parsed("yyyy-MM-dd HH:mm", kFormatter, "2024-02-29 24:00") == "none");
  CHECK(parsed("yyyy-MM-dd", kFormatter, "2024-2-9") == "none");
  CHECK(parsed("yyyy-MM-dd", kSimple, "2024-2-9 and more") == "2024-02-09 00:00:00.000000000");
  CHECK(parsed("yyyy-MM-dd", kSimple, " 2024--2- 9") == "2023-10-09 00:00:00.000000000");
  // Digits of the text itself belong to the number before them, where widths are not exact.
  CHECK(parsed("yyyy'0'MM", kFormatter, "2024003") == "2024-03-01 00:00:00.000000000");
  CHECK(parsed("yyyy'0'MM", kSimple, "2024003") == "none");
}

TEST_CASE("years that Java has") {
  const auto pattern = JavaDatePattern::compile("y-MM-dd", PatternStyle::kFormatter);
  CHECK(pattern->parse("5900000-01-01")->ms == 186'123'849'580'800'000);
  CHECK(parsed("yyyy-MM-dd", PatternStyle::kFormatter, "+12345-01-01") ==
        "+12345-01-01 00:00:00.000000000");
  CHECK(parsed("yyyy-MM-dd", PatternStyle::kFormatter, "+2024-01-01") == "none");
  CHECK(parsed("yyyy-MM-dd", PatternStyle::kFormatter, "12345-01-01") == "none");
  CHECK(parsed("uuuu-MM-dd", PatternStyle::kFormatter, "-12345-01-01") ==
        "-12345-01-01 00:00:00.000000000");
  CHECK(parsed("y-MM-dd", PatternStyle::kFormatter, "1000000000-01-01") == "none");
}

}  // namespace thalweg::functions
