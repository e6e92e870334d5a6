// Reconstruction, the readable reference: all arithmetic is in double. Threads share the rows of the detector and the
// layers of the volume, which is the OpenMP variant `loops`; sirt spreads the differences of rays over voxels on one
// thread, since rays meet in voxels, whose sums keep their order. The inner loops of fdk are vectors along rows, which
// have the bits of scalars (reconstruction_rows.h).

#include "compute/algorithms/tomography/reconstruction/reconstruction_serial.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>

#include "compute/algorithms/tomography/ray_math.h"
#include "compute/algorithms/tomography/reconstruction/reconstruction.h"
#include "compute/algorithms/tomography/reconstruction/reconstruction_math.h"
#include "compute/algorithms/tomography/reconstruction/reconstruction_memory.h"
#include "compute/algorithms/tomography/reconstruction/reconstruction_rows.h"
#include "compute/algorithms/tomography/reconstruction/reconstruction_tv.h"
#include "compute/core/rows.h"

namespace threadscape {

namespace {

using namespace reconstruction;  // NOLINT: the formulas of reconstruction_math.h

/// Number of taps of a filter, on both sides of its middle, that convolve_row() reads.
std::size_t taps_of(const Geometry& filtered) {
  return 2 * static_cast<std::size_t>(filtered.columns) + row_chunk;
}

/// A filtered view, in scratch memory of fdk_serial_bytes().
class View {
 public:
  View(const Geometry& geometry, Filter filter, HostScratch& scratch)
      : geometry_(geometry),
        layout_(geometry),
        pixels_(scratch.take<double>(layout_.count).data() + layout_.origin),
        weighted_(
            scratch.take<double>(static_cast<std::size_t>(geometry.columns) * static_cast<std::size_t>(geometry.rows))
                .data()) {
    std::fill_n(pixels_ - layout_.origin, layout_.count, 0.0);
    const std::span<double> taps = scratch.take<double>(taps_of(geometry));
    std::ranges::fill(taps, 0.0);
    taps_ = taps.data() + geometry.columns;
    for (int n = 1 - geometry.columns; n < geometry.columns; ++n)
      taps[static_cast<std::size_t>(geometry.columns + n)] = filter_tap(filter, std::abs(n));
  }

  /// Weights and convolves all rows of a view, which is the view `number` of the input.
  void filter(const HostRun& run, const Coverage& coverage, int view, int number) {
    const auto in = run.in.volume<float>();
    const double place = geometry_.view(view).place;
    for_rows(run, geometry_.rows, [&](int row) {
      double* const weighted = weighted_ + static_cast<std::ptrdiff_t>(row) * geometry_.columns;
      for (int column = 0; column < geometry_.columns; ++column)
        weighted[column] = coverage.is_measured(geometry_, column)
                               ? static_cast<double>(in(column - coverage.columns_before, row, number)) *
                                     ray_cosine<double>(geometry_, row, column) *
                                     column_weight(geometry_, coverage, view, place, column)
                               : 0.0;
      convolve_row(weighted, geometry_.columns, taps_, pixels_ + static_cast<std::ptrdiff_t>(row) * layout_.pitch);
    });
  }
  /// The value at a position, interpolated bilinearly between four pixels, which are 0 outside of the detector.
  [[nodiscard]] double at(double column, double row) const {
    if (!(row > -1 && row < geometry_.rows)) return 0;
    const double c = std::floor(column), r = std::floor(row);
    const double* const near =
        pixels_ + static_cast<std::ptrdiff_t>(r) * layout_.pitch + static_cast<std::ptrdiff_t>(c);
    const double* const next = near + layout_.pitch;
    const double below = (1 - (column - c)) * near[0] + (column - c) * near[1];
    const double above = (1 - (column - c)) * next[0] + (column - c) * next[1];
    return (1 - (row - r)) * below + (row - r) * above;
  }
  /// The pixel (0, 0), as back_project_layer() takes it.
  [[nodiscard]] const double* pixels() const { return pixels_; }

