#pragma once
// Counters of the CPU for a piece of work of this process: instructions, cycles and cache misses, by perf_event_open.

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace threadscape::app {

/// Counted in user mode on all threads of the process.
struct CpuCounts {
  double instructions = 0.0, cycles = 0.0;
  double cache_misses = 0.0;  ///< Misses of the last level of caches, as the kernel defines them for this CPU.
};

/// Counts on the threads that the process has when the object is made, so that a pool of threads has to exist before.
/// On machines that do not allow it, which is usual in containers and virtual machines, stop() returns nothing.
class CpuCounters {
 public:
  CpuCounters();
  ~CpuCounters();
  CpuCounters(const CpuCounters&) = delete;
  CpuCounters& operator=(const CpuCounters&) = delete;

  void start();
  /// What was counted since start(); nothing if a counter could not be opened, or did not run all the time because
  /// other programs use the counters too.
  [[nodiscard]] std::optional<CpuCounts> stop();

 private:
  struct Counter {
    int file = -1;
    double CpuCounts::*member = nullptr;
  };
  std::vector<Counter> counters_;
  bool complete_ = false;  ///< If true, all counters of all threads could be opened.
};

/// "Counters of one run: 2.1 instructions in a cycle, and a miss of the last cache every 830 instructions."; "" if
/// nothing was counted.
[[nodiscard]] std::string counts_sentence(const CpuCounts& counts);

}  // namespace threadscape::app
