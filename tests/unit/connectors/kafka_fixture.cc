#include "connectors/kafka_fixture.h"

#include <atomic>
#include <cstdio>
#include <ctime>
#include <filesystem>

#include <arpa/inet.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "thalweg/common/check.h"
#include "thalweg/common/error.h"

namespace thalweg::connectors {
std::unique_ptr<stream::ConnectorFactory> make_kafka_connector();
}

namespace thalweg::connectors::kafka_test {
namespace {

namespace fs = std::filesystem;

std::string broker_binary() {
  if (const char* given = std::getenv("THALWEG_BROKER")) {
    return given;
  }
  // build/<kind>/tests/unit/connectors_test
  const fs::path build =
      fs::canonical("/proc/self/exe").parent_path().parent_path().parent_path().parent_path();
  return build / "broker" / "thalweg-broker";
}

int free_port() {
  const int socket_fd = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  bind(socket_fd, reinterpret_cast<sockaddr*>(&address), size);
  getsockname(socket_fd, reinterpret_cast<sockaddr*>(&address), &size);
  close(socket_fd);
  return ntohs(address.sin_port);
}

class LineDecoder final : public stream::Decoder {
 public:
  stream::DecodeResult decode(std::span<const std::string_view> records,
                              std::span<ColumnBuilder> builders,
                              std::vector<int32_t>* rows_per_record,
                              std::vector<RowKind>* kinds) override {
    static_cast<void>(kinds);
    stream::DecodeResult result;
    for (const std::string_view record : records) {
      if (record == "bad") {
        result.failure = Error(ErrorCode::kBadRecord, "Failed to decode");
        return result;
      }
      const bool is_row = record.data() != nullptr && record != "skip";
      if (is_row && !builders.empty()) {
        builders[0].append_string(record);
      }
      if (rows_per_record != nullptr) {
        rows_per_record->push_back(is_row ? 1 : 0);
      }
      ++result.records;
    }
    return result;
  }
};

class LineEncoder final : public stream::Encoder {
 public:
  void encode(const Batch& batch, std::string& bytes, std::vector<size_t>& ends) override {
    for (int32_t row = 0; row < batch.row_count(); ++row) {
      bytes += batch.column(0).string_at(row);
      ends.push_back(bytes.size());
    }
  }
};

class LineFormat final : public stream::FormatFactory {
 public:
  std::string name() const override { return "line"; }

  std::vector<stream::OptionSpec> option_specs() const override { return {}; }

  std::unique_ptr<stream::Decoder> create_decoder(const stream::FormatContext&) const override {
    return std::make_unique<LineDecoder>();
  }

