// The server of readers for the fuzz target of models: see model_reader_server.h. It is linked with the sources of
// threadscape-model-reader, whose main() has another name here.

#include "tests/fuzz/model_reader_server.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstring>
#include <vector>

#include "tests/fuzz/obj_buffer.h"

int model_reader_main(int argc, char** argv);

namespace threadscape::fuzz {

namespace {

struct Request {
  std::vector<char*> words;  ///< Point into the buffer; a null pointer follows.
  int output = -1;
};

/// Waits for a request. Returns false at the end.
bool receive(std::array<char, most_request_bytes>& buffer, Request& request) {
  MessageHeader message(buffer.data(), buffer.size());
  const ssize_t got = recvmsg(server_socket, message.get(), 0);
  const cmsghdr* const attached = message.attached();
  if (got <= 0 || attached == nullptr || attached->cmsg_type != SCM_RIGHTS) return false;
  std::memcpy(&request.output, CMSG_DATA(attached), sizeof(int));
  request.words.clear();
  for (char* word = buffer.data(); word < buffer.data() + got; word += std::strlen(word) + 1)
    request.words.push_back(word);
  request.words.push_back(nullptr);
  return true;
}

/// Does in the new process what posix_spawn() is asked to do by compute/io/meshes/mesh_model.cpp, and reads the model.
[[noreturn]] void read_model(Request& request) {
  dup2(request.output, STDOUT_FILENO);
  dup2(open("/dev/null", O_RDONLY | O_CLOEXEC), STDIN_FILENO);
  dup2(open("/dev/null", O_WRONLY | O_CLOEXEC), STDERR_FILENO);
  setpgid(0, 0);
  // Some damaged models keep Assimp busy for as long as they may. Here a signal ends them sooner, as a crash would.
  const itimerval limit{.it_interval = {}, .it_value = {.tv_sec = 0, .tv_usec = 100'000}};
  setitimer(ITIMER_PROF, &limit, nullptr);
  _exit(model_reader_main(static_cast<int>(request.words.size()) - 1, request.words.data()));
}

}  // namespace

}  // namespace threadscape::fuzz

int main() {
  using namespace threadscape::fuzz;
  (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
  map_obj_buffer();
  static std::array<char, most_request_bytes> buffer;
  for (Request request; receive(buffer, request);) {
    // CLONE_PARENT makes the reader a child of the fuzzer, which waits for its end. This process has one thread.
    const auto process = static_cast<pid_t>(syscall(SYS_clone, CLONE_PARENT | SIGCHLD, nullptr, nullptr, nullptr, 0));
    if (process == 0) read_model(request);
    close(request.output);
    if (send(server_socket, &process, sizeof(process), MSG_NOSIGNAL) != sizeof(process)) return 1;
  }
  return 0;
}
