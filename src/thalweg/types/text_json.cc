#include "thalweg/types/text_json.h"

#include <algorithm>
#include <cstdint>

namespace thalweg::text {

namespace {

void append_hex_escape(std::string& out, char c) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  const auto byte = static_cast<unsigned char>(c);
  out += "\\u00";
  out += kDigits[byte >> 4U];
  out += kDigits[byte & 15U];
}

}  // namespace

void append_json_string(std::string& out, std::string_view text) {
  constexpr std::string_view kNamed = "\b\t\n\f\r\"\\";
  constexpr std::string_view kLetters = "btnfr\"\\";
  out += '"';
  size_t clean = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (static_cast<unsigned char>(c) >= 0x20 && c != '"' && c != '\\') {
      continue;
    }
    out.append(text, clean, i - clean);
    clean = i + 1;
    const size_t named = kNamed.find(c);
    if (named == std::string_view::npos) {
      append_hex_escape(out, c);
    } else {
      out += '\\';
      out += kLetters[named];
    }
  }
  out.append(text, clean, text.size() - clean);
  out += '"';
}

void append_base64(std::string& out, std::string_view bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t at = 0; at < bytes.size(); at += 3) {
    uint32_t group = 0;
    const size_t count = std::min<size_t>(3, bytes.size() - at);
    for (size_t i = 0; i < 3; ++i) {
      group = group << 8U | (i < count ? static_cast<unsigned char>(bytes[at + i]) : 0U);
    }
    for (size_t i = 0; i < 4; ++i) {
      out += i <= count ? kDigits[group >> (18U - 6U * i) & 63U] : '=';
    }
  }
}

}  // namespace thalweg::text
