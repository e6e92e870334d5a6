// The panel of the pipeline: the followed vertex, the matrices and the history of a pixel.

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/scenes/flat_pane.h"
#include "app/scenes/pipeline/pipeline_scene.h"
#include "app/scenes/pipeline/pipeline_tables.h"
#include "app/ui/widgets.h"

namespace threadscape::app {

namespace {

/// Three numbers with as many decimals, of at most three, as `room` characters have place for.
std::string coordinates(float x, float y, float z, std::size_t room) {
  std::string text;
  for (const auto& [width, decimals] : {std::pair{8, 3}, {6, 3}, {6, 2}, {5, 2}, {5, 1}}) {
    text.clear();
    for (const float value : {x, y, z}) {
      // What is rounded to -0 is shown as 0.
      const double shown = std::abs(value) < 0.5 * std::pow(0.1, decimals) ? 0.0 : static_cast<double>(value);
      text += format_text(text.empty() ? "%*.*f" : " %*.*f", width, decimals, shown);
    }
    if (text.size() <= room) break;
  }
  return text;
}

struct OutcomeText {
  const char* word;
  const char* help;
};
OutcomeText outcome_text(rasterize::Outcome outcome) {
  switch (outcome) {
    case rasterize::Outcome::visible:
      return {"visible", "Its colour is in the picture"};
    case rasterize::Outcome::covered:
      return {"covered", "It passed the depth test, and a later fragment in front of it replaced it"};
    case rasterize::Outcome::lost_depth:
      return {"behind", "It lost the depth test: a fragment before it is in front of it, or at the same depth"};
    case rasterize::Outcome::lost_far:
      return {"too far", "It is at the depth of an empty pixel"};
    case rasterize::Outcome::blended:
      return {"blended", "It is transparent, and was blended with what was there"};
  }
  return {"", ""};
}

ImVec4 swatch(std::uint32_t word) {
  return ImGui::ColorConvertU32ToFloat4(word | 0xff000000u);
}

}  // namespace

bool begin_panel_table(const char* id, int columns) {
  ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, {em(0.3f), 0});
  const bool open = ImGui::BeginTable(id, columns, ImGuiTableFlags_SizingFixedFit);
  ImGui::PopStyleVar();
  return open;
}

void panel_row(const char* name, const std::string& text, const char* help) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(name);
  if (ImGui::IsItemHovered()) tooltip(help);
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(text.c_str());
}

void PipelineScene::vertex_table(const Fonts& fonts) {
  const std::uint32_t at = triangle();
  const rasterize::VertexStages v = rasterize::vertex_stages(plan(), frame().mesh(), at, look().corner);
  disabled_sentence(("triangle " + std::to_string(at) + ", corner " + std::to_string(look().corner) + ": vertex " +
                     std::to_string(frame().mesh().corner(at, look().corner)))
                        .c_str());
  ImGui::PushFont(fonts.mono, 0.0f);
  // The longest name of a row, and the padding of two columns, leave this many characters.
  const float digit = ImGui::CalcTextSize("0").x, names = ImGui::CalcTextSize("divided").x + em(1.2f);
  const auto room = static_cast<std::size_t>(std::max(ImGui::GetContentRegionAvail().x - names, 0.0f) / digit);
  const auto three = [room](const auto& v3) { return coordinates(v3.x, v3.y, v3.z, room); };
  if (begin_panel_table("vertex", 2)) {
    panel_row("object", three(v.object), "As in the mesh");
    panel_row("world", three(v.world), "After the matrix model");
    panel_row("camera", three(v.camera), "After the matrix view; z is negative in front");
    panel_row("clip", three(v.clip), "After the matrix projection; inside if x, y and z are in -w..w");
    panel_row("clip w", format_text("%8.3f", static_cast<double>(v.clip.w)),
              "The fourth coordinate after the matrix projection: in perspective the distance along the view");
    if (v.on_screen) {
      panel_row("divided", three(v.normalised), "x, y and z divided by w");
      panel_row(
          "pixel",
          format_text("%8.3f %8.3f", static_cast<double>(v.pixel_x + 0.5f), static_cast<double>(v.pixel_y + 0.5f)),
          "From the upper left corner of the picture, in steps of 1/256 pixel");
      panel_row("depth", format_text("%8.6f", static_cast<double>(v.screen.z)), "Window depth: 0 is near, 1 is far");
    } else {
      panel_row("screen", "behind the camera", "w is not positive, so there is no place on the screen");
    }
    ImGui::EndTable();
  }
  ImGui::PopFont();
}

