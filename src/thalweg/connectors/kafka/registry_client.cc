#include "thalweg/connectors/kafka/registry_client.h"

#include <chrono>
#include <map>
#include <mutex>
#include <thread>

#include <httplib.h>
#include <nlohmann/json.hpp>

#include "thalweg/common/error.h"
#include "thalweg/connectors/kafka/java_store.h"

namespace thalweg::connectors {
namespace {

using Json = nlohmann::json;

/// "http://user:password@host:port/path", taken apart.
struct RegistryUrl {
  std::string shown;
  std::string origin;  // scheme, host and port
  std::string path;    // without a final slash
  std::string user_info;
};

RegistryUrl parse_url(const std::string& text, const stream::FormatContext& context) {
  const size_t scheme_end = text.find("://");
  const std::string scheme = text.substr(0, scheme_end);
  if (scheme_end == std::string::npos || (scheme != "http" && scheme != "https")) {
    throw Error(ErrorCode::kInvalidOption,
                "Invalid value for option 'avro-confluent.url': '" + text + "'")
        .hint("write http://host:port");
  }
  RegistryUrl url;
  std::string rest = text.substr(scheme_end + 3);
  const size_t slash = rest.find('/');
  if (slash != std::string::npos) {
    url.path = rest.substr(slash);
    rest.resize(slash);
  }
  if (const size_t at = rest.rfind('@'); at != std::string::npos) {
    url.user_info = rest.substr(0, at);
    rest.erase(0, at + 1);
  }
  if (rest.find(':') == std::string::npos) {
    rest += scheme == "https" ? ":443" : ":80";
  }
  if (context.resolve_address) {
    rest = context.resolve_address(rest);
  }
  // An alias may stand for an address with a path of its own.
  if (const size_t path = rest.find('/'); path != std::string::npos) {
    url.path.insert(0, rest.substr(path));
    rest.resize(path);
  }
  while (url.path.ends_with('/')) {
    url.path.pop_back();
  }
  url.origin = scheme + "://" + rest;
  url.shown = url.origin + url.path;
  return url;
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  size_t begin = 0;
  while (begin <= text.size()) {
    const size_t end = std::min(text.find(separator, begin), text.size());
    std::string part = text.substr(begin, end - begin);
    part.erase(0, part.find_first_not_of(' '));
    if (!part.empty()) {
      parts.push_back(std::move(part));
    }
    begin = end + 1;
  }
  return parts;
}

std::string percent_encoded(const std::string& text) {
  std::string result;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || c == '-' || c == '_' || c == '.' || c == '~') {
      result += c;
    } else {
      result += fmt::format("%{:02X}", byte);
    }
  }
  return result;
}

class RegistryClient final : public stream::SchemaRegistry {
 public:
  explicit RegistryClient(const stream::FormatContext& context) : options_(context.options) {
    const std::string urls = option("url").empty() ? option("schema-registry.url") : option("url");
    for (const std::string& url : split(urls, ',')) {
      urls_.push_back(parse_url(url, context));
    }
    if (urls_.empty()) {
      throw Error(ErrorCode::kMissingOption, "Required option missing: 'avro-confluent.url'");
    }
  }

  int32_t register_schema(const std::string& subject, const std::string& schema_json) override {
    const std::lock_guard lock(mutex_);
    const auto known = ids_.find({subject, schema_json});
    if (known != ids_.end()) {
      return known->second;
    }
    const Answer answer = ask("POST",
                              "/subjects/" + percent_encoded(subject) + "/versions",
                              Json{{"schema", schema_json}}.dump());
    if (answer.status != 200) {
      Error error(ErrorCode::kRegistryFailed,
                  fmt::format("Schema registry {} refused the schema of subject '{}': {}",
                              urls_[0].shown,
                              subject,
                              answer.why()));
      throw answer.status == 409
          ? std::move(error).hint(
                "the topic's earlier schema does not allow this change; change the "
                "table, or the subject's compatibility")
          : std::move(error);
    }
    const auto id = answer.body.at("id").get<int32_t>();
    ids_.emplace(std::pair(subject, schema_json), id);
    return id;
  }

