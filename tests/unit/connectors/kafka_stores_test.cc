#include <filesystem>

#include <doctest/doctest.h>

#include "thalweg/common/error.h"
#include "thalweg/connectors/kafka/client.h"
#include "thalweg/connectors/kafka/java_store.h"

namespace thalweg::connectors::kafka {
namespace {

/// Made with keytool of Java 17; the password is "changeit".
std::string store(const char* name) {
  return std::filesystem::path(__FILE__).parent_path() / "stores" / name;
}

ClientProperties translated(stream::OptionMap more) {
  more.emplace("bootstrap.servers", "localhost:1");
  more.emplace("security.protocol", "SSL");
  return translate_properties(more, PropertyScope::kConsumer, nullptr);
}

TEST_CASE("trust stores of both Java kinds become PEM") {
  for (const char* name : {"trust.jks", "trust.p12"}) {
    CAPTURE(name);
    const ClientProperties properties = translated(
        {{"ssl.truststore.location", store(name)}, {"ssl.truststore.password", "changeit"}});
    CHECK(properties.settings.at("ssl.ca.pem").starts_with("-----BEGIN CERTIFICATE-----"));
    const Client client(PropertyScope::kConsumer, properties);  // librdkafka takes it
  }
  CHECK_THROWS_AS(translated({{"ssl.truststore.location", store("trust.p12")},
                              {"ssl.truststore.password", "wrong"}}),
                  const Error&);
  CHECK_THROWS_AS(translated({{"ssl.truststore.location", store("none")}}), const Error&);
  CHECK_THROWS_AS(trusted_certificates("x", "\xFE\xED\xFE\xED\0\0\0\2\0\0\0\1", ""), const Error&);
}

TEST_CASE("a JKS key store is refused with the command that converts it") {
  try {
    translated(
        {{"ssl.keystore.location", store("key.jks")}, {"ssl.keystore.password", "changeit"}});
    FAIL("was taken");
  } catch (const Error& error) {
    CHECK(error.hint_text().find("keytool -importkeystore") != std::string::npos);
  }
}

}  // namespace
}  // namespace thalweg::connectors::kafka
