#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace thalweg::connectors::kafka {

/// How a Java key store or trust store is written; told by its first bytes, as Java does.
enum class StoreKind : uint8_t { kPem, kJks, kPkcs12 };

/// The whole file. Throws kFileNotFound.
std::string read_store(const std::string& path);

StoreKind store_kind(std::string_view content);

/// The trusted certificates of a store as PEM text. Throws kInvalidOption naming `path`.
std::string trusted_certificates(const std::string& path,
                                 std::string_view content,
                                 const std::string& password);

}  // namespace thalweg::connectors::kafka
