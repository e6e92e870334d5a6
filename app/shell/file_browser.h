#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/platform/desktop_dialog.h"
#include "app/shell/file_pictures.h"
#include "app/shell/file_places.h"
#include "app/shell/preset_thumbnails.h"
#include "app/ui/held_keys.h"

namespace threadscape::app {

/// A dialog for choosing a file: that of the desktop if the window has asked for it and the desktop has one, else a
/// modal dialog inside the window, which needs no service of the desktop and looks equal on every system. What fails
/// after a dialog of the desktop has closed is shown in the one inside the window, where another name can be given.
class FileBrowser {
 public:
  enum class Purpose : std::uint8_t { open, open_folder, save_picture, open_preset, save_preset };
  /// What became of the action on a chosen file. Of pending ones finish() tells the end.
  enum class Progress : std::uint8_t { done, pending };
  /// Called with the path that the user accepted. If it throws Error, the dialog stays open and shows the message.
  using Chosen = std::function<Progress(const std::filesystem::path&)>;

  using Several = std::function<void(const std::vector<std::filesystem::path>&)>;

  /// Shows the dialog. `extensions` are those that a file to be saved may have, in lower case with the dot, the first
  /// of which is added to a name without one; if empty, all that the purpose has. If `asks_quality`, names of files in
  /// formats with losses get a slider for the quality.
  void open(std::string title, Purpose purpose, Chosen chosen, const std::string& suggested_name = {},
            std::vector<std::string> extensions = {}, bool asks_quality = false);
  /// Lets several files be chosen in the dialog that was opened: `several` is called with two files or more, in the
  /// order of the list, instead of the function for one.
  void allow_several(Several several);
  /// States in the dialog that was opened what the file will hold: "512x512 RGBA u8 image".
  void state_contents(std::string contents) { contents_ = std::move(contents); }
  /// `recent` returns files whose folders are offered beside the list from now on, the latest first.
  void offer_folders_of(std::function<std::vector<std::filesystem::path>()> recent) { recent_ = std::move(recent); }
  /// Lets the desktop show the dialogs from now on, except those for presets, which have thumbnails in the list.
  /// `parent` names the window that they belong to (Platform::portal_name()), and `wake` is called on another thread
  /// when draw() has something to do.
  void use_desktop(std::string parent, std::function<void()> wake);
  /// Returns true if the user wants the dialogs of the desktop. They are used where use_desktop() was called.
  void want_desktop(bool wanted);
  [[nodiscard]] bool wants_desktop() const { return wants_desktop_; }
  /// Returns true if use_desktop() was called in a program that can ask the desktop.
  [[nodiscard]] bool can_use_desktop() const { return desktop_ != nullptr; }
  /// Why the desktop shows no dialogs; "" if it does, or as long as it was not asked.
  [[nodiscard]] const std::string& why_no_desktop() const { return why_no_desktop_; }
  /// Returns whether the desktop was asked for a dialog that has not ended.
  [[nodiscard]] bool asks_desktop() const { return desktop_ != nullptr && desktop_->waiting(); }
  void draw();
  /// Tells the end of a pending action: the dialog closes if `trouble` is empty, otherwise it stays open and shows it.
  /// Does nothing if the dialog does not wait for this file.
  void finish(const std::filesystem::path& path, const std::string& trouble);
  /// The names of the files and folders in the list.
  [[nodiscard]] std::vector<std::string> names() const;
  /// Replaces the name in the dialog.
  void choose(std::string name) { name_ = std::move(name); }
  /// Adds a file of the list to those that are chosen, or takes it away, if several are allowed.
  void toggle(const std::string& name);
  /// Takes the listed folder as what was chosen: a volume of slices. Only for Purpose::open.
  void accept_folder();
  /// Gives the name in the dialog another extension, one of those that the file can have.
  void choose_format(const std::string& extension);
  /// What the file will hold, as the dialog says it.
  [[nodiscard]] const std::string& contents() const { return contents_; }
  /// The name in the dialog.
  [[nodiscard]] const std::string& name() const { return name_; }
  /// Returns whether small pictures of the list are being read, for which the next frame waits.
  [[nodiscard]] bool reads_pictures() const { return open_ && reads_pictures_; }
  /// The quality for files in formats with losses, 1..100; 0 = the default of the format (io::save_picture()).
  [[nodiscard]] int quality() const { return quality_; }
  /// The message that the open dialog shows; "" if there is none.
  [[nodiscard]] std::string trouble() const { return open_ ? trouble_ : std::string{}; }
  [[nodiscard]] bool is_open() const { return open_; }
  /// The folder in which the browser starts: the folder of the file that was accepted last.
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
  void set_folder(const std::filesystem::path& folder) { folder_ = folder; }

