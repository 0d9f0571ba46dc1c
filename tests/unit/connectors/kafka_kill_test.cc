#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <thread>

#include <doctest/doctest.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "connectors/kafka_fixture.h"

namespace thalweg::connectors::kafka_test {
namespace {

constexpr int kRecords = 20'000;

stream::OptionMap exactly_once(const std::string& address, const std::string& topic) {
  return table_options(address,
                       topic,
                       {{"sink.delivery-guarantee", "exactly-once"},
                        {"sink.transactional-id-prefix", "kill-" + topic},
                        {"properties.isolation.level", "read_committed"}});
}

void commit(const std::string& address, const std::string& topic, const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream committable;
  committable << in.rdbuf();
  TestWriterContext task;
  const auto writer = TestTable(exactly_once(address, topic)).sink()->create_writer();
  writer->open(task);
  writer->commit({1}, {committable.str()});
  writer->close();
}

/// Starts this program again for the test case below; it commits the file's epoch.
int start_committer(const std::string& address, const std::string& topic, const std::string& file) {
  const int pid = fork();
  if (pid == 0) {
    setenv("THALWEG_KILL_TEST", (address + " " + topic + " " + file).c_str(), 1);
    dup2(open("/dev/null", O_WRONLY), 1);
    execl("/proc/self/exe", "connectors_test", "-tc=the other process of the kill test", nullptr);
    _exit(127);
  }
  return pid;
}

TEST_CASE("the other process of the kill test") {
  const char* work = std::getenv("THALWEG_KILL_TEST");
  if (work == nullptr) {
    return;
  }
  std::istringstream words(work);
  std::string address;
  std::string topic;
  std::string file;
  words >> address >> topic >> file;
  commit(address, topic, file);
}

TEST_CASE("an epoch is sent once when its sender is killed at any moment") {
  EmbeddedBroker* broker = EmbeddedBroker::shared();
  if (broker == nullptr) {
    return;
  }
  const std::string topic = fresh_topic();
  const TestTable table(exactly_once(broker->address(), topic));
  std::vector<std::string> lines;
  for (int i = 0; i < kRecords; ++i) {
    lines.push_back("record " + std::to_string(i));
  }
  TestWriterContext task;
  const auto writer = table.sink()->create_writer();
  writer->open(task);
  writer->write(lines_batch(lines));
  const auto epoch = writer->prepare_commit({1});
  writer->close();
  const auto file = std::filesystem::temp_directory_path() / topic;
  std::ofstream(file, std::ios::binary) << epoch[0];

  for (int delay_ms = 20; delay_ms <= 380; delay_ms += 40) {
    const int pid = start_committer(broker->address(), topic, file);
    std::this_thread::sleep_for(std::chrono::milliseconds(delay_ms));
    kill(pid, SIGKILL);
    waitpid(pid, nullptr, 0);
  }
  int status = 1;
  waitpid(start_committer(broker->address(), topic, file), &status, 0);
  CHECK(status == 0);
  std::filesystem::remove(file);

  std::vector<std::string> seen = table.read();
  for (int i = 0; i < 50 && seen.size() < kRecords; ++i) {
    seen = table.read();
  }
  CHECK(seen.size() == kRecords);
  CHECK(std::set<std::string>(seen.begin(), seen.end()).size() == kRecords);
}

}  // namespace
}  // namespace thalweg::connectors::kafka_test
