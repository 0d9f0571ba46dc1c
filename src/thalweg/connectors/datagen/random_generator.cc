#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "thalweg/common/error.h"
#include "thalweg/connectors/datagen/generator.h"
#include "thalweg/types/decimal.h"

namespace thalweg::connectors {

namespace {

constexpr int64_t kDefaultTextLength = 100;
constexpr int64_t kDefaultCollectionLength = 3;

template <typename T>
class IntegerGenerator final : public Generator {
 public:
  IntegerGenerator(int64_t least, int64_t most) : least_(least), most_(most) {}

  void append(const GeneratedRow& row, RandomBits& random, ColumnBuilder& builder) const override {
    static_cast<void>(row);
    builder.append(static_cast<T>(random.between(least_, most_)));
  }

 private:
  int64_t least_;
  int64_t most_;
};

template <typename T>
class FloatingGenerator final : public Generator {
 public:
  FloatingGenerator(double least, double most) : least_(least), most_(most) {}

  void append(const GeneratedRow& row, RandomBits& random, ColumnBuilder& builder) const override {
    static_cast<void>(row);
    const double fraction = random.fraction();
    // Not least + fraction * (most - least): the span of all doubles is no double.
    builder.append(static_cast<T>(least_ * (1 - fraction) + most_ * fraction));
  }

 private:
  double least_;
  double most_;
};

class DecimalGenerator final : public Generator {
 public:
  DecimalGenerator(const DataType& type, double least, double most)
      : precision_(type.precision()), scale_(type.scale()) {
    const double limit = std::pow(10.0, type.precision() - type.scale()) - 1;
    least_ = std::max(least, -limit);
    most_ = std::min(most, limit);
  }

  void append(const GeneratedRow& row, RandomBits& random, ColumnBuilder& builder) const override {
    static_cast<void>(row);
    const double value = least_ + random.fraction() * (most_ - least_);
    const std::optional<Int128> unscaled = decimal_from_double(value, precision_, scale_);
    if (unscaled) {
      builder.append(*unscaled);
    } else {
      builder.append_null();
    }
  }

 private:
  int32_t precision_;
  int32_t scale_;
  double least_;
  double most_;
};

class BooleanGenerator final : public Generator {
 public:
  void append(const GeneratedRow& row, RandomBits& random, ColumnBuilder& builder) const override {
    static_cast<void>(row);
    builder.append(static_cast<uint8_t>(random.next() & 1U));
  }
};

/// Hexadecimal digits, or any bytes.
class TextGenerator final : public Generator {
 public:
  TextGenerator(int64_t length, bool variable, bool binary)
      : length_(length), variable_(variable), binary_(binary) {}

  void append(const GeneratedRow& row, RandomBits& random, ColumnBuilder& builder) const override {
    static_cast<void>(row);
    const auto length =
        static_cast<size_t>(variable_ && length_ > 0 ? random.between(1, length_) : length_);
    constexpr std::string_view kHex = "0123456789abcdef";
    char short_text[256];
    std::string long_text;
    char* target = short_text;
    if (length > sizeof(short_text)) {
      long_text.resize(length);
      target = long_text.data();
    }
    uint64_t bits = 0;
    for (size_t i = 0; i < length; ++i) {
      if (i % 8 == 0) {
        bits = random.next();
      }
      target[i] = binary_ ? static_cast<char>(bits & 255U) : kHex[bits & 15U];
      bits >>= 8U;
    }
    builder.append_string({target, length});
  }

 private:
  int64_t length_;
  bool variable_;
  bool binary_;
};

class ListGenerator final : public Generator {
 public:
  ListGenerator(std::vector<std::unique_ptr<const Generator>> children, int64_t length)
      : children_(std::move(children)), length_(length) {}

  void append(const GeneratedRow& row, RandomBits& random, ColumnBuilder& builder) const override {
    for (int64_t i = 0; i < length_; ++i) {
      for (size_t child = 0; child < children_.size(); ++child) {
        children_[child]->append(row, random, builder.child(child));
      }
    }
    builder.append_list();
  }

 private:
  std::vector<std::unique_ptr<const Generator>> children_;
  int64_t length_;
};

class StructGenerator final : public Generator {
 public:
  explicit StructGenerator(std::vector<std::unique_ptr<const Generator>> children)
      : children_(std::move(children)) {}

  void append(const GeneratedRow& row, RandomBits& random, ColumnBuilder& builder) const override {
    for (size_t child = 0; child < children_.size(); ++child) {
      children_[child]->append(row, random, builder.child(child));
    }
    builder.append_struct();
  }

 private:
  std::vector<std::unique_ptr<const Generator>> children_;
};

/// The 'min', 'max' and 'length' of one column.
class Range {
 public:
  Range(const std::string& name, const stream::Options& options)
      : prefix_("fields." + name + "."), options_(options) {}

  int64_t integer(const char* key, int64_t standard) const {
    return options_.values().contains(prefix_ + key) ? options_.get_int(prefix_ + key) : standard;
  }

  double number(const char* key, double standard) const {
    return options_.values().contains(prefix_ + key) ? options_.get_double(prefix_ + key)
                                                     : standard;
  }

  template <typename T>
  std::unique_ptr<const Generator> integers(int64_t least, int64_t most) const {
    const int64_t low = integer("min", least);
    const int64_t high = integer("max", most);
    check_order(low, high);
    if (low < std::numeric_limits<T>::min() || high > std::numeric_limits<T>::max()) {
      throw Error(
          ErrorCode::kInvalidOption,
          fmt::format("'{}min' or '{}max' does not fit the column's type.", prefix_, prefix_));
    }
    return std::make_unique<IntegerGenerator<T>>(low, high);
  }

