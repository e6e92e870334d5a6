// The geometry of a scan from its parameters.

#include "compute/algorithms/tomography/scanner_params.h"

#include <algorithm>
#include <cmath>

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
  const projection::Point s = g.source(projection::view_angle(g.angle_of(view)));
  return std::abs(s.x) <= g.grid.side_x() / 2 && std::abs(s.y) <= g.grid.side_y() / 2;
}

}  // namespace

int ScannerParams::views() const {
  // The factor makes up for the rounding of decimal parameters to float, so that 90 / 0.1 has 900 steps.
  const double steps = std::floor(double{arc} / double{step} * (1 + 1e-6));
  const bool closed = double{arc} >= 360 && steps * double{step} >= 360 * (1 - 1e-6);
  return static_cast<int>(std::min(steps, 1e6)) + (closed ? 0 : 1);
}

std::string ScannerParams::problem() const {
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
  g.first_angle = -0.5 * double{arc};
  g.angle_step = double{step};
  if (geometry == Setup::source) {
    g.columns = g.rows = pixels;
    g.pixel = preset_pixel;
    // The source project divides integers here, which leaves even counts half a unit off centre.
    g.first_u = g.first_v = -(std::floor(preset_pixel * pixels / 2) - 42);
    g.detector_distance = 1.5 * preset_side(pixels);
    g.source_distance = 6 * preset_side(pixels);
  } else {
    g.columns = detector_pixels;
    g.rows = detector_rows > 0 ? detector_rows : detector_pixels;
    g.pixel = double{pixel_size};
    g.first_u = -0.5 * (g.columns - 1) * g.pixel + double{offset_u};
    g.first_v = -0.5 * (g.rows - 1) * g.pixel + double{offset_v};
    g.detector_distance = double{detector_distance};
    g.source_distance = double{source_distance};
  }
  const bool beyond = std::hypot(g.grid.side_x(), g.grid.side_y()) / 2 < g.source_distance;
  for (int view = 0; view < g.views && !g.parallel && !beyond; ++view)
    if (source_inside(g, view))
      throw UsageError("source_distance = " + std::to_string(g.source_distance) +
                       ": the source is inside the volume of " + std::to_string(g.grid.side_x()) + " x " +
                       std::to_string(g.grid.side_y()));
  return g;
}

}  // namespace threadscape
