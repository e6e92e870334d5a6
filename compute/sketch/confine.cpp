#include "compute/sketch/confine.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>

namespace threadscape::sketch {

namespace fs = std::filesystem;

namespace {

/// Lowers a limit. Returns false where that fails.
bool limit(__rlimit_resource_t resource, std::uint64_t soft, std::uint64_t hard) {
  rlimit old{};
  if (getrlimit(resource, &old) != 0) return false;
  // A limit that is lower already stays.
  const rlimit wanted{std::min<rlim_t>(soft, old.rlim_max), std::min<rlim_t>(hard, old.rlim_max)};
  return setrlimit(resource, &wanted) == 0;
}

/// The interface of Landlock as linux/landlock.h has it from Linux 6.12 on. It is written here because the headers of
/// the system may be older than its kernel.
namespace landlock {

struct Ruleset {
  std::uint64_t files, network, scopes;
};
struct [[gnu::packed]] PathBeneath {
  std::uint64_t allowed;
  std::int32_t folder;
};
constexpr long create_ruleset = 444, add_rule = 445, restrict_self = 446;
constexpr std::uint32_t version_flag = 1;
constexpr int path_beneath = 1;
constexpr std::uint64_t execute = 1 << 0, read_file = 1 << 2, read_folder = 1 << 3;

/// All rights over files that the version knows, which are consecutive bits: 13 in the first version, moving files
/// between folders from the second, truncate() from the third and ioctl() of devices from the fifth version on.
constexpr std::uint64_t file_rights(long version) {
  const int count = version >= 5 ? 16 : version >= 3 ? 15 : version == 2 ? 14 : 13;
  return (std::uint64_t{1} << count) - 1;
}
/// TCP's bind() and connect(), from the fourth version on.
constexpr std::uint64_t network_rights(long version) {
  return version >= 4 ? 3 : 0;
}
/// Abstract sockets and signals of processes outside, from the sixth version on.
constexpr std::uint64_t scopes(long version) {
  return version >= 6 ? 3 : 0;
}

}  // namespace landlock

void allow_reading(int rules, const char* path, std::uint64_t rights) {
  const int file = open(path, O_PATH | O_CLOEXEC);
  if (file < 0) return;  // The loader of the program will say so.
  const landlock::PathBeneath rule{.allowed = rights, .folder = file};
  (void)syscall(landlock::add_rule, rules, landlock::path_beneath, &rule, 0);
  close(file);
}

/// Leaves this process the files that programs of the folder need to start. Does nothing without Landlock.
void restrict_files(const fs::path& folder) {
  const long version = syscall(landlock::create_ruleset, nullptr, 0, landlock::version_flag);
  if (version < 1) return;
  const landlock::Ruleset ruleset{.files = landlock::file_rights(version),
                                  .network = landlock::network_rights(version),
                                  .scopes = landlock::scopes(version)};
  // Older kernels refuse a structure with members that they do not know, unless these are zero.
  const int rules = static_cast<int>(syscall(landlock::create_ruleset, &ruleset, sizeof(ruleset), 0));
  if (rules < 0) return;
  for (const char* path :
       {folder.c_str(), "/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/sys/devices/system/cpu"})
    allow_reading(rules, path, landlock::execute | landlock::read_file | landlock::read_folder);
  allow_reading(rules, "/etc/ld.so.cache", landlock::read_file);
  (void)syscall(landlock::restrict_self, rules, 0);
  close(rules);
}

#if defined(__x86_64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t architecture = 0;
#endif

/// The system calls that computing needs, with any arguments: files that are open, memory, threads, the clock, the end,
/// and what the C and C++ libraries ask about the process.
constexpr std::array allowed {
  SYS_read, SYS_pread64, SYS_readv, SYS_write, SYS_writev, SYS_close, SYS_lseek, SYS_fstat, SYS_newfstatat, SYS_statx,
      SYS_statfs, SYS_fstatfs, SYS_faccessat, SYS_faccessat2, SYS_readlinkat, SYS_getdents64, SYS_getcwd, SYS_fadvise64,
      SYS_brk, SYS_mmap, SYS_munmap, SYS_mremap, SYS_mprotect, SYS_madvise, SYS_futex, SYS_getrandom, SYS_clock_gettime,
      SYS_clock_getres, SYS_gettimeofday, SYS_getrusage, SYS_getpid, SYS_gettid, SYS_getppid, SYS_getuid, SYS_geteuid,
      SYS_getgid, SYS_getegid, SYS_uname, SYS_sysinfo, SYS_sched_yield, SYS_sched_getaffinity, SYS_getcpu,
      SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_sigaltstack, SYS_restart_syscall, SYS_exit,
      SYS_exit_group, SYS_execve, SYS_set_tid_address, SYS_set_robust_list, SYS_rseq, SYS_nanosleep,
      SYS_clock_nanosleep,
#if defined(__x86_64__)
      SYS_stat, SYS_lstat, SYS_access, SYS_readlink, SYS_time, SYS_arch_prctl,
#endif
};

/// A condition on an argument of a call: its lower 32 bits have none of `value`, all of it, or are equal.
struct Condition {
  enum class Kind : std::uint8_t { none_of, all_of, equal };
  long call;
  int argument;
  std::uint32_t value;
  Kind kind;
};

/// The calls that are allowed with some arguments only.
auto conditions() {
  using Kind = Condition::Kind;
  constexpr std::uint32_t changing = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND;
  const auto self = static_cast<std::uint32_t>(getpid());
  return std::array {
    Condition{.call = SYS_openat, .argument = 2, .value = changing, .kind = Kind::none_of},
#if defined(__x86_64__)
        Condition{.call = SYS_open, .argument = 1, .value = changing, .kind = Kind::none_of},
#endif
        Condition{.call = SYS_fcntl, .argument = 1, .value = F_GETFL, .kind = Kind::equal},
        // abort() sends a signal to its own thread.
        Condition{.call = SYS_tgkill, .argument = 0, .value = self, .kind = Kind::equal},
        // A thread, but no process.
        Condition{.call = SYS_clone, .argument = 0, .value = CLONE_THREAD, .kind = Kind::all_of},
        // Threads ask how large their stacks are, without setting a limit.
        Condition{.call = SYS_prlimit64, .argument = 2, .value = 0, .kind = Kind::equal},
        // Streams of the C library ask whether they write to a terminal.
        Condition{.call = SYS_ioctl, .argument = 1, .value = TCGETS, .kind = Kind::equal},
  };
}

/// The steps of a filter. Their number is bounded, so that nothing is allocated.
class Filter {
 public:
  void push_back(const sock_filter& step) {
    if (count_ < steps_.size()) steps_[count_] = step;
    ++count_;
  }
  /// The program for the kernel, which refuses one of length 0: there were too many steps.
  [[nodiscard]] sock_fprog program() {
    return {.len = static_cast<unsigned short>(count_ <= steps_.size() ? count_ : 0), .filter = steps_.data()};
  }

