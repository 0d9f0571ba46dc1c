#include <fmt/format.h>

#include "thalweg/common/error.h"
#include "thalweg/connectors/datagen/generator.h"
#include "thalweg/types/decimal.h"

namespace thalweg::connectors {

namespace {

/// start, start + 1, ... end: row n has the n-th.
class SequenceGenerator final : public Generator {
 public:
  SequenceGenerator(DataType type, int64_t start, int64_t end)
      : type_(std::move(type)), start_(start), end_(end) {}

  void append(const GeneratedRow& row, RandomBits& random, ColumnBuilder& builder) const override {
    static_cast<void>(random);
    const int64_t value = start_ + row.index;
    switch (type_.kind()) {
      case TypeKind::kTinyInt:
        builder.append(static_cast<int8_t>(value));
        return;
      case TypeKind::kSmallInt:
        builder.append(static_cast<int16_t>(value));
        return;
      case TypeKind::kInt:
        builder.append(static_cast<int32_t>(value));
        return;
      case TypeKind::kBigInt:
        builder.append(value);
        return;
      case TypeKind::kFloat:
        builder.append(static_cast<float>(value));
        return;
      case TypeKind::kDouble:
        builder.append(static_cast<double>(value));
        return;
      case TypeKind::kDecimal:
        append_decimal(value, builder);
        return;
      default:
        builder.append_string(std::to_string(value));
    }
  }

  std::optional<int64_t> limit() const override { return end_ < start_ ? 0 : end_ - start_ + 1; }

 private:
  void append_decimal(int64_t value, ColumnBuilder& builder) const {
    const auto unscaled = rescale_decimal(value, 0, type_.scale(), type_.precision());
    if (unscaled) {
      builder.append(*unscaled);
    } else {
      builder.append_null();
    }
  }

  DataType type_;
  int64_t start_;
  int64_t end_;
};

int64_t required(const stream::Options& options, const std::string& name, const char* part) {
  const std::string key = "fields." + name + "." + part;
  if (!options.values().contains(key)) {
    throw Error(ErrorCode::kMissingOption,
                fmt::format("Could not find required property '{}' for sequence generator.", key))
        .hint(fmt::format("Add '{}' to the WITH options.", key));
  }
  return options.get_int(key);
}

}  // namespace

std::unique_ptr<const Generator> make_sequence_generator(const std::string& name,
                                                         const DataType& type,
                                                         const stream::Options& options) {
  if (auto generator = make_time_generator(name, type, options)) {
    return generator;
  }
  if (!type.is_numeric() && !type.is_character()) {
    throw Error(
        ErrorCode::kUnsupportedFormatType,
        fmt::format(
            "Unsupported type: {} of field '{}' for sequence generator.", type.to_string(), name));
  }
  return std::make_unique<SequenceGenerator>(
      type, required(options, name, "start"), required(options, name, "end"));
}

}  // namespace thalweg::connectors
