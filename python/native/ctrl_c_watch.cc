#include "ctrl_c_watch.h"

#include <atomic>
#include <chrono>
#include <csignal>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <nanobind/nanobind.h>
#include <unistd.h>

namespace nb = nanobind;

namespace thalweg::binding {

namespace {

constexpr std::chrono::milliseconds kStep(100);
/// So long nobody gets the GIL before the process is ended.
constexpr int kSteps = 30;
/// How often that is looked at: what hears Ctrl-C may still be held up.
constexpr int kLooks = 10;

/// How much of a processor the main thread has used, in ticks of a hundredth of a second.
int64_t main_thread_ticks() {
  std::ifstream stat(fmt::format("/proc/self/task/{}/stat", getpid()));
  std::string line;
  std::getline(stat, line);
  // Fields are counted behind the name, which may have blanks.
  std::istringstream fields(line.substr(std::min(line.rfind(')') + 1, line.size())));
  std::string field;
  for (int i = 3; i < 14; ++i) {
    fields >> field;
  }
  int64_t user = 0;
  int64_t system = 0;
  fields >> user >> system;
  return user + system;
}

/// Whether no thread gets the GIL for kSteps, and the main thread is not the one that has it: that
/// would be at work.
bool is_python_stuck() {
  const int64_t before = main_thread_ticks();
  const auto is_alive = std::make_shared<std::atomic<bool>>(false);
  std::thread([is_alive] {
    if (Py_IsInitialized() != 0) {
      const PyGILState_STATE state = PyGILState_Ensure();
      PyGILState_Release(state);
    }
    *is_alive = true;
  }).detach();
  for (int step = 0; step < kSteps && !*is_alive; ++step) {
    std::this_thread::sleep_for(kStep);
  }
  constexpr int64_t kIdleTicks = 60;
  return !*is_alive && main_thread_ticks() - before < kIdleTicks;
}

void end_process() {
  constexpr std::string_view kText =
      "Ctrl-C: a function's native code keeps Python's lock and does not come back; the program is "
      "ended. With python.execution-mode = process only the function's worker would be.\n";
  static_cast<void>(!write(STDERR_FILENO, kText.data(), kText.size()));
  std::signal(SIGINT, SIG_DFL);
  kill(getpid(), SIGINT);
}

/// Reads the numbers of signals that Python's handler writes to the pipe.
void listen(int pipe_end) {
  unsigned char number = 0;
  while (read(pipe_end, &number, 1) == 1) {
    for (int look = 0; look < kLooks && number == SIGINT; ++look) {
      if (is_python_stuck()) {
        end_process();
      }
      std::this_thread::sleep_for(kStep);
    }
  }
}

bool is_main_thread() {
  const nb::module_ threading = nb::module_::import_("threading");
  return threading.attr("main_thread")().is(threading.attr("current_thread")());
}

}  // namespace

void watch_ctrl_c() {
  if (!is_main_thread()) {
    return;
  }
  const nb::object set = nb::module_::import_("signal").attr("set_wakeup_fd");
  const int before = nb::cast<int>(set(-1));
  int ends[2] = {-1, -1};
  if (before >= 0 || pipe2(ends, O_CLOEXEC) != 0) {
    set(before);
    return;
  }
  fcntl(ends[1], F_SETFL, O_NONBLOCK);
  set(ends[1], nb::arg("warn_on_full_buffer") = false);
  std::thread([from = ends[0]] { listen(from); }).detach();
}

}  // namespace thalweg::binding
