#include <cstdio>

#include <fmt/format.h>

#include "thalweg/common/error.h"
#include "thalweg/common/line_output.h"
#include "thalweg/stream/connector.h"
#include "thalweg/types/text.h"

namespace thalweg::connectors {

namespace {

/// Writes one line a row, as Java's RowData prints: +I[1, a, null].
class PrintWriter final : public stream::SinkWriter {
 public:
  PrintWriter(std::string identifier, stream::LineConsumer consume)
      : prefix_(std::move(identifier)), consume_(std::move(consume)) {}

  void open(stream::WriterContext& context) override {
    if (context.parallelism() > 1) {
      prefix_ += fmt::format("{}{}", prefix_.empty() ? "" : ":", context.subtask() + 1);
    }
    if (!prefix_.empty()) {
      prefix_ += "> ";
    }
  }

  void write(const Batch& batch) override {
    for (int32_t row = 0; row < batch.row_count(); ++row) {
      line_ = prefix_;
      line_ += short_name(batch.kind(row));
      line_ += '[';
      for (size_t i = 0; i < batch.columns().size(); ++i) {
        if (i > 0) {
          line_ += ", ";
        }
        text::append_value(line_, batch.column(i), row, text::Style::kPrint, TimeZone::utc());
      }
      line_ += ']';
      consume_(line_);
    }
  }

 private:
  std::string prefix_;
  stream::LineConsumer consume_;
  std::string line_;
};

class PrintSink final : public stream::TableSink {
 public:
  PrintSink(std::string identifier,
            stream::LineConsumer consume,
            std::optional<int32_t> parallelism)
      : identifier_(std::move(identifier)),
        consume_(std::move(consume)),
        parallelism_(parallelism) {}

  stream::ChangelogMode accepted(const stream::ChangelogMode& requested) const override {
    return requested;
  }

  std::optional<int32_t> parallelism() const override { return parallelism_; }

  std::unique_ptr<stream::SinkWriter> create_writer() const override {
    return std::make_unique<PrintWriter>(identifier_, consume_);
  }

 private:
  std::string identifier_;
  stream::LineConsumer consume_;
  std::optional<int32_t> parallelism_;
};

std::vector<stream::OptionSpec> print_option_specs() {
  using stream::OptionType;
  return {
      {.key = "print-identifier", .description = "A text before each line: 'text> +I[1]'."},
      {.key = "standard-error",
       .type = OptionType::kBoolean,
       .default_value = "false",
       .description = "Print to the standard error instead of the standard output."},
      {.key = "sink.parallelism",
       .type = OptionType::kInt,
       .description = "The number of parallel writers; by default that of the input. With more "
                      "than one, each line starts with the writer's number."},
  };
}

/// 'connector' = 'print': shows each row as a line.
class PrintConnector final : public stream::ConnectorFactory {
 public:
  std::string name() const override { return "print"; }

  std::vector<stream::OptionSpec> option_specs() const override { return print_option_specs(); }

  std::shared_ptr<stream::TableSource> create_source(
      const stream::TableContext& context) const override {
    throw Error(ErrorCode::kNotSupported,
                fmt::format("Connector 'print' can only be used as a sink. It cannot be used as a "
                            "source: {}",
                            context.table_name));
  }

  std::shared_ptr<stream::TableSink> create_sink(
      const stream::TableContext& context) const override {
    const stream::Options options(name(), option_specs(), context.options);
    options.validate();
    stream::LineConsumer consume = context.print_line;
    if (options.get_bool("standard-error")) {
      consume = [](std::string_view line) { write_line(stderr, line); };
    } else if (!consume) {
      consume = [](std::string_view line) { write_line(stdout, line); };
    }
    std::optional<int32_t> parallelism;
    if (options.has("sink.parallelism")) {
      parallelism = static_cast<int32_t>(options.get_int("sink.parallelism"));
    }
    return std::make_shared<PrintSink>(
        options.find_string("print-identifier").value_or(""), std::move(consume), parallelism);
  }
};

}  // namespace

std::unique_ptr<stream::ConnectorFactory> make_print_connector() {
  return std::make_unique<PrintConnector>();
}

}  // namespace thalweg::connectors
