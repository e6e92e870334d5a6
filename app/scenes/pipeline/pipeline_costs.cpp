// What the stages of the pipeline cost: how much work each had, and how long each takes on each backend.

#include <algorithm>

#include "app/scenes/flat_pane.h"
#include "app/scenes/pipeline/pipeline_scene.h"
#include "app/scenes/pipeline/pipeline_tables.h"
#include "app/ui/widgets.h"

namespace threadscape::app {

namespace {

using rasterize::TimedStage;

struct CostText {
  const char* title;
  const char* help;
};
CostText cost_text_of(TimedStage stage) {
  switch (stage) {
    case TimedStage::vertices:
      return {"vertices", "Matrix times position; with Gouraud shading also the light"};
    case TimedStage::set_up:
      return {"set-up", "Clipping and set-up of triangles"};
    case TimedStage::binning:
      return {"binning", "Sorting of triangles into tiles"};
    case TimedStage::raster:
      return {"raster", "Coverage and depth"};
    case TimedStage::shading:
      return {"shading", "Colours of what is visible, and writing of the picture"};
    case TimedStage::blending:
      return {"blending", "Transparent triangles"};
  }
  return {"", ""};
}

/// What the time of a stage contains on a backend beside its own work, or why the stage has no time of its own there.
std::string remark_on(const StageCosts& costs, Backend backend, TimedStage stage) {
  const bool own = costs.stages.present[static_cast<std::size_t>(stage)];
  const bool binned = costs.stages.present[static_cast<std::size_t>(TimedStage::binning)];
  if (own && stage == TimedStage::set_up)
    return "Measured by a pass of its own that draws nothing; raster is the time of drawing without it";
  if (own && stage == TimedStage::binning) return "With clipping and set-up";
  if (own && stage == TimedStage::raster && backend == Backend::cuda)
    return "With clipping and set-up of the triangles that a thread draws alone";
  if (own && stage == TimedStage::raster && !binned &&
      !costs.stages.present[static_cast<std::size_t>(TimedStage::set_up)])
    return "With clipping and set-up";
  if (own) return {};
  if (stage == TimedStage::set_up) return binned ? "Part of binning" : "Part of raster";
  if (stage == TimedStage::shading) return "Part of raster: fragments get their colour before the depth test";
  if (stage == TimedStage::binning) return "This variant has no tiles";
  return "Nothing to do";
}

/// Three significant digits without a unit.
std::string number_of(double ms) {
  return ms > 0 ? format_value(ms) : "0";
}

void cell(const std::string& text, const std::string& help, bool faint = false) {
  ImGui::TableNextColumn();
  if (faint)
    ImGui::TextDisabled("%s", text.c_str());
  else
    ImGui::TextUnformatted(text.c_str());
  if (!help.empty() && ImGui::IsItemHovered()) tooltip(help);
}

void first_cell(const char* title, const char* help) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(title);
  if (ImGui::IsItemHovered()) tooltip(help);
}

void column_heads(const StageMeasurement::Results& results) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::TextDisabled("ms");
  for (std::size_t i = 0; i < results.size(); ++i) {
    std::string help = "Not measured yet";
    if (results[i] && !results[i]->problem.empty()) {
      help = results[i]->problem;
    } else if (results[i]) {
      const StageCosts& costs = *results[i];
      help = costs.variant.empty() ? std::string() : "Variant " + costs.variant + "\n";
      help += costs.threads > 1 ? format_text("The times of %d threads, divided by %d", costs.threads, costs.threads)
                                : "Median of several runs, by the time of the whole run";
    }
    cell(std::string(name_of(stage_cost_backends[i])), help, true);
  }
}

}  // namespace

void PipelineScene::count_table(const Fonts& fonts) {
  if (!recording().counters) recording().counters = rasterize::count_work(plan(), frame().mesh());
  const rasterize::Counters& c = *recording().counters;
  ImGui::PushFont(fonts.mono, 0.0f);
  if (begin_panel_table("counts", 2)) {
    const auto figure = [](const char* name, std::uint64_t value, const char* help) {
      panel_row(name, value < 1000 ? std::to_string(value) : format_count(static_cast<double>(value)), help);
    };
    figure("triangles", c.triangles, "Of the mesh");
    figure("outside", c.outside, "On the outer side of a plane of the view volume");
    figure("culled", c.culled, "They show the side that is left out");
    figure("no area", c.degenerate + c.not_finite, "Without area on the screen, or with infinite coordinates");
    figure("clipped", c.clipped, "Cut by a plane");
    figure("rasterised", c.rasterised, "Pieces of clipped triangles are counted one by one");
    if (tests_objects(plan())) {
      figure("objects", c.objects, "Parts of the mesh that are tested as a whole");
      figure("hidden", c.hidden_objects, "Objects behind what was drawn before them");
      figure("in hidden", c.hidden_triangles, "Their opaque triangles, which were neither clipped nor drawn");
    }
    figure("fragments", c.fragments, "Pixels covered by triangles, counted for each triangle");
    figure("shaded", c.shaded, "Got a colour");
    figure("killed early", c.killed_early, "Lost the depth test before they got a colour");
    if (plan().depth_test == rasterize::DepthTest::hierarchical)
      figure("in blocks", c.in_blocks,
             "Lost with their whole block, so that they were not made; part of those killed early");
    figure("killed late", c.killed_late, "Lost the depth test after they got a colour");
    figure("blended", c.blended, "Transparent, in front of all opaque ones");
    ImGui::EndTable();
  }
  ImGui::PopFont();
}

