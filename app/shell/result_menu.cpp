#include "app/shell/result_menu.h"

#include <algorithm>
#include <cfloat>
#include <string>
#include <utility>
#include <vector>

#include "app/shell/algorithm_marks.h"
#include "app/ui/theme.h"
#include "app/ui/widgets.h"
#include "compute/core/kind_info.h"
#include "compute/registry/step_kinds.h"

namespace threadscape::app {

const AlgorithmInfo* ResultMenu::draw(Kind kind, ImVec2 low, ImVec2 high) {
  if (title_ != nullptr) {
    shown_title_ = std::exchange(title_, nullptr);
    search_.clear();
    ImGui::OpenPopup(popup_name);
    ImGui::SetNextWindowPos({(low.x + high.x) / 2, (low.y + high.y) / 2}, ImGuiCond_Always, {0.5f, 0.5f});
  }
  ImGui::SetNextWindowSizeConstraints({em(14), 0}, {FLT_MAX, std::max(em(12), (high.y - low.y) * 0.9f)});
  if (!ImGui::BeginPopup(popup_name)) return nullptr;
  const AlgorithmInfo* clicked = nullptr;
  ImGui::TextUnformatted(shown_title_);
  search_focus_.before_field();
  ImGui::SetNextItemWidth(-1);
  input_text("##search", search_);
  search_focus_.after_field();
  const bool entered = ImGui::IsItemDeactivated() && ImGui::IsKeyPressed(ImGuiKey_Enter, false);
  Kind listed = Kind::none;
  std::vector<const AlgorithmInfo*> found = algorithms_that_take(kind);
  if (!search_.empty()) {
    const std::vector<const AlgorithmInfo*> ranked = ranked_algorithms(search_);
    std::erase_if(found, [&](const AlgorithmInfo* info) { return std::ranges::find(ranked, info) == ranked.end(); });
    const auto best =
        std::ranges::find_if(ranked, [&](const AlgorithmInfo* info) { return std::ranges::count(found, info) > 0; });
    if (entered && best != ranked.end()) {
      clicked = *best;
      ImGui::CloseCurrentPopup();
    }
  }
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
    const std::string none = search_.empty()
                                 ? "No algorithm takes a " + std::string(info_of(kind).user_name) + "."
                                 : "No algorithm of this name takes a " + std::string(info_of(kind).user_name) + ".";
    ImGui::TextDisabled("%s", none.c_str());
  }
  ImGui::EndPopup();
  return clicked;
}

}  // namespace threadscape::app
