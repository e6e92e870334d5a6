// Takes the place of posix_spawn() in the fuzz target of models (by the linker's option --wrap), which starts
// threadscape-model-reader alone, and asks a server for the reader: see model_reader_server.h.

#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>

#include "tests/fuzz/model_reader_server.h"

extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): The names are the linker's.
int __real_posix_spawn(pid_t* process, const char* path, const posix_spawn_file_actions_t* actions,
                       const posix_spawnattr_t* attributes, char* const arguments[], char* const environment[]);
int __real_posix_spawn_file_actions_adddup2(posix_spawn_file_actions_t* actions, int from, int to);
int __wrap_posix_spawn(pid_t* process, const char* path, const posix_spawn_file_actions_t* actions,
                       const posix_spawnattr_t* attributes, char* const arguments[], char* const environment[]);
int __wrap_posix_spawn_file_actions_adddup2(posix_spawn_file_actions_t* actions, int from, int to);
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
}

namespace threadscape::fuzz {

namespace {

/// What becomes the standard output of the process that is started next.
int output = -1;

/// Starts the server, and returns this end of the socket, or -1.
int start_server() {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) return -1;
  std::error_code error;
  const std::string program =
      std::filesystem::read_symlink("/proc/self/exe", error).parent_path() / "fuzz-model-reader-server";
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  __real_posix_spawn_file_actions_adddup2(&actions, ends[1], server_socket);
  std::string name = program, libraries = "LD_LIBRARY_PATH=";
  if (const char* paths = std::getenv("LD_LIBRARY_PATH")) libraries += paths;
  // Assimp takes 16 MiB for each OBJ file, whose first use costs less in huge pages.
  std::string pages = "GLIBC_TUNABLES=glibc.malloc.hugetlb=1", locale = "LC_ALL=C";
  const std::array<char*, 2> arguments{name.data(), nullptr};
  const std::array<char*, 4> environment{locale.data(), libraries.data(), pages.data(), nullptr};
  pid_t process = 0;
  const int failure =
      __real_posix_spawn(&process, program.c_str(), &actions, nullptr, arguments.data(), environment.data());
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (failure == 0) return ends[0];
  close(ends[0]);
  return -1;
}

/// Sends the words of a command line and `output`. Returns whether that has succeeded.
bool request(int server, char* const arguments[]) {
  std::string words;
  for (char* const* word = arguments; *word != nullptr; ++word)
    words.append(*word).push_back('\0');
  MessageHeader message(words.data(), words.size());
  cmsghdr* const attached = message.attached();
  attached->cmsg_level = SOL_SOCKET;
  attached->cmsg_type = SCM_RIGHTS;
  attached->cmsg_len = CMSG_LEN(sizeof(int));
  std::memcpy(CMSG_DATA(attached), &output, sizeof(int));
  return words.size() <= most_request_bytes &&
         sendmsg(server, message.get(), MSG_NOSIGNAL) == static_cast<ssize_t>(words.size());
}

}  // namespace

}  // namespace threadscape::fuzz

int __wrap_posix_spawn_file_actions_adddup2(posix_spawn_file_actions_t* actions, int from, int to) {
  if (to == STDOUT_FILENO) threadscape::fuzz::output = from;
  return __real_posix_spawn_file_actions_adddup2(actions, from, to);
}

int __wrap_posix_spawn(pid_t* process, const char* /*path*/, const posix_spawn_file_actions_t* /*actions*/,
                       const posix_spawnattr_t* /*attributes*/, char* const arguments[],
                       char* const /*environment*/[]) {
  static const int server = threadscape::fuzz::start_server();
  pid_t started = 0;
  if (!threadscape::fuzz::request(server, arguments) || recv(server, &started, sizeof(started), 0) != sizeof(started))
    return errno;
  if (started < 0) return EAGAIN;
  *process = started;
  return 0;
}
