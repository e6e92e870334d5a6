#include "compute/core/machine.h"

#include <omp.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

#include "compute/core/control_groups.h"

namespace threadscape {

namespace {

constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

std::size_t available_to_system() {
  std::ifstream file("/proc/meminfo");
  std::string key, unit;
  for (std::size_t kib = 0; file >> key >> kib; std::getline(file, unit))
    if (key == "MemAvailable:") return kib * 1024;
  return unlimited;  // no such system file: only the allocation itself can tell
}

std::size_t number_in(const char* path, std::size_t otherwise) {
  std::size_t number = 0;
  return std::ifstream(path) >> number ? number : otherwise;  // "max" is no number
}

/// What the process may still map: its limit of address space (`ulimit -v`) less what it has mapped.
std::size_t available_to_process() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return unlimited;
  const std::size_t mapped = number_in("/proc/self/statm", 0) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return limit.rlim_cur - std::min<std::size_t>(limit.rlim_cur, mapped);
}

}  // namespace

int hardware_threads() {
  return std::max(1, omp_get_num_procs());
}

int max_threads() {
  return std::max(256, 4 * hardware_threads());
}

std::size_t free_host_bytes() {
  return std::min({available_to_system(), free_bytes_of_control_groups(), available_to_process()});
}

std::optional<std::size_t> free_host_bytes_below(std::size_t bytes) {
  constexpr std::size_t worth_asking = std::size_t{64} << 20;
  if (bytes < worth_asking) return std::nullopt;
  const std::size_t free = free_host_bytes();
  return free < bytes ? std::optional(free) : std::nullopt;
}

}  // namespace threadscape
