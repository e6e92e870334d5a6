// The matrices of the pipeline as numbers that can be edited.

#include <algorithm>
#include <cmath>

#include "app/scenes/flat_pane.h"
#include "app/scenes/pipeline/pipeline_scene.h"
#include "app/ui/widgets.h"
#include "compute/algorithms/graphics/rasterize/rasterize_matrix.h"

namespace threadscape::app {

namespace {

/// A matrix as it is shown.
struct Shown {
  const char* name;
  const char* help;
  std::array<const char*, 4> columns;
};
constexpr std::array<Shown, 3> editable{
    {{"model",
      "From the mesh to the world",
      {"where the x axis of the mesh points in the world, and how long a unit of it is there",
       "the same for its y axis", "the same for its z axis", "where the origin of the mesh is in the world"}},
     {"view",
      "From the world to the camera, which looks along -z",
      {"the world's x axis as the camera sees it: to the right, up, towards the camera", "the world's y axis, likewise",
       "the world's z axis, likewise", "the world's origin, from the camera"}},
     {"projection",
      "From the camera to clip space, whose x, y and z are divided by w",
      {"what x of the camera adds to x, y, z and w: the first number is the scale of the width",
       "what y of the camera adds: the second number is the scale of the height",
       "what z of the camera adds: a shift of the centre in the first two, then depth, and -1 for w in perspective",
       "what is added to all: the third number is the offset of the depth; w = 1 without perspective"}}}};
constexpr Shown clip{"clip = projection view model",
                     "From the mesh to clip space",
                     {"what x of the mesh adds to x, y, z and w", "what its y adds", "what its z adds",
                      "where the origin of the mesh is"}};

/// Begins a table of 4 x 4 cells that together are as wide as the panel.
bool begin_matrix_table() {
  ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, {em(0.13f), em(0.05f)});
  const bool open = ImGui::BeginTable("matrix", 4, ImGuiTableFlags_SizingStretchSame);
  ImGui::PopStyleVar();
  return open;
}

void cell_tooltip(const Shown& shown, int index, float value) {
  if (ImGui::IsItemHovered())
    tooltip(format_text("%.9g in row %d, column %d\nColumn %d: %s", static_cast<double>(value), index / 4 + 1,
                        index % 4 + 1, index % 4 + 1, shown.columns[static_cast<std::size_t>(index % 4)]));
}

std::string entry_text(float value) {
  return format_text("%.4g", static_cast<double>(value));
}

std::string& text_of(Rasterize::Params& params, PipelineMatrix which) {
  return which == PipelineMatrix::view ? params.view_matrix : params.projection_matrix;
}

}  // namespace

void PipelineScene::editable_matrix(PipelineMatrix which, const rasterize::Matrix& matrix, const Fonts& fonts) {
  const Shown& shown = editable[static_cast<std::size_t>(which)];
  Params params = *params_;
  static const Params defaults;
  const bool stated =
      which == PipelineMatrix::model ? params.model != defaults.model : !rasterize::is_blank(text_of(params, which));
  ImGui::PushID(shown.name);
  ImGui::AlignTextToFramePadding();
  ImGui::TextDisabled("%s", shown.name);
  if (ImGui::IsItemHovered()) tooltip(shown.help);
  ImGui::SameLine();
  ImGui::BeginDisabled(!stated);
  if (ImGui::Button("Reset")) change_matrix(which, {});
  ImGui::EndDisabled();
  if (ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled))
    tooltip(which == PipelineMatrix::model ? "Back to the unit matrix"
                                           : "Back to the matrix that follows from the parameters of the camera");
  if (stated && which != PipelineMatrix::model) {
    ImGui::SameLine();
    ImGui::TextDisabled("as stated here");
    if (ImGui::IsItemHovered())
      tooltip(which == PipelineMatrix::view ? "Azimuth, elevation, distance and target are not used"
                                            : "Projection, field of view, near and far are not used");
  }
  ImGui::PushFont(fonts.mono, 0.0f);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {em(0.1f), em(0.05f)});  // Eight digits fit into a cell.
  if (begin_matrix_table()) {
    for (int i = 0; i < 16; ++i) {
      ImGui::TableNextColumn();
      ImGui::PushID(i);
      float value = matrix.m[i] + 0.0f;  // -0 is shown as 0.
      ImGui::SetNextItemWidth(-1.0f);
      ImGui::InputFloat("##entry", &value, 0, 0, "%.4g");
      // Digits that are not shown stay what they are if nothing that is shown was changed.
      if (ImGui::IsItemDeactivatedAfterEdit() && entry_text(value) != entry_text(matrix.m[i])) {
        rasterize::Matrix changed = matrix;
        changed.m[i] = value;
        change_matrix(which, changed);
      }
      cell_tooltip(shown, i, matrix.m[i] + 0.0f);
      ImGui::PopID();
    }
    ImGui::EndTable();
  }
  ImGui::PopStyleVar();
  ImGui::PopFont();
  ImGui::PopID();
}

void PipelineScene::matrix_tables(const Fonts& fonts) {
  editable_matrix(PipelineMatrix::model, plan().camera.model, fonts);
  editable_matrix(PipelineMatrix::view, plan().camera.view, fonts);
  editable_matrix(PipelineMatrix::projection, plan().camera.projection, fonts);
  ImGui::TextDisabled("%s", clip.name);
  if (ImGui::IsItemHovered()) tooltip(clip.help);
  ImGui::PushFont(fonts.mono, 0.0f);
  ImGui::PushID(clip.name);
  if (begin_matrix_table()) {
    for (int i = 0; i < 16; ++i) {
      ImGui::TableNextColumn();
      const float value = plan().camera.clip.m[i] + 0.0f;
      ImGui::TextUnformatted(entry_text(value).c_str());
      cell_tooltip(clip, i, value);
    }
    ImGui::EndTable();
  }
  ImGui::PopID();
  ImGui::PopFont();
  if (matrix_problem_.empty()) return;
  ImGui::PushTextWrapPos(0.0f);
  ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(warning_ink()), "%s", matrix_problem_.c_str());
  ImGui::PopTextWrapPos();
}

Rasterize::Params PipelineScene::with_matrix(Params params, PipelineMatrix which,
                                             const std::optional<rasterize::Matrix>& matrix) {
  if (which == PipelineMatrix::model) {
    params.model = Params{}.model;
    for (std::size_t i = 0; matrix && i < 16; ++i)
      params.model[i] = std::clamp(matrix->m[i], -1000.0f, 1000.0f);
    for (const float value : params.model)
      if (!std::isfinite(value)) throw UsageError("model is not finite: finite numbers are accepted");
  } else {
    text_of(params, which) = matrix ? rasterize::matrix_text(*matrix) : std::string();
  }
  if (const std::string problem = params.problem(); !problem.empty()) throw UsageError(problem);
  return params;
}

void PipelineScene::change_matrix(PipelineMatrix which, const std::optional<rasterize::Matrix>& matrix) {
  matrix_problem_.clear();
  try {
    change([&](Params& params) { params = with_matrix(params, which, matrix); });
  } catch (const UsageError& error) {
    matrix_problem_ = error.what();
  }
}

}  // namespace threadscape::app
