#pragma once
// Files that other programs of the user ask the open window to show, as threadscape.show() of the package for Python
// does. The window listens at $XDG_RUNTIME_DIR/threadscape/window-PID.sock. A message is the absolute path of a file
// and a zero byte; the answer is "opened", or a sentence that says why not.

#include <cstddef>
#include <filesystem>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "compute/io/descriptor.h"

namespace threadscape::app {

/// Listens on a thread of its own, so that no message can delay a frame. Only processes of this user are heard: nobody
/// else may enter the folder, and the system is asked whose process has connected. A message has at most 4096 bytes, is
/// complete within a second, and is refused while `most_waiting` files wait.
class WindowSocket {
 public:
  static constexpr std::size_t most_waiting = 16;

  /// `wake` is called on the thread when take() has something. Without such a folder nothing is heard.
  explicit WindowSocket(std::function<void()> wake);
  ~WindowSocket();
  WindowSocket(const WindowSocket&) = delete;
  WindowSocket& operator=(const WindowSocket&) = delete;

  /// The socket; "" if nothing is heard.
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// Why nothing is heard; "" if the socket is open.
  [[nodiscard]] const std::string& trouble() const { return trouble_; }
  /// The files that were asked for since the last call.
  [[nodiscard]] std::vector<std::filesystem::path> take();

 private:
  void open();
  void run();
  void answer(int connection);
  /// Waits until the descriptor has an event, at most so many milliseconds, -1 without end. False at the end of that
  /// time, and when this object is destroyed.
  [[nodiscard]] bool wait(int descriptor, short events, int milliseconds) const;
  /// Takes a message, and returns the answer to it.
  [[nodiscard]] std::string take_message(std::string_view message);

  std::function<void()> wake_;
  std::filesystem::path path_;
  std::string trouble_;
  io::Descriptor listening_, end_;  ///< `end_` is an event that ends the thread.
  std::mutex mutex_;
  std::vector<std::filesystem::path> asked_;
  std::thread thread_;
};

}  // namespace threadscape::app
