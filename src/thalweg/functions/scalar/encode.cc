// TO_BASE64, FROM_BASE64, HEX, UNHEX, BIN, ENCODE, DECODE, URL_ENCODE, URL_DECODE.
#include <algorithm>
#include <array>

#include "thalweg/expression/physical.h"
#include "thalweg/expression/utf8.h"
#include "thalweg/functions/simple_function.h"

namespace thalweg::functions {

using expression::FunctionRegistry;
using expression::RowFault;
using expression::ScalarFunction;

namespace {

constexpr std::string_view kBase64 =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void to_base64(std::string& out, std::string_view bytes) {
  for (size_t at = 0; at < bytes.size(); at += 3) {
    uint32_t group = 0;
    const size_t count = std::min<size_t>(3, bytes.size() - at);
    for (size_t i = 0; i < 3; ++i) {
      group = group << 8U | (i < count ? static_cast<unsigned char>(bytes[at + i]) : 0U);
    }
    for (size_t i = 0; i < 4; ++i) {
      out += i <= count ? kBase64[group >> (18U - 6U * i) & 63U] : '=';
    }
  }
}

bool from_base64(RowFault& fault, std::string& out, std::string_view text) {
  while (!text.empty() && text.back() == '=') {
    text.remove_suffix(1);
  }
  uint32_t bits = 0;
  uint32_t held = 0;
  for (const char c : text) {
    const size_t digit = kBase64.find(c);
    if (digit == std::string_view::npos) {
      fault.raise(Error(ErrorCode::kInvalidArgument,
                        fmt::format("Illegal base64 character {:x}", static_cast<unsigned>(c))));
      return false;
    }
    bits = bits << 6U | static_cast<uint32_t>(digit);
    held += 6;
    if (held >= 8) {
      held -= 8;
      out += static_cast<char>(bits >> held);
    }
  }
  return true;
}

void append_hex_digits(std::string& out, std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    out += kDigits[byte >> 4U];
    out += kDigits[byte & 15U];
  }
}

int hex_value(char c) {
  if (c >= '0' && c <= '9') {
    return c - '0';
  }
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

bool unhex(std::string& out, std::string_view digits) {
  // An odd number of digits: Flink makes a zero of the first.
  if (digits.size() % 2 == 1) {
    if (hex_value(digits[0]) < 0) {
      return false;
    }
    out += '\0';
    digits.remove_prefix(1);
  }
  for (size_t at = 0; at < digits.size(); at += 2) {
    const int high = hex_value(digits[at]);
    const int low = hex_value(digits[at + 1]);
    if (high < 0 || low < 0) {
      return false;
    }
    out += static_cast<char>(high * 16 + low);
  }
  return true;
}

ScalarFunction hex_function() {
  ScalarFunction function =
      documented({{"HEX"},
                  "'HEX(<INTEGER>)'\n'HEX(<CHARACTER>)'",
                  "A number or the bytes of a text in hexadecimal.",
                  {"HEX(100) -> 64", "HEX('hello,world') -> 68656C6C6F2C776F726C64"}},
                 any_of({strict({{DataType::big_int()}}, DataType::string()),
                         strict({{Family::kText}}, DataType::string())}));
  function.make_kernel = [](const Signature& signature, std::span<const BoundArgument>) {
    if (signature.arguments[0].is_character()) {
      return expression::row_kernel<std::string_view, std::string_view>(signature.result,
                                                                        append_hex_digits);
    }
    return expression::row_kernel<std::string_view, int64_t>(
        signature.result, [](std::string& out, int64_t value) {
          fmt::format_to(std::back_inserter(out), "{:X}", static_cast<uint64_t>(value));
        });
  };
  return function;
}

enum class Charset : uint8_t { kAscii, kLatin1, kUtf8, kUtf16, kUtf16Big, kUtf16Little };

std::optional<Charset> charset_of(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, Charset>, 6> kCharsets = {{
      {"US-ASCII", Charset::kAscii},
      {"ISO-8859-1", Charset::kLatin1},
      {"UTF-8", Charset::kUtf8},
      {"UTF-16", Charset::kUtf16},
      {"UTF-16BE", Charset::kUtf16Big},
      {"UTF-16LE", Charset::kUtf16Little},
  }};
  for (const auto& [known, charset] : kCharsets) {
    if (known.size() == name.size() &&
        std::equal(name.begin(), name.end(), known.begin(), [](char given, char wanted) {
          return (given >= 'a' && given <= 'z' ? given - 'a' + 'A' : given) == wanted;
        })) {
      return charset;
    }
  }
  return std::nullopt;
}

void append_unit(std::string& out, uint32_t unit, bool little) {
  const char high = static_cast<char>(unit >> 8U);
  const char low = static_cast<char>(unit);
  out += little ? low : high;
  out += little ? high : low;
}

void append_utf16(std::string& out, uint32_t code, bool little) {
  if (code < 0x10000) {
    append_unit(out, code, little);
  } else {
    append_unit(out, 0xD800U + ((code - 0x10000) >> 10U), little);
    append_unit(out, 0xDC00U + ((code - 0x10000) & 0x3FFU), little);
  }
}

bool refuse_charset(RowFault& fault, std::string_view name) {
  fault.raise(Error(ErrorCode::kInvalidArgument, fmt::format("Unsupported encoding: '{}'", name))
                  .hint("Character sets are US-ASCII, ISO-8859-1, UTF-8, UTF-16, UTF-16BE "
                        "and UTF-16LE."));
  return false;
}

bool encode(RowFault& fault,
            std::string& out,
            std::string_view text,
            std::string_view charset_name) {
  const auto charset = charset_of(charset_name);
  if (!charset) {
    return refuse_charset(fault, charset_name);
  }
  if (*charset == Charset::kUtf8) {
    out += text;
    return true;
  }
  if (*charset == Charset::kUtf16) {
    out += "\xFE\xFF";  // Java writes a byte order mark
  }
  for (size_t at = 0; at < text.size();) {
    const uint32_t code = utf8::next(text, at);
    switch (*charset) {
      case Charset::kAscii:
        out += code < 0x80 ? static_cast<char>(code) : '?';
        break;
      case Charset::kLatin1:
        out += code < 0x100 ? static_cast<char>(code) : '?';
        break;
      default:
        append_utf16(out, code, *charset == Charset::kUtf16Little);
    }
  }
  return true;
}

void decode_utf16(std::string& out, std::string_view bytes, Charset charset) {
  bool little = charset == Charset::kUtf16Little;
  size_t at = 0;
  if (charset == Charset::kUtf16 && bytes.size() >= 2) {
    const bool has_mark = bytes.starts_with("\xFE\xFF") || bytes.starts_with("\xFF\xFE");
    little = bytes.starts_with("\xFF\xFE");
    at = has_mark ? 2 : 0;
  }
  const auto unit = [&](size_t place) {
    const auto first = static_cast<unsigned char>(bytes[place]);
    const auto second = static_cast<unsigned char>(bytes[place + 1]);
    return static_cast<uint32_t>(little ? second << 8U | first : first << 8U | second);
  };
  for (; at + 1 < bytes.size(); at += 2) {
    uint32_t code = unit(at);
    if (code >= 0xD800 && code < 0xDC00 && at + 3 < bytes.size()) {
      code = 0x10000 + ((code - 0xD800) << 10U) + (unit(at + 2) - 0xDC00);
      at += 2;
    }
    utf8::append(out, code);
  }
}

bool decode(RowFault& fault,
            std::string& out,
            std::string_view bytes,
            std::string_view charset_name) {
  const auto charset = charset_of(charset_name);
  if (!charset) {
    return refuse_charset(fault, charset_name);
  }
  switch (*charset) {
    case Charset::kUtf8:
      for (size_t at = 0; at < bytes.size();) {
        utf8::append(out, utf8::next(bytes, at));
      }
      return true;
    case Charset::kAscii:
    case Charset::kLatin1:
      for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        utf8::append(out, *charset == Charset::kAscii && byte > 0x7F ? 0xFFFDU : byte);
      }
      return true;
    default:
      decode_utf16(out, bytes, *charset);
      return true;
  }
}

/// application/x-www-form-urlencoded, as java.net.URLEncoder.
void url_encode(std::string& out, std::string_view text) {
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view(".-*_").find(c) != std::string_view::npos;
    if (plain) {
      out += c;
    } else if (c == ' ') {
      out += '+';
    } else {
      out += '%';
      append_hex_digits(out, {&c, 1});
    }
  }
}

