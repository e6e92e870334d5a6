#include "compute/algorithms/tomography/projection/openmp/back_projection.h"

#include <omp.h>

#include <algorithm>
#include <cstddef>

#include "compute/algorithms/tomography/projection/openmp/projection_paths.h"
#include "compute/core/machine.h"
#include "compute/engines/planes/bands.h"

namespace threadscape::projection {

namespace {

/// Layers of a box: few enough to fit into the second-level cache and to keep many threads busy, and enough to be worth
/// the setup of a path.
int box_layers(const VolumeGrid& grid) {
  return std::min(layers_fitting(grid, std::size_t{1} << 20, 2), std::max(1, (grid.ny + 15) / 16));
}
int box_count(const VolumeGrid& grid) {
  return (grid.ny + box_layers(grid) - 1) / box_layers(grid);
}
int max_box_workers(const Geometry& geometry) {
  return std::min(box_count(geometry.grid), max_threads());
}
std::size_t steps_bytes(const Geometry& geometry) {
  return HostScratch::padded(max_steps(geometry, box_layers(geometry.grid)) * sizeof(ColumnStep));
}
std::size_t box_thread_bytes(const Geometry& geometry) {
  return steps_bytes(geometry) + columns_bytes(geometry.grid, box_layers(geometry.grid));
}

/// Adds the values of all rays to the voxels of one box. `steps` is memory for the steps of a path.
void fill_box(const Geometry& geometry, const Box& box, const RowTable& table, const float* rays,
              std::span<ColumnStep> steps, float* columns) {
  const double max_slope = max_row_slope(geometry);
  const std::size_t pitch = ray_pitch(geometry);
  for (int view = 0; view < geometry.views; ++view) {
    const ViewAngle angle = geometry.position(view);
    for (int column = 0; column < geometry.columns; ++column, rays += pitch) {
      const ExactPath path(box, ray_of(geometry, angle, 0, column), max_slope);
      if (path.range.empty()) continue;
      const Point from = geometry.start(angle, 0, column), to = geometry.pixel_centre(angle, 0, column);
      const double dx = to.x - from.x, dy = to.y - from.y;
      const int count = list_steps(path, steps);
      const auto flat_length = static_cast<float>(dx * dx + dy * dy);
      back_project_rows(
          {{steps.data(), count, box.z1, path.range, table, lift_of(geometry, angle), flat_length, geometry.rows},
           columns,
           rays});
    }
  }
}

}  // namespace

std::size_t ray_pitch(const Geometry& geometry) {
  return (static_cast<std::size_t>(geometry.rows) + max_lanes - 1) / max_lanes * max_lanes;
}

std::size_t back_scratch_bytes(const Geometry& geometry) {
  return row_table_bytes(geometry) + box_thread_bytes(geometry) * static_cast<std::size_t>(max_box_workers(geometry));
}

void back_project(const Geometry& geometry, const float* rays, const HostRun& run,
                  const std::function<void(const Box&, const float* columns)>& done) {
  const std::size_t mark = run.scratch->mark();
  const RowTable table = take_row_table(geometry, *run.scratch);
  const int workers = std::max(1, std::min(run.threads, max_box_workers(geometry)));
  const std::size_t own_bytes = box_thread_bytes(geometry), own_steps = steps_bytes(geometry);
  const auto memory = run.scratch->take<std::byte>(own_bytes * static_cast<std::size_t>(workers));
  const int layers = box_layers(geometry.grid);
  HostRun part = run;
  part.threads = workers;
  for_each_part(part, box_count(geometry.grid), [&](int number) {
    std::byte* own = memory.data() + own_bytes * static_cast<std::size_t>(omp_get_thread_num());
    const std::span steps(reinterpret_cast<ColumnStep*>(own), own_steps / sizeof(ColumnStep));
    auto* columns = reinterpret_cast<float*>(own + own_steps);
    Box box = whole(geometry.grid);
    box.y0 = number * layers;
    box.y1 = std::min(box.y0 + layers, geometry.grid.ny);
    std::fill_n(columns, columns_bytes(geometry.grid, box.y1 - box.y0) / sizeof(float), 0.0f);
    fill_box(geometry, box, table, rays, steps, columns);
    done(box, columns);
  });
  run.scratch->rewind(mark);
}

}  // namespace threadscape::projection
