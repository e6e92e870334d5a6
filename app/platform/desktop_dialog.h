#pragma once
// Dialogs for files that the desktop shows, through its portal: the interface org.freedesktop.portal.FileChooser of
// D-Bus (https://flatpak.github.io/xdg-desktop-portal/docs/). Desktops without a portal have no such dialogs.

#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace threadscape::app {

/// A list from which one item is chosen in the dialog.
struct DialogChoice {
  std::string id, label;
  std::vector<std::pair<std::string, std::string>> items;  ///< The id of each item and what the dialog shows.
  std::string chosen;                                      ///< The id of the item that is chosen at first.
};

/// What a dialog of the desktop asks for.
struct DialogRequest {
  std::string title;
  bool saves = false;                   ///< Asks for the name of a file to be written, otherwise for existing files.
  bool several = false;                 ///< Several files may be chosen.
  bool folders = false;                 ///< A folder is chosen, not a file.
  std::string name;                     ///< The suggested name of a file to be written.
  std::filesystem::path folder;         ///< The folder that is shown first; empty = the dialog decides.
  std::string kind;                     ///< What the extensions are, for example "Pictures".
  std::vector<std::string> extensions;  ///< In lower case with the dot; empty = all files.
  std::optional<DialogChoice> choice;
  std::string parent;  ///< The window that the dialog belongs to (Platform::portal_name()).
};

/// What the user has answered.
struct DialogAnswer {
  std::vector<std::filesystem::path> paths;  ///< Empty if the dialog was cancelled.
  std::string choice;                        ///< The id of the chosen item; "" if the dialog did not ask.
  std::string unavailable;                   ///< Why there was no dialog; "" if there was one.
};

/// Shows one dialog at a time. It talks with the portal on a thread of its own, so that the window goes on drawing.
class DesktopDialog {
 public:
  /// `wake` is called on another thread when an answer is there.
  explicit DesktopDialog(std::function<void()> wake) : wake_(std::move(wake)) {}
  /// Closes the dialog if one is shown.
  ~DesktopDialog() = default;
  DesktopDialog(const DesktopDialog&) = delete;
  DesktopDialog& operator=(const DesktopDialog&) = delete;

  /// Returns true if the program was built with the library that speaks D-Bus.
  [[nodiscard]] static bool built_in();
  /// Shows a dialog. Only while !waiting().
  void ask(DialogRequest request);
  /// Returns true while the answer of a dialog that was asked for has not been taken.
  [[nodiscard]] bool waiting() const { return waiting_; }
  /// The answer, once.
  [[nodiscard]] std::optional<DialogAnswer> take();

 private:
  std::function<void()> wake_;
  bool waiting_ = false;
  std::mutex mutex_;
  std::optional<DialogAnswer> answer_;
  std::jthread thread_;  ///< The last member: starts when everything else exists, ends first.
};

/// A pattern of file names for the dialog, which matches the extension in upper and lower case: "*.[pP][nN][gG]".
[[nodiscard]] std::string pattern_of(const std::string& extension);

/// Shows the dialog and waits until it is answered, or until `stop`, which closes it. Used by DesktopDialog only.
[[nodiscard]] DialogAnswer ask_portal(const DialogRequest& request, const std::stop_token& stop);

}  // namespace threadscape::app
