#include "thalweg/formats/raw/charset.h"

#include <cerrno>

#include <fmt/format.h>
#include <iconv.h>

#include "thalweg/common/error.h"
#include "thalweg/formats/utf8.h"

namespace thalweg::formats {

namespace {

iconv_t open_converter(const std::string& to, const std::string& from, const std::string& name) {
  iconv_t converter = iconv_open(to.c_str(), from.c_str());
  if (converter == reinterpret_cast<iconv_t>(-1)) {
    throw Error(ErrorCode::kInvalidOption, fmt::format("Unsupported 'raw.charset' name: {}.", name))
        .hint("Write the name of a character set, for example 'UTF-8' or 'ISO-8859-1'.");
  }
  return converter;
}

/// Length of the UTF-8 character at the front.
size_t character_length(std::string_view text) {
  size_t length = 1;
  while (length < text.size() && (static_cast<uint8_t>(text[length]) & 0xC0U) == 0x80) {
    ++length;
  }
  return length;
}

/// Converts all of `input`. What does not convert is replaced by `replacement`, and `skip` says how
/// many bytes that is.
template <typename Skip>
void convert(iconv_t converter,
             std::string& out,
             std::string_view input,
             std::string_view replacement,
             Skip&& skip) {
  iconv(converter, nullptr, nullptr, nullptr, nullptr);
  char buffer[1024];
  while (!input.empty()) {
    char* from = const_cast<char*>(input.data());
    size_t from_left = input.size();
    char* to = buffer;
    size_t to_left = sizeof(buffer);
    const size_t result = iconv(converter, &from, &from_left, &to, &to_left);
    const int error = errno;
    out.append(buffer, sizeof(buffer) - to_left);
    input.remove_prefix(input.size() - from_left);
    if (result == static_cast<size_t>(-1) && error != E2BIG && !input.empty()) {
      out += replacement;
      input.remove_prefix(std::min(input.size(), skip(input)));
    }
  }
}

bool is_utf8_name(const std::string& name) {
  std::string folded;
  for (const char c : name) {
    if (c != '-' && c != '_') {
      folded += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    }
  }
  return folded == "UTF8";
}

}  // namespace

struct Charset::Converters {
  iconv_t decoder;
  iconv_t encoder;
};

Charset::Charset(const std::string& name) : utf8_(is_utf8_name(name)) {
  if (utf8_) {
    return;
  }
  // Java's UTF-16 writes big-endian with a mark; the system's would follow the machine.
  const bool utf16 = name == "UTF-16";
  converters_ = std::make_unique<Converters>(
      Converters{open_converter("UTF-8", name, name),
                 open_converter(utf16 ? "UTF-16BE" : name, "UTF-8", name)});
}

Charset::~Charset() {
  if (converters_ != nullptr) {
    iconv_close(converters_->decoder);
    iconv_close(converters_->encoder);
  }
}

void Charset::append_decoded(std::string& out, std::string_view bytes) {
  if (utf8_) {
    append_utf8(out, bytes);
    return;
  }
  convert(
      converters_->decoder, out, bytes, "\xEF\xBF\xBD", [](std::string_view) { return size_t{1}; });
}

void Charset::append_encoded(std::string& out, std::string_view text) {
  if (utf8_) {
    out += text;
    return;
  }
  convert(converters_->encoder, out, text, "?", character_length);
}

}  // namespace thalweg::formats