  std::unique_ptr<stream::Encoder> create_encoder(const stream::FormatContext&) const override {
    return std::make_unique<LineEncoder>();
  }
};

}  // namespace

EmbeddedBroker::EmbeddedBroker() : port_(free_port()) {
  std::string name = (fs::temp_directory_path() / "thalweg-broker-XXXXXX").string();
  check(mkdtemp(name.data()) != nullptr, "no temporary folder");
  data_dir_ = name;
  address_ = "localhost:" + std::to_string(port_);
  start();
}

EmbeddedBroker::~EmbeddedBroker() {
  stop();
  if (!data_dir_.empty()) {
    fs::remove_all(data_dir_);
  }
}

EmbeddedBroker* EmbeddedBroker::shared() {
  static const std::unique_ptr<EmbeddedBroker> broker = []() -> std::unique_ptr<EmbeddedBroker> {
    if (const char* real = std::getenv("THALWEG_TEST_KAFKA")) {
      return std::make_unique<EmbeddedBroker>(real);
    }
    return fs::exists(broker_binary()) ? std::make_unique<EmbeddedBroker>() : nullptr;
  }();
  if (broker == nullptr) {
    std::fprintf(stderr,
                 "passed over: no broker at %s (tools/build_broker.sh builds it)\n",
                 broker_binary().c_str());
  }
  return broker.get();
}

void EmbeddedBroker::start() {
  int out[2];
  check(pipe(out) == 0, "no pipe");
  const std::string binary = broker_binary();
  const std::string port = std::to_string(port_);
  const std::string parent = std::to_string(getpid());
  pid_ = fork();
  if (pid_ == 0) {
    dup2(out[1], 1);
    execl(binary.c_str(),
          "thalweg-broker",
          "--port",
          port.c_str(),
          "--data-dir",
          data_dir_.c_str(),
          "--with-parent",
          parent.c_str(),
          nullptr);
    _exit(127);
  }
  close(out[1]);
  char ready[256];
  check(read(out[0], ready, sizeof(ready)) > 0, "the broker did not start");
  close(out[0]);
}

void EmbeddedBroker::stop() {
  if (pid_ > 0) {
    kill(pid_, SIGTERM);
    waitpid(pid_, nullptr, 0);
    pid_ = -1;
  }
}

std::string fresh_topic() {
  static std::atomic<int> next{0};
  return fmt::format("topic-{}-{}-{}", std::time(nullptr), getpid(), next++);
}

TestFormats::TestFormats() {
  formats_.push_back(std::make_unique<LineFormat>());
}

const stream::FormatFactory& TestFormats::format(const std::string& name) const {
  static_cast<void>(name);
  return *formats_[0];
}

TestTable::TestTable(stream::OptionMap options, std::vector<std::string> metadata) {
  context_.table_name = "t";
  context_.columns = {{"line", DataType::string()}};
  context_.metadata_keys = std::move(metadata);
  context_.options = std::move(options);
  context_.formats = &formats_;
  context_.warn = [warnings = warnings_](const std::string& text) { warnings->push_back(text); };
}

std::shared_ptr<stream::TableSource> TestTable::source() const {
  return make_kafka_connector()->create_source(context_);
}

std::shared_ptr<stream::TableSink> TestTable::sink() const {
  return make_kafka_connector()->create_sink(context_);
}

void TestTable::write(const std::vector<std::string>& lines) const {
  TestWriterContext task;
  const auto writer = sink()->create_writer();
  writer->open(task);
  writer->write(lines_batch(lines));
  writer->flush();
  writer->close();
}

std::vector<Batch> TestTable::read_batches(stream::TableSource& source, int enough) const {
  TestReaderContext task;
  const auto reader = source.create_reader();
  reader->open(task);
  reader->add_splits(source.discover_splits());
  reader->no_more_splits();
  std::vector<Batch> batches;
  int rows = 0;
  for (int poll = 0; poll < 400 && rows < enough; ++poll) {
    stream::PollResult result = reader->poll(50);
    if (result.kind == stream::PollResult::Kind::kEnd) {
      break;
    }
    if (result.kind == stream::PollResult::Kind::kBatch) {
      rows += result.batch.row_count();
      batches.push_back(std::move(result.batch));
      if (result.failure) {
        throw std::move(*result.failure);
      }
    }
  }
  reader->close();
  return batches;
}

std::vector<std::string> TestTable::read() const {
  std::vector<std::string> lines;
  const auto table_source = source();
  for (const Batch& batch : read_batches(*table_source)) {
    for (std::string& line : texts(batch)) {
      lines.push_back(std::move(line));
    }
  }
  return lines;
}

stream::OptionMap table_options(const std::string& address,
                                const std::string& topic,
                                stream::OptionMap more) {
  stream::OptionMap options = {
      {"connector", "kafka"},
      {"topic", topic},
      {"properties.bootstrap.servers", address},
      {"format", "line"},
      {"scan.startup.mode", "earliest-offset"},
      {"scan.bounded.mode", "latest-offset"},
  };
  for (auto& [key, value] : more) {
    options[key] = std::move(value);
  }
  return options;
}

Batch lines_batch(const std::vector<std::string>& lines) {
  auto builders = make_builders({{"line", DataType::string()}});
  for (const std::string& line : lines) {
    builders[0].append_string(line);
  }
  return finish_batch(builders);
}

std::vector<std::string> texts(const Batch& batch, size_t column) {
  std::vector<std::string> result;
  for (int32_t row = 0; row < batch.row_count(); ++row) {
    result.emplace_back(batch.column(column).is_null(row) ? "NULL"
                                                          : batch.column(column).string_at(row));
  }
  return result;
}

}  // namespace thalweg::connectors::kafka_test
