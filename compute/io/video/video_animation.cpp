// Videos through the program ffmpeg, which gets the frames as raw pixels through a socket.

#include <fcntl.h>
#include <spawn.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compute/core/errors.h"
#include "compute/io/descriptor.h"
#include "compute/io/file_extension.h"
#include "compute/io/file_writer.h"
#include "compute/io/video/animation.h"

namespace threadscape::io {

namespace fs = std::filesystem;

namespace {

std::vector<std::string> arguments_for(const fs::path& target, const fs::path& named, const std::string& size,
                                       double frames_per_second) {
  std::vector<std::string> all{"ffmpeg", "-loglevel", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgba", "-s", size,
                               "-framerate", std::to_string(frames_per_second), "-i", "pipe:0", "-pix_fmt", "yuv420p",
                               // Colours are halved in both directions, so that both sides have to be even.
                               "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2"};
  const bool webm = extension_of(named) == ".webm";
  const std::vector<std::string> codec =
      webm ? std::vector<std::string>{"-c:v", "libvpx-vp9", "-crf", "24", "-b:v", "0", "-f", "webm"}
           : std::vector<std::string>{"-c:v", "libx264", "-crf", "18", "-movflags", "+faststart", "-f", "mp4"};
  all.insert(all.end(), codec.begin(), codec.end());
  // A name that begins with a hyphen or contains a colon would not be taken for a file.
  all.push_back("file:" + fs::absolute(target).string());
  return all;
}

class FfmpegProgramWriter final : public AnimationWriter {
 public:
  using AnimationWriter::AnimationWriter;
  FfmpegProgramWriter(const FfmpegProgramWriter&) = delete;
  FfmpegProgramWriter& operator=(const FfmpegProgramWriter&) = delete;
  ~FfmpegProgramWriter() override {
    socket_.close();
    if (process_ > 0) waitpid(process_, nullptr, 0);
    if (!part_.empty()) remove_temporary(part_);
  }
  [[nodiscard]] std::string note() const override {
    return options().sound_from.empty() ? "" : "the sound is left out: " + why_no_sound(path());
  }

 private:
  void begin(int width, int height) override {
    part_ = create_temporary(path());
    lock_ = Descriptor(open(part_.c_str(), O_RDONLY | O_CLOEXEC));
    // The sign for others that the file is being written, whatever the clock says.
    (void)flock(lock_.get(), LOCK_EX | LOCK_NB);
    messages_ = Descriptor(memfd_create("messages of ffmpeg", MFD_CLOEXEC));
    start(arguments_for(part_, path(), std::to_string(width) + "x" + std::to_string(height),
                        options().frames_per_second));
  }

  void add_rgba(HostIn picture, double /*begin*/, double /*end*/) override {
    const std::size_t row = static_cast<std::size_t>(picture.shape.width) * picture.shape.pixel_bytes();
    for (std::int64_t y = 0; y < picture.shape.height; ++y)
      send_all(picture.data + static_cast<std::size_t>(y) * picture.pitch, row);
  }

  void end() override {
    socket_.close();
    int status = 0;
    const pid_t process = std::exchange(process_, -1);
    while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) fail(message_of_ffmpeg());
    if (const int error = replace_file(lock_.get(), part_, target_of(path())); error != 0) fail(std::strerror(error));
  }

  void start(const std::vector<std::string>& arguments) {
    std::array<int, 2> ends{};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) fail(std::strerror(errno));
    socket_ = Descriptor(ends[0]);
    const Descriptor other(ends[1]);
    std::vector<char*> words;
    for (const std::string& argument : arguments)
      words.push_back(const_cast<char*>(argument.c_str()));  // posix_spawnp() does not change them.
    words.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, other.get(), STDIN_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, messages_.get(), STDERR_FILENO);
    const int error = posix_spawnp(&process_, "ffmpeg", &actions, nullptr, words.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) {
      process_ = -1;
      fail(std::string("ffmpeg cannot be started: ") + std::strerror(error));
    }
  }

  /// MSG_NOSIGNAL: an ffmpeg that has ended is an error, and not the end of this program.
  void send_all(const std::byte* data, std::size_t bytes) {
    while (bytes > 0) {
      const ssize_t sent = send(socket_.get(), data, bytes, MSG_NOSIGNAL);
      if (sent < 0 && errno == EINTR) continue;
      if (sent < 0) {
        waitpid(std::exchange(process_, -1), nullptr, 0);  // Its message is complete when it has ended.
        fail(message_of_ffmpeg());
      }
      data += sent;
      bytes -= static_cast<std::size_t>(sent);
    }
  }

  /// The first line that ffmpeg has written to stderr.
  [[nodiscard]] std::string message_of_ffmpeg() const {
    std::array<char, 400> text{};
    const ssize_t got = pread(messages_.get(), text.data(), text.size(), 0);
    if (got <= 0) return "ffmpeg failed";
    const std::string_view all(text.data(), static_cast<std::size_t>(got));
    return "ffmpeg says: " + std::string(all.substr(0, all.find('\n')));
  }

  fs::path part_;  ///< The name of the file until it is complete.
  Descriptor lock_, messages_, socket_;
  pid_t process_ = -1;
};

}  // namespace

bool has_ffmpeg() {
  const char* folders = std::getenv("PATH");
  if (folders == nullptr) return false;
  std::string_view rest = folders;
  while (!rest.empty()) {
    const std::size_t colon = std::min(rest.find(':'), rest.size());
    if (access((fs::path(rest.substr(0, colon)) / "ffmpeg").c_str(), X_OK) == 0) return true;
    rest.remove_prefix(std::min(colon + 1, rest.size()));
  }
  return false;
}

std::unique_ptr<FrameWriter> make_ffmpeg_video(const fs::path& path, const FrameWriterOptions& options) {
  return std::make_unique<FfmpegProgramWriter>(path, options);
}

}  // namespace threadscape::io
