#include "app/shell/file_browser.h"

#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "app/lesson/lesson.h"
#include "app/ui/theme.h"
#include "app/ui/widgets.h"
#include "compute/io/data_file.h"
#include "compute/io/file_extension.h"
#include "compute/io/folder_reader.h"
#include "compute/io/video/frame_source.h"
#include "compute/io/video/video_reader.h"
#include "compute/io/volumes/dicom_header.h"

namespace threadscape::app {

namespace fs = std::filesystem;

namespace {

/// The extensions of the files that are listed for this purpose. The first one is added to a name without an extension.
std::vector<std::string_view> extensions_for(FileBrowser::Purpose purpose) {
  switch (purpose) {
    case FileBrowser::Purpose::open: {
      std::vector<std::string_view> all = io::data_extensions(io::FormatUse::read);
      all.push_back(lesson_extension);
      if (!io::video_reader_absent().empty()) return all;
      for (const std::string_view video : io::video_extensions())
        if (std::ranges::find(all, video) == all.end()) all.push_back(video);
      return all;
    }
    case FileBrowser::Purpose::open_folder:
      return io::data_extensions(io::FormatUse::read);
    case FileBrowser::Purpose::save_picture:
      return io::data_extensions(io::FormatUse::written);
    default:
      return {".json"};
  }
}

/// What the quality 0 stands for in files with this extension, as the slider shows it; null for formats without losses.
const char* usual_quality(const std::string& extension) {
  if (extension == ".jpg" || extension == ".jpeg") return "quality 92";
  return extension == ".webp" ? "lossless" : nullptr;
}

/// The extensions as text: ".png, .bmp or .tga".
std::string joined(const std::vector<std::string>& extensions) {
  std::string text;
  for (std::size_t i = 0; i < extensions.size(); ++i)
    text += (i == 0 ? "" : i + 1 == extensions.size() ? " or " : ", ") + extensions[i];
  return text;
}

}  // namespace

bool FileBrowser::has_extension(const fs::path& path, const std::vector<std::string>& extensions) {
  const std::string name = lower(path.filename().string());
  return std::ranges::any_of(extensions, [&name](const std::string& extension) {
    return name.ends_with(extension) && name.size() > extension.size();
  });
}

std::string FileBrowser::lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

/// Leaves out files of numbers (.raw) whose header, a MetaImage with the same name, is in the list: only with the
/// header their size is known.
void FileBrowser::hide_parts_of_headers(std::vector<Entry>& entries) {
  std::set<std::string> headers;
  for (const Entry& entry : entries)
    if (!entry.is_folder && io::extension_of(entry.name) == ".mhd")
      headers.insert(fs::path(entry.name).stem().string());
  std::erase_if(entries, [&headers](const Entry& entry) {
    return !entry.is_folder && io::extension_of(entry.name) == ".raw" &&
           headers.contains(fs::path(entry.name).stem().string());
  });
}

void FileBrowser::open(std::string title, Purpose purpose, Chosen chosen, const std::string& suggested_name,
                       std::vector<std::string> extensions, bool asks_quality) {
  if (asks_desktop()) return;  // The dialog of the desktop that is shown comes first.
  title_ = std::move(title);
  purpose_ = purpose;
  chosen_ = std::move(chosen);
  name_ = suggested_name;
  extensions_ = std::move(extensions);
  asks_quality_ = asks_quality;
  filter_.clear();
  trouble_.clear();
  pending_.clear();
  several_ = nullptr;
  contents_.clear();
  confirm_overwrite_ = false;
  asking_ = prefers_desktop();
  if (!asking_) show_inside();
}

void FileBrowser::allow_several(Several several) {
  if (!asks_desktop()) several_ = std::move(several);
}

void FileBrowser::show_inside() {
  const std::string trouble = trouble_;
  std::error_code ignored;
  places_ = file_places(recent_ ? recent_() : std::vector<fs::path>{});
  enter(folder_.empty() ? fs::current_path(ignored) : folder_);
  if (!trouble.empty()) trouble_ = trouble;
  open_ = opening_ = true;
  name_focus_.want();
}

std::vector<std::string> FileBrowser::wanted_extensions() const {
  if (!extensions_.empty()) return extensions_;
  const std::vector<std::string_view> all = extensions_for(purpose_);
  return {all.begin(), all.end()};
}

void FileBrowser::finish(const fs::path& path, const std::string& trouble) {
  if (pending_.empty() || path != pending_) return;
  pending_.clear();
  trouble_ = trouble;
  if (!trouble.empty() && !open_)
    show_inside();  // The dialog of the desktop has closed.
  else
    open_ = !trouble.empty();
}

void FileBrowser::enter(const fs::path& folder) {
  std::error_code failed;
  std::vector<Entry> found;
  io::FolderReader reader(folder);
  if (reader.error()) {
    trouble_ = "cannot read " + folder.string() + ": " + reader.error().message();
    return;
  }
  const std::vector<std::string> extensions = wanted_extensions();
  // The files of DICOM series often have no extension. Looking into files takes time, so that it ends at some number.
  constexpr int max_looked_into = 500;
  int looked_into = 0;
  while (const auto path = reader.next()) {
    std::error_code ignored;
    const std::string name = path->filename().string();
    if (name.starts_with('.')) continue;
    if (fs::is_directory(*path, ignored))
      found.push_back({name, true, 0, fs::last_write_time(*path, ignored)});
    else if (has_extension(*path, extensions) ||
             (opens_data() && looked_into++ < max_looked_into && io::is_dicom(*path)))
      found.push_back({name, false, fs::file_size(*path, ignored), fs::last_write_time(*path, ignored)});
  }
  hide_parts_of_headers(found);
  entries_ = std::move(found);
  sort_entries();
  marked_.clear();
  folder_ = fs::weakly_canonical(folder, failed);
  trouble_.clear();
}

std::vector<std::string> FileBrowser::names() const {
  std::vector<std::string> names;
  for (const Entry& entry : entries_)
    names.push_back(entry.name);
  return names;
}

void FileBrowser::toggle(const std::string& name) {
  if (!several_) return;
  const auto is_file = [this](const std::string& wanted) {
    return std::ranges::any_of(entries_, [&](const Entry& e) { return !e.is_folder && e.name == wanted; });
  };
  if (!is_file(name)) return;
  if (marked_.empty() && is_file(name_)) marked_.insert(name_);
  if (marked_.contains(name) && marked_.size() > 1)
    marked_.erase(name);
  else
    marked_.insert(name);
  name_ = marked_.contains(name) ? name : *marked_.begin();
}

void FileBrowser::choose_entry(const std::string& name) {
  confirm_overwrite_ = false;
  const auto at = [this](const std::string& wanted) { return std::ranges::find(entries_, wanted, &Entry::name); };
  if (several_ && modifier_held(ImGuiMod_Ctrl)) return toggle(name);
  const auto from = at(name_), to = at(name);
  marked_.clear();
  if (several_ && modifier_held(ImGuiMod_Shift) && from != entries_.end()) {
    for (auto entry = std::min(from, to); entry <= std::max(from, to); ++entry)
      if (!entry->is_folder) marked_.insert(entry->name);
    return;
  }
  name_ = name;
}

void FileBrowser::accept() {
  if (name_.empty() || !pending_.empty()) return;
  if (several_ && marked_.size() > 1) {
    std::vector<fs::path> paths;
    for (const Entry& entry : entries_)
      if (marked_.contains(entry.name)) paths.push_back(folder_ / entry.name);
    open_ = false;
    return several_(paths);
  }
  fs::path path = fs::path(name_).is_absolute() ? fs::path(name_) : folder_ / name_;
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) {
    enter(path);
    name_.clear();
    return;
  }
  if (saves()) {
    const std::vector<std::string> extensions = wanted_extensions();
    if (!path.has_extension()) path += extensions.front();
    if (!has_extension(path, extensions)) {
      trouble_ = path.filename().string() + ": this cannot be saved as '" + path.extension().string() + "', but as " +
                 joined(extensions);
      return;
    }
    if (fs::exists(path, ignored) && !confirm_overwrite_) {
      confirm_overwrite_ = true;
      trouble_ = path.filename().string() + " exists; press Save again to replace it";
      return;
    }
  } else if (!fs::exists(path, ignored)) {
    trouble_ = "no such file: " + path.string();
    return;
  }
  act(path);
}

