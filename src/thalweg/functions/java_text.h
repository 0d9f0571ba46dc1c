#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "thalweg/expression/utf8.h"

namespace thalweg::functions {

/// The length of a Java string: characters beyond the first 65,536 count twice.
inline int64_t java_length(std::string_view text) {
  return utf8::count(text) + std::count_if(text.begin(), text.end(), [](char c) {
           return static_cast<unsigned char>(c) >= 0xF0;
         });
}

/// Appends the first `length` of Java's characters; half of one that counts twice is a question
/// mark, as in Flink.
inline void append_java_prefix(std::string& out, std::string_view text, int64_t length) {
  size_t at = 0;
  while (at < text.size() && length > 0) {
    const size_t width = utf8::width(text[at]);
    length -= width > 3 ? 2 : 1;
    if (length < 0) {
      break;
    }
    at += width;
  }
  out += text.substr(0, at);
  if (length < 0) {
    out += '?';
  }
}

}  // namespace thalweg::functions
