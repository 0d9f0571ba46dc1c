#include <array>
#include <string>

#include "thalweg/common/error.h"
#include "thalweg/planner/literal_binder.h"

namespace thalweg::planner {

namespace {

using sql::TimeUnit;

/// One field of an interval: its unit, what it counts in ms or months, and the sign before it.
struct FieldRule {
  TimeUnit unit;
  int64_t weight;
  char separator;
  int64_t limit;
};

constexpr std::array<FieldRule, 2> kYearMonthFields = {
    {{TimeUnit::kYear, 12, '\0', 0}, {TimeUnit::kMonth, 1, '-', 11}}};
constexpr std::array<FieldRule, 4> kDayTimeFields = {{{TimeUnit::kDay, 86'400'000, '\0', 0},
                                                      {TimeUnit::kHour, 3'600'000, ' ', 23},
                                                      {TimeUnit::kMinute, 60'000, ':', 59},
                                                      {TimeUnit::kSecond, 1'000, ':', 59}}};

/// Reads the text of one interval literal from left to right.
class IntervalReader {
 public:
  explicit IntervalReader(const sql::Literal& literal)
      : literal_(literal), text_(literal.text), precision_(literal.interval.leading_precision) {
    if (precision_ < 0) {
      precision_ = 2;
    }
  }

  int64_t read() {
    bool negative = literal_.negative_interval;
    trim();
    if (!at_end() && (text_[position_] == '-' || text_[position_] == '+')) {
      negative = negative != (text_[position_] == '-');
      ++position_;
    }
    const int64_t value = fields();
    if (!at_end()) {
      fail();
    }
    return negative ? -value : value;
  }

 private:
  bool at_end() const { return position_ >= text_.size(); }

  void trim() {
    while (!text_.empty() && text_.back() == ' ') {
      text_.pop_back();
    }
    position_ = std::min(text_.find_first_not_of(' '), text_.size());
  }

  [[noreturn]] void fail() const {
    std::string unit(sql::to_string(literal_.interval.leading));
    if (literal_.interval.trailing) {
      unit += " TO " + std::string(sql::to_string(*literal_.interval.trailing));
    }
    throw Error(
        ErrorCode::kSqlSyntax,
        fmt::format("Illegal interval literal format '{}' for INTERVAL {}", literal_.text, unit))
        .at(literal_.position);
  }

  int64_t digits(size_t max_digits, bool is_leading) {
    const size_t begin = position_;
    int64_t value = 0;
    while (!at_end() && text_[position_] >= '0' && text_[position_] <= '9') {
      if (position_ - begin < 18) {
        value = value * 10 + (text_[position_] - '0');
      }
      ++position_;
    }
    if (position_ == begin) {
      fail();
    }
    size_t significant = begin;
    while (significant + 1 < position_ && text_[significant] == '0') {
      ++significant;
    }
    if (position_ - significant > max_digits) {
      if (!is_leading) {
        fail();
      }
      throw Error(ErrorCode::kTypeMismatch,
                  fmt::format("Interval field value {} exceeds precision of {}({}) field",
                              text_.substr(significant, position_ - significant),
                              sql::to_string(literal_.interval.leading),
                              max_digits))
          .at(literal_.position)
          .hint(fmt::format("Write INTERVAL '{}' {}({}).",
                            literal_.text,
                            sql::to_string(literal_.interval.leading),
                            position_ - significant));
    }
    return value;
  }

  int64_t fraction_ms() {
    if (at_end() || text_[position_] != '.') {
      return 0;
    }
    ++position_;
    int64_t ms = 0;
    int64_t weight = 100;
    const size_t begin = position_;
    while (!at_end() && text_[position_] >= '0' && text_[position_] <= '9') {
      ms += (text_[position_] - '0') * weight;
      weight /= 10;
      ++position_;
    }
    if (position_ == begin || position_ - begin > 9) {
      fail();
    }
    return ms;
  }

  template <size_t N>
  int64_t fields_of(const std::array<FieldRule, N>& rules) {
    const TimeUnit last = literal_.interval.trailing.value_or(literal_.interval.leading);
    int64_t total = 0;
    bool started = false;
    for (const FieldRule& rule : rules) {
      if (!started && rule.unit != literal_.interval.leading) {
        continue;
      }
      if (started) {
        if (at_end() || text_[position_] != rule.separator) {
          fail();
        }
        ++position_;
      }
      const int64_t value = digits(started ? 2 : static_cast<size_t>(precision_), !started);
      if (started && value > rule.limit) {
        fail();
      }
      total += value * rule.weight;
      started = true;
      if (rule.unit == TimeUnit::kSecond) {
        total += fraction_ms();
      }
      if (rule.unit == last) {
        break;
      }
    }
    return total;
  }

  int64_t fields() {
    switch (literal_.interval.leading) {
      case TimeUnit::kWeek:
        return digits(static_cast<size_t>(precision_), true) * 7 * 86'400'000;
      case TimeUnit::kQuarter:
        return digits(static_cast<size_t>(precision_), true) * 3;
      case TimeUnit::kYear:
      case TimeUnit::kMonth:
        return fields_of(kYearMonthFields);
      case TimeUnit::kDay:
      case TimeUnit::kHour:
      case TimeUnit::kMinute:
      case TimeUnit::kSecond:
        return fields_of(kDayTimeFields);
      default:
        fail();
    }
  }

  const sql::Literal& literal_;
  std::string text_;
  int32_t precision_;
  size_t position_ = 0;
};

}  // namespace

int64_t interval_value(const sql::Literal& literal) {
  return IntervalReader(literal).read();
}

}  // namespace thalweg::planner
