#include "thalweg/types/variant_builder.h"

#include <algorithm>
#include <bit>

#include "thalweg/types/decimal.h"
#include "thalweg/types/variant.h"

namespace thalweg::variant {

namespace {

constexpr size_t kLongestShortString = 63;
constexpr uint32_t kLookedThrough = 16;

/// The first bytes of values; how they are made up is told in variant.cc.
constexpr char primitive_header(uint32_t primitive) {
  return static_cast<char>(primitive << 2U);
}

template <typename T>
void append_little(std::string& out, T value, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    out += static_cast<char>(value >> (8 * i) & 0xFF);
  }
}

/// Bytes that hold numbers up to `largest`, which is within the limit of a variant's size.
uint32_t width_of(size_t largest) {
  return largest <= 0xFF ? 1 : largest <= 0xFFFF ? 2 : largest <= 0xFFFFFF ? 3 : 4;
}

void append_count(std::string& out, size_t count) {
  append_little(out, count, count > 0xFF ? 4 : 1);
}

}  // namespace

void Builder::append_null() {
  value_ += primitive_header(0);
}

void Builder::append_boolean(bool value) {
  value_ += primitive_header(value ? 1 : 2);
}

void Builder::append_integer(int64_t value) {
  const uint32_t width = value == static_cast<int8_t>(value)    ? 0
                         : value == static_cast<int16_t>(value) ? 1
                         : value == static_cast<int32_t>(value) ? 2
                                                                : 3;
  value_ += primitive_header(3 + width);
  append_little(value_, value, size_t{1} << width);
}

void Builder::append_double(double value) {
  value_ += primitive_header(7);
  append_little(value_, std::bit_cast<uint64_t>(value), 8);
}

void Builder::append_decimal(Int128 unscaled, int32_t scale) {
  const auto fits = [&](int32_t digits) {
    return scale <= digits && fits_precision(unscaled, digits);
  };
  const uint32_t width = fits(9) ? 0 : fits(18) ? 1 : 2;
  value_ += primitive_header(8 + width);
  value_ += static_cast<char>(scale);
  append_little(value_, unscaled, size_t{4} << width);
}

void Builder::append_string(std::string_view text) {
  if (text.size() <= kLongestShortString) {
    value_ += static_cast<char>(text.size() << 2U | 1U);
  } else {
    value_ += primitive_header(16);
    append_little(value_, text.size(), 4);
  }
  value_ += text;
}

std::string_view Builder::name(uint32_t key) const {
  const uint32_t begin = key == 0 ? 0 : ends_[key - 1];
  return std::string_view(names_).substr(begin, ends_[key] - begin);
}

uint32_t Builder::key(std::string_view wanted) {
  const auto count = static_cast<uint32_t>(ends_.size());
  for (uint32_t key = 0; key < std::min(count, kLookedThrough); ++key) {
    if (name(key) == wanted) {
      return key;
    }
  }
  if (count >= kLookedThrough) {
    const auto [found, is_new] = keys_.emplace(wanted, count);
    if (!is_new) {
      return found->second;
    }
  }
  names_ += wanted;
  ends_.push_back(static_cast<uint32_t>(names_.size()));
  return count;
}

void Builder::finish_array(size_t begin, std::vector<Entry>& entries, size_t first_entry) {
  const size_t data = value_.size() - begin;
  const size_t count = entries.size() - first_entry;
  const uint32_t width = width_of(data);
  header_ = static_cast<char>((count > 0xFF ? 1U : 0U) << 4U | (width - 1) << 2U | 3U);
  append_count(header_, count);
  for (size_t i = first_entry; i < entries.size(); ++i) {
    append_little(header_, entries[i].offset, width);
  }
  append_little(header_, data, width);
  value_.insert(begin, header_);
  entries.resize(first_entry);
}

/// Of fields with one name the last stays; the bytes of the others go.
void Builder::drop_repeated(size_t begin, std::vector<Entry>& entries, size_t first_entry) {
  std::unordered_map<uint32_t, size_t> last;
  for (size_t i = first_entry; i < entries.size(); ++i) {
    last[entries[i].key] = i;
  }
  if (last.size() == entries.size() - first_entry) {
    return;
  }
  std::string kept;
  size_t to = first_entry;
  for (size_t i = first_entry; i < entries.size(); ++i) {
    const Entry entry = entries[i];
    const size_t end = i + 1 < entries.size() ? begin + entries[i + 1].offset : value_.size();
    if (last[entry.key] == i) {
      entries[to++] = {entry.key, static_cast<uint32_t>(kept.size())};
      kept.append(value_, begin + entry.offset, end - begin - entry.offset);
    }
  }
  entries.resize(to);
  value_.replace(begin, std::string::npos, kept);
}

bool Builder::finish_object(size_t begin,
                            std::vector<Entry>& entries,
                            size_t first_entry,
                            bool keeps_last) {
  if (keeps_last) {
    drop_repeated(begin, entries, first_entry);
  }
  const auto first = entries.begin() + static_cast<std::ptrdiff_t>(first_entry);
  std::sort(first, entries.end(), [this](const Entry& left, const Entry& right) {
    return comes_before(name(left.key), name(right.key));
  });
  uint32_t largest = 0;
  for (auto entry = first; entry != entries.end(); ++entry) {
    largest = std::max(largest, entry->key);
    if (entry != first && entry->key == (entry - 1)->key) {
      return false;
    }
  }
  const size_t data = value_.size() - begin;
  const size_t count = entries.size() - first_entry;
  const uint32_t key_width = width_of(largest);
  const uint32_t width = width_of(data);
  header_ = static_cast<char>((count > 0xFF ? 1U : 0U) << 6U | (key_width - 1) << 4U |
                              (width - 1) << 2U | 2U);
  append_count(header_, count);
  for (auto entry = first; entry != entries.end(); ++entry) {
    append_little(header_, entry->key, key_width);
  }
  for (auto entry = first; entry != entries.end(); ++entry) {
    append_little(header_, entry->offset, width);
  }
  append_little(header_, data, width);
  value_.insert(begin, header_);
  entries.resize(first_entry);
  return true;
}

bool Builder::finish(std::string& out) {
  const uint32_t width = width_of(std::max(names_.size(), ends_.size()));
  const bool fits =
      value_.size() <= kSizeLimit && 1 + (ends_.size() + 2) * width + names_.size() <= kSizeLimit;
  if (fits) {
    out += static_cast<char>(1U | (width - 1) << 6U);
    append_little(out, ends_.size(), width);
    append_little(out, 0U, width);
    for (const uint32_t end : ends_) {
      append_little(out, end, width);
    }
    out += names_;
    out += value_;
  }
  clear();
  return fits;
}

void Builder::clear() {
  value_.clear();
  names_.clear();
  ends_.clear();
  keys_.clear();
}

}  // namespace thalweg::variant