 private:
  std::array<sock_filter, 4 + 2 * allowed.size() + 64> steps_{};
  std::size_t count_ = 0;
};

/// A filter that makes the system calls fail with EPERM that are not in the lists above.
Filter make_filter() {
  Filter program;
  program.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)));
  // Calls of another architecture have other numbers: the 32-bit ones of x86, which nothing here makes.
  program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, architecture, 1, 0));
  program.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS));
  program.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)));
  for (const long number : allowed) {
    program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(number), 0, 1));
    program.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  }
  for (const Condition& rule : conditions()) {
    const auto word =
        static_cast<std::uint32_t>(offsetof(seccomp_data, args) + 8 * static_cast<std::size_t>(rule.argument));
    program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(rule.call), 0, 4));
    program.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, word));
    program.push_back(
        rule.kind == Condition::Kind::equal    ? sock_filter(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, rule.value, 0, 1))
        : rule.kind == Condition::Kind::all_of ? sock_filter(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, rule.value, 0, 1))
                                               : sock_filter(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, rule.value, 1, 0)));
    program.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
    program.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM));
  }
#ifdef SYS_clone3
  // Its flags are not in its arguments. The C library tries clone() where a kernel does not know clone3().
  program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(SYS_clone3), 0, 1));
  program.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS));
#endif
  program.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM));
  return program;
}

}  // namespace

bool confine(const fs::path& folder, std::uint64_t memory, std::uint64_t seconds) {
  (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return false;
  if (architecture == 0) return false;
  restrict_files(folder);
  Filter steps = make_filter();
  const sock_fprog filter = steps.program();
  return limit(RLIMIT_CORE, 0, 0) && limit(RLIMIT_FSIZE, 0, 0) && limit(RLIMIT_NOFILE, 64, 64) &&
         limit(RLIMIT_CPU, seconds, seconds + 1) && limit(RLIMIT_AS, memory, memory) &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

}  // namespace threadscape::sketch
