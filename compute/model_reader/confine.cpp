#include "compute/model_reader/confine.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <system_error>
#include <vector>

#include "compute/io/outside.h"

namespace threadscape::model_reader {

namespace fs = std::filesystem;

namespace {

void limit(__rlimit_resource_t resource, std::uint64_t soft, std::uint64_t hard) {
  rlimit old{};
  if (getrlimit(resource, &old) != 0) throw std::system_error(errno, std::generic_category(), "getrlimit");
  // A limit that is lower already stays.
  const rlimit wanted{std::min<rlim_t>(soft, old.rlim_max), std::min<rlim_t>(hard, old.rlim_max)};
  if (setrlimit(resource, &wanted) != 0) throw std::system_error(errno, std::generic_category(), "setrlimit");
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
constexpr std::uint64_t read_file = 1 << 2, read_folder = 1 << 3;

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

void allow_reading(int rules, const fs::path& path, std::uint64_t rights) {
  const int file = open(path.c_str(), O_PATH | O_CLOEXEC);
  if (file < 0) return;  // The reader will say so.
  const landlock::PathBeneath rule{.allowed = rights, .folder = file};
  (void)syscall(landlock::add_rule, rules, landlock::path_beneath, &rule, 0);
  close(file);
}

/// Leaves this process reading of files that it may need. Returns false where the kernel has no Landlock.
bool restrict_files(const fs::path& model, bool allow_outside) {
  const long version = syscall(landlock::create_ruleset, nullptr, 0, landlock::version_flag);
  if (version < 1) return false;
  const landlock::Ruleset ruleset{.files = landlock::file_rights(version),
                                  .network = landlock::network_rights(version),
                                  .scopes = landlock::scopes(version)};
  // Older kernels refuse a structure with members that they do not know, unless these are zero.
  const int rules = static_cast<int>(syscall(landlock::create_ruleset, &ruleset, sizeof(ruleset), 0));
  if (rules < 0) return false;
  allow_reading(rules, model, landlock::read_file);
  allow_reading(rules, allow_outside ? fs::path("/") : io::folder_of(model),
                landlock::read_file | landlock::read_folder);
  const bool restricted = syscall(landlock::restrict_self, rules, 0) == 0;
  close(rules);
  return restricted;
}

#if defined(__x86_64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t architecture = 0;
#endif

/// The system calls that reading a model and writing the scene need, with any arguments: files that are open, memory,
/// the clock, the end, and what the C and C++ libraries ask about the process.
constexpr std::array allowed {
  SYS_read, SYS_pread64, SYS_readv, SYS_write, SYS_writev, SYS_close, SYS_lseek, SYS_fstat, SYS_newfstatat, SYS_statx,
      SYS_statfs, SYS_fstatfs, SYS_faccessat, SYS_faccessat2, SYS_readlinkat, SYS_getdents64, SYS_getcwd, SYS_fadvise64,
      SYS_brk, SYS_mmap, SYS_munmap, SYS_mremap, SYS_mprotect, SYS_madvise, SYS_futex, SYS_getrandom, SYS_clock_gettime,
      SYS_clock_getres, SYS_gettimeofday, SYS_getrusage, SYS_getpid, SYS_gettid, SYS_getppid, SYS_getuid, SYS_geteuid,
      SYS_getgid, SYS_getegid, SYS_uname, SYS_sysinfo, SYS_sched_yield, SYS_sched_getaffinity, SYS_getcpu,
      SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_sigaltstack, SYS_restart_syscall, SYS_exit,
      SYS_exit_group,
#if defined(__x86_64__)
      SYS_stat, SYS_lstat, SYS_access, SYS_readlink, SYS_time, SYS_arch_prctl,
#endif
};

/// A condition on an argument of a call: its lower 32 bits have none of the bits `none`, or are `equal`.
struct Condition {
  long call;
  int argument;
  std::uint32_t value;
  bool is_mask;
};

/// The calls that are allowed with some arguments only.
std::vector<Condition> conditions() {
  constexpr std::uint32_t changing = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND;
  const auto self = static_cast<std::uint32_t>(getpid());
  return {
    {.call = SYS_openat, .argument = 2, .value = changing, .is_mask = true},
#if defined(__x86_64__)
        {.call = SYS_open, .argument = 1, .value = changing, .is_mask = true},
#endif
        {.call = SYS_fcntl, .argument = 1, .value = F_GETFL, .is_mask = false},
        // abort() sends a signal to its own thread.
        {.call = SYS_tgkill, .argument = 0, .value = self, .is_mask = false},
        // Streams of the C library ask whether they write to a terminal.
        {.call = SYS_ioctl, .argument = 1, .value = TCGETS, .is_mask = false},
  };
}

/// Makes the system calls fail with EPERM that are not in the lists above. Returns false where the kernel has no
/// seccomp.
bool restrict_calls() {
  if (architecture == 0) return false;
  std::vector<sock_filter> program{
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)),
      // Calls of another architecture have other numbers: the 32-bit ones of x86, which nothing here makes.
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, architecture, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
  };
  for (const long number : allowed) {
    program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(number), 0, 1));
    program.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  }
  for (const Condition& rule : conditions()) {
    const auto word =
        static_cast<std::uint32_t>(offsetof(seccomp_data, args) + 8 * static_cast<std::size_t>(rule.argument));
    program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(rule.call), 0, 4));
    program.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, word));
    program.push_back(rule.is_mask ? sock_filter(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, rule.value, 1, 0))
                                   : sock_filter(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, rule.value, 0, 1)));
    program.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
    program.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM));
  }
  program.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM));
  const sock_fprog filter{.len = static_cast<unsigned short>(program.size()), .filter = program.data()};
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

}  // namespace

Confinement confine(const fs::path& model, bool allow_outside, std::uint64_t memory, std::uint64_t seconds) {
  (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
    throw std::system_error(errno, std::generic_category(), "PR_SET_NO_NEW_PRIVS");
  // The parent's other files, pipes and devices are no business of this process.
  (void)syscall(SYS_close_range, STDERR_FILENO + 1, ~0u, 0);
  limit(RLIMIT_CORE, 0, 0);
  limit(RLIMIT_FSIZE, 0, 0);
  limit(RLIMIT_NOFILE, 64, 64);
  limit(RLIMIT_AS, memory, memory);
  // At the soft limit comes SIGXCPU, which tells the parent the cause; at the hard limit SIGKILL.
  limit(RLIMIT_CPU, seconds, seconds + 1);
  Confinement granted;
  granted.files = restrict_files(model, allow_outside);
  granted.calls = restrict_calls();
  return granted;
}

}  // namespace threadscape::model_reader
