#include "golden_file.h"

#include <fstream>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>

namespace thalweg::golden {

namespace {

class Reader {
 public:
  explicit Reader(const std::filesystem::path& path) : path_(path) {
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
      lines_.push_back(line);
    }
  }

  GoldenFile read() {
    GoldenFile file{path_, {}, {}};
    while (next_ < lines_.size()) {
      const std::string& line = lines_[next_];
      if (line.starts_with('#')) {
        read_header(line, file);
        ++next_;
      } else if (line.find_first_not_of(' ') == std::string::npos) {
        ++next_;
      } else {
        const auto number = static_cast<int32_t>(next_ + 1);
        file.commands.push_back({number, read_command()});
      }
    }
    return file;
  }

 private:
  static void read_header(const std::string& line, GoldenFile& file) {
    const size_t colon = line.find(':');
    if (colon != std::string::npos) {
      std::string key = line.substr(1, colon - 1);
      key.erase(0, key.find_first_not_of(' '));
      const size_t value = line.find_first_not_of(' ', colon + 1);
      file.header[key] = value == std::string::npos ? "" : line.substr(value);
    }
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw std::runtime_error(fmt::format("{}:{}: {}", path_.string(), next_, what));
  }

  std::vector<std::string> words_of(const std::string& line) const {
    std::istringstream stream(line);
    std::vector<std::string> words;
    for (std::string word; stream >> word;) {
      words.push_back(word);
    }
    return words;
  }

  std::vector<std::string> read_block() {
    std::vector<std::string> block;
    while (next_ < lines_.size() && lines_[next_].find_first_not_of(' ') != std::string::npos) {
      block.push_back(lines_[next_++]);
    }
    return block;
  }

  std::string read_sql() {
    std::string sql = fmt::format("{}", fmt::join(read_block(), "\n"));
    if (sql.ends_with(';')) {
      sql.pop_back();
    }
    return sql;
  }

  CommandBody read_command() {
    const std::string line = lines_[next_++];
    const std::vector<std::string> words = words_of(line);
    const std::string& verb = words[0];
    if (verb == "statement" && words.size() >= 2) {
      return read_statement(line, words);
    }
    if (verb == "job" && words.size() == 2) {
      return JobCommand{words[1], read_sql()};
    }
    if (verb == "feed" && words.size() == 2) {
      return FeedCommand{words[1], read_block()};
    }
    if (verb == "expect" && words.size() >= 2) {
      return read_expect(words);
    }
    if (verb == "failure" && words.size() >= 2) {
      const size_t text = line.find(words[1]) + words[1].size() + 1;
      return FailureCommand{words[1], words.size() > 2 ? line.substr(text) : ""};
    }
    if (verb == "end" && words.size() == 2) {
      return EndCommand{words[1]};
    }
    if (verb == "checkpoint" && words.size() == 2) {
      return CheckpointCommand{std::stoll(words[1])};
    }
    if (verb == "restart") {
      return read_restart(words);
    }
    if (verb == "clock" && words.size() == 2) {
      return ClockCommand{words[1]};
    }
    if (verb == "set" && words.size() >= 4 && words[2] == "=") {
      return SetCommand{words[1], line.substr(line.find('=') + 2)};
    }
    fail("unknown command: " + line);
  }

  StatementCommand read_statement(const std::string& line, const std::vector<std::string>& words) {
    StatementCommand command;
    command.expects_error = words[1] == "error";
    if (command.expects_error && words.size() > 2) {
      command.error_text = line.substr(line.find("error") + 6);
    }
    command.sql = read_sql();
    return command;
  }

  ExpectCommand read_expect(const std::vector<std::string>& words) {
    ExpectCommand command{words[1], {}, "key", {}};
    for (size_t i = 2; i < words.size(); ++i) {
      if (words[i].starts_with("order=")) {
        command.order = words[i].substr(6);
      } else if (words[i].starts_with("metrics=")) {
        read_metrics(words[i].substr(8), command);
      } else {
        fail("unknown setting of expect: " + words[i]);
      }
    }
    command.lines = read_block();
    if (command.lines.empty() || command.lines.front() != "----") {
      fail("expect is followed by ---- and the lines");
    }
    command.lines.erase(command.lines.begin());
    return command;
  }

  void read_metrics(const std::string& text, ExpectCommand& command) const {
    std::istringstream stream(text);
    for (std::string pair; std::getline(stream, pair, ',');) {
      const size_t colon = pair.find(':');
      if (colon == std::string::npos) {
        fail("a metric reads name:number");
      }
      command.metrics[pair.substr(0, colon)] = std::stoll(pair.substr(colon + 1));
    }
  }

  RestartCommand read_restart(const std::vector<std::string>& words) const {
    RestartCommand command;
    for (size_t i = 1; i < words.size(); ++i) {
      if (words[i].starts_with("from=")) {
        command.from = std::stoll(words[i].substr(5));
      } else if (words[i].starts_with("parallelism=")) {
        command.parallelism = std::stoi(words[i].substr(12));
      } else {
        fail("unknown setting of restart: " + words[i]);
      }
    }
    return command;
  }

  std::filesystem::path path_;
  std::vector<std::string> lines_;
  size_t next_ = 0;
};

}  // namespace

GoldenFile read_golden_file(const std::filesystem::path& path) {
  return Reader(path).read();
}

}  // namespace thalweg::golden
