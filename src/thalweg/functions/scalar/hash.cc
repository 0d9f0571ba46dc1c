// MD5, SHA1, SHA224 ... SHA512, SHA2.
#include <map>
#include <memory>

#include <openssl/evp.h>

#include "thalweg/functions/simple_function.h"

namespace thalweg::functions {

using expression::FunctionRegistry;
using expression::ScalarFunction;

namespace {

/// Digests in one context: looking an algorithm up takes OpenSSL longer than a short text.
class Digest {
 public:
  explicit Digest(const EVP_MD* algorithm) : context_(EVP_MD_CTX_new(), &EVP_MD_CTX_free) {
    const std::unique_ptr<EVP_MD, decltype(&EVP_MD_free)> found(
        EVP_MD_fetch(nullptr, EVP_MD_get0_name(algorithm), nullptr), &EVP_MD_free);
    usable_ = found != nullptr && EVP_DigestInit_ex2(context_.get(), found.get(), nullptr) == 1;
  }

  /// Hexadecimal digits; false when the algorithm is not to be had.
  bool write(std::string& out, std::string_view text) {
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned int size = 0;
    if (!usable_ || EVP_DigestInit_ex2(context_.get(), nullptr, nullptr) != 1 ||
        EVP_DigestUpdate(context_.get(), text.data(), text.size()) != 1 ||
        EVP_DigestFinal_ex(context_.get(), digest, &size) != 1) {
      return false;
    }
    constexpr std::string_view kDigits = "0123456789abcdef";
    out.resize(size_t{2} * size);
    for (size_t i = 0; i < size; ++i) {
      out[2 * i] = kDigits[digest[i] >> 4U];
      out[2 * i + 1] = kDigits[digest[i] & 15U];
    }
    return true;
  }

 private:
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context_;
  bool usable_ = false;
};

/// `bits` of a digest are a quarter as many digits.
ScalarFunction digest_function(std::string name,
                               int32_t bits,
                               const EVP_MD* (*algorithm)(),
                               std::vector<std::string> examples) {
  const DataType digits = DataType::character(bits / 4);
  ScalarFunction function =
      documented({{name},
                  fmt::format("'{}(<CHARACTER> | <BINARY>)'", name),
                  fmt::format("The {} hash as hexadecimal digits.", name),
                  std::move(examples)},
                 any_of({strict({{Family::kText}}, digits), strict({{Family::kBytes}}, digits)}));
  function.is_infallible = true;
  function.make_kernel = [algorithm](const Signature& signature, std::span<const BoundArgument>) {
    return expression::row_kernel<std::string_view, std::string_view>(
        signature.result,
        [digest = std::make_shared<Digest>(algorithm())](std::string& out, std::string_view text) {
          return digest->write(out, text);
        });
  };
  return function;
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

ScalarFunction sha2_function() {
  ScalarFunction function =
      documented({{"SHA2"},
                  "'SHA2(<CHARACTER> | <BINARY>, <INTEGER> bits)'",
                  "The SHA-2 hash of 224, 256, 384 or 512 bits as hexadecimal digits.",
                  {"SHA2('abc', 224) -> 23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7"}},
                 any_of({strict({{Family::kText, DataType::integer()}}, DataType::varchar(128)),
                         strict({{Family::kBytes, DataType::integer()}}, DataType::varchar(128))}));
  function.make_kernel = [](const Signature& signature, std::span<const BoundArgument>) {
    return expression::row_kernel<std::string_view, std::string_view, int32_t>(
        signature.result,
        [digests = std::make_shared<std::map<int32_t, Digest>>()](
            expression::RowFault& fault, std::string& out, std::string_view text, int32_t bits) {
          const EVP_MD* algorithm = sha2_of(bits);
          if (algorithm == nullptr) {
            fault.raise(Error(ErrorCode::kInvalidArgument,
                              fmt::format("Unsupported algorithm: SHA-2 of {} bits", bits))
                            .hint("SHA2 takes 224, 256, 384 or 512 bits."));
            return false;
          }
          return digests->try_emplace(bits, algorithm).first->second.write(out, text);
        });
  };
  return function;
}

}  // namespace

void add_hash(FunctionRegistry& registry) {
  registry.add(
      digest_function("MD5", 128, EVP_md5, {"MD5('') -> d41d8cd98f00b204e9800998ecf8427e"}));
  registry.add(digest_function(
      "SHA1", 160, EVP_sha1, {"SHA1('abc') -> a9993e364706816aba3e25717850c26c9cd0d89d"}));
  registry.add(digest_function("SHA224", 224, EVP_sha224, {}));
  registry.add(digest_function(
      "SHA256",
      256,
      EVP_sha256,
      {"SHA256('abc') -> ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"}));
  registry.add(digest_function("SHA384", 384, EVP_sha384, {}));
  registry.add(digest_function("SHA512", 512, EVP_sha512, {}));
  registry.add(sha2_function());
}

}  // namespace thalweg::functions
