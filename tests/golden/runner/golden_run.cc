#include "golden_run.h"

#include <algorithm>

#include <fmt/format.h>
#include <unistd.h>

#include "row_text.h"
#include "thalweg/stream/metrics.h"

namespace thalweg::golden {

/// A job under observation. `lines` are the changes since the last expect.
struct GoldenRun::RunningJob {
  std::string name;
  std::string sql;
  engine::Result result;
  std::vector<std::string> lines;
  std::optional<Error> failure = std::nullopt;
  int64_t seen_watermark = kMinEventTime.ms;

  bool is_insert() const { return result.kind == engine::Result::Kind::kInsert; }
};

namespace {

/// Metric names as golden files write them.
const std::map<std::string, const char*> kMetrics = {
    {"late_rows", stream::metric::kLateRows},
    {"bad_records", stream::metric::kBadRecords},
    {"dropped_at_end", stream::metric::kDroppedAtEnd},
};

/// The first column stands for the key: within it, order counts.
std::string key_of(const std::string& line) {
  const size_t end = line.find(" |");
  return line.size() > 3 ? line.substr(3, end == std::string::npos ? end : end - 3) : line;
}

/// Runs of +I rows of one key in one firing have no order of their own unless the file says
/// order=exact.
void order_by_key(std::vector<std::string>& lines) {
  std::stable_sort(
      lines.begin(), lines.end(), [](const std::string& left, const std::string& right) {
        return key_of(left) < key_of(right);
      });
}

int64_t sum_of(const runtime::Job& job, const char* metric) {
  int64_t sum = 0;
  for (const runtime::OperatorMetrics& metrics : job.metrics()) {
    const auto found = metrics.values.find(metric);
    sum += found == metrics.values.end() ? 0 : found->second;
  }
  return sum;
}

}  // namespace

std::string Settings::to_string() const {
  return fmt::format("parallelism {}, batches of {}{}",
                     parallelism,
                     batch_rows,
                     restarts_between_feeds ? ", restarts between feeds" : "");
}

GoldenRun::GoldenRun(const GoldenFile& file, Settings settings)
    : file_(file),
      settings_(settings),
      folder_(std::filesystem::temp_directory_path() / fmt::format("thalweg-golden-{}", getpid())),
      clock_(std::make_shared<ManualClock>()),
      feeds_(std::make_shared<connectors::TestFeeds>()),
      process_(std::make_shared<engine::Process>()) {
  std::filesystem::remove_all(folder_);
  process_->connectors.add(connectors::make_test_stream_connector(feeds_));
  engine::SessionOptions options;
  options.clock = clock_;
  options.print_line = [this](std::string_view line) {
    const std::lock_guard lock(printed_mutex_);
    printed_.emplace_back(line);
  };
  options.result_capacity = std::numeric_limits<size_t>::max();
  options.config = {{"parallelism.default", std::to_string(settings_.parallelism)},
                    {"table.local-time-zone", "UTC"},
                    {"execution.checkpointing.dir", folder_.string()}};
  options.batch_rows = static_cast<int32_t>(settings_.batch_rows);
  session_ = std::make_unique<engine::Session>(process_, std::move(options));
}

GoldenRun::~GoldenRun() {
  for (auto& [name, job] : jobs_) {
    job->result.rows->close();
  }
  jobs_.clear();
  session_.reset();
  process_.reset();
  std::filesystem::remove_all(folder_);
}

void GoldenRun::fail(const std::string& what) {
  failures_.push_back(
      fmt::format("{}:{}: {} ({})", file_.path.string(), line_, what, settings_.to_string()));
}

std::vector<std::string> GoldenRun::run() {
  for (const Command& command : file_.commands) {
    line_ = command.line;
    try {
      std::visit([this](const auto& body) { execute(body); }, command.body);
    } catch (const Error& error) {
      fail(render(error));
      break;
    } catch (const std::exception& error) {
      fail(error.what());
      break;
    }
  }
  return failures_;
}

void GoldenRun::execute(const StatementCommand& command) {
  try {
    const engine::Result result = session_->execute(with_folder(command.sql), true);
    if (result.kind == engine::Result::Kind::kInsert) {
      while (!result.job->wait_for(1000)) {
      }
      if (const std::optional<Error> failure = result.job->failure()) {
        throw Error(*failure);
      }
    }
  } catch (const Error& error) {
    if (!command.expects_error) {
      fail(render(error, command.sql));
    } else if (error.message().find(command.error_text) == std::string::npos) {
      fail("another error: " + error.message());
    }
    return;
  }
  if (command.expects_error) {
    fail("no error");
  }
}

void GoldenRun::start(RunningJob& job, const std::string& restore_path) {
  engine::Configuration& config = session_->config();
  if (restore_path.empty()) {
    config.reset("execution.state-recovery.path");
  } else {
    config.set("execution.state-recovery.path", restore_path);
  }
  job.result = session_->execute(job.sql);
}

void GoldenRun::execute(const JobCommand& command) {
  auto job = std::make_unique<RunningJob>();
  job->name = command.name;
  job->sql = with_folder(command.sql);
  start(*job, "");
  jobs_[command.name] = std::move(job);
}

void GoldenRun::execute(const FeedCommand& command) {
  if (settings_.restarts_between_feeds) {
    const std::string name = fmt::format("automatic-{}", ++automatic_checkpoints_);
    take_checkpoint(name);
    restart_all(name);
  }
  const auto feed = feeds_->feed("default_catalog.default_database." + command.table);
  for (Batch& batch : parse_rows(command.rows, feed->schema(), settings_.batch_rows)) {
    feed->push(std::move(batch));
  }
}

void GoldenRun::execute(const EndCommand& command) {
  feeds_->feed("default_catalog.default_database." + command.table)->end();
}

void GoldenRun::execute(const ClockCommand& command) {
  for (auto& [name, job] : jobs_) {
    settle(*job);
  }
  clock_->advance_to({parse_time(command.time)});
}

void GoldenRun::execute(const SetCommand& command) {
  session_->config().set(command.key, command.value);
}

void GoldenRun::settle(RunningJob& job) {
  job.result.job->settle();
  if (job.failure) {
    return;
  }
  try {
    read_rows(job);
  } catch (const Error& error) {
    job.failure = error;
  }
}

void GoldenRun::read_rows(RunningJob& job) {
  if (job.is_insert()) {
    for (std::string& line : take_printed()) {
      job.lines.push_back(std::move(line));
    }
    job.failure = job.result.job->failure();
    return;
  }
  Batch batch;
  while (job.result.rows->next(0, batch) == engine::ResultRows::State::kBatch) {
    const std::vector<std::string> lines = format_rows(batch);
    job.lines.insert(job.lines.end(), lines.begin(), lines.end());
  }
}

/// What print tables got, "+I[..]" or "name> +I[..]", without the subtask's number that may stand
/// before the mark.
std::vector<std::string> GoldenRun::take_printed() {
  std::vector<std::string> lines;
  {
    const std::lock_guard lock(printed_mutex_);
    lines.swap(printed_);
  }
  for (std::string& line : lines) {
    const size_t mark = line.find("> ");
    if (mark == std::string::npos) {
      continue;
    }
    const size_t begin = line.find_last_not_of("0123456789", mark - 1);
    if (begin == std::string::npos) {
      line.erase(0, mark + 2);
    } else if (line[begin] == ':') {
      line.erase(begin, mark - begin);
    }
  }
  return lines;
}

std::string GoldenRun::with_folder(std::string sql) const {
  constexpr std::string_view kName = "${FOLDER}";
  for (size_t at = sql.find(kName); at != std::string::npos; at = sql.find(kName)) {
    sql.replace(at, kName.size(), folder_.string());
  }
  return sql;
}

void GoldenRun::execute(const FailureCommand& command) {
  RunningJob& job = *jobs_.at(command.job);
  while (!job.result.job->wait_for(1000)) {
  }
  settle(job);
  if (!job.failure) {
    fail("the job has not failed");
  } else if (job.failure->message().find(command.text) == std::string::npos) {
    fail("another failure: " + job.failure->message());
  }
}

std::string GoldenRun::take_checkpoint(const std::string& name) {
  for (auto& [job_name, job] : jobs_) {
    settle(*job);
    const std::string path = job->result.job->savepoint((folder_ / name / job_name).string());
    settle(*job);
    std::filesystem::create_symlink(path, folder_ / (name + "-" + job_name));
  }
  return name;
}

void GoldenRun::restart_all(const std::string& checkpoint) {
  for (auto& [name, job] : jobs_) {
    settle(*job);
    job->result.rows->close();
    job->result.job->cancel();
    while (!job->result.job->wait_for(1000)) {
    }
    start(*job, std::filesystem::read_symlink(folder_ / (checkpoint + "-" + name)).string());
  }
}

void GoldenRun::execute(const CheckpointCommand& command) {
  take_checkpoint(std::to_string(command.number));
}

void GoldenRun::execute(const RestartCommand& command) {
  if (command.parallelism > 0) {
    session_->config().set("parallelism.default", std::to_string(command.parallelism));
  }
  restart_all(std::to_string(command.from));
}

std::string GoldenRun::watermark_line(RunningJob& job) const {
  int64_t watermark = std::numeric_limits<int64_t>::max();
  for (const runtime::OperatorMetrics& metrics : job.result.job->metrics()) {
    const auto found = metrics.values.find(stream::metric::kCurrentWatermark);
    const bool is_sink = !metrics.values.contains(stream::metric::kRowsOut);
    if (is_sink && found != metrics.values.end()) {
      watermark = std::min(watermark, found->second);
    }
  }
  // A restarted job begins without a watermark, as in Flink: only what goes beyond the last one
  // counts.
  if (watermark <= job.seen_watermark) {
    return {};
  }
  job.seen_watermark = watermark;
  return "WM " + (watermark == kMaxEventTime.ms ? "max" : format_time(watermark));
}

std::vector<std::string> GoldenRun::compare(const ExpectCommand& command,
                                            std::vector<std::string> came) const {
  std::vector<std::string> wanted = command.lines;
  if (command.order == "any") {
    std::sort(wanted.begin(), wanted.end());
    std::sort(came.begin(), came.end());
  } else if (command.order == "key") {
    order_by_key(wanted);
    order_by_key(came);
  }
  if (wanted == came) {
    return {};
  }
  return came.empty() ? std::vector<std::string>{"(nothing)"} : came;
}

void GoldenRun::execute(const ExpectCommand& command) {
  RunningJob& job = *jobs_.at(command.job);
  settle(job);
  std::vector<std::string> came = std::move(job.lines);
  job.lines.clear();
  if (std::string line = watermark_line(job); !line.empty() && !job.is_insert()) {
    came.push_back(std::move(line));
  }
  const std::vector<std::string> wrong = compare(command, std::move(came));
  if (!wrong.empty()) {
    fail(fmt::format("came:\n    {}", fmt::join(wrong, "\n    ")));
  }
  for (const auto& [name, wanted] : command.metrics) {
    // Counters begin anew with a restart, so only a run without extra ones can tell.
    const int64_t value = sum_of(*job.result.job, kMetrics.at(name));
    if (value != wanted && !settings_.restarts_between_feeds) {
      fail(fmt::format("{} is {}, not {}", name, value, wanted));
    }
  }
}

}  // namespace thalweg::golden
