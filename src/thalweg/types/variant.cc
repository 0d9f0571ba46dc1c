#include "thalweg/types/variant.h"

#include <algorithm>
#include <array>
#include <bit>

#include "thalweg/common/error.h"
#include "thalweg/types/decimal.h"
#include "thalweg/types/text.h"
#include "thalweg/types/text_json.h"

namespace thalweg::variant {

namespace {

constexpr uint32_t kVersion = 1;
constexpr uint32_t kMaxSize = 0x7FFFFFFF;
/// As deep as JSON texts may nest.
constexpr int kDeepest = 1000;
/// From this many fields on, names are looked up by halving.
constexpr uint32_t kBinarySearch = 32;

/// The low two bits of a value's first byte.
enum Basic : uint32_t { kPrimitive, kShortString, kObjectBasic, kArrayBasic };

/// The other six, of a primitive.
enum Primitive : uint32_t {
  kNullValue,
  kTrue,
  kFalse,
  kInt1,
  kInt2,
  kInt4,
  kInt8,
  kDoubleValue,
  kDecimal4,
  kDecimal8,
  kDecimal16,
  kDateValue,
  kMicrosLtz,
  kMicros,
  kFloatValue,
  kBinary,
  kLongString,
};

[[noreturn]] void malformed() {
  throw Error(ErrorCode::kBadRecord, "MALFORMED_VARIANT");
}

std::string_view slice(std::string_view bytes, uint64_t at, uint64_t count) {
  if (at > bytes.size() || count > bytes.size() - at) {
    malformed();
  }
  return bytes.substr(at, count);
}

/// Little-endian.
uint64_t read_unsigned(std::string_view bytes, uint64_t at, uint32_t count) {
  uint64_t value = 0;
  for (const char c : slice(bytes, at, count)) {
    value = value >> 8U | uint64_t{static_cast<unsigned char>(c)} << 56U;
  }
  return count == 0 ? 0 : value >> (64 - 8 * count);
}

uint32_t read_size(std::string_view bytes, uint64_t at, uint32_t count) {
  const uint64_t value = read_unsigned(bytes, at, count);
  if (value > kMaxSize) {
    malformed();
  }
  return static_cast<uint32_t>(value);
}

int64_t read_signed(std::string_view bytes, uint64_t at, uint32_t count) {
  const uint32_t unused = 64 - 8 * count;
  return static_cast<int64_t>(read_unsigned(bytes, at, count) << unused) >> unused;
}

/// How wide the numbers of a metadata part are.
uint32_t metadata_width(std::string_view metadata) {
  return (static_cast<uint32_t>(static_cast<unsigned char>(metadata[0])) >> 6U) + 1;
}

uint64_t metadata_size(std::string_view bytes) {
  if (bytes.empty() || (static_cast<unsigned char>(bytes[0]) & 15U) != kVersion) {
    malformed();
  }
  const uint32_t width = metadata_width(bytes);
  const uint64_t count = read_size(bytes, 1, width);
  const uint64_t last_offset = 1 + (count + 1) * width;
  return last_offset + width + read_size(bytes, last_offset, width);
}

uint32_t order_of(char unit) {
  // What starts with EE or EF in UTF-8 comes after what starts with F0 and more, in UTF-16.
  const auto byte = static_cast<unsigned char>(unit);
  return byte < 0xEE ? byte : byte < 0xF0 ? byte + 0x10U : byte - 2U;
}

uint64_t primitive_size(std::string_view value, uint64_t at, uint32_t primitive) {
  switch (primitive) {
    case kNullValue:
    case kTrue:
    case kFalse:
      return 1;
    case kInt1:
      return 2;
    case kInt2:
      return 3;
    case kInt4:
    case kDateValue:
    case kFloatValue:
      return 5;
    case kInt8:
    case kDoubleValue:
    case kMicrosLtz:
    case kMicros:
      return 9;
    case kDecimal4:
      return 6;
    case kDecimal8:
      return 10;
    case kDecimal16:
      return 18;
    case kBinary:
    case kLongString:
      return 5 + uint64_t{read_size(value, at + 1, 4)};
    default:
      malformed();
  }
}

}  // namespace

bool comes_before(std::string_view left, std::string_view right) {
  const size_t common = std::min(left.size(), right.size());
  for (size_t i = 0; i < common; ++i) {
    if (left[i] != right[i]) {
      return order_of(left[i]) < order_of(right[i]);
    }
  }
  return left.size() < right.size();
}

View::View(std::string_view bytes) {
  const uint64_t size = metadata_size(bytes);
  metadata_ = slice(bytes, 0, size);
  value_ = bytes.substr(size);
}

uint32_t View::header() const {
  return static_cast<unsigned char>(slice(value_, at_, 1)[0]);
}

Kind View::kind() const {
  switch (header() & 3U) {
    case kShortString:
      return Kind::kString;
    case kObjectBasic:
      return Kind::kObject;
    case kArrayBasic:
      return Kind::kArray;
    default:
      break;
  }
  using enum Kind;
  constexpr std::array kKinds = {kNull,
                                 kBoolean,
                                 kBoolean,
                                 kTinyInt,
                                 kSmallInt,
                                 kInt,
                                 kBigInt,
                                 kDouble,
                                 kDecimal,
                                 kDecimal,
                                 kDecimal,
                                 kDate,
                                 kTimestampLtz,
                                 kTimestamp,
                                 kFloat,
                                 kBytes,
                                 kString};
  const uint32_t primitive = header() >> 2U;
  if (primitive >= kKinds.size()) {
    malformed();
  }
  return kKinds[primitive];
}

View::Container View::container() const {
  const uint32_t info = header() >> 2U;
  const bool is_object = (header() & 3U) == kObjectBasic;
  if (!is_object && (header() & 3U) != kArrayBasic) {
    malformed();
  }
  Container result;
  const bool is_large = (info >> (is_object ? 4U : 2U) & 1U) != 0;
  const uint32_t size_bytes = is_large ? 4 : 1;
  result.size = read_size(value_, at_ + 1, size_bytes);
  result.id_bytes = is_object ? (info >> 2U & 3U) + 1 : 0;
  result.offset_bytes = (info & 3U) + 1;
  result.ids = at_ + 1 + size_bytes;
  result.offsets = result.ids + uint64_t{result.size} * result.id_bytes;
  result.data = result.offsets + (uint64_t{result.size} + 1) * result.offset_bytes;
  if (result.data > value_.size()) {
    malformed();
  }
  return result;
}

View View::child(const Container& container, uint32_t index) const {
  const uint64_t offset = container.offsets + uint64_t{index} * container.offset_bytes;
  return {metadata_, value_, container.data + read_size(value_, offset, container.offset_bytes)};
}

std::string_view View::name(const Container& container, uint32_t index) const {
  return dictionary_entry(
      read_size(value_, container.ids + uint64_t{index} * container.id_bytes, container.id_bytes));
}

std::string_view View::dictionary_entry(uint32_t id) const {
  const uint32_t width = metadata_width(metadata_);
  const uint64_t count = read_size(metadata_, 1, width);
  if (id >= count) {
    malformed();
  }
  const uint64_t offset = 1 + (uint64_t{id} + 1) * width;
  const uint64_t begin = read_size(metadata_, offset, width);
  const uint64_t end = read_size(metadata_, offset + width, width);
  if (end < begin) {
    malformed();
  }
  return slice(metadata_, 1 + (count + 2) * width + begin, end - begin);
}

uint32_t View::size() const {
  return container().size;
}

std::optional<View> View::element(int64_t index) const {
  const Container array = container();
  if (index < 0 || index >= int64_t{array.size}) {
    return std::nullopt;
  }
  return child(array, static_cast<uint32_t>(index));
}

std::optional<View> View::field(std::string_view wanted) const {
  const Container object = container();
  uint32_t low = 0;
  if (object.size >= kBinarySearch) {
    uint32_t high = object.size;
    while (low < high) {
      const uint32_t middle = low + (high - low) / 2;
      if (comes_before(name(object, middle), wanted)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low < object.size && name(object, low) == wanted ? std::optional(child(object, low))
                                                            : std::nullopt;
  }
  while (low < object.size && name(object, low) != wanted) {
    ++low;
  }
  return low < object.size ? std::optional(child(object, low)) : std::nullopt;
}

uint64_t View::byte_count() const {
  switch (header() & 3U) {
    case kPrimitive:
      return primitive_size(value_, at_, header() >> 2U);
    case kShortString:
      return 1 + (header() >> 2U);
    default: {
      const Container parts = container();
      const uint64_t last = parts.offsets + uint64_t{parts.size} * parts.offset_bytes;
      return parts.data - at_ + read_size(value_, last, parts.offset_bytes);
    }
  }
}

std::string_view View::bytes() const {
  const std::string_view all = slice(value_, at_, byte_count());
  return all.substr((header() & 3U) == kShortString ? 1 : 5);
}

int64_t View::integer() const {
  return read_signed(value_, at_ + 1, static_cast<uint32_t>(byte_count() - 1));
}

void View::append_to(std::string& out) const {
  out += metadata_;
  out += slice(value_, at_, byte_count());
}

/// Writes values into each other. A variant has no more values than bytes: one that has is made of
/// offsets that lead to the same values again and again.
class View::JsonWriter {
 public:
  JsonWriter(std::string& out, size_t most) : out_(out), left_(most) {}

  void write(const View& view, int depth) {
    if (left_-- == 0 || depth > kDeepest) {
      malformed();
    }
    switch (view.kind()) {
      case Kind::kObject:
        return write_object(view, depth);
      case Kind::kArray:
        return write_array(view, depth);
      case Kind::kNull:
        out_ += "null";
        return;
      case Kind::kBoolean:
        out_ += view.header() >> 2U == kTrue ? "true" : "false";
        return;
      case Kind::kTinyInt:
      case Kind::kSmallInt:
      case Kind::kInt:
      case Kind::kBigInt:
        out_ += std::to_string(view.integer());
        return;
      case Kind::kFloat:
        return text::append_float(out_, std::bit_cast<float>(static_cast<int32_t>(view.integer())));
      case Kind::kDouble:
        return text::append_double(out_, std::bit_cast<double>(view.integer()));
      case Kind::kDecimal:
        return write_decimal(view);
      case Kind::kString:
        return text::append_json_string(out_, view.bytes());
      default:
        out_ += '"';
        write_quoted(view);
        out_ += '"';
    }
  }

 private:
  void write_object(const View& view, int depth) {
    const Container object = view.container();
    out_ += '{';
    for (uint32_t i = 0; i < object.size; ++i) {
      out_ += i == 0 ? "" : ",";
      text::append_json_string(out_, view.name(object, i));
      out_ += ':';
      write(view.child(object, i), depth + 1);
    }
    out_ += '}';
  }

  void write_array(const View& view, int depth) {
    const Container array = view.container();
    out_ += '[';
    for (uint32_t i = 0; i < array.size; ++i) {
      out_ += i == 0 ? "" : ",";
      write(view.child(array, i), depth + 1);
    }
    out_ += ']';
  }

  /// BigDecimal's plain text, without zeros at its end.
  void write_decimal(const View& view) {
    const auto scale = static_cast<int32_t>(read_unsigned(view.value_, view.at_ + 1, 1));
    const auto count = static_cast<uint32_t>(view.byte_count() - 2);
    Int128 unscaled = read_signed(view.value_, view.at_ + 2, std::min(count, 8U));
    if (count > 8) {
      unscaled = Int128{read_signed(view.value_, view.at_ + 10, 8)} << 64U |
                 static_cast<Int128>(static_cast<uint64_t>(unscaled));
    }
    if (scale > 38 || !fits_precision(unscaled, 38)) {
      malformed();
    }
    const size_t begin = out_.size();
    text::append_decimal(out_, unscaled, scale);
    if (scale > 0) {
      out_.erase(out_.find_last_not_of('0') + 1);
      if (out_.back() == '.') {
        out_.pop_back();
      }
    }
    if (unscaled == 0) {
      out_.replace(begin, std::string::npos, "0");
    }
  }

  void write_quoted(const View& view) {
    if (view.kind() == Kind::kBytes) {
      return text::append_base64(out_, view.bytes());
    }
    if (view.kind() == Kind::kDate) {
      return text::append_date(out_, static_cast<int32_t>(view.integer()));
    }
    text::append_timestamp(out_, Int128{view.integer()} * 1000, 9, 'T');
    out_.erase(out_.find_last_not_of('0') + 1);
    if (out_.back() == '.') {
      out_.pop_back();
    }
    out_ += view.kind() == Kind::kTimestampLtz ? "Z" : "";
  }

  std::string& out_;
  size_t left_;
};

void View::append_json(std::string& out) const {
  JsonWriter(out, value_.size()).write(*this, 0);
}

}  // namespace thalweg::variant
