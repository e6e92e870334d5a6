// Tests what a process can still do that a hostile model has taken over: it asks the kernel for each of the things that
// confinement takes away.

#include "compute/model_reader/confine.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <functional>
#include <limits>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/compute/test_files.h"

namespace threadscape::model_reader {
namespace {

/// Things that a confined process tries, by name. A call returns -1 and sets errno where the kernel refuses it.
using Attempts = std::map<std::string, std::function<long()>>;

/// The error numbers of attempts, 0 for those that succeeded, and what the kernel has granted.
struct Outcome {
  Confinement granted;
  std::map<std::string, int> errors;
};

class Confine : public TestFolder {
 protected:
  void SetUp() override {
    TestFolder::SetUp();
    std::filesystem::create_directory(path("model"));
    write_bytes(model(), "the model");
    write_bytes(inside(), "inside");
    write_bytes(outside(), "outside");
  }
  [[nodiscard]] std::filesystem::path model() const { return path("model/a.obj"); }
  [[nodiscard]] std::filesystem::path inside() const { return path("model/texture.png"); }
  [[nodiscard]] std::filesystem::path outside() const { return path("secret"); }

  /// Makes the attempts in a child process that is confined.
  [[nodiscard]] Outcome outcome(bool allow_outside, const Attempts& attempts) const {
    std::array<int, 2> ends{};
    EXPECT_EQ(pipe(ends.data()), 0);
    const pid_t child = fork();
    if (child == 0) {
      dup2(ends[1], STDOUT_FILENO);  // Confinement closes all files but the standard ones.
      const Confinement granted = confine(model(), allow_outside, std::numeric_limits<rlim_t>::max(), 60);
      std::string text = std::string(granted.files ? "1 " : "0 ") + (granted.calls ? "1\n" : "0\n");
      for (const auto& [name, call] : attempts)
        text += name + " " + std::to_string(call() == -1 ? errno : 0) + "\n";
      _exit(write(STDOUT_FILENO, text.data(), text.size()) == static_cast<ssize_t>(text.size()) ? 0 : 1);
    }
    close(ends[1]);
    std::string text;
    std::array<char, 4096> part{};
    for (ssize_t got = 0; (got = ::read(ends[0], part.data(), part.size())) > 0;)
      text.append(part.data(), static_cast<std::size_t>(got));
    close(ends[0]);
    int status = -1;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    Outcome outcome;
    std::istringstream lines(text);
    lines >> outcome.granted.files >> outcome.granted.calls;
    for (auto [name, error] = std::pair(std::string(), 0); lines >> name >> error;)
      outcome.errors[name] = error;
    EXPECT_EQ(outcome.errors.size(), attempts.size());
    return outcome;
  }
};

TEST_F(Confine, NothingBeyondReadingIsLeft) {
  const std::string in = inside(), out = outside(), made = path("model/made"), folder = path("model");
  const pid_t parent = getpid();
  rlimit any{};
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  CPU_SET(0, &cpus);
  const Attempts attempts{
      {"truncate-outside", [&] { return truncate(out.c_str(), 0); }},
      {"open-and-truncate", [&] { return open(in.c_str(), O_RDONLY | O_TRUNC); }},
      {"open-to-write", [&] { return open(in.c_str(), O_WRONLY); }},
      {"create", [&] { return open(made.c_str(), O_CREAT | O_RDONLY, 0600); }},
      {"creat", [&] { return creat(made.c_str(), 0600); }},
      {"fchmodat2", [&] { return syscall(452, AT_FDCWD, in.c_str(), 0777, 0); }},
      {"chmod", [&] { return chmod(in.c_str(), 0777); }},
      {"setxattr", [&] { return syscall(SYS_setxattr, in.c_str(), "user.a", "b", 1, 0); }},
      {"utimensat", [&] { return utimensat(AT_FDCWD, in.c_str(), nullptr, 0); }},
      {"unlink", [&] { return unlink(in.c_str()); }},
      {"rename", [&] { return rename(in.c_str(), made.c_str()); }},
      {"link", [&] { return link(in.c_str(), made.c_str()); }},
      {"mkdir", [&] { return mkdir(made.c_str(), 0700); }},
      {"chdir", [&] { return chdir(folder.c_str()); }},
      {"kill", [&] { return kill(parent, 0); }},
      {"tgkill", [&] { return syscall(SYS_tgkill, parent, parent, 0); }},
      {"tkill", [&] { return syscall(SYS_tkill, parent, 0); }},
      {"rt_sigqueueinfo",
       [&] {
         siginfo_t info{};
         info.si_code = SI_QUEUE;
         return syscall(SYS_rt_sigqueueinfo, parent, 0, &info);
       }},
      {"prlimit", [&] { return syscall(SYS_prlimit64, parent, RLIMIT_CORE, nullptr, &any); }},
      {"setpriority", [&] { return setpriority(PRIO_PROCESS, static_cast<id_t>(parent), 1); }},
      {"sched_setaffinity", [&] { return sched_setaffinity(parent, sizeof(cpus), &cpus); }},
      {"ptrace", [&] { return ptrace(PTRACE_ATTACH, parent, nullptr, nullptr); }},
      {"pidfd_open", [&] { return syscall(SYS_pidfd_open, parent, 0); }},
      {"process_vm_readv", [&] { return syscall(SYS_process_vm_readv, parent, nullptr, 0, nullptr, 0, 0); }},
      {"shmget", [&] { return syscall(SYS_shmget, 0, 4096, 0600); }},
      {"fork", [&] { return syscall(SYS_clone, SIGCHLD, nullptr, nullptr, nullptr, nullptr); }},
      {"clone3", [&] { return syscall(SYS_clone3, nullptr, 0); }},
      {"execve", [&] { return syscall(SYS_execve, "/bin/true", nullptr, nullptr); }},
      {"socket", [&] { return socket(AF_UNIX, SOCK_STREAM, 0); }},
      {"memfd_create", [&] { return syscall(SYS_memfd_create, "a", 0); }},
      {"io_uring_setup", [&] { return syscall(SYS_io_uring_setup, 1, nullptr); }},
      {"openat2", [&] { return syscall(437, AT_FDCWD, in.c_str(), nullptr, 0); }},
      {"prctl", [&] { return syscall(SYS_prctl, 1, 0, 0, 0, 0); }},
      {"ioctl", [&] { return ioctl(STDOUT_FILENO, FIONREAD, &any); }},
      {"unknown", [&] { return syscall(1000); }},
  };
  const Outcome outcome = this->outcome(false, attempts);
  if (!outcome.granted.calls) GTEST_SKIP() << "this kernel has no seccomp";
  for (const auto& [name, error] : outcome.errors)
    EXPECT_EQ(error, EPERM) << name;
  EXPECT_EQ(read_bytes(inside()), "inside");
  EXPECT_EQ(read_bytes(outside()), "outside");
}

TEST_F(Confine, TheFolderOfTheModelIsRead) {
  const std::string in = inside(), out = outside(), folder = path("model");
  const Attempts attempts{
      {"folder", [&] { return open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); }},
      {"inside", [&] { return open(in.c_str(), O_RDONLY | O_CLOEXEC); }},
      {"outside", [&] { return open(out.c_str(), O_RDONLY | O_CLOEXEC); }},
      {"system", [&] { return open("/etc/passwd", O_RDONLY); }},
  };
  const Outcome confined = outcome(false, attempts), allowed = outcome(true, attempts);
  if (!confined.granted.files) GTEST_SKIP() << "this kernel has no Landlock";
  EXPECT_EQ(confined.errors,
            (std::map<std::string, int>{{"folder", 0}, {"inside", 0}, {"outside", EACCES}, {"system", EACCES}}));
  EXPECT_EQ(allowed.errors, (std::map<std::string, int>{{"folder", 0}, {"inside", 0}, {"outside", 0}, {"system", 0}}));
}

TEST_F(Confine, MemoryAndTheEndByASignalOfItsOwnAreLeft) {
  const Attempts attempts{
      {"memory", [] { return std::vector<char>(std::size_t{64} << 20, 'a').back() == 'a' ? 0 : -1; }},
      {"own-thread", [] { return syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), 0); }},
  };
  for (const auto& [name, error] : outcome(false, attempts).errors)
    EXPECT_EQ(error, 0) << name;
}

}  // namespace
}  // namespace threadscape::model_reader
