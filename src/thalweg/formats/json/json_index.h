#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace thalweg::formats {

/// Finds where the tokens of JSON texts start, many bytes at a time (simdjson's first stage): each
/// bracket, comma and colon, each opening quote, each number and word. One owner, one thread.
class JsonIndex {
 public:
  /// Bytes that must be readable behind a text.
  static constexpr size_t kPadding = 64;

  JsonIndex();
  ~JsonIndex();
  JsonIndex(const JsonIndex&) = delete;
  JsonIndex& operator=(const JsonIndex&) = delete;

  /// Indexes `length` bytes. Says what is wrong when strings stay open or hold control characters,
  /// or when the text is not UTF-8; nothing when it is fine.
  std::string_view run(const char* text, size_t length);

  /// Ascending, with `length` behind the last.
  const uint32_t* positions() const;

  /// Writes the string whose first character `text` points at, without its escapes; false when one
  /// of them is none.
  bool unescape(const char* text, size_t raw_length, std::string& out) const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace thalweg::formats
