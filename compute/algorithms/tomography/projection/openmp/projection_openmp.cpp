// Projection with all cores and SIMD, slab by slab, so that the voxels stay in the caches. A thread takes a block of
// neighbouring detector columns of one view at a time. The path of a column through the xy-plane is computed once, for
// all of its rows.

#include "compute/algorithms/tomography/projection/openmp/projection_openmp.h"

#include <omp.h>

#include <algorithm>
#include <span>

#include "compute/algorithms/tomography/projection/openmp/projection_paths.h"
#include "compute/algorithms/tomography/projection/projection.h"
#include "compute/core/machine.h"
#include "compute/engines/planes/bands.h"

namespace threadscape {
namespace projection {
namespace {

constexpr int block_columns = 16;  // A cache line holds 16 floats; results are written row by row.

int block_count(const Geometry& geometry) {
  return (geometry.columns + block_columns - 1) / block_columns;
}
std::size_t values_per_column(const Geometry& geometry) {
  // Whole cache lines and one more, so that the columns of a block do not map to the same set of a cache.
  return (static_cast<std::size_t>(geometry.rows) + 2 * max_lanes) / max_lanes * max_lanes + max_lanes;
}
/// The scratch memory of one thread.
struct ThreadMemory {
  std::span<ColumnStep> steps;  ///< The steps of the path of one detector column.
  std::span<float> values;      ///< The values of a block of columns, values_per_column() floats each.
};
std::size_t thread_bytes(const Geometry& geometry, int layers) {
  return HostScratch::padded(max_steps(geometry, layers) * sizeof(ColumnStep)) +
         HostScratch::padded(values_per_column(geometry) * block_columns * sizeof(float));
}
int max_workers(const Geometry& geometry) {
  return static_cast<int>(std::min<std::int64_t>(std::int64_t{block_count(geometry)} * geometry.views, max_threads()));
}

/// Copies the layers of a slab to columns of voxels (detector_columns.h).
void fill_columns(const Box& box, const float* voxels, float* columns, const HostRun& run) {
  const int nx = box.x1, nz = box.z1;
  const std::ptrdiff_t pitch = column_pitch(nz);
  std::fill_n(columns, pitch, 0.0f);
  const int layers = box.y1 - box.y0;
#pragma omp parallel for schedule(static) num_threads(std::max(1, std::min(run.threads, layers)))
  for (int layer = 0; layer < layers; ++layer) {
    const float* from = voxels + static_cast<std::ptrdiff_t>(layer) * nx * nz;
    float* to = columns + pitch * (1 + static_cast<std::ptrdiff_t>(layer) * nx);
    for (int z0 = 0; z0 < nz; z0 += 16) {  // One cache line of every column is processed at a time.
      const int z1 = std::min(z0 + 16, nz);
      for (int x = 0; x < nx; ++x)
        for (int z = z0; z < z1; ++z)
          to[x * pitch + 1 + z] = from[static_cast<std::ptrdiff_t>(z) * nx + x];
    }
    for (int x = 0; x < nx; ++x)
      to[x * pitch] = to[x * pitch + nz + 1] = 0.0f;
  }
}

/// Projects one slab into all views, block by block of detector columns.
class SlabProjector {
 public:
  SlabProjector(const Geometry& geometry, Method method, const Box& box, const float* voxels,
                const VolumeView<float>& out, const HostRun& run)
      : geometry_(geometry), method_(method), box_(box), out_(out), max_slope_(max_row_slope(geometry)) {
    HostScratch& scratch = *run.scratch;
    const int layers = box.y1 - box.y0;
    columns_ = scratch.take<float>(columns_bytes(geometry.grid, layers) / sizeof(float));
    fill_columns(box, voxels, columns_.data(), run);
    table_ = take_row_table(geometry, scratch);
    thread_bytes_ = thread_bytes(geometry, layers);
    steps_bytes_ = HostScratch::padded(max_steps(geometry, layers) * sizeof(ColumnStep));
    const auto workers = static_cast<std::size_t>(std::min(max_workers(geometry), run.threads));
    memory_ = scratch.take<std::byte>(thread_bytes_ * std::max<std::size_t>(1, workers));
  }

  /// Adds the slab to up to block_columns columns of one view.
  void block(int view, int first_column) {
    const ThreadMemory own = memory_of(omp_get_thread_num());
    const ViewAngle angle = geometry_.position(view);
    const int columns = std::min(block_columns, geometry_.columns - first_column);
    const std::size_t pitch = values_per_column(geometry_);
    for (int c = 0; c < columns; ++c)
      column(angle, first_column + c, own.steps, own.values.data() + static_cast<std::size_t>(c) * pitch);
    for (int row = 0; row < geometry_.rows; ++row) {
      float* to = &out_(first_column, row, view);
      for (int c = 0; c < columns; ++c)
        to[c] += own.values[static_cast<std::size_t>(c) * pitch + static_cast<std::size_t>(row)];
    }
  }