void PipelineScene::fragment_table(const Fonts& fonts) {
  const std::uint32_t at = triangle();
  if (recording().counted_triangle != at) {
    recording().fragment_counts = frame().count_fragments(at);
    recording().counted_triangle = at;
  }
  const PipelineFrame::FragmentCounts& counts = recording().fragment_counts;
  ImGui::PushFont(fonts.mono, 0.0f);
  const auto figure = [](const char* name, std::uint64_t value, const char* help) {
    ImGui::Text("%s %s", name, format_grouped(static_cast<std::int64_t>(value)).c_str());
    if (ImGui::IsItemHovered()) tooltip(help);
  };
  figure("fragments", counts.covered, "Of the triangle: pixels whose centre it covers");
  flow(em(7));
  figure("passed", counts.passed,
         "Passed the depth test when the triangle was drawn: what an occlusion query of OpenGL counts");
  flow(em(7));
  figure("visible", counts.visible, "Are part of the picture once all triangles are drawn");
  ImGui::PopFont();
}

void PipelineScene::history_table(const Fonts& fonts) {
  const glm::ivec2 pixel{look().pixel_x, look().pixel_y};
  if (pixel.x < 0 || pixel.y < 0 || pixel.x >= plan().width || pixel.y >= plan().height) {
    ImGui::TextDisabled("click a pixel of the picture");
    return;
  }
  if (recording().history_of != pixel) {
    recording().history = rasterize::pixel_history(plan(), frame().mesh(), pixel.x, pixel.y);
    recording().history_of = pixel;
  }
  ImGui::TextDisabled("x %d  y %d: %zu fragments", pixel.x, pixel.y, recording().history.size());
  if (recording().history.empty()) return;
  ImGui::PushFont(fonts.mono, 0.0f);
  if (begin_panel_table("history", 5)) {
    for (const char* title : {"triangle", "depth", "own", "after", ""})
      ImGui::TableSetupColumn(title);
    ImGui::TableHeadersRow();
    int number = 0;
    for (const rasterize::FragmentRecord& fragment : recording().history) {
      ImGui::PushID(number++);
      ImGui::TableNextRow();
      ImGui::TableNextColumn();
      if (ImGui::Selectable(std::to_string(fragment.triangle).c_str(), fragment.triangle == triangle()))
        look().triangle = static_cast<int>(fragment.triangle);
      ImGui::TableNextColumn();
      ImGui::Text("%.6f", static_cast<double>(fragment.depth));
      constexpr ImGuiColorEditFlags plain = ImGuiColorEditFlags_NoTooltip | ImGuiColorEditFlags_NoBorder;
      ImGui::TableNextColumn();
      const rasterize::Colour& own = fragment.colour;
      ImGui::ColorButton("own", {own.r, own.g, own.b, 1.0f}, plain, {em(1.6f), em(0.9f)});
      ImGui::TableNextColumn();
      ImGui::ColorButton("after", swatch(fragment.pixel_after), plain, {em(1.6f), em(0.9f)});
      ImGui::TableNextColumn();
      const OutcomeText text = outcome_text(fragment.outcome);
      ImGui::TextUnformatted(text.word);
      if (ImGui::IsItemHovered()) tooltip(text.help);
      ImGui::PopID();
    }
    ImGui::EndTable();
  }
  ImGui::PopFont();
}

void PipelineScene::panel(const Workspace& workspace, const LiveView&, const Fonts& fonts) {
  const std::array<Segment, pipeline_panel_names.size()> parts{
      {{"Vertex", true, "Coordinates of a vertex after each stage, and the fragments of its triangle"},
       {"Pixel", true, "All fragments of a pixel, and what became of them"},
       {"Cost", true, "How much work the stages had, and how long they take on each backend"},
       {"Matrices", true, "Model, view and projection as numbers that can be edited"}}};
  heading(fonts.strong, "Pipeline");
  if (const int clicked = segmented("parts", parts, static_cast<int>(look().panel)); clicked >= 0)
    look().panel = static_cast<PipelinePanel>(clicked);
  if (look().panel == PipelinePanel::cost && params_ && source_) return cost_panel(workspace, fonts);
  if (!params_ || !followed()) {
    ImGui::PushTextWrapPos(0.0f);
    const std::string* const why = std::get_if<std::string>(&state_);
    ImGui::TextDisabled("%s", why == nullptr || why->empty() ? "nothing to follow yet" : why->c_str());
    ImGui::PopTextWrapPos();
  } else if (look().panel == PipelinePanel::pixel) {
    history_table(fonts);
  } else if (look().panel == PipelinePanel::matrices) {
    matrix_tables(fonts);
  } else {
    vertex_table(fonts);
    fragment_table(fonts);
  }
}

}  // namespace threadscape::app
