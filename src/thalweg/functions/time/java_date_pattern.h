#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "thalweg/common/error.h"
#include "thalweg/functions/time/fixed_layout.h"

namespace thalweg::functions {

/// A wall-clock date and time, as patterns see it.
struct PatternTime {
  /// Milliseconds as if UTC, and nanoseconds of the millisecond.
  int64_t ms = 0;
  int32_t nanos = 0;
  /// Parsed from a zone letter.
  std::optional<int64_t> offset_ms = std::nullopt;
};

/// Which of Java's two formatters a function of Flink uses: DateTimeFormatter (strict) or
/// SimpleDateFormat (lenient: values roll over, text behind the pattern is ignored, S is a number
/// of milliseconds).
enum class PatternStyle : uint8_t { kFormatter, kSimple };

/// A compiled date pattern such as "yyyy-MM-dd HH:mm:ss.SSS". A value.
class JavaDatePattern {
 public:
  /// nullopt when the pattern has a letter that is not known.
  static std::optional<JavaDatePattern> compile(std::string_view pattern, PatternStyle style);

  /// `offset_ms` is shown by the zone letters of SimpleDateFormat.
  void format(std::string& out, const PatternTime& time, int64_t offset_ms = 0) const;
  std::optional<PatternTime> parse(std::string_view text) const;

  /// True when it has a letter of zones, which a wall clock can't show.
  bool shows_zone() const;

  /// Times within one unit of so many milliseconds (from a multiple of it) look alike: a day, an
  /// hour, ... down to 0, which promises nothing.
  int64_t resolution_ms() const { return resolution_ms_; }

 private:
  /// A run of one letter, or literal text (letter 0).
  struct Item {
    char letter = 0;
    int32_t count = 0;
    std::string text;
  };

  struct Fields;
  struct Moment;

  /// Digits in a text.
  struct Number {
    int64_t value = 0;
    size_t digits = 0;
    bool is_negative = false;
  };

  static bool is_number(const Item& item);
  /// A year of DateTimeFormatter that has a sign where it is wider than the pattern.
  bool may_exceed(const Item& item) const;
  std::optional<FixedLayout> find_layout() const;
  int64_t find_resolution_ms() const;

  int64_t date_number(const Item& item, const Moment& moment) const;
  int64_t number_of(const Item& item, const Moment& moment) const;
  void append_number(std::string& out, const Item& item, const Moment& moment) const;
  void append_word(std::string& out, const Item& item, const Moment& moment) const;
  bool format_fixed(std::string& out, const Moment& moment) const;

  bool is_followed_by_number(size_t index) const;
  bool parse_item(size_t index, std::string_view& text, Fields& fields) const;
  bool parse_number(size_t index, std::string_view& text, Number& number) const;
  bool set_number(const Item& item, const Number& number, Fields& fields) const;
  static bool set_field(char letter, int64_t value, Fields& fields);
  bool parse_fixed(std::string_view text, Fields& fields) const;
  bool parse_fields(std::string_view text, Fields& fields) const;
  std::optional<PatternTime> resolve(const Fields& fields) const;

  std::vector<Item> items_;
  PatternStyle style_ = PatternStyle::kFormatter;
  /// Set when all texts of the pattern have one form: the short way.
  std::optional<FixedLayout> layout_;
  int64_t resolution_ms_ = 0;
};

/// What a row fails with whose pattern is not valid.
Error bad_pattern(std::string_view pattern);

/// Compiles patterns that come as values, keeping the last one.
class DatePatternCache {
 public:
  explicit DatePatternCache(PatternStyle style) : style_(style) {}

  /// nullptr when the pattern is not valid.
  const JavaDatePattern* get(std::string_view pattern);

 private:
  PatternStyle style_;
  std::optional<std::string> text_;
  std::optional<JavaDatePattern> pattern_;
};

}  // namespace thalweg::functions
