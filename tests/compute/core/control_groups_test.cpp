// Tests the limits of control groups with system files that the tests write.

#include "compute/core/control_groups.h"

#include <limits>
#include <string>

#include "tests/support/compute/test_files.h"

namespace threadscape {
namespace {

constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

class ControlGroups : public TestFolder {
 protected:
  void write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories(path(name).parent_path());
    write_bytes(path(name), text);
  }
  [[nodiscard]] std::size_t free() const { return free_bytes_of_control_groups(path("")); }
};

TEST_F(ControlGroups, WithoutSystemFilesThereIsNoLimit) {
  EXPECT_EQ(free(), unlimited);
}

TEST_F(ControlGroups, TheLeastOfAllGroupsAboveCounts) {
  write("proc/self/cgroup", "0::/user.slice/run-1.scope\n");
  write("proc/self/mountinfo", "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n");
  write("sys/fs/cgroup/user.slice/run-1.scope/memory.max", "max\n");
  EXPECT_EQ(free(), unlimited);
  write("sys/fs/cgroup/user.slice/memory.max", "5000\n");
  write("sys/fs/cgroup/user.slice/memory.current", "3000\n");
  write("sys/fs/cgroup/user.slice/memory.stat", "anon 1800\ninactive_file 1200\nactive_file 7\n");
  EXPECT_EQ(free(), 3200u);
  write("sys/fs/cgroup/user.slice/run-1.scope/memory.max", "1000\n");
  EXPECT_EQ(free(), 1000u);
  write("sys/fs/cgroup/user.slice/run-1.scope/memory.current", "1001\n");
  EXPECT_EQ(free(), 0u);
  write("sys/fs/cgroup/user.slice/run-1.scope/memory.max", "max\n");
  write("sys/fs/cgroup/user.slice/memory.high", "2500\n");
  EXPECT_EQ(free(), 700u);
}

TEST_F(ControlGroups, TheFirstVersionHasAHierarchyForMemory) {
  write("proc/self/cgroup", "9:name=systemd:/\n4:hugetlb,memory:/slurm/job_7\n1:cpu:/other\n0::/\n");
  write("proc/self/mountinfo",
        "32 31 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n"
        "35 31 0:32 / /sys/fs/cgroup/memory rw,relatime shared:9 master:1 - cgroup cgroup rw,memory,hugetlb\n");
  write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  write("sys/fs/cgroup/memory/slurm/job_7/memory.limit_in_bytes", "4096\n");
  write("sys/fs/cgroup/memory/slurm/job_7/memory.usage_in_bytes", "96\n");
  EXPECT_EQ(free(), 4000u);
}

TEST_F(ControlGroups, AContainerSeesItsGroupAsTheTop) {
  write("proc/self/cgroup", "4:memory:/docker/abc/child\n");
  write("proc/self/mountinfo", "35 31 0:32 /docker/abc /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n");
  write("sys/fs/cgroup/memory/memory.limit_in_bytes", "8000\n");
  write("sys/fs/cgroup/memory/child/memory.limit_in_bytes", "6000\n");
  EXPECT_EQ(free(), 6000u);
  // The process was moved, and its group is outside of what the container sees.
  write("proc/self/cgroup", "4:memory:/elsewhere\n");
  EXPECT_EQ(free(), 8000u);
}

}  // namespace
}  // namespace threadscape
