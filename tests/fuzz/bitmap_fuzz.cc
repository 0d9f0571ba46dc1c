// Any bytes as a bitmap: they are refused, or become one that all operations take.
#include <cstdlib>

#include "thalweg/functions/bitmap/bitmap.h"
#include "thalweg/types/bitmap_format.h"

namespace {

void require(bool holds) {
  if (!holds) {
    std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace thalweg;
  using functions::Bitmap;
  using functions::BitmapOperation;
  const auto bytes = bitmap::from_untrusted({reinterpret_cast<const char*>(data), size});
  if (!bytes) {
    return 0;
  }
  require(bitmap::from_untrusted(*bytes) == bytes);
  std::string text;
  bitmap::append_text(text, *bytes);
  const Bitmap read(*bytes);
  require(read.serialize() == *bytes);
  require(read.cardinality() == bitmap::cardinality(*bytes));
  Bitmap other;
  other.add_all(std::vector<uint32_t>{0, 1, 65536, 4294967295U});
  for (const BitmapOperation operation : {BitmapOperation::kAnd,
                                          BitmapOperation::kOr,
                                          BitmapOperation::kXor,
                                          BitmapOperation::kAndNot}) {
    Bitmap combined(read);
    combined.combine(operation, other);
    const std::string result = combined.serialize();
    require(bitmap::from_untrusted(result) == result);
  }
  return 0;
}
