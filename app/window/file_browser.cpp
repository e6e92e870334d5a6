#include "app/window/file_browser.h"

#include <imgui.h>

#include <algorithm>
#include <cctype>
#include <string_view>
#include <vector>

#include "app/window/widgets/theme.h"
#include "app/window/widgets/widgets.h"
#include "compute/io/data_file.h"
#include "compute/io/file_extension.h"

namespace threadscape::app {

namespace fs = std::filesystem;

namespace {

/// The extensions of the files that are listed for this purpose. The first one is added to a name without an extension.
std::vector<std::string_view> extensions_for(FileBrowser::Purpose purpose) {
  switch (purpose) {
    case FileBrowser::Purpose::open:
      return io::data_extensions(io::FormatUse::read);
    case FileBrowser::Purpose::save_picture:
      return io::data_extensions(io::FormatUse::written);
    default:
      return {".json"};
  }
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

}  // namespace

void FileBrowser::open(std::string title, Purpose purpose, Chosen chosen, const std::string& suggested_name) {
  title_ = std::move(title);
  purpose_ = purpose;
  chosen_ = std::move(chosen);
  name_ = suggested_name;
  filter_.clear();
  confirm_overwrite_ = false;
  std::error_code ignored;
  enter(folder_.empty() ? fs::current_path(ignored) : folder_);
  open_ = opening_ = true;
}

void FileBrowser::enter(const fs::path& folder) {
  std::error_code failed;
  std::vector<Entry> found;
  fs::directory_iterator it(folder, fs::directory_options::skip_permission_denied, failed);
  if (failed) {
    trouble_ = "cannot read " + folder.string() + ": " + failed.message();
    return;
  }
  const std::vector<std::string_view> extensions = extensions_for(purpose_);
  for (; it != fs::directory_iterator(); it.increment(failed)) {
    std::error_code ignored;
    const std::string name = it->path().filename().string();
    if (failed || name.starts_with('.')) continue;
    if (it->is_directory(ignored))
      found.push_back({name, true, 0});
    else if (std::ranges::count(extensions, io::extension_of(it->path())) > 0)
      found.push_back({name, false, it->file_size(ignored)});
  }
  std::sort(found.begin(), found.end(), [](const Entry& a, const Entry& b) {
    return a.is_folder != b.is_folder ? a.is_folder : lower(a.name) < lower(b.name);
  });
  entries_ = std::move(found);
  folder_ = fs::weakly_canonical(folder, failed);
  trouble_.clear();
}

void FileBrowser::accept() {
  if (name_.empty()) return;
  fs::path path = fs::path(name_).is_absolute() ? fs::path(name_) : folder_ / name_;
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) {
    enter(path);
    name_.clear();
    return;
  }
  if (saves()) {
    if (!path.has_extension()) path += extensions_for(purpose_).front();
    if (fs::exists(path, ignored) && !confirm_overwrite_) {
      confirm_overwrite_ = true;
      trouble_ = path.filename().string() + " exists; press Save again to replace it";
      return;
    }
  } else if (!fs::exists(path, ignored)) {
    trouble_ = "no such file: " + path.string();
    return;
  }
  open_ = false;
  ImGui::CloseCurrentPopup();
  chosen_(path);
}

void FileBrowser::draw() {
  if (!open_) return;
  const std::string id = title_ + "###files";
  if (opening_) {
    ImGui::OpenPopup(id.c_str());
    opening_ = false;
  }
  const ImGuiViewport& viewport = *ImGui::GetMainViewport();
  ImGui::SetNextWindowPos(viewport.GetCenter(), ImGuiCond_Appearing, {0.5f, 0.5f});
  ImGui::SetNextWindowSize(
      {std::min(em(44), viewport.WorkSize.x * 0.9f), std::min(em(32), viewport.WorkSize.y * 0.85f)},
      ImGuiCond_Appearing);
  if (!ImGui::BeginPopupModal(id.c_str(), &open_, ImGuiWindowFlags_NoSavedSettings)) return;

  if (ImGui::Button("Up")) enter(folder_.parent_path());
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

  const float footer = 2 * ImGui::GetFrameHeightWithSpacing() + ImGui::GetTextLineHeightWithSpacing();
  fs::path go_to;
  bool accepted = false;
  if (ImGui::BeginTable("entries", 2, ImGuiTableFlags_RowBg | ImGuiTableFlags_ScrollY, {0, -footer})) {
    ImGui::TableSetupColumn("name", ImGuiTableColumnFlags_WidthStretch);
    ImGui::TableSetupColumn("size", ImGuiTableColumnFlags_WidthFixed, em(5));
    const std::string wanted = lower(filter_);
    for (const Entry& entry : entries_) {
      if (!wanted.empty() && lower(entry.name).find(wanted) == std::string::npos) continue;
      ImGui::TableNextRow();
      ImGui::TableNextColumn();
      const std::string label = entry.is_folder ? entry.name + "/" : entry.name;
      if (ImGui::Selectable(label.c_str(), entry.name == name_,
                            ImGuiSelectableFlags_SpanAllColumns | ImGuiSelectableFlags_AllowDoubleClick |
                                ImGuiSelectableFlags_NoAutoClosePopups)) {
        if (entry.is_folder) {
          if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) go_to = folder_ / entry.name;
        } else {
          name_ = entry.name;
          confirm_overwrite_ = false;
          accepted = ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
        }
      }
      ImGui::TableNextColumn();
      if (!entry.is_folder) ImGui::TextDisabled("%s", format_bytes(static_cast<double>(entry.bytes)).c_str());
    }
    ImGui::EndTable();
  }
  if (!go_to.empty()) enter(go_to);

  ImGui::TextColored(warning_colour(), "%s", trouble_.c_str());
  ImGui::SetNextItemWidth(-1);
  if (input_text("##name", name_)) {
    confirm_overwrite_ = false;
    accepted = ImGui::IsKeyPressed(ImGuiKey_Enter);
  }
  const float width = em(6);
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x - 2 * width -
                       ImGui::GetStyle().ItemSpacing.x);
  if (ImGui::Button("Cancel", {width, 0}) || ImGui::IsKeyPressed(ImGuiKey_Escape)) {
    open_ = false;
    ImGui::CloseCurrentPopup();
  }
  ImGui::SameLine();
  if (ImGui::Button(saves() ? "Save" : "Open", {width, 0}) || accepted) accept();
  ImGui::EndPopup();
}

}  // namespace threadscape::app
