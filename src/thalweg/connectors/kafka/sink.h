#pragma once

#include <memory>
#include <optional>

#include "thalweg/connectors/kafka/source.h"
#include "thalweg/connectors/kafka/writer.h"

namespace thalweg::connectors::kafka {

struct SinkSettings {
  WriterSettings writer;
  SinkLayout layout;
  FormatUse value;
  /// Without a key format its factory is null.
  FormatUse key;
  /// What the sink takes.
  stream::ChangelogMode changelog_mode;
};

/// One use of a kafka table as a sink.
class KafkaSink final : public stream::TableSink {
 public:
  explicit KafkaSink(SinkSettings settings) : settings_(std::move(settings)) {}

  stream::ChangelogMode accepted(const stream::ChangelogMode& requested) const override {
    static_cast<void>(requested);
    return settings_.changelog_mode;
  }

  std::optional<int32_t> parallelism() const override {
    return settings_.writer.options.sink_parallelism;
  }

  std::unique_ptr<stream::SinkWriter> create_writer() const override {
    std::unique_ptr<stream::Encoder> key;
    if (settings_.key.factory != nullptr) {
      key = settings_.key.factory->create_encoder(settings_.key.context);
    }
    auto encoder = std::make_unique<RecordEncoder>(
        settings_.layout,
        std::move(key),
        settings_.value.factory->create_encoder(settings_.value.context));
    return std::make_unique<KafkaWriter>(settings_.writer, std::move(encoder));
  }

 private:
  SinkSettings settings_;
};

}  // namespace thalweg::connectors::kafka
