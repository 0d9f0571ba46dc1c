#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace thalweg::formats {

/// Converts between a character set and the engine's UTF-8. One owner, one thread.
class Charset {
 public:
  /// Throws kInvalidOption for a name that the system does not know.
  explicit Charset(const std::string& name);
  ~Charset();
  Charset(const Charset&) = delete;
  Charset& operator=(const Charset&) = delete;

  /// What is malformed becomes U+FFFD.
  void append_decoded(std::string& out, std::string_view bytes);
  /// What the set lacks becomes '?'.
  void append_encoded(std::string& out, std::string_view text);

 private:
  struct Converters;

  bool utf8_;
  std::unique_ptr<Converters> converters_;
};

}  // namespace thalweg::formats