void PipelineScene::time_table(const Workspace& workspace, const Fonts& fonts) {
  const StageMeasurement::Results results = stage_costs();
  ImGui::PushFont(fonts.mono, 0.0f);
  if (begin_panel_table("times", 1 + static_cast<int>(results.size()))) {
    column_heads(results);
    const auto cells = [&](const auto& text_of_costs) {
      for (std::size_t i = 0; i < results.size(); ++i) {
        if (!results[i])
          cell("not run", "Press Measure to run it", true);
        else if (!results[i]->problem.empty())
          cell("absent", results[i]->problem, true);
        else
          text_of_costs(*results[i], stage_cost_backends[i]);
      }
    };
    const auto measured = [](const auto& costs) { return costs && costs->problem.empty(); };
    for (std::size_t s = 0; s < rasterize::timed_stage_names.size(); ++s) {
      const auto stage = static_cast<TimedStage>(s);
      const bool somewhere =
          std::ranges::any_of(results, [&](const auto& costs) { return measured(costs) && costs->stages.present[s]; });
      if (std::ranges::any_of(results, measured) && !somewhere) continue;
      first_cell(cost_text_of(stage).title, cost_text_of(stage).help);
      cells([&](const StageCosts& costs, Backend backend) {
        const bool own = costs.stages.present[s];
        cell(own ? number_of(costs.stages.ms[s]) : "-", remark_on(costs, backend, stage), !own);
      });
    }
    first_cell("rest", "Waiting of threads for others, launches, and memory");
    cells([&](const StageCosts& costs, Backend) { cell(number_of(costs.rest_ms), {}); });
    first_cell("whole run", "The whole run whose stages these are, without the preparation and transfers");
    cells([&](const StageCosts& costs, Backend) { cell(number_of(costs.total_ms), {}); });
    first_cell("window", "Median of the runs of this backend that the window has made with these parameters");
    for (const Backend backend : stage_cost_backends) {
      const double ms = workspace.timings.statistics(backend).summary(&StageTimes::compute_ms).median;
      cell(ms > 0 ? number_of(ms) : "not run", ms > 0 ? "" : "Choose the backend, or compare them with the key M",
           ms <= 0);
    }
    ImGui::EndTable();
  }
  if (const double ms = hardware_.draw_ms(); drawn_by_hardware_ && ms > 0)
    ImGui::Text("OpenGL: %s for the same picture", format_ms(ms).c_str());
  ImGui::PopFont();
}

void PipelineScene::cost_panel(const Workspace& workspace, const Fonts& fonts) {
  if (measurement_.running()) {
    if (ImGui::Button("Stop##costs")) measurement_.cancel();
    ImGui::SameLine();
    ImGui::TextDisabled("measuring the stages ...");
  } else {
    if (ImGui::Button("Measure")) measure_stage_costs();
    if (ImGui::IsItemHovered())
      tooltip(
          "Runs every backend several times on another thread, and measures its stages. Takes up to two seconds for "
          "each backend, or one run where that takes longer");
    ImGui::SameLine();
    ImGui::TextDisabled("the stages on all backends");
  }
  time_table(workspace, fonts);
  if (followed()) {
    ImGui::Separator();
    count_table(fonts);
  }
}

void PipelineScene::measure_as_set() {
  if (!look().measure) costs_complete_ = false;
  if (!look().measure || costs_complete_ || !params_ || !source_ || measurement_.running()) return;
  costs_complete_ = std::ranges::all_of(stage_costs(), [](const auto& costs) { return costs.has_value(); });
  if (!costs_complete_) measure_stage_costs();
}

void PipelineScene::measure_stage_costs() {
  if (!params_ || !source_ || measurement_.running()) return;
  RunRequest request = request_;
  measured_ = subject();
  request.params = ParamBox::of(measured_->params);
  measurement_.start(std::move(request), source_);
}

StageMeasurement::Results PipelineScene::stage_costs() {
  if (!measured_) return {};
  if (measured_ == subject()) return measurement_.results();
  measurement_.cancel();
  measured_.reset();
  return {};
}

void PipelineScene::add_stage_figures(std::vector<std::pair<std::string, double>>& figures) const {
  const StageMeasurement::Results results = measurement_.results();
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (!results[i] || !results[i]->problem.empty()) continue;
    const std::string backend(name_of(stage_cost_backends[i]));
    for (std::size_t s = 0; s < rasterize::timed_stage_names.size(); ++s)
      if (results[i]->stages.present[s])
        figures.emplace_back(backend + "_" + std::string(rasterize::timed_stage_names[s]) + "_ms",
                             results[i]->stages.ms[s]);
    figures.emplace_back(backend + "_rest_ms", results[i]->rest_ms);
    figures.emplace_back(backend + "_total_ms", results[i]->total_ms);
  }
}

}  // namespace threadscape::app
