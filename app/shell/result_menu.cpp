#include "app/shell/result_menu.h"

#include <algorithm>
#include <cfloat>
#include <string>
#include <utility>
#include <vector>

#include "app/ui/theme.h"
#include "app/ui/widgets.h"
#include "compute/core/kind_info.h"
#include "compute/registry/step_kinds.h"

namespace threadscape::app {

const AlgorithmInfo* ResultMenu::draw(Kind kind, ImVec2 low, ImVec2 high) {
  if (title_ != nullptr) {
    shown_title_ = std::exchange(title_, nullptr);
    ImGui::OpenPopup(popup_name);
    ImGui::SetNextWindowPos({(low.x + high.x) / 2, (low.y + high.y) / 2}, ImGuiCond_Always, {0.5f, 0.5f});
  }
  ImGui::SetNextWindowSizeConstraints({em(14), 0}, {FLT_MAX, std::max(em(12), (high.y - low.y) * 0.9f)});
  if (!ImGui::BeginPopup(popup_name)) return nullptr;
  const AlgorithmInfo* clicked = nullptr;
  ImGui::TextUnformatted(shown_title_);
  Kind listed = Kind::none;
  const std::vector<const AlgorithmInfo*> found = algorithms_that_take(kind);
  for (const AlgorithmInfo* info : found) {
    if (info->input != listed) {
      listed = info->input;
      ImGui::Spacing();
      const std::string heading = "as a " + std::string(info_of(listed).user_name);
      ImGui::TextDisabled("%s", heading.c_str());
    }
    if (ImGui::Selectable(info->title.data())) clicked = info;
    if (ImGui::IsItemHovered()) tooltip(info->summary);
  }
  if (found.empty()) {
    const std::string none = "No algorithm takes a " + std::string(info_of(kind).user_name) + ".";
    ImGui::TextDisabled("%s", none.c_str());
  }
  ImGui::EndPopup();
  return clicked;
}

}  // namespace threadscape::app
