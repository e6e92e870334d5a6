// The dialogs of the desktop, in the place of the dialog inside the window.

#include <algorithm>
#include <array>
#include <charconv>

#include "app/shell/file_browser.h"

namespace threadscape::app {

namespace fs = std::filesystem;

namespace {

/// The qualities that the dialog offers for files in formats with losses, where the dialog of the window has a slider.
DialogChoice quality_choice(int chosen) {
  DialogChoice choice{.id = "quality",
                      .label = "Quality of JPEG and WebP",
                      .items = {{"0", "usual: JPEG 92, WebP without loss"}},
                      .chosen = std::to_string(chosen)};
  std::vector<int> qualities{100, 90, 80, 70, 50, 30};
  if (chosen != 0 && std::ranges::find(qualities, chosen) == qualities.end()) qualities.push_back(chosen);
  std::ranges::sort(qualities, std::greater{});
  for (const int quality : qualities)
    choice.items.emplace_back(std::to_string(quality), std::to_string(quality));
  return choice;
}

}  // namespace

void FileBrowser::use_desktop(std::string parent, std::function<void()> wake) {
  if (!DesktopDialog::built_in()) {
    why_no_desktop_ = "this program was built without libsystemd";
    return;
  }
  parent_ = std::move(parent);
  desktop_ = std::make_unique<DesktopDialog>(std::move(wake));
}

void FileBrowser::want_desktop(bool wanted) {
  wants_desktop_ = wanted;
  if (wanted && desktop_ != nullptr) why_no_desktop_.clear();  // The desktop may have got a portal meanwhile.
}

DialogRequest FileBrowser::desktop_request() const {
  DialogRequest request{.title = title_,
                        .saves = saves(),
                        .several = several_ != nullptr,
                        .folders = purpose_ == Purpose::open_folder,
                        .name = saves() ? name_ : std::string{},
                        .folder = folder_,
                        .kind = saves() ? "Formats that can be written" : "Files that can be read",
                        .extensions = wanted_extensions(),
                        .choice = {},
                        .parent = parent_};
  if (asks_quality_) request.choice = quality_choice(quality_);
  return request;
}

void FileBrowser::update_desktop() {
  if (desktop_ == nullptr) return;
  if (std::exchange(asking_, false)) return desktop_->ask(desktop_request());
  const std::optional<DialogAnswer> answer = desktop_->take();
  if (!answer) return;
  if (!answer->unavailable.empty()) {
    why_no_desktop_ = answer->unavailable;
    return show_inside();
  }
  const std::string& text = answer->choice;
  if (asks_quality_) std::from_chars(text.data(), text.data() + text.size(), quality_);
  take_chosen(answer->paths);
}

void FileBrowser::take_chosen(const std::vector<fs::path>& paths) {
  if (paths.empty()) return;
  const fs::path& path = paths.front();
  folder_ = purpose_ == Purpose::open_folder ? path : path.parent_path();
  if (several_ && paths.size() > 1) return several_(paths);
  marked_.clear();
  if (purpose_ == Purpose::open_folder) {
    act(path);
  } else {
    name_ = path.filename().string();
    // The desktop has asked whether a file of this name is to be replaced, but not about one with an extension that
    // accept() adds.
    confirm_overwrite_ = path.has_extension();
    accept();
  }
  if (!trouble_.empty()) show_inside();
}

}  // namespace threadscape::app
