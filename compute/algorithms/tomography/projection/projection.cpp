#include "compute/algorithms/tomography/projection/projection.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "compute/algorithms/tomography/slab_memory.h"
#include "compute/algorithms/tomography/view_list.h"
#include "compute/registry/algorithm_info.h"

namespace threadscape {

using projection::Geometry;

Geometry Projection::Params::scanner(const Shape& volume) const {
  Geometry g = ScannerParams::scanner(volume);
  if (row >= g.rows)
    throw UsageError("row = " + std::to_string(row) + ": the detector has the rows 0.." + std::to_string(g.rows - 1));
  if (row >= 0) {
    g.first_v = g.v_of(row);
    g.rows = 1;
  }
  return g;
}

Shape Projection::output_shape(const Params& params, const Shape& input) {
  if (input.element != Element::f32) throw UsageError("projection takes a volume of floats, not " + to_string(input));
  const Geometry scanner = params.scanner(input);
  return {Kind::volume, Element::f32, 1, scanner.columns, scanner.rows, scanner.views};
}

std::size_t Projection::scratch_bytes(const Params& params, const Shape& input, Backend backend, int variant) {
  const Geometry scanner = params.scanner(input);
  if (backend == Backend::serial || params.method == Method::siddon || params.output == Output::voxels) return 0;
  if (backend == Backend::cuda)
    return variant == 0 ? projection::columns_bytes(scanner.grid, projection::cuda_layers(scanner.grid, params.slab))
                        : 0;
  return projection::openmp_scratch_bytes(scanner, params.slab);
}

double Projection::operations(const Params& params, const Shape& input) {
  const Geometry scanner = params.scanner(input);
  const volumes::VolumeGrid& grid = scanner.grid;
  return static_cast<double>(scanner.views) * scanner.columns * scanner.rows *
         (static_cast<double>(grid.nx) + grid.ny + grid.nz);
}

Tolerance Projection::tolerance_of(const Params& params, const Shape& input, Backend, int) {
  if (params.output == Output::voxels) return Tolerance::exact();
  // A ray that clips a corner has a short length, computed as a difference of lengths of a few voxels. Its absolute
  // error is therefore that of a length of a few voxels.
  const Geometry scanner = params.scanner(input);
  const volumes::VolumeGrid& grid = scanner.grid;
  return {.abs = 1e-5 * std::max({grid.voxel_x, grid.voxel_y, grid.voxel_z}), .rel = 1e-5};
}

void Projection::check_input(const Params&, const HostIn& in) {
  check_layers(in, 0);
}

void Projection::check_layers(const HostIn& in, std::int64_t first_layer) {
  const auto* voxels = reinterpret_cast<const float*>(in.data);
  const std::int64_t count = in.shape.items();
  // Only infinities and NaN give something else than 0 when multiplied by 0, so one comparison per block suffices.
  for (std::int64_t from = 0; from < count; from += 1024) {
    float sum = 0;
    const std::int64_t end = std::min(count, from + 1024);
    for (std::int64_t i = from; i < end; ++i)
      sum += voxels[i] * 0.0f;
    if (sum == 0.0f) continue;
    const std::int64_t i =
        std::find_if(voxels + from, voxels + end, [](float v) { return !std::isfinite(v); }) - voxels;
    const std::int64_t x = i % in.shape.width, z = i / in.shape.width % in.shape.height,
                       y = first_layer + i / in.shape.width / in.shape.height;
    throw UsageError("voxel " + std::to_string(x) + ", " + std::to_string(y) + ", " + std::to_string(z) +
                     " (x, y, z) is not a finite number: give voxels outside of the object a number, such as 0");
  }
}

Shape Projection::input_shape(const Params& params) {
  return params.grid().shape();
}

HostArray Projection::make_input(const Params& params, std::uint64_t) {
  return volumes::make_phantom(params.phantom, params.grid(), params.phantom_side());
}

bool Projection::same_input(const Params& a, const Params& b) {
  return a.phantom == b.phantom && a.grid() == b.grid() && a.phantom_side() == b.phantom_side();
}

std::string Projection::report(const Params& params, const HostIn& in, const HostIn& result) {
  const Geometry scanner = params.scanner(in.shape);
  const auto values = result.volume<float>();
  double low = std::numeric_limits<double>::infinity(), high = -low, sum = 0;
  std::int64_t hits = 0;
  for (int view = 0; view < scanner.views; ++view) {
    const projection::ViewAngle angle = scanner.position(view);
    for (int row = 0; row < scanner.rows; ++row)
      for (int column = 0; column < scanner.columns; ++column) {
        const double value = static_cast<double>(values(column, row, view));
        low = std::min(low, value);
        high = std::max(high, value);
        if (inside(projection::whole(scanner.grid), ray_of(scanner, angle, row, column)).empty()) continue;
        sum += value;
        ++hits;
      }
  }
  if (hits == 0)
    return "no ray hits the volume: its sides, pixel_size and the distances are in one unit, and pixel_size may be too "
           "large\n";
  char text[160];
  std::snprintf(text, sizeof text, "%sminimum %.3f, maximum %.3f, mean %.3f over the %lld rays that hit the volume\n",
                params.output == Output::voxels ? "voxels of a ray: " : "", low, high, sum / static_cast<double>(hits),
                static_cast<long long>(hits));
  return text;
}

FileNotes Projection::file_notes(const Params& params, const Shape& input) {
  const Geometry scanner = params.scanner(input);
  const double step = scanner.list != nullptr ? projection::cover_of(scanner).step : double{params.step};
  FileNotes notes{.bits = 0, .spacing = {scanner.pixel, step, scanner.pixel_v}, .titles = {}};
  for (int view = 0; view < scanner.views; ++view) {
    char text[32];
    std::snprintf(text, sizeof text, "%g", scanner.angle_of(view));
    notes.titles.emplace_back(text);
  }
  return notes;
}

int Projection::parts(const Params& params, const Shape& input) {
  const Geometry scanner = params.scanner(input);
  if (params.output == Output::voxels) return scanner.views;
  const int layers = projection::cuda_layers(scanner.grid, params.slab);
  return scanner.views * ((scanner.grid.ny + layers - 1) / layers);
}

AlgorithmInfo describe_projection() {
  return describe<Projection>("projection");
}

}  // namespace threadscape
