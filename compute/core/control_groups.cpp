#include "compute/core/control_groups.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

namespace threadscape {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();

/// The names of the files of a group in one version of control groups.
struct Version {
  std::string_view filesystem;        ///< The type of the mounted file system.
  std::string_view controller;        ///< The word that names the hierarchy in proc/self/cgroup; "" in version 2.
  std::array<const char*, 2> limits;  ///< The second limit slows the processes down, until they seem to hang.
  const char *used, *cached;
};

constexpr std::array versions{
    Version{"cgroup2", "", {"memory.max", "memory.high"}, "memory.current", "inactive_file"},
    Version{"cgroup", "memory", {"memory.limit_in_bytes", nullptr}, "memory.usage_in_bytes", "total_inactive_file"},
};

std::size_t limit_in(const fs::path& path, std::size_t otherwise) {
  std::size_t number = 0;
  return std::ifstream(path) >> number ? number : otherwise;  // "max" is no number
}

bool has_word(std::string words, std::string_view word) {
  std::ranges::replace(words, ',', ' ');
  std::istringstream stream(words);
  for (std::string one; stream >> one;)
    if (one == word) return true;
  return false;
}

/// The path of the process in the hierarchy, from a line "4:memory:/slice/job" (or "0::/slice" in version 2); "" if
/// there is none.
std::string group_of(const fs::path& root, const Version& version) {
  std::ifstream file(root / "proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    if (version.controller.empty() ? controllers.empty() : has_word(controllers, version.controller))
      return line.substr(second + 1);
  }
  return "";
}

/// Where the hierarchy is mounted, and which of its groups is seen there: "/" outside of containers. Lines are
/// "35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory" (man 5 proc).
std::pair<fs::path, std::string> mount_of(const fs::path& root, const Version& version) {
  std::ifstream file(root / "proc/self/mountinfo");
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string skipped, group, point, type, source, options;
    words >> skipped >> skipped >> skipped >> group >> point;
    while (words >> skipped && skipped != "-") {
    }
    words >> type >> source >> options;
    if (type == version.filesystem && (version.controller.empty() || has_word(options, version.controller)))
      return {root / fs::path(point).relative_path(), group};
  }
  return {};
}

std::size_t free_in(const fs::path& group, const Version& version) {
  std::size_t limit = no_limit;
  for (const char* name : version.limits)
    if (name != nullptr) limit = std::min(limit, limit_in(group / name, no_limit));
  if (limit == no_limit) return no_limit;
  std::size_t used = limit_in(group / version.used, 0);
  std::ifstream statistics(group / "memory.stat");
  std::string key;
  for (std::size_t value = 0; statistics >> key >> value;)
    if (key == version.cached) used -= std::min(used, value);
  return limit - std::min(limit, used);
}

}  // namespace

std::size_t free_bytes_of_control_groups(const fs::path& root) {
  std::size_t free = no_limit;
  for (const Version& version : versions) {
    const auto [mounted, visible] = mount_of(root, version);
    if (mounted.empty()) continue;
    // A container may see its own group as the top of the hierarchy, while the path is that of the host.
    const fs::path below = fs::path(group_of(root, version)).lexically_relative(visible);
    fs::path group = mounted;
    free = std::min(free, free_in(group, version));
    if (below.empty() || *below.begin() == "..") continue;
    for (const fs::path& name : below) {
      group /= name;
      free = std::min(free, free_in(group, version));
    }
  }
  return free;
}

}  // namespace threadscape