 private:
  const Geometry& geometry_;
  PaddedRows layout_;
  double *pixels_, *weighted_;
  const double* taps_;
};

void sirt(const Reconstruction::Params& params, const Geometry& geometry, const HostRun& run) {
  const volumes::VolumeGrid& grid = geometry.grid;
  const auto count = static_cast<std::size_t>(grid.shape().items());
  const std::span<double> x = run.scratch->take<double>(count), change = run.scratch->take<double>(count),
                          lengths = run.scratch->take<double>(count);
  const std::span<double> shares =
      run.scratch->take<double>(static_cast<std::size_t>(geometry.rows) * static_cast<std::size_t>(geometry.columns));
  HostRun silent = run, on_one_thread = run;
  silent.progress = on_one_thread.progress = nullptr;
  on_one_thread.threads = 1;
  std::optional<TotalVariation<double>> variation;
  if (params.tv > 0) variation.emplace(grid, static_cast<double>(params.tv), *run.scratch);
  const double min_value = params.nonnegative ? 0.0 : -std::numeric_limits<double>::infinity();
  std::ranges::fill(x, 0.0);
  std::ranges::fill(lengths, 0.0);
  const double min_sum = min_length_sum(geometry);
  const projection::Box box = projection::whole(grid);
  const auto in = run.in.volume<float>();
  const auto out = run.out.volume<float>();
  /// Calls f(ray, row, column) for the rays of a view, whose rows the threads of `rows_on` share.
  const auto for_each_ray = [&](const HostRun& rows_on, int view, const auto& f) {
    const ViewAngle angle = geometry.position(view);
    for_rows(rows_on, geometry.rows, [&](int row) {
      for (int column = 0; column < geometry.columns; ++column)
        f(projection::ray_of(geometry, angle, row, column), row, column);
    });
  };
  const auto share_of = [&](int row, int column) -> double& {
    return shares[static_cast<std::size_t>(row) * static_cast<std::size_t>(geometry.columns) +
                  static_cast<std::size_t>(column)];
  };
  const auto voxel = [&](std::span<double> volume, int i, int j, int k) -> double& {
    return volume[static_cast<std::size_t>(grid.index(i, j, k))];
  };

  for (int view = 0; view < geometry.views; ++view)
    for_each_ray(on_one_thread, view, [&](const projection::Ray& ray, int, int) {
      projection::incremental_pieces(
          box, ray, [&](int i, int j, int k, double length) { voxel(lengths, i, j, k) += length * ray.length; });
    });
  for (int iteration = 0; iteration < params.iterations && !run.stop.stop_requested(); ++iteration) {
    std::ranges::fill(change, 0.0);
    for (int view = 0; view < geometry.views; ++view) {
      for_each_ray(silent, view, [&](const projection::Ray& ray, int row, int column) {
        double sum = 0, length_of_ray = 0;
        projection::incremental_pieces(box, ray, [&](int i, int j, int k, double length) {
          sum += length * ray.length * voxel(x, i, j, k);
          length_of_ray += length * ray.length;
        });
        share_of(row, column) =
            (static_cast<double>(in(column, row, view)) - sum) * clamped_inverse(length_of_ray, min_sum);
      });
      for_each_ray(on_one_thread, view, [&](const projection::Ray& ray, int row, int column) {
        const double share = share_of(row, column);
        projection::incremental_pieces(box, ray, [&](int i, int j, int k, double length) {
          voxel(change, i, j, k) += length * ray.length * share;
        });
      });
    }
    for (std::size_t i = 0; i < count; ++i) {
      x[i] += change[i] * clamped_inverse(lengths[i], min_sum);
      x[i] = std::max(min_value, x[i]);
    }
    if (variation) (*variation)(x.data(), min_value, [&](const auto& layer) { for_rows(silent, grid.ny, layer); });
    std::ranges::transform(x, out.data, [](double v) { return static_cast<float>(v); });
    if (run.progress) run.progress->report(static_cast<double>(iteration + 1) / params.iterations);
  }
}

}  // namespace

std::size_t reconstruction::fdk_serial_bytes(const Geometry& measured) {
  const Geometry geometry = Coverage::of(measured).filtered(measured);
  const std::size_t pixels = static_cast<std::size_t>(geometry.columns) * static_cast<std::size_t>(geometry.rows);
  return HostScratch::padded(PaddedRows(geometry).count * sizeof(double)) +
         HostScratch::padded(pixels * sizeof(double)) + HostScratch::padded(taps_of(geometry) * sizeof(double));
}

void reconstruction::fdk_serial(const Reconstruction::Params& params, const Geometry& measured, const FdkShare& share,
                                std::span<double> voxels, const HostRun& run) {
  const Coverage coverage = Coverage::of(measured);
  const Geometry geometry = coverage.filtered(measured);
  const volumes::VolumeGrid& grid = geometry.grid;
  if (share.first_view == 0) std::ranges::fill(voxels, 0.0);
  View filtered(geometry, params.filter, *run.scratch);
  HostRun silent = run;
  silent.progress = nullptr;
  const auto out = run.out.volume<float>();
  for (int number = 0; number < share.views; ++number) {
    const int view = share.first_view + number;
    filtered.filter(silent, coverage, view, number);
    const ViewAngle angle = geometry.view(view);
    for_rows(silent, share.y1 - share.y0, [&](int layer) {
      const int y = share.y0 + layer;
      double* const own = &voxels[static_cast<std::size_t>(grid.index(0, layer, 0))];
      // Whole vectors of voxels along x, and the rest.
      for (int x = back_project_layer(geometry, angle, filtered.pixels(), y, own); x < grid.nx; ++x) {
        const DetectorPosition position = detector_position(geometry, angle, x, y);
        for (int z = 0; z < grid.nz; ++z)
          own[grid.index(x, 0, z)] +=
              position.weight * filtered.at(position.column, position.first_row + z * position.row);
      }
    });
    if (run.stop.stop_requested()) return;
    if (run.progress) run.progress->report(static_cast<double>(number + 1) / share.views);
  }
  std::ranges::transform(voxels, out.data, [](double v) { return static_cast<float>(v); });
}

void Reconstruction::serial(const Params& params, const HostRun& run) {
  const Geometry geometry = params.scanner(run.in.shape);
  if (params.method == Method::fdk)
    fdk_serial(params, geometry, FdkShare::whole(geometry),
               run.scratch->take<double>(static_cast<std::size_t>(geometry.grid.shape().items())), run);
  else
    sirt(params, geometry, run);
}

}  // namespace threadscape
