#include "thalweg/connectors/kafka/java_property.h"

#include <algorithm>
#include <iterator>

namespace thalweg::connectors::kafka {
namespace {

using enum PropertyRule;
using enum PropertyScope;

constexpr std::string_view kJavaClass =
    "it names a Java class, and there is no JVM here; remove it";
constexpr std::string_view kAssigned =
    "partitions are assigned by the job, not by a consumer group";
constexpr std::string_view kMetrics = "metrics are Thalweg's own";
constexpr std::string_view kOpenSsl = "TLS is OpenSSL's, with its own defaults";
constexpr std::string_view kNoTuning = "librdkafka has no such setting";

// One line a key, so that this file reads as a table.
// clang-format off
constexpr JavaProperty kProperties[] = {
    {"acks", kProducer, kSame},
    {"allow.auto.create.topics", kConsumer, kSame},
    {"auto.commit.interval.ms", kConsumer, kSame},
    {"auto.include.jmx.reporter", kBoth, kIgnored, {}, kMetrics},
    {"auto.offset.reset", kConsumer, kTranslated},
    {"batch.size", kProducer, kSame},
    {"bootstrap.servers", kBoth, kSame},
    {"buffer.memory", kProducer, kTranslated},
    {"check.crcs", kConsumer, kSame},
    {"client.dns.lookup", kBoth, kIgnored, {}, kNoTuning},
    {"client.id", kBoth, kSame},
    {"client.id.prefix", kBoth, kTranslated},
    {"client.rack", kConsumer, kSame},
    {"commit.offsets.on.checkpoint", kConsumer, kTranslated},
    {"compression.gzip.level", kProducer, kRenamed, "compression.level"},
    {"compression.lz4.level", kProducer, kRenamed, "compression.level"},
    {"compression.type", kProducer, kSame},
    {"compression.zstd.level", kProducer, kRenamed, "compression.level"},
    {"config.providers", kBoth, kRefused, {}, kJavaClass},
    {"connections.max.idle.ms", kBoth, kSame},
    {"default.api.timeout.ms", kBoth, kTranslated},
    {"delivery.timeout.ms", kProducer, kSame},
    {"enable.auto.commit", kConsumer, kSame},
    {"enable.idempotence", kProducer, kSame},
    {"enable.metrics.push", kBoth, kIgnored, {}, kMetrics},
    {"exclude.internal.topics", kConsumer, kTranslated},
    {"fetch.max.bytes", kConsumer, kSame},
    {"fetch.max.wait.ms", kConsumer, kRenamed, "fetch.wait.max.ms"},
    {"fetch.min.bytes", kConsumer, kSame},
    {"group.id", kConsumer, kSame},
    {"group.instance.id", kConsumer, kIgnored, {}, kAssigned},
    {"group.protocol", kConsumer, kIgnored, {}, kAssigned},
    {"group.remote.assignor", kConsumer, kIgnored, {}, kAssigned},
    {"heartbeat.interval.ms", kConsumer, kIgnored, {}, kAssigned},
    {"interceptor.classes", kBoth, kRefused, {}, kJavaClass},
    {"isolation.level", kConsumer, kSame},
    {"key.deserializer", kConsumer, kIgnored, {}, "the table's key.format decides"},
    {"key.serializer", kProducer, kIgnored, {}, "the table's key.format decides"},
    {"linger.ms", kProducer, kSame},
    {"max.block.ms", kProducer, kTranslated},
    {"max.in.flight.requests.per.connection", kProducer, kSame},
    {"max.partition.fetch.bytes", kConsumer, kSame},
    {"max.poll.interval.ms", kConsumer, kIgnored, {}, kAssigned},
    {"max.poll.records", kConsumer, kIgnored, {}, "the engine chooses its batches"},
    {"max.request.size", kProducer, kRenamed, "message.max.bytes"},
    {"metadata.max.age.ms", kBoth, kRenamed, "topic.metadata.refresh.interval.ms"},
    {"metadata.max.idle.ms", kProducer, kIgnored, {}, kNoTuning},
    {"metadata.recovery.rebootstrap.trigger.ms", kBoth, kIgnored, {}, kNoTuning},
    {"metadata.recovery.strategy", kBoth, kIgnored, {}, kNoTuning},
    {"metric.reporters", kBoth, kIgnored, {}, kMetrics},
    {"metrics.num.samples", kBoth, kIgnored, {}, kMetrics},
    {"metrics.recording.level", kBoth, kIgnored, {}, kMetrics},
    {"metrics.sample.window.ms", kBoth, kIgnored, {}, kMetrics},
    {"partition.assignment.strategy", kConsumer, kIgnored, {}, kAssigned},
    {"partition.discovery.interval.ms", kConsumer, kIgnored, {}, "'scan.topic-partition-discovery.interval' decides"},
    {"partitioner.adaptive.partitioning.enable", kProducer, kIgnored, {}, kNoTuning},
    {"partitioner.availability.timeout.ms", kProducer, kIgnored, {}, kNoTuning},
    {"partitioner.class", kProducer, kTranslated},
    {"partitioner.ignore.keys", kProducer, kTranslated},
    {"receive.buffer.bytes", kBoth, kTranslated},
    {"reconnect.backoff.max.ms", kBoth, kSame},
    {"reconnect.backoff.ms", kBoth, kSame},
    {"register.consumer.metrics", kConsumer, kIgnored, {}, kMetrics},
    {"request.timeout.ms", kBoth, kTranslated},
    {"retries", kProducer, kSame},
    {"retry.backoff.max.ms", kBoth, kIgnored, {}, kNoTuning},
    {"retry.backoff.ms", kBoth, kTranslated},
    {"sasl.client.callback.handler.class", kBoth, kRefused, {}, kJavaClass},
    {"sasl.jaas.config", kBoth, kTranslated},
    {"sasl.kerberos.kinit.cmd", kBoth, kSame},
    {"sasl.kerberos.min.time.before.relogin", kBoth, kSame},
    {"sasl.kerberos.service.name", kBoth, kSame},
    {"sasl.kerberos.ticket.renew.jitter", kBoth, kIgnored, {}, kNoTuning},
    {"sasl.kerberos.ticket.renew.window.factor", kBoth, kIgnored, {}, kNoTuning},
    {"sasl.login.callback.handler.class", kBoth, kTranslated},
    {"sasl.login.class", kBoth, kRefused, {}, kJavaClass},
    {"sasl.login.connect.timeout.ms", kBoth, kIgnored, {}, kNoTuning},
    {"sasl.login.read.timeout.ms", kBoth, kIgnored, {}, kNoTuning},
    {"sasl.login.refresh.buffer.seconds", kBoth, kIgnored, {}, kNoTuning},
    {"sasl.login.refresh.min.period.seconds", kBoth, kIgnored, {}, kNoTuning},
    {"sasl.login.refresh.window.factor", kBoth, kIgnored, {}, kNoTuning},
    {"sasl.login.refresh.window.jitter", kBoth, kIgnored, {}, kNoTuning},
    {"sasl.login.retry.backoff.max.ms", kBoth, kIgnored, {}, kNoTuning},
    {"sasl.login.retry.backoff.ms", kBoth, kIgnored, {}, kNoTuning},
    {"sasl.mechanism", kBoth, kSame},
    {"sasl.oauthbearer.clock.skew.seconds", kBoth, kIgnored, {}, kNoTuning},
    {"sasl.oauthbearer.expected.audience", kBoth, kIgnored, {}, kNoTuning},
    {"sasl.oauthbearer.expected.issuer", kBoth, kIgnored, {}, kNoTuning},
    {"sasl.oauthbearer.header.urlencode", kBoth, kIgnored, {}, kNoTuning},
    {"sasl.oauthbearer.jwks.endpoint.refresh.ms", kBoth, kIgnored, {}, kNoTuning},
    {"sasl.oauthbearer.jwks.endpoint.retry.backoff.max.ms", kBoth, kIgnored, {}, kNoTuning},
    {"sasl.oauthbearer.jwks.endpoint.retry.backoff.ms", kBoth, kIgnored, {}, kNoTuning},
    {"sasl.oauthbearer.jwks.endpoint.url", kBoth, kIgnored, {}, kNoTuning},
    {"sasl.oauthbearer.scope.claim.name", kBoth, kIgnored, {}, kNoTuning},
    {"sasl.oauthbearer.sub.claim.name", kBoth, kIgnored, {}, kNoTuning},
    {"sasl.oauthbearer.token.endpoint.url", kBoth, kSame},
    {"security.protocol", kBoth, kTranslated},
    {"security.providers", kBoth, kRefused, {}, kJavaClass},
    {"send.buffer.bytes", kBoth, kTranslated},
    {"session.timeout.ms", kConsumer, kIgnored, {}, kAssigned},
    {"socket.connection.setup.timeout.max.ms", kBoth, kIgnored, {}, kNoTuning},
    {"socket.connection.setup.timeout.ms", kBoth, kSame},
    {"ssl.cipher.suites", kBoth, kIgnored, {}, "Java and OpenSSL name cipher suites differently"},
    {"ssl.enabled.protocols", kBoth, kIgnored, {}, kOpenSsl},
    {"ssl.endpoint.identification.algorithm", kBoth, kTranslated},
    {"ssl.engine.factory.class", kBoth, kRefused, {}, kJavaClass},
    {"ssl.key.password", kBoth, kTranslated},
    {"ssl.keymanager.algorithm", kBoth, kIgnored, {}, kOpenSsl},
    {"ssl.keystore.certificate.chain", kBoth, kRenamed, "ssl.certificate.pem"},
    {"ssl.keystore.key", kBoth, kRenamed, "ssl.key.pem"},
    {"ssl.keystore.location", kBoth, kTranslated},
    {"ssl.keystore.password", kBoth, kTranslated},
    {"ssl.keystore.type", kBoth, kTranslated},
    {"ssl.protocol", kBoth, kIgnored, {}, kOpenSsl},
    {"ssl.provider", kBoth, kIgnored, {}, kOpenSsl},
    {"ssl.secure.random.implementation", kBoth, kIgnored, {}, kOpenSsl},
    {"ssl.trustmanager.algorithm", kBoth, kIgnored, {}, kOpenSsl},
    {"ssl.truststore.certificates", kBoth, kRenamed, "ssl.ca.pem"},
    {"ssl.truststore.location", kBoth, kTranslated},
    {"ssl.truststore.password", kBoth, kTranslated},
    {"ssl.truststore.type", kBoth, kTranslated},
    {"transaction.timeout.ms", kProducer, kTranslated},
    {"transaction.two.phase.commit.enable", kProducer, kIgnored, {}, "an epoch is sent as one transaction once its checkpoint is complete"},
    {"transactional.id", kProducer, kRefused, {}, "transactional ids are made by the sink; set 'sink.transactional-id-prefix' instead"},
    {"value.deserializer", kConsumer, kIgnored, {}, "the table's format decides"},
    {"value.serializer", kProducer, kIgnored, {}, "the table's format decides"},
};
// clang-format on

}  // namespace

std::span<const JavaProperty> java_properties() {
  return kProperties;
}

const JavaProperty* find_java_property(std::string_view key) {
  const auto* found = std::lower_bound(
      std::begin(kProperties),
      std::end(kProperties),
      key,
      [](const JavaProperty& property, std::string_view wanted) { return property.key < wanted; });
  return found != std::end(kProperties) && found->key == key ? found : nullptr;
}

}  // namespace thalweg::connectors::kafka