/// Bytes that are not UTF-8 become U+FFFD, as in Java.
bool url_decode(std::string& out, std::string_view text) {
  std::string bytes;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '%') {
      const int high = at + 2 < text.size() ? hex_value(text[at + 1]) : -1;
      const int low = at + 2 < text.size() ? hex_value(text[at + 2]) : -1;
      if (high < 0 || low < 0) {
        return false;
      }
      bytes += static_cast<char>(high * 16 + low);
      at += 2;
    } else {
      bytes += text[at] == '+' ? ' ' : text[at];
    }
  }
  for (size_t at = 0; at < bytes.size();) {
    utf8::append(out, utf8::next(bytes, at));
  }
  return true;
}

void add_base64(FunctionRegistry& registry) {
  registry.add(simple<std::string_view, std::string_view>(
      {{"TO_BASE64"},
       "'TO_BASE64(<CHARACTER>)'",
       "The text in base 64.",
       {"TO_BASE64('hello world') -> aGVsbG8gd29ybGQ="}},
      any_of({strict({{Family::kText}}, DataType::string()),
              strict({{Family::kBytes}}, DataType::string())}),
      to_base64));
  registry.add(simple<std::string_view, std::string_view>(
      {{"FROM_BASE64"},
       "'FROM_BASE64(<CHARACTER>)'",
       "The text that was put into base 64.",
       {"FROM_BASE64('aGVsbG8gd29ybGQ=') -> hello world"}},
      strict({{Family::kText}}, DataType::string()),
      from_base64));
}

}  // namespace

