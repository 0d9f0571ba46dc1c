#include <fmt/format.h>

#include "thalweg/common/error.h"
#include "thalweg/stream/connector.h"

namespace thalweg::connectors {

namespace {

class BlackholeWriter final : public stream::SinkWriter {
 public:
  void write(const Batch& batch) override { static_cast<void>(batch); }
};

class BlackholeSink final : public stream::TableSink {
 public:
  explicit BlackholeSink(std::optional<int32_t> parallelism) : parallelism_(parallelism) {}

  /// Old values of updates are of no use to it.
  stream::ChangelogMode accepted(const stream::ChangelogMode& requested) const override {
    stream::ChangelogMode mode = requested;
    mode.update_before = false;
    return mode;
  }

  std::optional<int32_t> parallelism() const override { return parallelism_; }

  std::unique_ptr<stream::SinkWriter> create_writer() const override {
    return std::make_unique<BlackholeWriter>();
  }

 private:
  std::optional<int32_t> parallelism_;
};

/// 'connector' = 'blackhole': swallows all rows, for measurements.
class BlackholeConnector final : public stream::ConnectorFactory {
 public:
  std::string name() const override { return "blackhole"; }

  std::vector<stream::OptionSpec> option_specs() const override {
    return {{.key = "sink.parallelism",
             .type = stream::OptionType::kInt,
             .description = "The number of parallel writers; by default that of the input."}};
  }

  std::shared_ptr<stream::TableSource> create_source(
      const stream::TableContext& context) const override {
    throw Error(ErrorCode::kNotSupported,
                fmt::format("Connector 'blackhole' can only be used as a sink. It cannot be used "
                            "as a source: {}",
                            context.table_name));
  }

  std::shared_ptr<stream::TableSink> create_sink(
      const stream::TableContext& context) const override {
    const stream::Options options(name(), option_specs(), context.options);
    options.validate();
    std::optional<int32_t> parallelism;
    if (options.has("sink.parallelism")) {
      parallelism = static_cast<int32_t>(options.get_int("sink.parallelism"));
    }
    return std::make_shared<BlackholeSink>(parallelism);
  }
};

}  // namespace

std::unique_ptr<stream::ConnectorFactory> make_blackhole_connector() {
  return std::make_unique<BlackholeConnector>();
}

}  // namespace thalweg::connectors