  std::string schema_by_id(int32_t id) override {
    const std::lock_guard lock(mutex_);
    const auto known = schemas_.find(id);
    if (known != schemas_.end()) {
      return known->second;
    }
    const Answer answer = ask("GET", "/schemas/ids/" + std::to_string(id), "");
    if (answer.status == 404) {
      throw Error(ErrorCode::kSchemaNotFound,
                  fmt::format("Schema registry {} has no schema with id {}", urls_[0].shown, id))
          .hint(
              "check option 'avro-confluent.url': the records were written with another registry");
    }
    if (answer.status != 200) {
      throw Error(
          ErrorCode::kRegistryFailed,
          fmt::format(
              "Schema registry {} did not give schema {}: {}", urls_[0].shown, id, answer.why()));
    }
    if (answer.body.value("schemaType", std::string("AVRO")) != "AVRO") {
      throw Error(ErrorCode::kRegistryFailed,
                  fmt::format("Schema {} is of type {}, not Avro",
                              id,
                              answer.body["schemaType"].get<std::string>()));
    }
    return schemas_.emplace(id, answer.body.at("schema").get<std::string>()).first->second;
  }

 private:
  struct Answer {
    int status = 0;
    Json body;
    std::string text;

    std::string why() const {
      return body.is_object() && body.contains("message")
                 ? body["message"].get<std::string>()
                 : fmt::format("HTTP status {} {}", status, text.substr(0, 200));
    }
  };

  std::string option(const std::string& key) const {
    const auto found = options_.find(key);
    return found == options_.end() ? "" : found->second;
  }

  /// Tries each address in turn, a few times: a registry may be starting.
  Answer ask(const std::string& method, const std::string& path, const std::string& body) {
    constexpr int kRounds = 3;
    std::string failure;
    for (int round = 0; round < kRounds; ++round) {
      for (const RegistryUrl& url : urls_) {
        auto client = connect(url);
        const auto result =
            method == "GET"
                ? client->Get((url.path + path).c_str())
                : client->Post(
                      (url.path + path).c_str(), body, "application/vnd.schemaregistry.v1+json");
        if (result && result->status < 500) {
          return {result->status, Json::parse(result->body, nullptr, false), result->body};
        }
        failure = url.shown + ": " +
                  (result ? fmt::format("HTTP status {}", result->status)
                          : httplib::to_string(result.error()));
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(200) * (round + 1));
    }
    throw Error(ErrorCode::kRegistryFailed, "Schema registry unreachable: " + failure)
        .hint(
            "start one there (`thalweg broker --registry-port PORT`), or correct option "
            "'avro-confluent.url'")
        .retryable();
  }

  std::unique_ptr<httplib::Client> connect(const RegistryUrl& url) const {
    const std::string own = client_certificate();
    auto client = std::make_unique<httplib::Client>(url.origin, own, own);
    client->set_connection_timeout(5);
    client->set_read_timeout(30);
    client->set_follow_location(true);
    httplib::Headers headers = {
        {"Accept", "application/vnd.schemaregistry.v1+json, application/json"}};
    const std::string user_info =
        option("basic-auth.user-info").empty() ? url.user_info : option("basic-auth.user-info");
    if (const size_t colon = user_info.find(':'); colon != std::string::npos) {
      headers.insert(httplib::make_basic_authentication_header(user_info.substr(0, colon),
                                                               user_info.substr(colon + 1)));
    } else if (const std::string token = option("bearer-auth.token"); !token.empty()) {
      headers.emplace("Authorization", "Bearer " + token);
    }
    client->set_default_headers(headers);
    trust(*client);
    return client;
  }

  /// The PEM file with the client's certificate and key, or empty.
  std::string client_certificate() const {
    const std::string path = option("ssl.keystore.location");
    if (!path.empty() && kafka::store_kind(kafka::read_store(path)) != kafka::StoreKind::kPem) {
      throw Error(ErrorCode::kNotSupported,
                  "Option 'avro-confluent.ssl.keystore.location' is supported for PEM files only")
          .hint("convert it: openssl pkcs12 -in " + path + " -nodes -out client.pem");
    }
    return path;
  }

  void trust(httplib::Client& client) const {
    const std::string path = option("ssl.truststore.location");
    if (path.empty()) {
      return;
    }
    const std::string pem = kafka::trusted_certificates(
        path, kafka::read_store(path), option("ssl.truststore.password"));
    X509_STORE* store = X509_STORE_new();
    BIO* bio = BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size()));
    while (X509* certificate = PEM_read_bio_X509(bio, nullptr, nullptr, nullptr)) {
      X509_STORE_add_cert(store, certificate);
      X509_free(certificate);
    }
    BIO_free(bio);
    client.set_ca_cert_store(store);
  }

  stream::OptionMap options_;
  std::vector<RegistryUrl> urls_;
  std::mutex mutex_;
  std::map<std::pair<std::string, std::string>, int32_t> ids_;
  std::map<int32_t, std::string> schemas_;
};

}  // namespace

std::shared_ptr<stream::SchemaRegistry> open_schema_registry(const stream::FormatContext& context) {
  return std::make_shared<RegistryClient>(context);
}

}  // namespace thalweg::connectors
