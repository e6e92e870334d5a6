// SIRT with all cores and SIMD: iterations of the OpenMP projector (projection_openmp.h) and its transpose
// (back_projection.h). Both take the same scratch memory in turn.

#include <algorithm>
#include <limits>
#include <optional>

#include "compute/algorithms/tomography/projection/openmp/back_projection.h"
#include "compute/algorithms/tomography/projection/openmp/projection_openmp.h"
#include "compute/algorithms/tomography/reconstruction/openmp/reconstruction_openmp.h"
#include "compute/algorithms/tomography/reconstruction/reconstruction_tv.h"
#include "compute/engines/planes/bands.h"

namespace threadscape::reconstruction {

namespace {

using projection::Box;

/// The state of SIRT; the object x is the output of the run.
class Sirt {
 public:
  Sirt(const Geometry& geometry, const HostRun& run) : geometry_(geometry), run_(run), run_without_progress_(run) {
    run_without_progress_.progress = nullptr;
    const auto take = [&](std::size_t count) { return run.scratch->take<float>(count).data(); };
    views_ = {take(pixels()), geometry.columns, geometry.rows,
              geometry.views, geometry.columns, static_cast<std::ptrdiff_t>(geometry.columns) * geometry.rows};
    row_weights_ = take(pixels());
    rays_ = take(projection::ray_count(geometry));
    voxel_weights_ = take(voxels());
  }

  /// Computes R and C and sets x to 0.
  void start() {
    std::fill_n(voxel_weights_, voxels(), 1.0f);
    project(voxel_weights_);
    const auto min_sum = static_cast<float>(min_length_sum(geometry_));
    std::transform(views_.data, views_.data + pixels(), row_weights_,
                   [&](float sum) { return clamped_inverse(sum, min_sum); });
    fill_rays([](std::ptrdiff_t) { return 1.0f; });
    transposed([&](std::ptrdiff_t voxel, float sum) { voxel_weights_[voxel] = clamped_inverse(sum, min_sum); });
    std::fill_n(run_.out.volume<float>().data, voxels(), 0.0f);
  }
  /// One iteration: x += C A' R (b - A x), which is no less than `min_value`.
  void iterate(float min_value) {
    float* x = run_.out.volume<float>().data;
    project(x);
    const float* measured = reinterpret_cast<const float*>(run_.in.data);
    fill_rays([&](std::ptrdiff_t i) { return row_weights_[i] * (measured[i] - views_.data[i]); });
    transposed([&](std::ptrdiff_t voxel, float sum) {
      x[voxel] = std::max(min_value, x[voxel] + voxel_weights_[voxel] * sum);
    });
  }

 private:
  [[nodiscard]] std::size_t pixels() const {
    return static_cast<std::size_t>(geometry_.columns) * static_cast<std::size_t>(geometry_.rows) *
           static_cast<std::size_t>(geometry_.views);
  }
  [[nodiscard]] std::size_t voxels() const { return static_cast<std::size_t>(geometry_.grid.shape().items()); }

  /// Writes the views of a volume to views_.
  void project(const float* volume) {
    std::fill_n(views_.data, pixels(), 0.0f);
    projection::add_slabs(geometry_, projection::Method::incremental, 0, volume, views_, run_without_progress_);
  }
  /// Writes value(i) for each pixel i of the views to rays_, in the order of detector columns (back_projection.h).
  template <class Value>
  void fill_rays(const Value& value) {
    const std::size_t pitch = projection::ray_pitch(geometry_);
    for_each_part(run_without_progress_, geometry_.views, [&](int view) {
      float* to = rays_ + pitch * static_cast<std::size_t>(geometry_.columns) * static_cast<std::size_t>(view);
      const std::ptrdiff_t from = views_.slice_pitch * view;
      for (int column = 0; column < geometry_.columns; ++column, to += pitch) {
        for (int row = 0; row < geometry_.rows; ++row)
          to[row] = value(from + static_cast<std::ptrdiff_t>(row) * geometry_.columns + column);
        std::fill(to + geometry_.rows, to + pitch, 0.0f);
      }
    });
  }
  /// Calls use(index, sum) for each voxel of the transpose of the projector applied to rays_.
  template <class Use>
  void transposed(const Use& use) {
    const volumes::VolumeGrid& grid = geometry_.grid;
    const std::ptrdiff_t pitch = projection::column_pitch(grid.nz);
    projection::back_project(geometry_, rays_, run_without_progress_, [&](const Box& box, const float* columns) {
      for (int y = box.y0; y < box.y1; ++y)
        for (int z = 0; z < grid.nz; ++z)
          for (int x = 0; x < grid.nx; ++x)
            use(grid.index(x, y, z), columns[projection::column_of(box, x, y) * pitch + 1 + z]);
    });
  }

  const Geometry& geometry_;
  const HostRun& run_;
  HostRun run_without_progress_;
  VolumeView<float> views_;
  float* row_weights_;    ///< The diagonal of R, one weight per ray.
  float* rays_;           ///< R (b - A x), in the layout of back_projection.h.
  float* voxel_weights_;  ///< The diagonal of C, one weight per voxel.
};

}  // namespace

std::size_t sirt_scratch_bytes(const Geometry& geometry, bool tv) {
  const std::size_t pixels = static_cast<std::size_t>(geometry.columns) * static_cast<std::size_t>(geometry.rows) *
                             static_cast<std::size_t>(geometry.views);
  return 2 * HostScratch::padded(pixels * sizeof(float)) +
         HostScratch::padded(projection::ray_count(geometry) * sizeof(float)) +
         (1 + (tv ? TotalVariation<float>::arrays : 0)) * HostScratch::padded(geometry.grid.shape().bytes()) +
         std::max(projection::openmp_scratch_bytes(geometry, 0), projection::back_scratch_bytes(geometry));
}

void sirt_openmp(const Reconstruction::Params& params, const Geometry& geometry, const HostRun& run) {
  Sirt sirt(geometry, run);
  std::optional<TotalVariation<float>> variation;
  if (params.tv > 0) variation.emplace(geometry.grid, static_cast<double>(params.tv), *run.scratch);
  const float min_value = params.nonnegative ? 0.0f : -std::numeric_limits<float>::infinity();
  HostRun layers = run;
  layers.progress = nullptr;
  sirt.start();
  for (int i = 0; i < params.iterations && !run.stop.stop_requested(); ++i) {
    sirt.iterate(min_value);
    if (variation)
      (*variation)(run.out.volume<float>().data, min_value,
                   [&](const auto& layer) { for_each_part(layers, geometry.grid.ny, layer); });
    if (run.progress) run.progress->report(static_cast<double>(i + 1) / params.iterations);
  }
}

}  // namespace threadscape::reconstruction
