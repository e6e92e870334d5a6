#pragma once
// The loop over rows of serial code, which the OpenMP variant `loops` shares among threads as it stands.

#include <omp.h>

#include "compute/core/run.h"

namespace threadscape {

/// Calls f(y) for the rows 0 .. rows - 1. A run on one thread, as that of the serial backend is, takes them in order;
/// of several threads, each takes as many neighbouring rows. Progress is that of the first thread, from `begun` to
/// `done`.
template <class F>
void for_rows(const HostRun& run, std::int64_t rows, const F& f, double begun = 0.0, double done = 1.0) {
  const auto part = [&](std::int64_t first, std::int64_t end, bool reports) {
    for (std::int64_t y = first; y < end && !run.stop.stop_requested(); ++y) {
      f(static_cast<int>(y));
      if (run.progress && reports)
        run.progress->report(begun + (done - begun) * static_cast<double>(y + 1) / static_cast<double>(end));
    }
  };
  if (run.threads <= 1) return part(0, rows, true);  // OpenMP would allocate a team for one thread, too.
#pragma omp parallel num_threads(run.threads)
  {
    const std::int64_t thread = omp_get_thread_num(), threads = omp_get_num_threads();
    part(rows * thread / threads, rows * (thread + 1) / threads, thread == 0);
  }
}

}  // namespace threadscape
