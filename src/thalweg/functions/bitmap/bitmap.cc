#include "thalweg/functions/bitmap/bitmap.h"

#include <roaring/roaring.h>

#include "thalweg/common/check.h"
#include "thalweg/types/bitmap_format.h"

namespace thalweg::functions {

void Bitmap::Free::operator()(roaring_bitmap_s* roaring) const {
  roaring_bitmap_free(roaring);
}

Bitmap::Bitmap() : roaring_(roaring_bitmap_create()) {}

Bitmap::Bitmap(std::string_view serialized)
    : roaring_(roaring_bitmap_portable_deserialize_safe(serialized.data(), serialized.size())) {
  check(roaring_ != nullptr, "a value of type BITMAP that is no bitmap");
  count();
}

Bitmap::Bitmap(const Bitmap& other)
    : roaring_(roaring_bitmap_copy(other.roaring_.get())), cardinality_(other.cardinality_) {}

void Bitmap::count() {
  cardinality_ = static_cast<int64_t>(roaring_bitmap_get_cardinality(roaring_.get()));
}

bool Bitmap::add(uint32_t value) {
  const bool is_new = roaring_bitmap_add_checked(roaring_.get(), value);
  cardinality_ += is_new ? 1 : 0;
  return is_new;
}

void Bitmap::add_all(std::span<const uint32_t> values) {
  roaring_bitmap_add_many(roaring_.get(), values.size(), values.data());
  count();
}

bool Bitmap::remove(uint32_t value) {
  const bool was_there = roaring_bitmap_remove_checked(roaring_.get(), value);
  cardinality_ -= was_there ? 1 : 0;
  return was_there;
}

bool Bitmap::contains(uint32_t value) const {
  return roaring_bitmap_contains(roaring_.get(), value);
}

void Bitmap::combine(BitmapOperation operation, const Bitmap& other) {
  switch (operation) {
    case BitmapOperation::kAnd:
      roaring_bitmap_and_inplace(roaring_.get(), other.roaring_.get());
      break;
    case BitmapOperation::kOr:
      roaring_bitmap_or_inplace(roaring_.get(), other.roaring_.get());
      break;
    case BitmapOperation::kXor:
      roaring_bitmap_xor_inplace(roaring_.get(), other.roaring_.get());
      break;
    case BitmapOperation::kAndNot:
      roaring_bitmap_andnot_inplace(roaring_.get(), other.roaring_.get());
      break;
  }
  count();
}

int64_t Bitmap::byte_size() const {
  return static_cast<int64_t>(roaring_bitmap_portable_size_in_bytes(roaring_.get()));
}

std::string Bitmap::serialize() const {
  std::string bytes(roaring_bitmap_portable_size_in_bytes(roaring_.get()), '\0');
  roaring_bitmap_portable_serialize(roaring_.get(), bytes.data());
  bitmap::make_canonical(bytes);
  return bytes;
}

}  // namespace thalweg::functions
