#include "compute/warp/limited_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <thread>

#include "compute/core/errors.h"

namespace threadscape::warp {

namespace {

using Clock = std::chrono::steady_clock;

/// Bytes of address space that this process has.
std::uint64_t address_space() {
  std::uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

/// What the child process does: never returns. `memory` is the limit of its address space in bytes.
[[noreturn]] void be_the_child(const ProcessLimits& limits, std::uint64_t memory, int output,
                               const std::function<int(int)>& work) {
  setpgid(0, 0);  // The programs that the work starts end with it.
  const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    dup2(nothing, standard);
  const auto seconds = static_cast<rlim_t>(limits.processor.count());
  const rlimit space{.rlim_cur = memory, .rlim_max = memory}, no_core{},
      processor{.rlim_cur = seconds, .rlim_max = seconds + 1};
  setrlimit(RLIMIT_AS, &space);
  setrlimit(RLIMIT_CORE, &no_core);
  setrlimit(RLIMIT_CPU, &processor);
  _exit(work(output));
}

/// Waits until something can be read from a descriptor, or its process has ended. Returns the obstacle, or "".
std::string wait_for(int descriptor, const ProcessLimits& limits, Clock::time_point end) {
  while (true) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
    if (left <= 0)
      return "took longer than " + std::to_string(std::max<long long>(1, limits.time.count() / 1000)) + " s";
    if (limits.stop.stop_requested()) return "was cancelled";
    pollfd waited{.fd = descriptor, .events = POLLIN, .revents = 0};
    const auto turn = limits.stop.stop_possible() ? std::min<long long>(left, 50) : left;
    if (poll(&waited, 1, static_cast<int>(turn)) > 0) return "";
  }
}

/// Reads until the other end closes. Returns the obstacle, or "".
std::string read_output(int from, const ProcessLimits& limits, Clock::time_point end, std::string& output) {
  std::array<char, 65536> part;
  while (true) {
    if (std::string obstacle = wait_for(from, limits, end); !obstacle.empty()) return obstacle;
    const ssize_t count = read(from, part.data(), part.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return "";
    if (output.size() + static_cast<std::size_t>(count) > limits.output)
      return "wrote more than " + std::to_string(limits.output >> 20) + " MiB";
    output.append(part.data(), static_cast<std::size_t>(count));
  }
}

/// Waits for the end of a process that has closed its output. Returns the obstacle, or "".
std::string wait_for_end(pid_t child, const ProcessLimits& limits, Clock::time_point end) {
  const int process = static_cast<int>(syscall(SYS_pidfd_open, child, 0));
  if (process < 0) return "";
  std::string obstacle = wait_for(process, limits, end);
  close(process);
  return obstacle;
}

}  // namespace

bool write_all(int to, const void* bytes, std::size_t size) {
  const char* at = static_cast<const char*>(bytes);
  while (size > 0) {
    const ssize_t count = write(to, at, size);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    at += count;
    size -= static_cast<std::size_t>(count);
  }
  return true;
}

std::string read_all(int from) {
  std::string bytes, part(65536, '\0');
  for (ssize_t count = 0; (count = read(from, part.data(), part.size())) > 0;)
    bytes.append(part, 0, static_cast<std::size_t>(count));
  return bytes;
}

namespace {

/// A process, and where it writes.
struct Started {
  pid_t child = -1;
  int output = -1;
};

Started start(const ProcessLimits& limits, const std::function<int(int)>& work) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0)
    throw EnvironmentError(std::string("cannot start a compiler: ") + std::strerror(errno));
  const std::uint64_t memory = address_space() + limits.memory;
  const pid_t child = fork();
  if (child < 0) {
    close(ends[0]);
    close(ends[1]);
    throw EnvironmentError(std::string("cannot start a compiler: ") + std::strerror(errno));
  }
  if (child == 0) be_the_child(limits, memory, ends[1], work);
  close(ends[1]);
  return {.child = child, .output = ends[0]};
}

/// Reads what a process writes, and waits for its end, unless `leave` is set and it has written something.
ProcessEnd finished(const Started& started, const ProcessLimits& limits, bool leave = false) {
  const auto [child, output] = started;
  const Clock::time_point end = Clock::now() + limits.time;
  ProcessEnd result;
  result.obstacle = read_output(output, limits, end, result.output);
  close(output);
  if (leave && result.obstacle.empty() && !result.output.empty()) {
    result.exit_code = 0;
    return result;
  }
  if (result.obstacle.empty()) result.obstacle = wait_for_end(child, limits, end);
  if (!result.obstacle.empty()) {
    kill(-child, SIGKILL);
    kill(child, SIGKILL);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
    result.obstacle = "took longer than " + std::to_string(limits.processor.count()) + " s of processor time";
  else if (WIFSIGNALED(status) && result.obstacle.empty())
    result.obstacle = std::string("ended by a signal (") + strsignal(WTERMSIG(status)) + ")";
  return result;
}

}  // namespace

ProcessEnd run_limited(const ProcessLimits& limits, const std::function<int(int)>& work) {
  return finished(start(limits, work), limits);
}

WaitingProgram::WaitingProgram(const ProcessLimits& limits, const std::string& path)
    : processor_(limits.processor), memory_(limits.memory) {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw EnvironmentError("cannot start '" + path + "': " + std::strerror(errno));
  std::array<char*, 2> arguments{const_cast<char*>(path.c_str()), nullptr};
  try {
    const Started started = start(limits, [&](int output) {
      dup2(ends[1], STDIN_FILENO);
      dup2(output, STDOUT_FILENO);
      execv(arguments[0], arguments.data());
      return 127;
    });
    process_ = started.child;
    output_ = started.output;
  } catch (...) {
    close(ends[0]);
    close(ends[1]);
    throw;
  }
  close(ends[1]);
  input_ = ends[0];
}

WaitingProgram::~WaitingProgram() {
  if (process_ < 0) return;
  kill(-process_, SIGKILL);
  kill(process_, SIGKILL);
  while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
  if (input_ >= 0) close(input_);
  if (output_ >= 0) close(output_);
}

std::optional<ProcessEnd> WaitingProgram::give(const ProcessLimits& limits, std::string_view input, bool leave) {
  bool sent = true;
  std::thread writer([&] {
    while (sent && !input.empty()) {
      // A program that has ended is no signal for this one.
      const ssize_t count = send(input_, input.data(), input.size(), MSG_NOSIGNAL);
      sent = count > 0 || (count < 0 && errno == EINTR);
      if (count > 0) input.remove_prefix(static_cast<std::size_t>(count));
    }
    shutdown(input_, SHUT_WR);
  });
  ProcessEnd end = finished({.child = process_, .output = output_}, limits, leave);
  writer.join();
  close(input_);
  const bool left = leave && end.obstacle.empty() && !end.output.empty();
  if (!left) process_ = -1;
  input_ = output_ = -1;
  if (!sent && !limits.stop.stop_requested()) return {};
  return end;
}

std::filesystem::path program_beside(std::string_view name) {
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  for (const std::filesystem::path& place : {folder, folder.parent_path() / "libexec" / "threadscape"})
    if (std::filesystem::path program = place / name; access(program.c_str(), X_OK) == 0) return program;
  return {};
}

ProcessEnd run_program(const ProcessLimits& limits, const ProgramCall& program) {
  std::vector<char*> pointers;
  for (const std::string& argument : program.arguments)
    pointers.push_back(const_cast<char*>(argument.c_str()));
  pointers.push_back(nullptr);
  // The input is a file in memory: nobody has to write it while the program writes its output.
  const struct Input {
    int file = memfd_create("input", MFD_CLOEXEC);
    ~Input() {
      if (file >= 0) close(file);
    }
  } input;
  if (input.file < 0 || !write_all(input.file, program.input.data(), program.input.size()) ||
      lseek(input.file, 0, SEEK_SET) != 0)
    throw EnvironmentError("cannot start '" + program.arguments.front() + "': " + std::strerror(errno));
  return run_limited(limits, [&](int output) {
    dup2(input.file, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    if (program.errors) dup2(output, STDERR_FILENO);
    execv(pointers.front(), pointers.data());
    return 127;
  });
}

}  // namespace threadscape::warp
