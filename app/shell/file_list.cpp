#include "app/shell/file_list.h"

#include <imgui.h>

#include <algorithm>
#include <string>
#include <utility>

#include "app/ui/theme.h"
#include "app/ui/widgets.h"

namespace threadscape::app {

namespace fs = std::filesystem;

void FileList::set(std::vector<fs::path> paths) {
  paths_.clear();
  for (fs::path& path : paths)
    if (std::ranges::find(paths_, path) == paths_.end()) paths_.push_back(std::move(path));
  current_ = 0;
  moved_ = true;
}

void FileList::opened(const fs::path& path) {
  const auto found = std::ranges::find(paths_, path);
  if (found == paths_.end()) return;
  const auto index = static_cast<std::size_t>(found - paths_.begin());
  moved_ = moved_ || index != current_;
  current_ = index;
}

std::optional<fs::path> FileList::step(int by) const {
  if (paths_.empty()) return {};
  const auto count = static_cast<std::ptrdiff_t>(paths_.size());
  const std::ptrdiff_t next = ((static_cast<std::ptrdiff_t>(current_) + by) % count + count) % count;
  return paths_[static_cast<std::size_t>(next)];
}

std::optional<fs::path> FileList::draw(float height) {
  std::optional<fs::path> clicked;
  ImGui::AlignTextToFramePadding();
  ImGui::TextDisabled("%zu of %zu files", current_ + 1, paths_.size());
  if (ImGui::IsItemHovered()) tooltip("Page Up and Page Down show the one before and the next one");
  ImGui::SameLine();
  if (ImGui::SmallButton("Close")) {
    clear();
    return {};
  }
  if (ImGui::IsItemHovered()) tooltip("Forgets the list; the file that is shown stays open");
  const float lines = ImGui::GetTextLineHeightWithSpacing() * static_cast<float>(paths_.size()) + em(0.4f);
  if (ImGui::BeginChild("files", {0, std::min(lines, height)})) {
    for (std::size_t i = 0; i < paths_.size(); ++i) {
      ImGui::PushID(static_cast<int>(i));
      const std::string name = elided(paths_[i].filename().string(), ImGui::GetContentRegionAvail().x);
      if (ImGui::Selectable(name.c_str(), i == current_)) clicked = paths_[i];
      if (ImGui::IsItemHovered()) tooltip(paths_[i].string());
      if (i == current_ && std::exchange(moved_, false)) ImGui::SetScrollHereY();
      ImGui::PopID();
    }
  }
  ImGui::EndChild();
  return clicked;
}

}  // namespace threadscape::app
