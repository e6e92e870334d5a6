#include "app/shell/recent_files.h"

#include <imgui.h>

#include <algorithm>

#include "app/session/moving_file.h"
#include "app/ui/theme.h"
#include "app/ui/widgets.h"

namespace threadscape::app {

namespace fs = std::filesystem;

void RecentFiles::add(const fs::path& path) {
  if (path.empty()) return;
  fs::path full = absolute_name(path);
  std::erase(paths_, full);
  paths_.insert(paths_.begin(), std::move(full));
  if (paths_.size() > max_count) paths_.resize(max_count);
}

std::vector<std::string> RecentFiles::texts() const {
  std::vector<std::string> texts;
  for (const fs::path& path : paths_)
    texts.push_back(path.string());
  return texts;
}

void RecentFiles::restore(const std::vector<std::string>& texts) {
  paths_.clear();
  for (const std::string& text : texts)
    if (!text.empty() && paths_.size() < max_count && std::ranges::find(paths_, fs::path(text)) == paths_.end())
      paths_.emplace_back(text);
}

std::optional<fs::path> RecentFiles::draw_menu() {
  std::optional<fs::path> chosen;
  if (ImGui::IsWindowAppearing() || exist_.size() != paths_.size()) {
    exist_.clear();
    for (const fs::path& path : paths_) {
      exist_.push_back(can_be_opened(path));
    }
  }
  for (std::size_t i = 0; i < paths_.size(); ++i) {
    ImGui::PushID(static_cast<int>(i));
    const std::string name = elided(paths_[i].filename().string(), em(22));
    const std::string folder = elided(paths_[i].parent_path().string(), em(16));
    if (ImGui::MenuItem(name.c_str(), exist_[i] ? folder.c_str() : "gone", false, exist_[i])) chosen = paths_[i];
    if (ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) tooltip(paths_[i].string());
    ImGui::PopID();
  }
  if (paths_.empty()) ImGui::MenuItem("nothing was opened yet", nullptr, false, false);
  ImGui::Separator();
  if (ImGui::MenuItem("Forget these files", nullptr, false, !paths_.empty())) clear();
  return chosen;
}

}  // namespace threadscape::app
