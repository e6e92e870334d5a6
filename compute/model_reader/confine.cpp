#include "compute/model_reader/confine.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <system_error>
#include <vector>

#if __has_include(<linux/landlock.h>)
#include <linux/landlock.h>
#endif

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

#ifdef LANDLOCK_ACCESS_FS_EXECUTE

void allow_reading(int rules, const fs::path& path, std::uint64_t access) {
  const int file = open(path.c_str(), O_PATH | O_CLOEXEC);
  if (file < 0) return;  // The reader will say so.
  const landlock_path_beneath_attr rule{.allowed_access = access, .parent_fd = file};
  (void)syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
  close(file);
}

/// Leaves this process reading of files that it may need. Kernels without Landlock allow what they allowed before.
void restrict_files(const fs::path& model, bool allow_outside) {
  // The accesses of the first version of Landlock, which are consecutive bits.
  constexpr std::uint64_t all = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1;
  constexpr std::uint64_t file = LANDLOCK_ACCESS_FS_READ_FILE, folder = file | LANDLOCK_ACCESS_FS_READ_DIR;
  const landlock_ruleset_attr attributes{.handled_access_fs = all};
  const int rules = static_cast<int>(syscall(SYS_landlock_create_ruleset, &attributes, sizeof(attributes), 0));
  if (rules < 0) return;
  allow_reading(rules, model, file);
  allow_reading(rules, allow_outside ? fs::path("/") : io::folder_of(model), folder);
  (void)syscall(SYS_landlock_restrict_self, rules, 0);
  close(rules);
}

#else

void restrict_files(const fs::path& /*model*/, bool /*allow_outside*/) {}

#endif

#if defined(__x86_64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t architecture = 0;
#endif

/// System calls that reading never makes, and that reach beyond this process.
constexpr std::array denied {
  SYS_execve, SYS_execveat, SYS_clone, SYS_clone3, SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_kill,
      SYS_pidfd_open, SYS_socket, SYS_socketpair, SYS_connect, SYS_bind, SYS_listen, SYS_sendto, SYS_sendmsg, SYS_mount,
      SYS_umount2, SYS_unshare, SYS_setns, SYS_bpf, SYS_userfaultfd, SYS_keyctl, SYS_add_key, SYS_request_key,
      SYS_perf_event_open, SYS_io_uring_setup, SYS_memfd_create, SYS_mknodat, SYS_unlinkat, SYS_renameat2, SYS_linkat,
      SYS_symlinkat, SYS_fchmod, SYS_fchmodat, SYS_fchownat,
#if defined(__x86_64__)
      SYS_fork, SYS_vfork, SYS_unlink, SYS_rename, SYS_renameat, SYS_link, SYS_symlink, SYS_mknod, SYS_chmod, SYS_chown,
      SYS_lchown,
#endif
};

/// Makes the system calls above fail with EPERM. Kernels without seccomp allow what they allowed before.
void restrict_calls() {
  if (architecture == 0) return;
  std::vector<sock_filter> program{
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)),
      // Calls of another architecture have other numbers: the 32-bit ones of x86, which nothing here makes.
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, architecture, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
  };
#if defined(__x86_64__)
  // The x32 interface calls the same functions with this bit in their numbers.
  program.push_back(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, 0x40000000u, 0, 1));
  program.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS));
#endif
  for (const long number : denied) {
    program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(number), 0, 1));
    program.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM));
  }
  program.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  const sock_fprog filter{.len = static_cast<unsigned short>(program.size()), .filter = program.data()};
  (void)prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
}

}  // namespace

void confine(const fs::path& model, bool allow_outside, std::uint64_t memory, std::uint64_t seconds) {
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
  restrict_files(model, allow_outside);
  restrict_calls();
}

}  // namespace threadscape::model_reader
