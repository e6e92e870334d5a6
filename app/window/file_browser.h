#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace threadscape::app {

/// A modal dialog inside the window for choosing a file. It needs no service of the desktop and looks equal on every
/// system.
class FileBrowser {
 public:
  enum class Purpose : std::uint8_t { open, save_picture, open_preset, save_preset };
  using Chosen = std::function<void(const std::filesystem::path&)>;

  /// Shows the dialog. `chosen` is called with the path when the user accepts a file.
  void open(std::string title, Purpose purpose, Chosen chosen, const std::string& suggested_name = {});
  void draw();
  /// The folder in which the browser starts: the folder of the file that was accepted last.
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
  void set_folder(const std::filesystem::path& folder) { folder_ = folder; }

 private:
  struct Entry {
    std::string name;
    bool is_folder;
    std::uintmax_t bytes;
  };
  void enter(const std::filesystem::path& folder);
  void accept();
  [[nodiscard]] bool saves() const { return purpose_ == Purpose::save_picture || purpose_ == Purpose::save_preset; }

  bool open_ = false;
  bool opening_ = false;
  bool confirm_overwrite_ = false;
  std::string title_;
  Purpose purpose_ = Purpose::open;
  Chosen chosen_;
  std::filesystem::path folder_;
  std::vector<Entry> entries_;
  std::string name_;
  std::string filter_;
  std::string trouble_;
};

}  // namespace threadscape::app
