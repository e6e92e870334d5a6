#include "app/report/cpu_counters.h"

#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <cstdint>
#include <utility>

#include "app/report/text.h"
#include "compute/io/folder_reader.h"

namespace threadscape::app {

namespace {

/// Numbers of the threads of this process.
std::vector<pid_t> threads_of_process() {
  std::vector<pid_t> threads;
  for (io::FolderReader reader("/proc/self/task"); const auto path = reader.next();) {
    const std::string name = path->filename().string();
    pid_t thread = 0;
    if (std::from_chars(name.data(), name.data() + name.size(), thread).ec == std::errc{}) threads.push_back(thread);
  }
  return threads;
}

/// Opens a counter of a thread, which does not count yet. Returns -1 if the machine does not allow it.
int open_counter(std::uint64_t config, pid_t thread) {
  perf_event_attr attributes{};
  attributes.type = PERF_TYPE_HARDWARE;
  attributes.size = sizeof attributes;
  attributes.config = config;
  attributes.disabled = 1;
  attributes.exclude_kernel = 1;
  attributes.exclude_hv = 1;
  attributes.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  constexpr int any_cpu = -1, no_group = -1;
  return static_cast<int>(syscall(SYS_perf_event_open, &attributes, thread, any_cpu, no_group, PERF_FLAG_FD_CLOEXEC));
}

}  // namespace

CpuCounters::CpuCounters() {
  const std::array events{std::pair{PERF_COUNT_HW_INSTRUCTIONS, &CpuCounts::instructions},
                          std::pair{PERF_COUNT_HW_CPU_CYCLES, &CpuCounts::cycles},
                          std::pair{PERF_COUNT_HW_CACHE_MISSES, &CpuCounts::cache_misses}};
  const std::vector<pid_t> threads = threads_of_process();
  counters_.reserve(threads.size() * events.size());  // Nothing fails between opening a counter and keeping it.
  for (const pid_t thread : threads)
    for (const auto& [event, member] : events) {
      const int file = open_counter(event, thread);
      if (file < 0) return;  // One that cannot be opened makes the sums meaningless.
      counters_.push_back({file, member});
    }
  complete_ = !counters_.empty();
}

CpuCounters::~CpuCounters() {
  for (const Counter& counter : counters_)
    close(counter.file);
}

void CpuCounters::start() {
  for (const Counter& counter : counters_) {
    ioctl(counter.file, PERF_EVENT_IOC_RESET, 0);
    ioctl(counter.file, PERF_EVENT_IOC_ENABLE, 0);
  }
}

std::optional<CpuCounts> CpuCounters::stop() {
  for (const Counter& counter : counters_)
    ioctl(counter.file, PERF_EVENT_IOC_DISABLE, 0);
  if (!complete_) return {};
  CpuCounts counts;
  for (const Counter& counter : counters_) {
    std::array<std::uint64_t, 3> values{};  // The count, the time for which it was enabled, and for which it ran.
    if (read(counter.file, values.data(), sizeof values) != sizeof values || values[1] != values[2]) return {};
    counts.*counter.member += static_cast<double>(values[0]);
  }
  return counts;
}

std::string counts_sentence(const CpuCounts& counts) {
  if (counts.instructions <= 0.0 || counts.cycles <= 0.0) return {};
  std::string text = "Counters of one run: " + format_number(counts.instructions / counts.cycles, 3) +
                     " instructions in a cycle, and ";
  if (counts.cache_misses < 1.0) return text + "no miss of the last cache.";
  return text + "a miss of the last cache every " + format_number(counts.instructions / counts.cache_misses, 3) +
         " instructions.";
}

}  // namespace threadscape::app
