#include "app/shell/clipboard.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "compute/core/errors.h"
#include "compute/io/base64.h"
#include "compute/io/file_uri.h"
#include "compute/io/words.h"

extern char** environ;

namespace threadscape::app {

namespace fs = std::filesystem;

namespace {

constexpr std::chrono::seconds patience{5};

fs::path path_in(std::string_view line) {
  if (line.starts_with("file://")) return io::path_of_uri(line);
  if (line.size() > 1 && (line.front() == '"' || line.front() == '\'') && line.back() == line.front())
    line = line.substr(1, line.size() - 2);
  if (const char* home = std::getenv("HOME"); home != nullptr && line.starts_with("~/"))
    return fs::path(home) / fs::path(line.substr(2));
  return fs::path(line);
}

/// Runs a program with a file as its input or output; everything else that it writes is dropped. Returns its exit code,
/// 127 if it is not installed. Throws EnvironmentError if it does not end in time.
int run_with_file(const std::vector<std::string>& words, const fs::path& file, bool reads_file) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, reads_file ? file.c_str() : "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, reads_file ? "/dev/null" : file.c_str(),
                                   O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  std::vector<char*> arguments;
  for (const std::string& word : words)
    arguments.push_back(const_cast<char*>(word.c_str()));  // NOLINT(cppcoreguidelines-pro-type-const-cast)
  arguments.push_back(nullptr);
  pid_t child = 0;
  const int failed = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return 127;
  const auto end = std::chrono::steady_clock::now() + patience;
  int status = 0;
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() > end) {
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      throw EnvironmentError(words[0] + " does not answer, so the clipboard was not used: try again");
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

bool under_wayland() {
  const char* display = std::getenv("WAYLAND_DISPLAY");
  return display != nullptr && *display != '\0';
}

/// Runs the first of these programs that is installed. Throws EnvironmentError with `trouble` if it fails.
void run_first(const std::vector<std::vector<std::string>>& programs, const fs::path& file, bool reads_file,
               const std::string& trouble) {
  for (const std::vector<std::string>& words : programs) {
    const int code = run_with_file(words, file, reads_file);
    if (code == 0) return;
    if (code != 127) throw EnvironmentError(trouble);
  }
  throw EnvironmentError(under_wayland() ? "pictures in the clipboard need wl-copy and wl-paste: install wl-clipboard"
                                         : "pictures in the clipboard need the program xclip: install it");
}

}  // namespace

std::vector<fs::path> files_in_text(std::string_view text) {
  std::vector<fs::path> paths;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = io::trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty()) continue;
    fs::path path = path_in(line);
    std::error_code unknown;
    if (!fs::is_regular_file(path, unknown)) return {};
    paths.push_back(std::move(path));
  }
  return paths;
}

std::optional<PictureBytes> picture_in_text(std::string_view text) {
  constexpr std::string_view scheme = "data:image/", code = ";base64,";
  text = io::trimmed(text);
  const std::size_t comma = text.find(code);
  if (!text.starts_with(scheme) || comma == std::string_view::npos) return {};
  std::string kind(text.substr(scheme.size(), comma - scheme.size()));
  if (kind.empty() || !std::ranges::all_of(kind, [](unsigned char c) { return std::isalnum(c) != 0; })) return {};
  std::optional<std::string> bytes = io::from_base64(text.substr(comma + code.size()));
  if (!bytes || bytes->empty()) return {};
  return PictureBytes{"." + kind, std::move(*bytes)};
}

void copy_picture_file(const fs::path& png) {
  std::vector<std::vector<std::string>> programs{{"xclip", "-selection", "clipboard", "-t", "image/png", "-i"}};
  if (under_wayland()) programs.insert(programs.begin(), {"wl-copy", "-t", "image/png"});
  run_first(programs, png, true, "the picture could not be put into the clipboard: " + programs[0][0] + " failed");
}

void paste_picture_file(const fs::path& png) {
  std::vector<std::vector<std::string>> programs{{"xclip", "-selection", "clipboard", "-t", "image/png", "-o"}};
  if (under_wayland()) programs.insert(programs.begin(), {"wl-paste", "-t", "image/png"});
  const std::string nothing = "the clipboard holds neither a picture nor the path of a file: copy one of them first";
  run_first(programs, png, false, nothing);
  std::error_code unknown;
  if (fs::file_size(png, unknown) == 0 || unknown) throw EnvironmentError(nothing);
}

}  // namespace threadscape::app
