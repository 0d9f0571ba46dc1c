#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "thalweg/expression/utf8.h"

namespace thalweg::functions {

/// The length of a Java string: characters beyond the first 65,536 count twice.
inline int64_t java_length(std::string_view text) {
  return utf8::count(text) + std::count_if(text.begin(), text.end(), [](char c) {
           return static_cast<unsigned char>(c) >= 0xF0;
         });
}

}  // namespace thalweg::functions
