// Reads models by threadscape-model-reader (compute/model_reader), a process of its own, because damaged models make
// the library that parses them write out of bounds.

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "compute/core/machine.h"
#include "compute/io/descriptor.h"
#include "compute/io/limits.h"
#include "compute/io/meshes/gltf_outline.h"
#include "compute/io/meshes/mesh_file.h"
#include "compute/io/meshes/model_scene.h"
#include "compute/io/meshes/ply_header.h"

namespace threadscape::io {

namespace fs = std::filesystem;

namespace {

/// The program that reads models: beside this program in a build folder, and in libexec/ where both are installed.
fs::path reader_program() {
  constexpr const char* name = "threadscape-model-reader";
  std::error_code error;
  const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const fs::path& file : {folder / name, folder.parent_path() / "libexec" / "threadscape" / name})
    if (access(file.c_str(), X_OK) == 0) return file;
  throw UsageError("the program " + std::string(name) + ", which reads models, is neither in '" + folder.string() +
                   "' nor in ../libexec/threadscape: build or install Threadscape again");
}

/// A process that reads one model. It is killed at the end, and when this process ends.
class ModelReader {
 public:
  ModelReader(const fs::path& model, const LoadOptions& options)
      : stop_(options.stop),
        seconds_(limit_of(Limit::model_seconds)),
        // A reader that waits uses no processor time: it may take ten times as long by the clock.
        deadline_(Clock::now() + std::chrono::seconds(10 * seconds_)) {
    const std::string program = reader_program();
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) cannot_start(errno);
    // A larger pipe means fewer changes between the two processes; the system may refuse it.
    (void)fcntl(ends[0], F_SETPIPE_SZ, 1 << 20);
    output_ = Descriptor(ends[0]);
    const Descriptor input(ends[1]);
    start({program, model.string(), std::to_string(free_host_bytes()), std::to_string(seconds_),
           options.allow_outside ? "outside" : "inside"},
          input.get());
  }
  ~ModelReader() {
    if (process_ > 0) (void)end(SIGKILL);
  }
  ModelReader(const ModelReader&) = delete;
  ModelReader& operator=(const ModelReader&) = delete;

  /// Fills `to` with the next bytes of the process. Throws UsageError with the cause if there are no more of them, and
  /// Cancelled.
  void read(std::span<std::byte> to) {
    while (!to.empty()) {
      wait_for_data();
      const ssize_t got = ::read(output_.get(), to.data(), to.size());
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) throw UsageError(cause_of_end());
      to = to.subspan(static_cast<std::size_t>(got));
    }
  }

 private:
  using Clock = std::chrono::steady_clock;

  [[noreturn]] static void cannot_start(int error) {
    throw UsageError(std::string("the process that reads models cannot be started: ") + std::strerror(error));
  }

  void start(std::vector<std::string> arguments, int output) {
    // The model must learn nothing from the environment, which may hold secrets.
    std::vector<std::string> environment{"LC_ALL=C"};
    if (const char* libraries = std::getenv("LD_LIBRARY_PATH"))
      environment.push_back(std::string("LD_LIBRARY_PATH=") + libraries);
    const auto words_of = [](std::vector<std::string>& texts) {
      std::vector<char*> words;
      for (std::string& text : texts)
        words.push_back(text.data());
      words.push_back(nullptr);
      return words;
    };
    const std::vector<char*> words = words_of(arguments), variables = words_of(environment);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    // Signals are treated as at the start of a program, and those of the terminal come to this process only.
    sigset_t all, none;
    sigfillset(&all);
    sigemptyset(&none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
    const int error = posix_spawn(&process_, words[0], &actions, &attributes, words.data(), variables.data());
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    if (error == 0) return;
    process_ = -1;
    cannot_start(error);
  }

  void wait_for_data() {
    constexpr int tick_ms = 50;
    pollfd output{.fd = output_.get(), .events = POLLIN, .revents = 0};
    while (true) {
      if (stop_.stop_requested()) throw Cancelled();
      if (poll(&output, 1, tick_ms) > 0) return;
      if (Clock::now() > deadline_)
        throw UsageError("reading it took more than " + std::to_string(10 * seconds_) + " s; " +
                         limit_text(Limit::model_seconds));
    }
  }

  /// Waits for the end of the process, to which a signal other than 0 is sent, and returns its status.
  int end(int signal) {
    const pid_t process = std::exchange(process_, -1);
    if (signal != 0) kill(process, signal);
    int status = 0;
    while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
  }

  /// Why the process ended before its output was complete.
  [[nodiscard]] std::string cause_of_end() {
    const int status = end(0);
    if (!WIFSIGNALED(status)) return "the process that reads models ended before the model was complete";
    const int signal = WTERMSIG(status);
    if (signal == SIGXCPU)
      return "reading it took more than " + std::to_string(seconds_) + " s of processor time; " +
             limit_text(Limit::model_seconds);
    if (signal == SIGKILL) return "the process that reads models was killed; the system may be short of memory";
    return std::string("the process that reads models crashed on it (") + strsignal(signal) +
           "), so the model is damaged: export it again, or repair it in a program for 3-D models";
  }

  std::stop_token stop_;
  std::int64_t seconds_;
  Clock::time_point deadline_;
  Descriptor output_;
  pid_t process_ = -1;
};

}  // namespace

bool reads_models() {
  return true;
}

Loaded load_model(const fs::path& path, const LoadOptions& options, const MeshLimits& limits) {
  check_ply_header(path, options.stop);
  check_gltf(path, options.stop);
  ModelReader reader(path, options);
  std::vector<std::byte> bytes(sizeof(SceneHeader));
  reader.read(bytes);
  SceneHeader header;
  std::memcpy(&header, bytes.data(), sizeof(header));
  bytes.resize(sizeof(header) + static_cast<std::size_t>(scene_bytes(header, limits)));
  reader.read(std::span(bytes).subspan(sizeof(header)));
  return mesh_of_scene(bytes, path, options, limits);
}

}  // namespace threadscape::io
