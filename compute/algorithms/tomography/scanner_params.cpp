// The geometry of a scan from its parameters.

#include "compute/algorithms/tomography/scanner_params.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>

#include "compute/algorithms/tomography/view_list.h"
#include "compute/core/errors.h"

namespace threadscape {

namespace {

using projection::Geometry;
using volumes::VolumeGrid;

constexpr int max_views = 1 << 16;

// Constants of the project that geometry=source reproduces, in its unit of length.
constexpr double preset_pixel = 85, preset_voxel = 100;
constexpr int side_of_pixel = 42;  // the side of the object is 42 times the number of detector pixels

double preset_side(int pixels) {
  return side_of_pixel * static_cast<double>(pixels);
}

/// Returns whether the source is inside the volume in this view.
bool source_inside(const Geometry& g, int view) {
  const projection::Point s = g.source(g.position(view));
  return std::abs(s.x) <= g.grid.side_x() / 2 && std::abs(s.y) <= g.grid.side_y() / 2;
}

/// Returns whether a part of the detector is inside the volume in this view.
bool detector_inside(const Geometry& g, int view) {
  const double lowest = g.v_of(0) - g.pixel_v / 2, highest = g.v_of(g.rows - 1) + g.pixel_v / 2;
  const auto angle = g.position(view);
  if (highest + angle.z <= -g.grid.side_z() / 2 || lowest + angle.z >= g.grid.side_z() / 2) return false;
  const projection::Point a = g.pixel_centre(angle, 0, 0), b = g.pixel_centre(angle, 0, g.columns - 1);
  // The part of the row of pixels, from 0 to 1, that is inside along both axes.
  double in = 0, out = 1;
  for (const auto& [from, to, side] : {std::tuple(a.x, b.x, g.grid.side_x()), {a.y, b.y, g.grid.side_y()}}) {
    if (from == to) {
      if (std::abs(from) >= side / 2) return false;
      continue;
    }
    const double one = (-side / 2 - from) / (to - from), other = (side / 2 - from) / (to - from);
    in = std::max(in, std::min(one, other));
    out = std::min(out, std::max(one, other));
  }
  return in < out || (g.columns == 1 && in <= out);
}

}  // namespace

int ScannerParams::views() const {
  if (!angles.empty())
    return static_cast<int>(std::min<std::size_t>(projection::view_list(angles).degrees.size(), 1e6));
  // The factor makes up for the rounding of decimal parameters to float, so that 90 / 0.1 has 900 steps.
  const double steps = std::floor(turned() / double{step} * (1 + 1e-6));
  const bool closed = double{arc} >= 360 && steps * double{step} >= turned() * (1 - 1e-6);
  return static_cast<int>(std::min(steps, 1e6)) + (closed ? 0 : 1);
}

std::string ScannerParams::problem_of_turns() const {
  if (turns == 1 || (geometry != Setup::source && feed != 0 && arc >= 360 && angles.empty())) return {};
  return "turns = " + std::to_string(turns) +
         " takes a cone or parallel beam, arc=360 instead of angles, and a feed, without which all turns are the same";
}

std::string ScannerParams::problem() const {
  if (const std::string problem = problem_of_turns(); !problem.empty()) return problem;
  try {
    (void)views();
  } catch (const UsageError& error) {
    return error.what();
  }
  if (views() > max_views && !angles.empty())
    return "angles are " + std::to_string(views()) + " views, more than " + std::to_string(max_views);
  if (views() > max_views)
    return "arc " + std::to_string(arc) + " in steps of " + std::to_string(step) + " degrees are " +
           std::to_string(views()) + " views, more than " + std::to_string(max_views);
  return {};
}

VolumeGrid ScannerParams::grid() const {
  if (geometry == Setup::source) {
    const int count = static_cast<int>(preset_side(pixels) / preset_voxel);
    return {count, count, count, preset_voxel, preset_voxel, preset_voxel};
  }
  const auto or_x = [](auto value, auto of_x) { return value > 0 ? value : of_x; };
  return {voxels,
          or_x(voxels_y, voxels),
          or_x(voxels_z, voxels),
          double{voxel_size},
          double{or_x(voxel_size_y, voxel_size)},
          double{or_x(voxel_size_z, voxel_size)}};
}

double ScannerParams::phantom_side() const {
  return geometry == Setup::source ? preset_side(pixels) : grid().side_x();
}

Geometry ScannerParams::scanner(const Shape& volume) const {
  const VolumeGrid own = grid();
  Geometry g;
  g.grid = volumes::grid_of(volume, own.voxel_x, own.voxel_y, own.voxel_z);
  g.parallel = geometry == Setup::parallel;
  g.views = views();
  g.first_angle = (reverse ? 0.5 : -0.5) * turned() + double{turn};
  g.angle_step = reverse ? -double{step} : double{step};
  if (!angles.empty()) {
    g.list = &projection::view_list(angles);
    g.first_angle = double{turn};
    g.angle_step = reverse ? -1 : 1;
  }
  if (geometry == Setup::source) {
    g.columns = g.rows = pixels;
    g.pixel = g.pixel_v = preset_pixel;
    // The source project divides integers here, which leaves even counts half a unit off centre.
    g.first_u = g.first_v = -(std::floor(preset_pixel * pixels / 2) - 42);
    g.detector_distance = 1.5 * preset_side(pixels);
    g.source_distance = 6 * preset_side(pixels);
  } else {
    g.columns = detector_pixels;
    g.rows = detector_rows > 0 ? detector_rows : detector_pixels;
    // Without distances of the user the volume decides: its shadow is enlarged to 3/2.
    const double side = std::max({g.grid.side_x(), g.grid.side_y(), g.grid.side_z()});
    const auto or_else = [](float length, double automatic) { return length > 0 ? double{length} : automatic; };
    g.pixel = double{pixel_size};
    g.pixel_v = or_else(pixel_size_v, g.pixel);
    g.first_u = -0.5 * (g.columns - 1) * g.pixel + double{offset_u};
    g.first_v = -0.5 * (g.rows - 1) * g.pixel_v + double{offset_v};
    g.source_distance = or_else(source_distance, 3.125 * side);
    g.detector_distance = or_else(detector_distance, 1.5625 * side);
  }
  if (geometry != Setup::source) {
    g.z_per_degree = double{feed} / 360;
    g.first_z = angles.empty() ? -0.5 * turned() * g.z_per_degree : 0.0;
  }
  const double reach = std::hypot(g.grid.side_x(), g.grid.side_y()) / 2;
  if (g.parallel) {  // Rays have no ends: they cross the whole volume.
    constexpr double outside = 1.01;
    g.source_distance = std::max(g.source_distance, outside * reach);
    g.detector_distance = std::max(g.detector_distance, outside * reach);
    return g;
  }
  const auto require_outside = [&](const char* name, double distance, const char* what, auto is_inside) {
    for (int view = 0; view < g.views && distance <= reach; ++view)
      if (is_inside(g, view))
        throw UsageError(std::string(name) + " = " + std::to_string(distance) + ": the " + what +
                         " is inside the volume of " + std::to_string(g.grid.side_x()) + " x " +
                         std::to_string(g.grid.side_y()) + ", which reaches " + std::to_string(reach) +
                         " from its centre");
  };
  require_outside("source_distance", g.source_distance, "source", source_inside);
  require_outside("detector_distance", g.detector_distance, "detector", detector_inside);
  return g;
}

}  // namespace threadscape
