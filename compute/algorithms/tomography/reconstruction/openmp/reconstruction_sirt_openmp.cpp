// SIRT with all cores and SIMD: the projector of the OpenMP backend of projection, and its transpose. Scratch that one
// step leaves, the next one takes.

#include <algorithm>
#include <limits>

#include "compute/algorithms/tomography/projection/openmp/back_projection.h"
#include "compute/algorithms/tomography/projection/openmp/projection_openmp.h"
#include "compute/algorithms/tomography/reconstruction/openmp/reconstruction_openmp.h"
#include "compute/engines/planes/bands.h"

namespace threadscape::reconstruction {

namespace {

using projection::Box;

class Sirt {
 public:
  Sirt(const Geometry& geometry, const HostRun& run) : geometry_(geometry), run_(run), quiet_(run) {
    quiet_.progress = nullptr;
    const auto take = [&](std::size_t count) { return run.scratch->take<float>(count).data(); };
    views_ = {take(pixels()), geometry.columns, geometry.rows,
              geometry.views, geometry.columns, static_cast<std::ptrdiff_t>(geometry.columns) * geometry.rows};
    row_weights_ = take(pixels());
    rays_ = take(projection::ray_count(geometry));
    voxel_weights_ = take(voxels());
  }

  /// Finds R and C, and begins with zeros.
  void start() {
    std::fill_n(voxel_weights_, voxels(), 1.0f);
    project(voxel_weights_);
    const auto shortest = static_cast<float>(shortest_sum(geometry_));
    std::transform(views_.data, views_.data + pixels(), row_weights_,
                   [&](float sum) { return one_over(sum, shortest); });
    fill_rays([](std::ptrdiff_t) { return 1.0f; });
    transposed([&](std::ptrdiff_t voxel, float sum) { voxel_weights_[voxel] = one_over(sum, shortest); });
    std::fill_n(run_.out.volume<float>().data, voxels(), 0.0f);
  }
  void iterate(bool nonnegative) {
    float* x = run_.out.volume<float>().data;
    project(x);
    const float* measured = reinterpret_cast<const float*>(run_.in.data);
    fill_rays([&](std::ptrdiff_t i) { return row_weights_[i] * (measured[i] - views_.data[i]); });
    const float least = nonnegative ? 0.0f : -std::numeric_limits<float>::infinity();
    transposed(
        [&](std::ptrdiff_t voxel, float sum) { x[voxel] = std::max(least, x[voxel] + voxel_weights_[voxel] * sum); });
  }

 private:
  [[nodiscard]] std::size_t pixels() const {
    return static_cast<std::size_t>(geometry_.columns) * static_cast<std::size_t>(geometry_.rows) *
           static_cast<std::size_t>(geometry_.views);
  }
  [[nodiscard]] std::size_t voxels() const { return static_cast<std::size_t>(geometry_.grid.shape().items()); }

  /// The views of a volume.
  void project(const float* volume) {
    std::fill_n(views_.data, pixels(), 0.0f);
    projection::add_slabs(geometry_, projection::Method::incremental, 0, volume, views_, quiet_);
  }
  /// value(i) of pixel i of the views, into columns of the detector.
  template <class Value>
  void fill_rays(const Value& value) {
    const std::size_t pitch = projection::ray_pitch(geometry_);
    for_each_part(quiet_, geometry_.views, [&](int view) {
      float* to = rays_ + pitch * static_cast<std::size_t>(geometry_.columns) * static_cast<std::size_t>(view);
      const std::ptrdiff_t from = views_.slice_pitch * view;
      for (int column = 0; column < geometry_.columns; ++column, to += pitch) {
        for (int row = 0; row < geometry_.rows; ++row)
          to[row] = value(from + static_cast<std::ptrdiff_t>(row) * geometry_.columns + column);
        std::fill(to + geometry_.rows, to + pitch, 0.0f);
      }
    });
  }
  /// Calls use(voxel, sum) with the transpose of rays_.
  template <class Use>
  void transposed(const Use& use) {
    const volumes::VolumeGrid& grid = geometry_.grid;
    const std::ptrdiff_t pitch = projection::column_pitch(grid.nz);
    projection::back_project(geometry_, rays_, quiet_, [&](const Box& box, const float* columns) {
      for (int y = box.y0; y < box.y1; ++y)
        for (int z = 0; z < grid.nz; ++z)
          for (int x = 0; x < grid.nx; ++x)
            use(grid.index(x, y, z), columns[projection::column_of(box, x, y) * pitch + 1 + z]);
    });
  }

  const Geometry& geometry_;
  const HostRun& run_;
  HostRun quiet_;
  VolumeView<float> views_;
  float* row_weights_;    ///< R
  float* rays_;           ///< R (b - A x), see back_projection.h
  float* voxel_weights_;  ///< C
};

}  // namespace

std::size_t sirt_scratch_bytes(const Geometry& geometry) {
  const std::size_t pixels = static_cast<std::size_t>(geometry.columns) * static_cast<std::size_t>(geometry.rows) *
                             static_cast<std::size_t>(geometry.views);
  return 2 * HostScratch::padded(pixels * sizeof(float)) +
         HostScratch::padded(projection::ray_count(geometry) * sizeof(float)) +
         HostScratch::padded(geometry.grid.shape().bytes()) +
         std::max(projection::openmp_scratch_bytes(geometry, 0), projection::back_scratch_bytes(geometry));
}

void sirt_openmp(const Reconstruction::Params& params, const Geometry& geometry, const HostRun& run) {
  Sirt sirt(geometry, run);
  sirt.start();
  for (int i = 0; i < params.iterations && !run.stop.stop_requested(); ++i) {
    sirt.iterate(params.nonnegative);
    if (run.progress) run.progress->report(static_cast<double>(i + 1) / params.iterations);
  }
}

}  // namespace threadscape::reconstruction
