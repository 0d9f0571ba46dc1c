// MD5, SHA1, SHA224 ... SHA512, SHA2.
#include <openssl/evp.h>

#include "thalweg/functions/simple_function.h"

namespace thalweg::functions {

using expression::FunctionRegistry;
using expression::ScalarFunction;

namespace {

void append_hex(std::string& out, std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    out += kDigits[byte >> 4U];
    out += kDigits[byte & 15U];
  }
}

bool append_digest(std::string& out, std::string_view text, const EVP_MD* algorithm) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int size = 0;
  if (algorithm == nullptr ||
      EVP_Digest(text.data(), text.size(), digest, &size, algorithm, nullptr) != 1) {
    return false;
  }
  append_hex(out, {reinterpret_cast<const char*>(digest), size});
  return true;
}

ScalarFunction digest_function(std::string name,
                               const EVP_MD* (*algorithm)(),
                               std::vector<std::string> examples) {
  return simple<std::string_view, std::string_view>(
      {{name},
       fmt::format("'{}(<CHARACTER>)'", name),
       fmt::format("The {} hash as hexadecimal digits.", name),
       std::move(examples)},
      strict({{Family::kText}}, DataType::string()),
      [algorithm](std::string& out, std::string_view text) {
        return append_digest(out, text, algorithm());
      });
}

const EVP_MD* sha2_of(int32_t bits) {
  switch (bits) {
    case 224:
      return EVP_sha224();
    case 256:
      return EVP_sha256();
    case 384:
      return EVP_sha384();
    case 512:
      return EVP_sha512();
    default:
      return nullptr;
  }
}

}  // namespace

void add_hash(FunctionRegistry& registry) {
  registry.add(digest_function("MD5", EVP_md5, {"MD5('') -> d41d8cd98f00b204e9800998ecf8427e"}));
  registry.add(digest_function(
      "SHA1", EVP_sha1, {"SHA1('abc') -> a9993e364706816aba3e25717850c26c9cd0d89d"}));
  registry.add(digest_function("SHA224", EVP_sha224, {}));
  registry.add(digest_function(
      "SHA256",
      EVP_sha256,
      {"SHA256('abc') -> ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"}));
  registry.add(digest_function("SHA384", EVP_sha384, {}));
  registry.add(digest_function("SHA512", EVP_sha512, {}));
  registry.add(simple<std::string_view, std::string_view, int32_t>(
      {{"SHA2"},
       "'SHA2(<CHARACTER>, <INTEGER> bits)'",
       "The SHA-2 hash of 224, 256, 384 or 512 bits as hexadecimal digits.",
       {"SHA2('abc', 224) -> 23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7"}},
      nullable({{Family::kText, DataType::integer()}}, DataType::string()),
      [](std::string& out, std::string_view text, int32_t bits) {
        return append_digest(out, text, sha2_of(bits));
      }));
}

}  // namespace thalweg::functions