void add_encode(FunctionRegistry& registry) {
  add_base64(registry);
  registry.add(hex_function());
  registry.add(simple<std::string_view, std::string_view>(
      {{"UNHEX"},
       "'UNHEX(<CHARACTER>)'",
       "The bytes that hexadecimal digits stand for; NULL for other text.",
       {"UNHEX('466C') -> x'466c'"}},
      nullable({{Family::kText}}, DataType::bytes()),
      unhex));
  registry.add(simple<std::string_view, int64_t>(
      {{"BIN"}, "'BIN(<INTEGER>)'", "A number in binary.", {"BIN(12) -> 1100"}},
      strict({{DataType::big_int()}}, DataType::string()),
      [](std::string& out, int64_t value) {
        fmt::format_to(std::back_inserter(out), "{:b}", static_cast<uint64_t>(value));
      }));
  registry.add(simple<std::string_view, std::string_view, std::string_view>(
      {{"ENCODE"},
       "'ENCODE(<CHARACTER>, <CHARACTER> charset)'",
       "The bytes of a text in a character set.",
       {"ENCODE('a', 'UTF-16BE') -> x'0061'"}},
      strict({{Family::kText, Family::kText}}, DataType::bytes()),
      encode));
  registry.add(simple<std::string_view, std::string_view, std::string_view>(
      {{"DECODE"},
       "'DECODE(<BINARY>, <CHARACTER> charset)'",
       "The text that bytes stand for in a character set.",
       {"DECODE(x'0061', 'UTF-16BE') -> a"}},
      strict({{Family::kBytes, Family::kText}}, DataType::string()),
      decode));
  registry.add(
      simple<std::string_view, std::string_view>({{"URL_ENCODE"},
                                                  "'URL_ENCODE(<CHARACTER>)'",
                                                  "The text as a part of a URL.",
                                                  {"URL_ENCODE('a b/c') -> a+b%2Fc"}},
                                                 nullable({{Family::kText}}, DataType::string()),
                                                 url_encode));
  registry.add(simple<std::string_view, std::string_view>(
      {{"URL_DECODE"},
       "'URL_DECODE(<CHARACTER>)'",
       "The text that a part of a URL stands for; NULL when it is not valid.",
       {"URL_DECODE('a+b%2Fc') -> a b/c", "URL_DECODE('100%') -> NULL"}},
      nullable({{Family::kText}}, DataType::string()),
      url_decode));
}

}  // namespace thalweg::functions