  template <typename T>
  std::unique_ptr<const Generator> integers() const {
    return integers<T>(std::numeric_limits<T>::min(), std::numeric_limits<T>::max());
  }

  /// Java's MIN_VALUE is the smallest number above zero.
  template <typename T>
  std::unique_ptr<const Generator> floating() const {
    const double low = number("min", static_cast<double>(std::numeric_limits<T>::denorm_min()));
    const double high = number("max", static_cast<double>(std::numeric_limits<T>::max()));
    check_order(low, high);
    return std::make_unique<FloatingGenerator<T>>(low, high);
  }

  std::unique_ptr<const Generator> decimals(const DataType& type) const {
    const double low = number("min", std::numeric_limits<double>::denorm_min());
    const double high = number("max", std::numeric_limits<double>::max());
    check_order(low, high);
    return std::make_unique<DecimalGenerator>(type, low, high);
  }

  std::unique_ptr<const Generator> texts(const DataType& type) const {
    const bool fixed = type.kind() == TypeKind::kChar || type.kind() == TypeKind::kBinary;
    const bool given = options_.values().contains(prefix_ + "length");
    if (fixed && given) {
      throw Error(ErrorCode::kInvalidOption,
                  fmt::format("Custom length for fixed-length type ({}) field '{}' is not "
                              "supported.",
                              type.to_string(),
                              field_name()));
    }
    const int64_t length =
        fixed ? type.length()
              : integer("length", std::min<int64_t>(kDefaultTextLength, type.length()));
    if (length < 0 || length > type.length()) {
      throw Error(ErrorCode::kInvalidOption,
                  fmt::format("Custom length '{}' for variable-length type ({}) field '{}' should "
                              "be shorter than '{}' defined in the schema.",
                              length,
                              type.to_string(),
                              field_name(),
                              type.length()));
    }
    const std::string variable = prefix_ + "var-len";
    if (fixed && options_.values().contains(variable)) {
      throw Error(ErrorCode::kInvalidOption,
                  fmt::format("Only supports specifying 'fields.#.var-len' option for "
                              "variable-length types (VARCHAR/STRING/VARBINARY/BYTES). The type of "
                              "field '{}' is not within this range.",
                              field_name()));
    }
    return std::make_unique<TextGenerator>(
        length,
        options_.values().contains(variable) && options_.get_bool(variable),
        type.is_binary());
  }

  int64_t collection_length() const { return integer("length", kDefaultCollectionLength); }

 private:
  template <typename T>
  void check_order(T low, T high) const {
    if (low > high) {
      throw Error(ErrorCode::kInvalidOption,
                  fmt::format("'{}min' must not be above '{}max'.", prefix_, prefix_));
    }
  }

  std::string field_name() const { return prefix_.substr(7, prefix_.size() - 8); }

  std::string prefix_;
  const stream::Options& options_;
};

std::unique_ptr<const Generator> make_nested_generator(const std::string& name,
                                                       const DataType& type,
                                                       const stream::Options& options) {
  std::vector<std::unique_ptr<const Generator>> children;
  for (const Field& field : type.fields()) {
    if (type.kind() == TypeKind::kMultiset && field.name == "count") {
      children.push_back(std::make_unique<IntegerGenerator<int32_t>>(1, 10));
    } else {
      // The element of an array is named 'element', a map's parts 'key' and 'value'.
      const std::string part = type.kind() == TypeKind::kArray ? "element" : field.name;
      children.push_back(make_random_generator(name + "." + part, field.type, options));
    }
  }
  if (type.kind() == TypeKind::kRow) {
    return std::make_unique<StructGenerator>(std::move(children));
  }
  return std::make_unique<ListGenerator>(std::move(children),
                                         Range(name, options).collection_length());
}

}  // namespace

std::unique_ptr<const Generator> make_random_generator(const std::string& name,
                                                       const DataType& type,
                                                       const stream::Options& options) {
  if (auto generator = make_time_generator(name, type, options)) {
    return generator;
  }
  const Range range(name, options);
  switch (type.kind()) {
    case TypeKind::kBoolean:
      return std::make_unique<BooleanGenerator>();
    case TypeKind::kTinyInt:
      return range.integers<int8_t>();
    case TypeKind::kSmallInt:
      return range.integers<int16_t>();
    case TypeKind::kInt:
      return range.integers<int32_t>();
    case TypeKind::kBigInt:
    case TypeKind::kIntervalDayTime:
      return range.integers<int64_t>();
    case TypeKind::kIntervalYearMonth:
      return range.integers<int32_t>(0, 120000);
    case TypeKind::kFloat:
      return range.floating<float>();
    case TypeKind::kDouble:
      return range.floating<double>();
    case TypeKind::kDecimal:
      return range.decimals(type);
    case TypeKind::kChar:
    case TypeKind::kVarChar:
    case TypeKind::kBinary:
    case TypeKind::kVarBinary:
      return range.texts(type);
    case TypeKind::kArray:
    case TypeKind::kMap:
    case TypeKind::kMultiset:
    case TypeKind::kRow:
      if (!type.is_structured()) {
        return make_nested_generator(name, type, options);
      }
      break;
    default:
      break;
  }
  throw Error(ErrorCode::kUnsupportedFormatType,
              fmt::format("Unsupported type: {} of field '{}'.", type.to_string(), name));
}

}  // namespace thalweg::connectors