 private:
  struct Entry {
    std::string name;
    bool is_folder;
    std::uintmax_t bytes;
    std::filesystem::file_time_type written;
  };
  enum class Column : std::uint8_t { name, date, size };
  [[nodiscard]] static std::string lower(std::string text);
  /// Returns whether the name ends with one of these extensions, which may have more than one dot.
  [[nodiscard]] static bool has_extension(const std::filesystem::path& path,
                                          const std::vector<std::string>& extensions);
  static void hide_parts_of_headers(std::vector<Entry>& entries);
  /// Returns whether the dialog that was asked for is to be one of the desktop.
  [[nodiscard]] bool prefers_desktop() const {
    return desktop_ != nullptr && wants_desktop_ && why_no_desktop_.empty() && !lists_presets();
  }
  [[nodiscard]] DialogRequest desktop_request() const;
  /// Asks the desktop for the dialog, and takes its answer.
  void update_desktop();
  /// Does with the files of the desktop's dialog what the dialog was opened for.
  void take_chosen(const std::vector<std::filesystem::path>& paths);
  /// Shows the dialog inside the window.
  void show_inside();
  void enter(const std::filesystem::path& folder);
  void accept();
  /// Chooses a file of the list with the modifiers that are held: Ctrl adds it, Shift adds all up to it.
  void choose_entry(const std::string& name);
  /// Calls the action for a file or a folder.
  void act(const std::filesystem::path& path);
  void draw_head();
  /// Draws the thumbnail of a preset, in front of its name, into a line of this height.
  static void draw_thumbnail(const gl::Texture& picture, float height);
  /// Returns whether the list is one of presets of parameters, which can have thumbnails.
  [[nodiscard]] bool lists_presets() const {
    return extensions_.empty() && (purpose_ == Purpose::open_preset || purpose_ == Purpose::save_preset);
  }
  /// Returns whether the files are data, among them volumes in folders.
  [[nodiscard]] bool opens_data() const {
    return (purpose_ == Purpose::open || purpose_ == Purpose::open_folder) && extensions_.empty();
  }
  /// Draws the list of files. Returns whether a file was double-clicked.
  bool draw_entries();
  /// Draws the names of the places, in a column of this height, in front of the list.
  void draw_places(float height);
  /// Draws a line of the list. Returns whether it was double-clicked, or entered with the keyboard.
  bool draw_entry(const Entry& entry);
  /// Draws the room for the small picture of an entry in front of its name. Returns its height; 0 if there is none.
  float draw_picture(const Entry& entry);
  /// Sorts the entries, folders first.
  void sort_entries();
  /// Draws the list of formats, if the file can have several.
  void draw_formats();
  /// Draws the message with its cure, the name and the buttons. Returns whether the name was accepted.
  bool draw_foot();
  /// Draws the slider for the quality, if the name is that of a file that has one.
  void draw_quality();
  [[nodiscard]] std::vector<std::string> wanted_extensions() const;
  /// The name with an extension that the file can have, if the name in the dialog has another one and was refused.
  [[nodiscard]] std::string offered_name() const;
  [[nodiscard]] bool saves() const { return purpose_ == Purpose::save_picture || purpose_ == Purpose::save_preset; }

  std::unique_ptr<DesktopDialog> desktop_;  ///< Null if the desktop is not to be asked.
  std::string parent_;
  std::string why_no_desktop_;
  bool wants_desktop_ = true;
  bool asking_ = false;  ///< The desktop is to be asked for the dialog in this frame.
  bool open_ = false;
  bool opening_ = false;
  bool shown_ = false;  ///< If true, the popup was drawn in the last frame.
  bool confirm_overwrite_ = false;
  bool asks_quality_ = false;
  int quality_ = 0;
  WantedFocus name_focus_;         ///< The name gets the keyboard when the dialog opens.
  std::filesystem::path pending_;  ///< The file whose action has not ended; "" if there is none.
  std::vector<std::string> extensions_;
  std::string title_;
  Purpose purpose_ = Purpose::open;
  Chosen chosen_;
  Several several_;               ///< Empty if one file is chosen.
  std::set<std::string> marked_;  ///< The chosen files if they are several, else it is empty or name_.
  std::filesystem::path folder_;
  std::vector<Entry> entries_;
  std::string name_;
  std::string filter_;
  std::string trouble_;
  std::string contents_;  ///< What the file will hold; "" if that is not stated.
  std::function<std::vector<std::filesystem::path>()> recent_;
  bool shows_formats_ = false;  ///< The list of formats is open.
  PresetThumbnails thumbnails_;
  FilePictures pictures_;
  bool reads_pictures_ = false;
  std::vector<FilePlace> places_;
  Column sorted_by_ = Column::name;
  bool descending_ = false;
};

}  // namespace threadscape::app
