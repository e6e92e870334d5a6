#include "compute/core/machine.h"

#include <omp.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
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

std::size_t page_bytes() {
  return static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

/// What the process may still take: its limit of address space (`ulimit -v`) less what it has mapped, and its limit of
/// memory less what it holds.
std::size_t available_to_process() {
  std::size_t mapped = 0, held = 0;
  std::ifstream("/proc/self/statm") >> mapped >> held;
  const auto left = [](std::size_t limit, std::size_t pages) { return limit - std::min(limit, pages * page_bytes()); };
  rlimit space{};
  const bool limited = getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY;
  return std::min(limited ? left(space.rlim_cur, mapped) : unlimited, left(memory_limit(), held));
}

std::atomic<std::size_t> limit_that_was_set = 0;  ///< 0 if none was.

}  // namespace

int hardware_threads() {
  return std::max(1, omp_get_num_procs());
}

int max_threads() {
  return std::max(256, 4 * hardware_threads());
}

std::size_t memory_limit() {
  if (const std::size_t bytes = limit_that_was_set; bytes > 0) return bytes;
  const auto pages = static_cast<std::size_t>(std::max(sysconf(_SC_PHYS_PAGES), 0L));
  return pages > 0 ? pages * page_bytes() / 16 * 15 : unlimited;
}

void set_memory_limit(std::size_t bytes) {
  limit_that_was_set = bytes;
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