void FileBrowser::accept_folder() {
  if (pending_.empty()) act(folder_);
}

void FileBrowser::act(const fs::path& path) {
  trouble_.clear();
  try {
    if (chosen_(path) == Progress::pending)
      pending_ = path;
    else
      open_ = false;
  } catch (const Error& error) {
    trouble_ = error.what();
  }
}

void FileBrowser::draw() {
  update_desktop();
  if (!open_ && !opening_) {
    // A pending action may have ended between two frames, while the popup was still open. It can be closed only from
    // within, and nothing of it is to be seen in that frame.
    if (shown_ && ImGui::BeginPopupModal((title_ + "###files").c_str(), nullptr, ImGuiWindowFlags_NoSavedSettings)) {
      ImGui::GetCurrentWindow()->Hidden = true;
      ImGui::CloseCurrentPopup();
      ImGui::EndPopup();
      leave_focus();
    }
    shown_ = false;
    return;
  }
  const std::string id = title_ + "###files";
  if (opening_) {
    ImGui::OpenPopup(id.c_str());
    opening_ = false;
  }
  const ImGuiViewport& viewport = *ImGui::GetMainViewport();
  ImGui::SetNextWindowPos(viewport.GetCenter(), ImGuiCond_Appearing, {0.5f, 0.5f});
  ImGui::SetNextWindowSize(
      {std::min(em(56), viewport.WorkSize.x * 0.9f), std::min(em(32), viewport.WorkSize.y * 0.85f)},
      ImGuiCond_Appearing);
  if (!ImGui::BeginPopupModal(id.c_str(), &open_, ImGuiWindowFlags_NoSavedSettings)) return;
  shown_ = true;
  draw_head();
  const bool clicked = draw_entries();
  if (draw_foot() || clicked) accept();
  if (!open_) {
    pending_.clear();  // Nobody waits any more for how a file that is being read or written ends.
    ImGui::CloseCurrentPopup();
    shown_ = false;
  }
  ImGui::EndPopup();
  if (!open_) leave_focus();
}

