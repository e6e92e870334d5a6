#include "app/cli/render_timings.h"

#include <nlohmann/json.hpp>
#include <string>

#include "app/measure/report_text.h"
#include "compute/io/file_writer.h"
#include "compute/registry/registry.h"
#include "render/interop/route.h"

namespace threadscape::app {

namespace {

/// The times in milliseconds of each part of the window's frames that was measured.
nlohmann::json costs_json(const FrameCosts& costs) {
  nlohmann::json root;
  for (std::size_t i = 0; i < frame_part_names.size(); ++i) {
    const std::vector<double>& times = costs.of(static_cast<FramePart>(i));
    if (times.empty()) continue;
    const Summary summary = summarize(times);
    root[std::string(frame_part_names[i])] = {
        {"count", summary.count}, {"median", summary.median}, {"maximum", summary.maximum}};
  }
  return root;
}

}  // namespace

void write_timings(const RenderOptions& options, const Workspace& workspace, const LiveView& live, const Scene& scene,
                   const gl::Context& context, const std::vector<double>& latencies_ms, const FrameCosts* costs) {
  const Work work = workspace.wanted();
  const TimingHistory& history = workspace.timings.statistics(work.backend);
  const auto median = [&history](double StageTimes::*stage) { return history.summary(stage).median; };
  const Summary latency = summarize(latencies_ms);
  nlohmann::json root{
      {"algorithm", workspace.algorithm().name},
      {"backend", name_of(work.backend)},
      {"variant", work.algorithm->variants_of(work.backend)[static_cast<std::size_t>(work.variant)].name},
      {"params", nlohmann::json::parse(to_json(work.params))},
      {"renderer", context.renderer()},
      {"device", workspace.device().info().name},
      {"route", interop::name_of(work.backend == Backend::cuda ? live.route().cuda_route : interop::Route::host)},
      {"stages_ms",
       {{"upload", median(&StageTimes::upload_ms)},
        {"compute", median(&StageTimes::compute_ms)},
        {"download", median(&StageTimes::download_ms)},
        {"present", median(&StageTimes::present_ms)}}},
      {"latency_ms",
       {{"count", latency.count},
        {"median", latency.median},
        {"minimum", latency.minimum},
        {"maximum", latency.maximum},
        {"spread", latency.spread},
        {"samples", latencies_ms}}}};
  for (const auto& [name, figure] : scene.figures())
    root["scene"][name] = figure;
  if (costs != nullptr) root["frame_ms"] = costs_json(*costs);
  io::save_bytes(options.timings, report_text(root));
}

}  // namespace threadscape::app
