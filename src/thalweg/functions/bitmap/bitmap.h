#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

// CRoaring's roaring_bitmap_t; its header is included in one file only.
struct roaring_bitmap_s;

namespace thalweg::functions {

enum class BitmapOperation : uint8_t { kAnd, kOr, kXor, kAndNot };

/// A set of unsigned 32-bit integers that can be changed. A value; one owner, one thread.
class Bitmap {
 public:
  Bitmap();
  /// A value of type BITMAP.
  explicit Bitmap(std::string_view serialized);
  Bitmap(const Bitmap& other);
  Bitmap(Bitmap&&) noexcept = default;
  Bitmap& operator=(Bitmap&&) noexcept = default;
  ~Bitmap() = default;

  /// False when it was there.
  bool add(uint32_t value);
  void add_all(std::span<const uint32_t> values);
  /// False when it was not there.
  bool remove(uint32_t value);
  bool contains(uint32_t value) const;

  /// Makes this the result; `other` is not this.
  void combine(BitmapOperation operation, const Bitmap& other);

  bool is_empty() const { return cardinality_ == 0; }

  int64_t cardinality() const { return cardinality_; }

  /// Looks at every container.
  int64_t byte_size() const;
  /// As a value of type BITMAP.
  std::string serialize() const;

 private:
  struct Free {
    void operator()(roaring_bitmap_s* roaring) const;
  };

  void count();

  std::unique_ptr<roaring_bitmap_s, Free> roaring_;
  int64_t cardinality_ = 0;
};

}  // namespace thalweg::functions
