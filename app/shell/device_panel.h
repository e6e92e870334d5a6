#pragma once
// The panel with the facts about this machine, and the limits of its GPU.

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/session/workspace.h"
#include "app/ui/theme.h"
#include "compute/gpu/device.h"
#include "render/gl/context.h"
#include "render/interop/route.h"

namespace threadscape::app {

/// Names and values, in the order in which they are shown.
using FactRows = std::vector<std::pair<std::string, std::string>>;

/// The facts about this machine that the panel shows. In the pictures that tests compare, they are replaced by fixed
/// texts.
struct MachineFacts {
  FactRows rows;
  FactRows limits;  ///< Of the GPU; empty without one.
  int hardware_threads = 1;
};
[[nodiscard]] MachineFacts machine_facts(const gl::Context& context, const interop::RouteReport& route);

/// The limits as texts for people: with separators of thousands and units, and yes or no for what a device can or
/// cannot do.
[[nodiscard]] FactRows limit_rows(std::span<const gpu::DeviceLimit> limits);
/// The sentence that stands in the place of the limits if there are none.
[[nodiscard]] std::string no_limits_text();

/// Draws the contents of the panel: the facts, and for a device that has failed the button that brings it back.
void draw_device_panel(const MachineFacts& facts, Workspace& workspace, const Fonts& fonts);

}  // namespace threadscape::app
