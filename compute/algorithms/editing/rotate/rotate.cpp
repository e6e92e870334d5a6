#include "compute/algorithms/editing/rotate/rotate.h"

#include <utility>

#include "compute/engines/planes/require_planes.h"
#include "compute/registry/algorithm_info.h"

namespace threadscape {

rotate::Plan Rotate::plan(const Params& params, const Shape& input) {
  const int columns = static_cast<int>(input.width), rows = static_cast<int>(input.height);
  rotate::Plan plan{.width = columns, .height = rows};
  switch (params.turn) {
    case rotate::Turn::none:
      break;
    case rotate::Turn::half:
      plan = {columns, rows, columns - 1, -1, 0, rows - 1, 0, -1};
      break;
    case rotate::Turn::right:
      plan = {rows, columns, 0, 0, 1, rows - 1, -1, 0};
      break;
    case rotate::Turn::left:
      plan = {rows, columns, columns - 1, 0, -1, 0, 1, 0};
      break;
  }
  if (params.flip == rotate::Flip::horizontal) {  // x becomes width - 1 - x.
    plan.column_0 += plan.column_x * (plan.width - 1);
    plan.row_0 += plan.row_x * (plan.width - 1);
    plan.column_x = -plan.column_x;
    plan.row_x = -plan.row_x;
  } else if (params.flip == rotate::Flip::vertical) {
    plan.column_0 += plan.column_y * (plan.height - 1);
    plan.row_0 += plan.row_y * (plan.height - 1);
    plan.column_y = -plan.column_y;
    plan.row_y = -plan.row_y;
  }
  return plan;
}

Shape Rotate::output_shape(const Params& params, const Shape& input) {
  require_planes_of<std::uint8_t, std::uint16_t, float>("rotate", "8-bit, 16-bit or float images", input);
  Shape output = input;
  if (params.turn == rotate::Turn::right || params.turn == rotate::Turn::left) std::swap(output.width, output.height);
  return output;
}

AlgorithmInfo describe_rotate() {
  return describe<Rotate>("rotate");
}

}  // namespace threadscape
