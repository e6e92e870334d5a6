#pragma once
// Threads that work on what nobody waits for.

#include <sys/resource.h>
#include <unistd.h>

namespace threadscape {

/// Lowers the priority of the calling thread, and of the threads and processes that it starts from now on: they take
/// what others leave of the cores, for example the thread that draws the window. It stays so, because the system lets
/// nobody raise a priority again.
inline void take_low_priority() {
  // Linux has a priority for each thread. A refusal costs nothing but speed.
  (void)setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), 5);
}

}  // namespace threadscape
