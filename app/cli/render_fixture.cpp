#include "app/cli/render_fixture.h"

#include <array>
#include <cstddef>

#include "compute/gpu/device.h"

namespace threadscape::app {

void use_fixture_machine(Workspace& workspace, MachineFacts& facts) {
  facts.hardware_threads = 8;
  facts.rows = {{"CPU", "fixture"}, {"CUDA", "fixture"}, {"OpenGL", "fixture"}, {"route", "fixture"}};
  workspace.choose_threads(4);
  if (workspace.device().usable()) return;
  // What a machine lacks for CUDA depends on it, and on the build.
  static gpu::Devices none({}, "a fixture has no GPU; on another machine it says here what would help");
  workspace.choose_from(none);
  workspace.choose_device(none.first());
}

void use_fixture_timings(Workspace& workspace) {
  workspace.timings.clear();
  constexpr std::array base_ms{42.0, 3.1, 0.21};
  for (int i = 0; i < 36; ++i) {
    const auto b = static_cast<std::size_t>(i / 12);
    const double wobble = 1.0 + 0.04 * ((i * 7) % 5 - 2);
    TimingSample sample{.backend = static_cast<Backend>(b), .times = {}, .items = 1 << 18};
    sample.times.compute_ms = base_ms[b] * wobble;
    sample.times.present_ms = 0.12 * wobble;
    if (sample.backend == Backend::cuda) sample.times.upload_ms = 0.08 * wobble;
    workspace.timings.push(sample);
  }
}

}  // namespace threadscape::app
