#include "thalweg/connectors/kafka/java_store.h"

#include <fstream>
#include <memory>
#include <sstream>

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/x509.h>

#include "thalweg/common/error.h"

namespace thalweg::connectors::kafka {
namespace {

using Bio = std::unique_ptr<BIO, decltype(&BIO_free_all)>;
using Certificate = std::unique_ptr<X509, decltype(&X509_free)>;

[[noreturn]] void fail(const std::string& path, const std::string& what) {
  throw Error(ErrorCode::kInvalidOption, "Key store could not be read: " + path + ": " + what)
      .hint(
          "check the password, or give the certificates as a PEM file with "
          "'properties.ssl.truststore.type' = 'PEM'");
}

void append_pem(std::string& out, X509* certificate) {
  const Bio bio(BIO_new(BIO_s_mem()), BIO_free_all);
  PEM_write_bio_X509(bio.get(), certificate);
  char* data = nullptr;
  const auto size = BIO_get_mem_data(bio.get(), &data);
  out.append(data, static_cast<size_t>(size));
}

/// Java's own format, big-endian throughout. Certificates lie in it unencrypted.
class JksReader {
 public:
  JksReader(const std::string& path, std::string_view content) : path_(path), content_(content) {}

  std::string trusted() {
    constexpr uint32_t kTrustedCertificate = 2;
    std::string pem;
    number(4);  // magic
    const uint64_t version = number(4);
    const uint64_t entries = number(4);
    for (uint64_t i = 0; i < entries; ++i) {
      const uint64_t tag = number(4);
      bytes(number(2));  // alias
      number(8);         // date
      if (tag != kTrustedCertificate) {
        fail(path_, "it holds private keys; a trust store must hold certificates only");
      }
      if (version == 2) {
        bytes(number(2));  // "X.509"
      }
      const std::string_view der = bytes(number(4));
      const auto* data = reinterpret_cast<const unsigned char*>(der.data());
      const Certificate certificate(d2i_X509(nullptr, &data, static_cast<long>(der.size())),
                                    X509_free);
      if (certificate == nullptr) {
        fail(path_, "a certificate in it is damaged");
      }
      append_pem(pem, certificate.get());
    }
    return pem;
  }

 private:
  std::string_view bytes(uint64_t size) {
    if (size > content_.size() - next_) {
      fail(path_, "it is cut short");
    }
    const std::string_view result = content_.substr(next_, size);
    next_ += size;
    return result;
  }

  uint64_t number(uint64_t size) {
    uint64_t value = 0;
    for (const char c : bytes(size)) {
      value = value << 8U | static_cast<unsigned char>(c);
    }
    return value;
  }

  const std::string& path_;
  std::string_view content_;
  size_t next_ = 0;
};

std::string trusted_in_pkcs12(const std::string& path,
                              std::string_view content,
                              const std::string& password) {
  const auto* data = reinterpret_cast<const unsigned char*>(content.data());
  const std::unique_ptr<PKCS12, decltype(&PKCS12_free)> store(
      d2i_PKCS12(nullptr, &data, static_cast<long>(content.size())), PKCS12_free);
  if (store == nullptr) {
    fail(path, "it is not a PKCS#12 file");
  }
  EVP_PKEY* key = nullptr;
  X509* own = nullptr;
  STACK_OF(X509)* others = nullptr;
  const int parsed = PKCS12_parse(store.get(), password.c_str(), &key, &own, &others);
  EVP_PKEY_free(key);
  const Certificate own_owner(own, X509_free);
  ERR_clear_error();
  if (parsed != 1) {
    fail(path, "the password does not fit");
  }
  std::string pem;
  if (own != nullptr) {
    append_pem(pem, own);
  }
  for (int i = 0; i < sk_X509_num(others); ++i) {
    append_pem(pem, sk_X509_value(others, i));
  }
  sk_X509_pop_free(others, X509_free);
  return pem;
}

}  // namespace

std::string read_store(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    throw Error(ErrorCode::kFileNotFound, "Key store not found: " + path)
        .hint("check 'properties.ssl.*.location'");
  }
  std::ostringstream content;
  content << file.rdbuf();
  return content.str();
}

StoreKind store_kind(std::string_view content) {
  if (content.starts_with("\xFE\xED\xFE\xED")) {
    return StoreKind::kJks;
  }
  return content.starts_with('\x30') ? StoreKind::kPkcs12 : StoreKind::kPem;
}

std::string trusted_certificates(const std::string& path,
                                 std::string_view content,
                                 const std::string& password) {
  std::string pem;
  switch (store_kind(content)) {
    case StoreKind::kJks:
      pem = JksReader(path, content).trusted();
      break;
    case StoreKind::kPkcs12:
      pem = trusted_in_pkcs12(path, content, password);
      break;
    case StoreKind::kPem:
      pem = content;
      break;
  }
  if (pem.find("-----BEGIN") == std::string::npos) {
    fail(path, "it holds no certificates");
  }
  return pem;
}

}  // namespace thalweg::connectors::kafka
