#include "compute/algorithms/seams/seam_carving/seam_carving_plan.h"

#include <algorithm>

#include "compute/core/errors.h"

namespace threadscape::seam_carving {
namespace {

using Params = SeamCarving::Params;

std::string size_text(int width, int height) {
  return std::to_string(width) + "x" + std::to_string(height);
}

void require_size(const char* name, int width, int height, const Shape& input) {
  if (width != input.width || height != input.height)
    throw UsageError("seam_carving: " + std::string(name) + " has " + size_text(width, height) +
                     " pixels, the picture " + std::to_string(input.width) + "x" + std::to_string(input.height) +
                     ": both must be of one size");
}

void require_reachable(const char* side, int target, int size) {
  if (target > SeamCarving::max_enlargement * size)
    throw UsageError("seam_carving: " + std::string(side) + " = " + std::to_string(target) + " is more than " +
                     std::to_string(SeamCarving::max_enlargement) + " times the picture's " + std::to_string(size) +
                     "; at most " + std::to_string(SeamCarving::max_enlargement * size) + " in one run");
}

void add_shrinking(Plan& plan, int columns, int rows) {
  if (plan.params.order != SeamCarving::Order::columns)
    while (columns > 0 && rows > 0) {
      plan.passes.push_back({false, false, 1});
      plan.passes.push_back({true, false, 1});
      --columns;
      --rows;
    }
  if (columns > 0) plan.passes.push_back({false, false, columns});
  if (rows > 0) plan.passes.push_back({true, false, rows});
}

/// Passes from `size` to `target` seams, each of at most half of the size: more would duplicate nearly every pixel.
void add_enlarging(Plan& plan, bool of_rows, int size, int target) {
  while (size < target) {
    const int seams = std::min(target - size, std::max(1, size / 2));
    plan.passes.push_back({of_rows, true, seams});
    size += seams;
  }
}

/// Plans one pass for output=order or for an existing map: all seams have one direction and are found in the input.
void plan_single_pass(Plan& plan) {
  const bool of_rows = plan.result_height != plan.height;
  const int seams = of_rows ? std::abs(plan.result_height - plan.height) : std::abs(plan.result_width - plan.width);
  if (seams > 0)
    plan.passes.push_back(
        {of_rows, of_rows ? plan.result_height > plan.height : plan.result_width > plan.width, seams});
}

void plan_by_map(Plan& plan, const Shape& input) {
  plan.map = load_map(plan.params.map);
  require_size("the map", plan.map->width, plan.map->height, input);
  if (plan.result_width != plan.width && plan.result_height != plan.height)
    throw UsageError("seam_carving: a map has seams of one direction, so width or height can change, not both");
  plan_single_pass(plan);
  if (plan.passes.empty()) return;
  const Pass& pass = plan.passes[0];
  if (const int known = pass.of_rows ? plan.map->rows : plan.map->columns; known < pass.seams)
    throw UsageError("seam_carving: the map has " + std::to_string(known) + (pass.of_rows ? " rows" : " columns") +
                     " as seams, " + std::to_string(pass.seams) + " are needed");
}

}  // namespace

bool Plan::needs_transport() const {
  const auto shrinks = [&](bool of_rows) {
    return std::ranges::any_of(passes, [&](const Pass& p) { return !p.enlarges && p.of_rows == of_rows; });
  };
  return params.order == SeamCarving::Order::optimal && shrinks(false) && shrinks(true);
}

int Plan::seams() const {
  int count = 0;
  for (const Pass& pass : passes)
    count += pass.seams;
  return count;
}

int Plan::parts() const {
  // Optimal transport makes a pass of each seam that is removed.
  const int at_once_shrinking = needs_transport() ? 1 : params.seams_per_pass;
  int count = 0;
  for (const Pass& pass : passes)
    count += parts_of(pass, pass.enlarges ? params.seams_per_pass : at_once_shrinking);
  return count;
}

Mark Plan::mark(int x, int y) const {
  const std::size_t at = static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
  if (protect && protect->inside[at] != 0) return Mark::protect;
  return remove && remove->inside[at] != 0 ? Mark::remove : Mark::none;
}

Plan make_plan(const Params& params, const Shape& input) {
  Plan plan;
  plan.params = params;
  plan.width = static_cast<int>(input.width);
  plan.height = static_cast<int>(input.height);
  if (!params.protect.empty()) plan.protect = load_mask(params.protect);
  if (!params.remove.empty()) plan.remove = load_mask(params.remove);
  if (plan.protect) require_size("the mask `protect`", plan.protect->width, plan.protect->height, input);
  if (plan.remove) require_size("the mask `remove`", plan.remove->width, plan.remove->height, input);
  if (plan.masked() && std::max(plan.width, plan.height) > 32767)
    throw UsageError("seam_carving: with masks a picture has at most 32767 rows and columns");

  if (params.seams >= plan.width)
    throw UsageError("seam_carving: seams = " + std::to_string(params.seams) + " would leave nothing of " +
                     std::to_string(plan.width) + " columns; at most " + std::to_string(plan.width - 1));
  int width = params.seams > 0 ? plan.width - params.seams : params.width > 0 ? params.width : plan.width;
  int height = params.height > 0 ? params.height : plan.height;
  if (plan.remove && params.seams == 0 && params.width == 0 && params.height == 0) {
    // Remove in the direction that needs fewer seams. At least one pixel must be left.
    if (plan.remove->max_in_row <= plan.remove->max_in_column)
      width -= std::min(plan.remove->max_in_row, plan.width - 1);
    else
      height -= std::min(plan.remove->max_in_column, plan.height - 1);
  }
  require_reachable("width", width, plan.width);
  require_reachable("height", height, plan.height);
  plan.result_width = width;
  plan.result_height = height;

  if (!params.map.empty()) {
    plan_by_map(plan, input);
  } else if (params.output == SeamCarving::Output::order && (width > plan.width || height > plan.height)) {
    if ((width != plan.width && height != plan.height) || width >= 2 * plan.width || height >= 2 * plan.height)
      throw UsageError(
          "seam_carving: output = order numbers what one pass duplicates: of one side, and less than all "
          "of its " +
          size_text(plan.width, plan.height) + " pixels");
    plan_single_pass(plan);
  } else {
    add_shrinking(plan, std::max(0, plan.width - width), std::max(0, plan.height - height));
    if (params.restore_size) {
      plan.result_width = std::max(width, plan.width);
      plan.result_height = std::max(height, plan.height);
    }
    if (params.output != SeamCarving::Output::order) {
      add_enlarging(plan, false, std::min(width, plan.width), plan.result_width);
      add_enlarging(plan, true, std::min(height, plan.height), plan.result_height);
    }
  }
  plan.max_width = std::max(plan.width, plan.result_width);
  plan.max_height = std::max(plan.height, plan.result_height);
  if (params.output == SeamCarving::Output::order && plan.seams() > SeamCarving::max_side)
    throw UsageError("seam_carving: a map numbers at most " + std::to_string(SeamCarving::max_side) + " seams, not " +
                     std::to_string(plan.seams()));
  if (plan.needs_transport()) {
    const std::int64_t pictures = static_cast<std::int64_t>(plan.width - width + 1) * (plan.height - height + 1);
    if (pictures > SeamCarving::max_transport_pictures)
      throw UsageError("seam_carving: order = optimal would try " + std::to_string(pictures) + " pictures, at most " +
                       std::to_string(SeamCarving::max_transport_pictures) +
                       " are accepted: fewer seams, or order = alternate");
  }
  return plan;
}

}  // namespace threadscape::seam_carving
