// The panel of the pipeline: the followed vertex, the matrices, the history of a pixel, and what each stage costs.

#include <algorithm>

#include "app/scenes/flat_pane.h"
#include "app/scenes/pipeline/pipeline_scene.h"
#include "app/window/widgets/widgets.h"

namespace threadscape::app {

namespace {

void row(const char* name, const std::string& text, const char* help) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(name);
  if (ImGui::IsItemHovered()) tooltip(help);
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(text.c_str());
}

std::string coordinates(float x, float y, float z) {
  return format_text("%8.3f %8.3f %8.3f", static_cast<double>(x), static_cast<double>(y), static_cast<double>(z));
}

std::string count(std::uint64_t value) {
  return format_count(static_cast<double>(value));
}

bool begin_table(const char* id, int columns) {
  ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, {em(0.3f), 0});
  const bool open = ImGui::BeginTable(id, columns, ImGuiTableFlags_SizingFixedFit);
  ImGui::PopStyleVar();
  return open;
}

struct OutcomeText {
  const char* word;
  const char* help;
};
OutcomeText text_of(rasterize::Outcome outcome) {
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

void PipelineScene::vertex_table(const Fonts& fonts) {
  const std::uint32_t at = triangle();
  const rasterize::VertexStages v = rasterize::vertex_stages(plan_, frame_.mesh(), at, look().corner);
  ImGui::TextDisabled("triangle %u, corner %d: vertex %u", at, look().corner, frame_.mesh().corner(at, look().corner));
  ImGui::PushFont(fonts.mono, 0.0f);
  if (begin_table("vertex", 2)) {
    row("object", coordinates(v.object.x, v.object.y, v.object.z), "As in the mesh");
    row("world", coordinates(v.world.x, v.world.y, v.world.z), "After the matrix model");
    row("camera", coordinates(v.camera.x, v.camera.y, v.camera.z), "After the matrix view; z is negative in front");
    row("clip", coordinates(v.clip.x, v.clip.y, v.clip.z),
        "After the matrix projection; inside if x, y and z are in -w..w");
    row("clip w", format_text("%8.3f", static_cast<double>(v.clip.w)),
        "The fourth coordinate after the matrix projection: in perspective the distance along the view");
    if (v.on_screen) {
      row("divided", coordinates(v.normalised.x, v.normalised.y, v.normalised.z), "x, y and z divided by w");
      row("pixel",
          format_text("%8.3f %8.3f", static_cast<double>(v.pixel_x + 0.5f), static_cast<double>(v.pixel_y + 0.5f)),
          "From the upper left corner of the picture, in steps of 1/256 pixel");
      row("depth", format_text("%8.6f", static_cast<double>(v.screen.z)), "Window depth: 0 is near, 1 is far");
    } else {
      row("screen", "behind the camera", "w is not positive, so there is no place on the screen");
    }
    ImGui::EndTable();
  }
  ImGui::PopFont();
}

void PipelineScene::matrix_tables(const Fonts& fonts) {
  struct Shown {
    const char* name;
    const rasterize::Matrix* matrix;
    std::array<const char*, 4> columns;
  };
  const Shown all[]{
      {"model",
       &plan_.camera.model,
       {"where the x axis of the mesh points in the world", "where its y axis points", "where its z axis points",
        "where its origin is"}},
      {"view",
       &plan_.camera.view,
       {"the world's x axis as the camera sees it", "the world's y axis", "the world's z axis", "the world's origin"}},
      {"projection",
       &plan_.camera.projection,
       {"width: what x adds", "height: what y adds", "what the distance adds to depth and, in perspective, to w",
        "offset of the depth"}},
      {"clip = projection view model",
       &plan_.camera.clip,
       {"what x of the mesh adds", "what its y adds", "what its z adds", "where its origin is"}}};
  for (const Shown& shown : all) {
    const bool editable = shown.matrix == &plan_.camera.model;
    ImGui::TextDisabled("%s%s", shown.name, editable ? " (can be edited)" : "");
    ImGui::PushID(shown.name);
    ImGui::PushFont(fonts.mono, 0.0f);
    if (begin_table("matrix", 4)) {
      for (int i = 0; i < 16; ++i) {
        ImGui::TableNextColumn();
        ImGui::PushID(i);
        if (editable) {
          float value = (*params_).model[static_cast<std::size_t>(i)];
          ImGui::SetNextItemWidth(em(4.2f));
          if (ImGui::InputFloat("##entry", &value, 0, 0, "%.3f", ImGuiInputTextFlags_EnterReturnsTrue)) {
            new_model_ = params_->model;
            (*new_model_)[static_cast<std::size_t>(i)] = std::clamp(value, -1000.0f, 1000.0f);
          }
        } else {
          ImGui::Text("%9.4f", static_cast<double>(shown.matrix->m[i]));
        }
        if (ImGui::IsItemHovered())
          tooltip("Column " + std::to_string(i % 4 + 1) + ": " + shown.columns[static_cast<std::size_t>(i % 4)]);
        ImGui::PopID();
      }
      ImGui::EndTable();
    }
    ImGui::PopFont();
    ImGui::PopID();
  }
  ImGui::TextDisabled("view and projection follow from the parameters of the camera");
}

void PipelineScene::history_table(const Fonts& fonts) {
  const glm::ivec2 pixel{look().pixel_x, look().pixel_y};
  if (pixel.x < 0 || pixel.y < 0 || pixel.x >= plan_.width || pixel.y >= plan_.height) {
    ImGui::TextDisabled("click a pixel of the picture");
    return;
  }
  if (history_of_ != pixel) {
    history_ = rasterize::pixel_history(plan_, frame_.mesh(), pixel.x, pixel.y);
    history_of_ = pixel;
  }
  ImGui::TextDisabled("x %d  y %d: %zu fragments", pixel.x, pixel.y, history_.size());
  if (history_.empty()) return;
  ImGui::PushFont(fonts.mono, 0.0f);
  if (begin_table("history", 5)) {
    for (const char* title : {"triangle", "depth", "own", "after", ""})
      ImGui::TableSetupColumn(title);
    ImGui::TableHeadersRow();
    int number = 0;
    for (const rasterize::FragmentRecord& fragment : history_) {
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
      const OutcomeText text = text_of(fragment.outcome);
      ImGui::TextUnformatted(text.word);
      if (ImGui::IsItemHovered()) tooltip(text.help);
      ImGui::PopID();
    }
    ImGui::EndTable();
  }
  ImGui::PopFont();
}

void PipelineScene::cost_table(const Workspace& workspace, const Fonts& fonts) {
  if (!counters_) counters_ = rasterize::count_work(plan_, frame_.mesh());
  const rasterize::Counters& c = *counters_;
  ImGui::PushFont(fonts.mono, 0.0f);
  if (begin_table("cost", 2)) {
    row("triangles", count(c.triangles), "Of the mesh");
    row("outside", count(c.outside), "On the outer side of a plane of the view volume");
    row("culled", count(c.culled), "They show the side that is left out");
    row("degenerate", count(c.degenerate + c.not_finite), "Without area on the screen, or with infinite coordinates");
    row("clipped", count(c.clipped), "Cut by a plane");
    row("rasterised", count(c.rasterised), "Pieces of clipped triangles are counted one by one");
    row("fragments", count(c.fragments), "Pixels covered by triangles, counted for each triangle");
    row("killed early", count(c.killed_early), "Lost the depth test before they got a colour");
    row("killed late", count(c.killed_late), "Lost the depth test after they got a colour");
    row("shaded", count(c.shaded), "Got a colour");
    row("blended", count(c.blended), "Transparent, in front of all opaque ones");
    for (const Backend backend : {Backend::serial, Backend::openmp, Backend::cuda}) {
      const double ms = workspace.timings.statistics(backend).summary(&StageTimes::compute_ms).median;
      if (ms > 0) row(name_of(backend).data(), format_ms(ms), "Median time of a whole run on this backend");
    }
    if (const double ms = hardware_.draw_ms(); hardware_params_ && ms > 0)
      row("opengl", format_ms(ms), "Time of the GPU, or of Mesa on the CPU, for the same picture");
    ImGui::EndTable();
  }
  ImGui::PopFont();
}

void PipelineScene::panel(const Workspace& workspace, const LiveView&, const Fonts& fonts) {
  heading(fonts.strong, "Pipeline");
  if (!params_ || !recorded_ || !note_.empty()) {
    ImGui::TextDisabled("%s", note_.empty() ? "nothing to follow yet" : note_.c_str());
    return;
  }
  if (ImGui::CollapsingHeader("Vertex", ImGuiTreeNodeFlags_DefaultOpen)) vertex_table(fonts);
  if (ImGui::CollapsingHeader("Pixel history", ImGuiTreeNodeFlags_DefaultOpen)) history_table(fonts);
  if (ImGui::CollapsingHeader("Cost")) cost_table(workspace, fonts);
  if (ImGui::CollapsingHeader("Matrices")) matrix_tables(fonts);
}

}  // namespace threadscape::app
