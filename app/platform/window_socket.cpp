#include "app/platform/window_socket.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <utility>

#include "compute/core/errors.h"

namespace threadscape::app {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t most_message_bytes = 4096;
constexpr int most_message_milliseconds = 1000;

[[noreturn]] void fail_by_errno(const std::string& what) {
  throw EnvironmentError(what + ": " + std::generic_category().message(errno));
}

/// The folder for sockets of this user, made if it is missing. Throws EnvironmentError if others may enter it.
fs::path private_folder() {
  const char* base = std::getenv("XDG_RUNTIME_DIR");
  if (base == nullptr || !fs::path(base).is_absolute()) throw EnvironmentError("XDG_RUNTIME_DIR names no folder");
  const fs::path folder = fs::path(base) / "threadscape";
  if (mkdir(folder.c_str(), S_IRWXU) != 0 && errno != EEXIST) fail_by_errno("cannot make '" + folder.string() + "'");
  struct stat facts {};
  if (lstat(folder.c_str(), &facts) != 0) fail_by_errno("cannot look at '" + folder.string() + "'");
  if (!S_ISDIR(facts.st_mode) || facts.st_uid != geteuid() || (facts.st_mode & (S_IRWXG | S_IRWXO)) != 0)
    throw EnvironmentError("others may enter '" + folder.string() + "'");
  return folder;
}

/// Returns whether a process of this user has connected.
bool is_own(int connection) {
  ucred peer{};
  socklen_t bytes = sizeof(peer);
  return getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &bytes) == 0 && peer.uid == geteuid();
}

}  // namespace

WindowSocket::WindowSocket(std::function<void()> wake) : wake_(std::move(wake)) {
  try {
    open();
    thread_ = std::thread([this] { run(); });
  } catch (const std::exception& error) {
    trouble_ = error.what();
    if (!path_.empty()) unlink(path_.c_str());
    path_.clear();
  }
}

WindowSocket::~WindowSocket() {
  if (!thread_.joinable()) return;
  unlink(path_.c_str());
  const std::uint64_t one = 1;
  while (write(end_.get(), &one, sizeof(one)) < 0 && errno == EINTR) {
  }
  thread_.join();
}

void WindowSocket::open() {
  const fs::path path = private_folder() / ("window-" + std::to_string(getpid()) + ".sock");
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.native().size() >= sizeof(address.sun_path))
    throw EnvironmentError("the name '" + path.string() + "' is too long for a socket");
  std::memcpy(address.sun_path, path.c_str(), path.native().size());
  end_ = io::Descriptor(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  listening_ = io::Descriptor(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (end_.get() < 0 || listening_.get() < 0) fail_by_errno("cannot make a socket");
  unlink(path.c_str());  // One of a process that had this number, and has ended without removing it.
  if (bind(listening_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0)
    fail_by_errno("cannot make '" + path.string() + "'");
  path_ = path;
  if (chmod(path.c_str(), S_IRUSR | S_IWUSR) != 0 || listen(listening_.get(), 8) != 0)
    fail_by_errno("cannot listen at '" + path.string() + "'");
}

std::vector<fs::path> WindowSocket::take() {
  const std::scoped_lock lock(mutex_);
  return std::exchange(asked_, {});
}

bool WindowSocket::wait(int descriptor, short events, int milliseconds) const {
  std::array<pollfd, 2> places{{{end_.get(), POLLIN, 0}, {descriptor, events, 0}}};
  int found = 0;
  do {
    found = poll(places.data(), places.size(), milliseconds);
  } while (found < 0 && errno == EINTR);
  return found > 0 && places[0].revents == 0;
}

void WindowSocket::run() {
  while (wait(listening_.get(), POLLIN, -1)) {
    const io::Descriptor connection(accept4(listening_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (connection.get() >= 0 && is_own(connection.get())) answer(connection.get());
    // Without descriptors the connection stays where it is, and would be tried without a pause.
    if (connection.get() < 0 && (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS))
      (void)wait(-1, 0, most_message_milliseconds);
  }
}

void WindowSocket::answer(int connection) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(most_message_milliseconds);
  std::array<char, most_message_bytes> message{};
  std::size_t bytes = 0;
  while (bytes < message.size() && std::memchr(message.data(), 0, bytes) == nullptr) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    if (left.count() <= 0 || !wait(connection, POLLIN, static_cast<int>(left.count()))) return;
    const ssize_t more = recv(connection, message.data() + bytes, message.size() - bytes, 0);
    if (more == 0 || (more < 0 && errno != EAGAIN && errno != EINTR)) return;
    if (more > 0) bytes += static_cast<std::size_t>(more);
  }
  const std::string text = take_message({message.data(), bytes});
  // The buffer of the socket takes a sentence at once.
  (void)send(connection, text.data(), text.size(), MSG_NOSIGNAL);
}

std::string WindowSocket::take_message(std::string_view message) {
  if (message.empty() || message.back() != '\0' || message.find('\0') + 1 != message.size())
    return "a message is the path of a file and a zero byte, at most 4096 bytes";
  const fs::path file(message.substr(0, message.size() - 1));
  if (!file.is_absolute()) return "the path of a file has to be absolute";
  try {
    const std::scoped_lock lock(mutex_);
    if (asked_.size() >= most_waiting) return "the window has too many files to open";
    asked_.push_back(file);
  } catch (const std::bad_alloc&) {
    return "the window has no memory left";
  }
  wake_();
  return "opened";
}

}  // namespace threadscape::app