 private:
  /// The values of all rows of one detector column.
  void column(const ViewAngle& angle, int number, std::span<ColumnStep> steps, float* values) const {
    const Ray ray = ray_of(geometry_, angle, 0, number);
    const Point from = geometry_.start(angle, 0, number), to = geometry_.pixel_centre(angle, 0, number);
    const double dx = to.x - from.x, dy = to.y - from.y;
    const auto flat_length = static_cast<float>(dx * dx + dy * dy);
    ColumnRows job{{steps.data(), 0, box_.z1, {}, table_, lift_of(geometry_, angle), flat_length, geometry_.rows},
                   columns_.data(),
                   1.0f,
                   values};
    if (method_ == Method::joseph) {
      const JosephPath path(box_, ray);
      job.range = path.range;
      job.scale = static_cast<float>(std::abs(path.main.inverse));
      job.count = list_steps(path, steps);
    } else {
      const ExactPath path(box_, ray, max_slope_);
      job.range = path.range;
      job.count = list_steps(path, steps);
    }
    project_rows(method_, job);
  }
  [[nodiscard]] ThreadMemory memory_of(int thread) const {
    std::byte* own = memory_.data() + thread_bytes_ * static_cast<std::size_t>(thread);
    return {{reinterpret_cast<ColumnStep*>(own), steps_bytes_ / sizeof(ColumnStep)},
            {reinterpret_cast<float*>(own + steps_bytes_), (thread_bytes_ - steps_bytes_) / sizeof(float)}};
  }

  const Geometry& geometry_;
  Method method_;
  Box box_;
  VolumeView<float> out_;
  double max_slope_;
  std::span<float> columns_;
  RowTable table_;
  std::span<std::byte> memory_;
  std::size_t thread_bytes_ = 0, steps_bytes_ = 0;
};

}  // namespace

std::size_t openmp_scratch_bytes(const Geometry& geometry, int slab) {
  const int layers = openmp_layers(geometry.grid, slab);
  return columns_bytes(geometry.grid, layers) + row_table_bytes(geometry) +
         thread_bytes(geometry, layers) * static_cast<std::size_t>(max_workers(geometry));
}

void count_voxels(const Geometry& geometry, const VolumeView<float>& out, const HostRun& run) {
  const Box box = whole(geometry.grid);
  for_each_part(run, geometry.views * geometry.rows, [&](int line) {
    const int view = line / geometry.rows, row = line % geometry.rows;
    const ViewAngle angle = geometry.position(view);
    for (int column = 0; column < geometry.columns; ++column)
      out(column, row, view) = static_cast<float>(voxels_on(box, ray_of(geometry, angle, row, column)));
  });
}

void add_rays(const Geometry& geometry, Method method, const Box& box, const float* voxels,
              const VolumeView<float>& out, const HostRun& run) {
  const float* origin = voxels - geometry.grid.index(0, box.y0, 0);
  const auto voxel = [&](int x, int y, int z) { return origin[geometry.grid.index(x, y, z)]; };
  for_each_part(run, geometry.views * geometry.rows, [&](int line) {
    const int view = line / geometry.rows, row = line % geometry.rows;
    const ViewAngle angle = geometry.position(view);
    for (int column = 0; column < geometry.columns; ++column) {
      const Ray ray = ray_of(geometry, angle, row, column);
      out(column, row, view) += static_cast<float>(ray_value(method, box, ray, voxel));
    }
  });
}

void add_slab(const Geometry& geometry, Method method, const Box& box, const float* voxels,
              const VolumeView<float>& out, const HostRun& run) {
  if (method == Method::siddon) return add_rays(geometry, method, box, voxels, out, run);
  const std::size_t mark = run.scratch->mark();
  SlabProjector projector(geometry, method, box, voxels, out, run);
  const int blocks = block_count(geometry);
  for_each_part(run, geometry.views * blocks,
                [&](int part) { projector.block(part / blocks, part % blocks * block_columns); });
  run.scratch->rewind(mark);
}

void add_slabs(const Geometry& geometry, Method method, int slab, const float* voxels, const VolumeView<float>& out,
               const HostRun& run) {
  // Method siddon reads the volume without transposing it, so by default it takes the whole volume as one slab.
  const int layers = method == Method::siddon && slab == 0 ? geometry.grid.ny : openmp_layers(geometry.grid, slab);
  HostRun part = run;
  if (layers < geometry.grid.ny) part.progress = nullptr;
  for (int y = 0; y < geometry.grid.ny && !run.stop.stop_requested(); y += layers) {
    Box box = whole(geometry.grid);
    box.y0 = y;
    box.y1 = std::min(y + layers, geometry.grid.ny);
    add_slab(geometry, method, box, voxels + geometry.grid.index(0, y, 0), out, part);
    if (run.progress) run.progress->report(static_cast<double>(box.y1) / geometry.grid.ny);
  }
}

}  // namespace projection

void Projection::openmp(const Params& params, const HostRun& run) {
  const auto out = run.out.volume<float>();
  if (params.output == Output::voxels) return projection::count_voxels(params.scanner(run.in.shape), out, run);
  std::fill_n(out.data, run.out.shape.items(), 0.0f);
  projection::add_slabs(params.scanner(run.in.shape), params.method, params.slab,
                        reinterpret_cast<const float*>(run.in.data), out, run);
}

}  // namespace threadscape
