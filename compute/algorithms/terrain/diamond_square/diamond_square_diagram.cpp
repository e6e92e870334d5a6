#include <algorithm>

#include "compute/algorithms/terrain/diamond_square/diamond_square.h"
#include "compute/algorithms/terrain/diamond_square/diamond_square_launch.h"
#include "compute/registry/diagram.h"

namespace threadscape {

namespace {

using namespace diamond_square;  // NOLINT: its functions are what this is about

/// The launch of the last step that the parameters ask for, in a matrix of at most 17 x 17 points, which a screen can
/// show. None for the variant `fused`, whose launches compute several levels, and for a growth without a step.
std::optional<LaunchDiagram> launch(const DiamondSquare::Params& params, int variant) {
  constexpr int max_level = 4, fused = 0, step_numbers = 5;
  if (variant == fused) return {};
  const Form form = variant == step_numbers ? Form::branchless : static_cast<Form>(variant);
  const Plan plan = DiamondSquare::plan(params, 0);
  if (plan.grown == plan.first) return {};
  const int last = std::min(plan.n, max_level), level = std::min(plan.grown, last);
  const diamond_square::Step step =
      plan.ends_with_diamonds ? diamond_square::Step::diamond : diamond_square::Step::square;
  const Launch size = launch_of(form, step, level, last);

  LaunchDiagram diagram;
  const Variant& kernel = DiamondSquare::cuda_variants[static_cast<std::size_t>(variant)];
  diagram.title = std::string(kernel.name) + "   " + std::string(kernel.help);
  diagram.step = "Level " + std::to_string(level) + ": " +
                 (step == diamond_square::Step::diamond ? "diamond" : "square") + " step";
  if (plan.grown > level) diagram.step += " (the steps of level " + std::to_string(plan.grown) + " are alike)";
  diagram.side = cells_of(last) + 1;
  diagram.block_width = size.block_width;
  diagram.block_height = size.block_height;
  diagram.blocks_x = size.blocks_x;
  diagram.blocks_y = size.blocks_y;

  const int apart = cells_of(last - level), cells = cells_of(level);
  diagram.known.assign(static_cast<std::size_t>(diagram.side) * static_cast<std::size_t>(diagram.side), false);
  for (int y = 0; y <= cells; ++y)
    for (int x = 0; x <= cells; ++x) {
      const bool before = x % 2 == 0 && y % 2 == 0, diamond = x % 2 == 1 && y % 2 == 1;
      if (before || (diamond && step == diamond_square::Step::square))
        diagram.known[static_cast<std::size_t>(y * apart) * static_cast<std::size_t>(diagram.side) +
                      static_cast<std::size_t>(x * apart)] = true;
    }
  for (int y = 0; y < size.block_height * size.blocks_y; ++y)
    for (int x = 0; x < size.block_width * size.blocks_x; ++x)
      if (const Cell cell = cell_of(form, step, level, last, x, y); cell.is_work)
        diagram.working.push_back({x, y, cell.x * apart, cell.y * apart});
  return diagram;
}

}  // namespace

DiagramInfo describe_diamond_square_diagram() {
  DiagramInfo info;
  info.launch = [](const ParamBox& p, int variant) { return launch(p.as<DiamondSquare::Params>(), variant); };
  return info;
}

}  // namespace threadscape
