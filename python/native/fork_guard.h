#pragma once

#include <string_view>

#include <unistd.h>

namespace thalweg::binding {

/// Stands around a user's code on a thread of the engine. A child that the code forked, and in
/// which it came back, is ended here: none of the engine's other threads are in it.
class ForkGuard {
 public:
  ForkGuard() : process_(getpid()) {}

  ~ForkGuard() {
    if (getpid() != process_) {
      constexpr std::string_view kText =
          "A function forked, and its child came back into the job: the child is ended. End it in "
          "the function, by os._exit(0).\n";
      static_cast<void>(!write(STDERR_FILENO, kText.data(), kText.size()));
      _exit(1);
    }
  }

  ForkGuard(const ForkGuard&) = delete;
  ForkGuard& operator=(const ForkGuard&) = delete;

 private:
  pid_t process_;
};

}  // namespace thalweg::binding
