#pragma once

namespace thalweg::binding {

/// With the GIL. From now on Ctrl-C is heard by a thread of its own as well: where nobody gets the
/// GIL for some seconds then, because a function's native code keeps it, the process is ended as if
/// nobody had handled the signal. Does nothing the second time, on other threads than the main one,
/// and where the program has a wake-up descriptor for signals.
void watch_ctrl_c();

}  // namespace thalweg::binding