void FileBrowser::draw_head() {
  const bool up = ImGui::IsKeyChordPressed(ImGuiMod_Alt | ImGuiKey_UpArrow);
  if (ImGui::Button("Up") || up) enter(folder_.parent_path());
  if (ImGui::IsItemHovered()) tooltip("The folder that holds this one (Alt+Up)");
  ImGui::SameLine();
  const float filter_width = em(9);
  const float room = ImGui::GetContentRegionAvail().x - filter_width - ImGui::GetStyle().ItemSpacing.x;
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(elided(folder_.string(), room).c_str());
  ImGui::SameLine(ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x - filter_width);
  ImGui::SetNextItemWidth(filter_width);
  input_text("##filter", filter_);
  if (filter_.empty() && !ImGui::IsItemActive()) {
    const ImVec2 low = ImGui::GetItemRectMin();
    ImGui::GetWindowDrawList()->AddText(
        {low.x + ImGui::GetStyle().FramePadding.x, low.y + ImGui::GetStyle().FramePadding.y},
        ImGui::GetColorU32(ImGuiCol_TextDisabled), "filter");
  }
}

std::string FileBrowser::offered_name() const {
  if (!saves() || trouble_.empty() || name_.empty()) return {};
  const std::vector<std::string> extensions = wanted_extensions();
  const fs::path name(name_);
  if (has_extension(name, extensions)) return {};
  return fs::path(name).replace_extension(extensions.front()).string();
}

void FileBrowser::draw_quality() {
  const char* usual = asks_quality_ ? usual_quality(lower(fs::path(name_).extension().string())) : nullptr;
  if (usual == nullptr) return;
  ImGui::SetNextItemWidth(em(13));
  slider_int("##quality", &quality_, 0, 100, quality_ == 0 ? usual : "quality %d", ImGuiSliderFlags_AlwaysClamp);
  if (ImGui::IsItemHovered())
    tooltip("Of JPEG and WebP: 1 = small file, 100 = best picture; at the left end JPEG has 92, WebP no loss");
  ImGui::SameLine();
}

bool FileBrowser::draw_foot() {
  bool accepted = false;
  ImGui::PushTextWrapPos(0.0f);
  if (!pending_.empty())
    ImGui::TextDisabled("%s %s ...", saves() ? "saving" : "opening", pending_.filename().string().c_str());
  else if (several_ && trouble_.empty())
    ImGui::TextDisabled("Ctrl or Shift and a click choose several files");
  else if (trouble_.empty())
    ImGui::TextDisabled("%s", contents_.c_str());
  else
    ImGui::TextColored(warning_colour(), "%s", trouble_.c_str());
  ImGui::PopTextWrapPos();
  if (const std::string offered = offered_name(); !offered.empty())
    if (ImGui::Button(("Save as " + fs::path(offered).filename().string()).c_str())) {
      name_ = offered;
      accepted = true;
    }
  ImGui::SetNextItemWidth(-1);
  // The name has the keyboard at first, so that Enter accepts the suggestion.
  name_focus_.before_field();
  if (input_text("##name", name_)) {
    confirm_overwrite_ = false;
    marked_.clear();
  }
  name_focus_.after_field();
  const bool typing = ImGui::IsItemActive() || ImGui::IsItemDeactivated();
  const bool enter_key = ImGui::IsKeyPressed(ImGuiKey_Enter, false) || ImGui::IsKeyPressed(ImGuiKey_KeypadEnter, false);
  // With the highlight of the keyboard on another widget, Enter presses that. Keys in the list of formats are not meant
  // for the dialog.
  const bool in_formats = shows_formats_;
  accepted = accepted || (enter_key && !in_formats && (typing || !ImGui::GetIO().NavVisible));
  draw_formats();
  draw_quality();
  if (opens_data()) {
    ImGui::BeginDisabled(!pending_.empty());
    if (ImGui::Button("Open this folder")) accept_folder();
    ImGui::EndDisabled();
    if (ImGui::IsItemHovered())
      tooltip("As one volume: the files of a DICOM series, or a stack of pictures of one size");
    ImGui::SameLine();
  }
  const float width = em(6);
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x - 2 * width -
                       ImGui::GetStyle().ItemSpacing.x);
  const bool escape = !in_formats && ImGui::IsKeyPressed(ImGuiKey_Escape, false);
  if (ImGui::Button("Cancel", {width, 0}) || escape) {
    open_ = false;  // A file that is being written is written nevertheless.
    return false;
  }
  ImGui::SameLine();
  ImGui::BeginDisabled(!pending_.empty());
  const std::string open = marked_.size() > 1 ? "Open " + std::to_string(marked_.size()) : "Open";
  accepted = ImGui::Button((saves() ? "Save" : open).c_str(), {width, 0}) || accepted;
  ImGui::EndDisabled();
  return accepted;
}

}  // namespace threadscape::app
