#include "thalweg/connectors/datagen/generator.h"

#include <fmt/format.h>

#include "thalweg/common/error.h"
#include "thalweg/common/time_zone.h"
#include "thalweg/types/civil_date.h"

namespace thalweg::connectors {

namespace {

/// NULL now and then, else what another generator makes.
class NullableGenerator final : public Generator {
 public:
  NullableGenerator(std::unique_ptr<const Generator> inner, double rate)
      : inner_(std::move(inner)), rate_(rate) {}

  void append(const GeneratedRow& row, RandomBits& random, ColumnBuilder& builder) const override {
    if (random.fraction() < rate_) {
      builder.append_null();
    } else {
      inner_->append(row, random, builder);
    }
  }

  std::optional<int64_t> limit() const override { return inner_->limit(); }

 private:
  std::unique_ptr<const Generator> inner_;
  double rate_;
};

class TimestampGenerator final : public Generator {
 public:
  TimestampGenerator(int32_t precision, int64_t max_past_ms)
      : precision_(precision), max_past_ms_(max_past_ms) {}

  void append(const GeneratedRow& row, RandomBits& random, ColumnBuilder& builder) const override {
    const int64_t past = max_past_ms_ > 0 ? random.between(0, max_past_ms_ - 1) : 0;
    const int64_t ms = row.now_ms - past;
    if (precision_ > 3) {
      builder.append(Int128{ms} * kNanosPerMs);
    } else {
      constexpr int64_t kUnits[] = {1000, 100, 10, 1};
      const int64_t unit = kUnits[precision_];
      builder.append(floor_divide(ms, unit) * unit);
    }
  }

 private:
  int32_t precision_;
  int64_t max_past_ms_;
};

class DateGenerator final : public Generator {
 public:
  void append(const GeneratedRow& row, RandomBits& random, ColumnBuilder& builder) const override {
    static_cast<void>(random);
    builder.append(static_cast<int32_t>(floor_divide(zone_.to_local(row.now_ms), kMsPerDay)));
  }

 private:
  TimeZone zone_ = TimeZone::local();
};

class TimeOfDayGenerator final : public Generator {
 public:
  void append(const GeneratedRow& row, RandomBits& random, ColumnBuilder& builder) const override {
    static_cast<void>(random);
    builder.append(static_cast<int32_t>(floor_modulo(zone_.to_local(row.now_ms), kMsPerDay)));
  }

 private:
  TimeZone zone_ = TimeZone::local();
};

}  // namespace

std::unique_ptr<const Generator> make_time_generator(const std::string& name,
                                                     const DataType& type,
                                                     const stream::Options& options) {
  switch (type.kind()) {
    case TypeKind::kDate:
      return std::make_unique<DateGenerator>();
    case TypeKind::kTime:
      return std::make_unique<TimeOfDayGenerator>();
    case TypeKind::kTimestamp:
    case TypeKind::kTimestampLtz:
      return std::make_unique<TimestampGenerator>(
          type.precision(), options.find_duration_ms("fields." + name + ".max-past").value_or(0));
    default:
      return nullptr;
  }
}

std::unique_ptr<const Generator> make_generator(const std::string& name,
                                                const DataType& type,
                                                const stream::Options& options) {
  const std::string prefix = "fields." + name + ".";
  const bool sequence = options.get_string(prefix + "kind") == "sequence";
  std::unique_ptr<const Generator> generator = sequence
                                                   ? make_sequence_generator(name, type, options)
                                                   : make_random_generator(name, type, options);
  if (!options.values().contains(prefix + "null-rate")) {
    return generator;
  }
  const double rate = options.get_double(prefix + "null-rate");
  if (rate < 0 || rate > 1) {
    throw Error(ErrorCode::kInvalidOption,
                fmt::format("Invalid value for option '{}null-rate'. It must lie between 0 and 1, "
                            "but was: {}",
                            prefix,
                            rate));
  }
  return std::make_unique<NullableGenerator>(std::move(generator), rate);
}

}  // namespace thalweg::connectors
