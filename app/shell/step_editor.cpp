#include "app/shell/step_editor.h"

#include <algorithm>
#include <cstdio>

#include "app/shell/field_names.h"
#include "app/shell/preview_editor.h"
#include "app/ui/theme.h"
#include "app/ui/widgets.h"
#include "compute/registry/registry.h"

namespace threadscape::app {

namespace {

constexpr const char* drag_type = "threadscape step";

/// The change requested by a button or the mouse, which is made after all steps have been drawn.
struct Edit {
  enum class What : std::uint8_t { nothing, move, remove } what = What::nothing;
  std::size_t from = 0, to = 0;
};

/// The context of the fields of a step. It finds the parameters by the index of the step, so it stays valid if the list
/// is changed.
FieldContext context_of_step(const FieldContext& context, const Step& step, std::string_view field, std::size_t index) {
  return {context.files,
          context.log,
          context.previews,
          [change = context.change, name = std::string(field), index](const auto& edit) {
            change([&](ParamBox& params) {
              for (const FieldRef& ref : params.fields())
                if (const auto* value = std::get_if<StepsValue>(&ref.value); value != nullptr && ref.name == name)
                  if (index < value->steps->size()) edit((*value->steps)[index].params);
            });
          },
          0.0f,
          [&step](const FieldRef& parameter) -> std::optional<IdleField> {
            const EffectRule* rule = rule_against(*step.algorithm, step.params, parameter.name);
            if (rule == nullptr) return {};
            return IdleField{reason_of(*rule, step.params), {}};
          }};
}

/// Draws the switch and the title of a step and, at the right end, its buttons. Returns whether its parameters are
/// shown.
bool draw_header(std::vector<Step>& steps, std::size_t index, Edit& edit, bool& changed) {
  Step& step = steps[index];
  const ImGuiStyle& style = ImGui::GetStyle();
  const float gap = style.ItemInnerSpacing.x * 0.5f;
  const float button = ImGui::GetFrameHeight();
  changed |= ImGui::Checkbox("##on", &step.on);
  if (ImGui::IsItemHovered()) tooltip("Use this step");
  ImGui::SameLine(0, style.ItemInnerSpacing.x);

  const float right = ImGui::GetContentRegionAvail().x + ImGui::GetCursorPosX();
  // The buttons lie over the end of the line, so the title ends before them.
  const std::string title =
      elided(std::to_string(index + 1) + "  " + std::string(step.algorithm->title),
             ImGui::GetContentRegionAvail().x - ImGui::GetTreeNodeToLabelSpacing() - 3 * button - 3 * gap);
  ImGui::PushStyleColor(ImGuiCol_Text, step.on ? style.Colors[ImGuiCol_Text] : style.Colors[ImGuiCol_TextDisabled]);
  const bool open = ImGui::TreeNodeEx("##step",
                                      ImGuiTreeNodeFlags_AllowOverlap | ImGuiTreeNodeFlags_FramePadding |
                                          ImGuiTreeNodeFlags_SpanAvailWidth | ImGuiTreeNodeFlags_NoTreePushOnOpen,
                                      "%s", title.c_str());
  ImGui::PopStyleColor();
  if (ImGui::BeginDragDropSource()) {
    ImGui::SetDragDropPayload(drag_type, &index, sizeof(index));
    ImGui::TextUnformatted(step.algorithm->title.data());
    ImGui::EndDragDropSource();
  }
  if (ImGui::BeginDragDropTarget()) {
    if (const ImGuiPayload* payload = ImGui::AcceptDragDropPayload(drag_type))
      edit = {Edit::What::move, *static_cast<const std::size_t*>(payload->Data), index};
    ImGui::EndDragDropTarget();
  }
  ImGui::SameLine();
  ImGui::SetCursorPosX(right - 3 * button - 2 * gap);
  ImGui::BeginDisabled(index == 0);
  if (ImGui::ArrowButton("up", ImGuiDir_Up)) edit = {Edit::What::move, index, index - 1};
  ImGui::EndDisabled();
  ImGui::SameLine(0, gap);
  ImGui::BeginDisabled(index + 1 == steps.size());
  if (ImGui::ArrowButton("down", ImGuiDir_Down)) edit = {Edit::What::move, index, index + 1};
  ImGui::EndDisabled();
  ImGui::SameLine(0, gap);
  if (ImGui::Button("x", {button, button})) edit = {Edit::What::remove, index, index};
  if (ImGui::IsItemHovered()) tooltip("Remove this step");
  return open;
}

bool draw_add(std::vector<Step>& steps) {
  bool added = false;
  ImGui::SetNextItemWidth(-1);
  if (!ImGui::BeginCombo("##add", "Add a step...")) return false;
  for (const AlgorithmInfo& info : algorithms()) {
    if (!is_filter(info)) continue;
    if (ImGui::Selectable(info.title.data())) {
      steps.push_back({.algorithm = &info, .params = info.defaults()});
      added = true;
    }
    if (ImGui::IsItemHovered()) tooltip(info.summary);
  }
  ImGui::EndCombo();
  return added;
}

}  // namespace

bool draw_steps(std::vector<Step>& steps, std::string_view field, const FieldContext& context) {
  bool changed = false;
  Edit edit;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    ImGui::PushID(static_cast<int>(i));
    if (draw_header(steps, i, edit, changed)) {
      const float indent = em(0.8f);
      ImGui::Indent(indent);
      ImGui::BeginDisabled(!steps[i].on);
      changed |= context.previews.draw(*steps[i].algorithm, steps[i].params, context.log);
      changed |= draw_fields(steps[i].params, context_of_step(context, steps[i], field, i));
      ImGui::EndDisabled();
      ImGui::Unindent(indent);
    }
    ImGui::PopID();
  }
  changed |= draw_add(steps);
  switch (edit.what) {
    case Edit::What::nothing:
      return changed;
    case Edit::What::remove:
      steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(edit.from));
      return true;
    case Edit::What::move:
      if (edit.from >= steps.size() || edit.from == edit.to) return changed;
      Step moved = std::move(steps[edit.from]);
      steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(edit.from));
      steps.insert(steps.begin() + static_cast<std::ptrdiff_t>(edit.to), std::move(moved));
      return true;
  }
  return changed;
}

}  // namespace threadscape::app
