#include "thalweg/stream/format.h"

namespace thalweg::stream {

size_t Decoder::record_end(std::string_view bytes) const {
  const size_t newline = bytes.find('\n');
  return newline == std::string_view::npos ? newline : newline + 1;
}

}  // namespace thalweg::stream
