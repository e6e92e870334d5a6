#pragma once
// The limits of memory of the control groups that this process is in: those of containers, of slices and services of
// systemd, and of jobs of a cluster.

#include <cstddef>
#include <filesystem>

namespace threadscape {

/// Bytes that this process may still allocate within the limits of its control group of memory and of all groups above
/// it, in version 1 or 2 of control groups; the largest number where no limit is set. Cached files count as free,
/// because the kernel gives them back. The groups are looked for in proc/self/cgroup and proc/self/mountinfo below
/// `root`, which is another folder in tests.
[[nodiscard]] std::size_t free_bytes_of_control_groups(const std::filesystem::path& root = "/");

}  // namespace threadscape
