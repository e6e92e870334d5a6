// Filtered backprojection with all cores and SIMD. First all rows of all views are filtered and stored as columns of
// pixels (FilteredLayout). Then threads take tiles of voxel columns and go through all views for each.

#include <omp.h>

#include <algorithm>
#include <vector>

#include "compute/algorithms/tomography/reconstruction/openmp/reconstruction_openmp.h"
#include "compute/algorithms/tomography/reconstruction/openmp/reconstruction_simd.h"
#include "compute/core/machine.h"
#include "compute/engines/planes/bands.h"

namespace threadscape::reconstruction {

namespace {

constexpr int rows_per_block = 16;  // Number of floats in a cache line of a column of pixels.

/// A row of pixels split into its even and its odd columns. Every second tap of the ramp is zero; in this layout the
/// zero taps are a separate convolution that can be skipped.
struct EvenOddSplit {
  int count;  ///< Number of even columns. The odd columns are as many, or one less.
  int pitch;  ///< Floats of each part, with padding for whole vectors.

  explicit EvenOddSplit(int columns)
      : count((columns + 1) / 2),
        pitch((count + convolution_chunk - 1) / convolution_chunk * convolution_chunk + convolution_chunk) {}
};

/// The taps by parity: even[i] is tap 2 i, odd[i] is tap 2 i + 1, for i from -reach to reach.
struct Taps {
  const float *even, *odd;
  bool even_are_zero;  ///< If true, all even taps except tap 0 are zero.
};
int reach_of(const EvenOddSplit& split) {
  return split.pitch + 1;
}

Taps make_taps(Filter filter, const EvenOddSplit& split, HostScratch& scratch) {
  const int reach = reach_of(split);
  const auto table = scratch.take<float>(static_cast<std::size_t>(2 * (2 * reach + 1)));
  float *even = table.data() + reach, *odd = even + 2 * reach + 1;
  for (int i = -reach; i <= reach; ++i) {
    even[i] = static_cast<float>(filter_tap(filter, 2 * i));
    odd[i] = static_cast<float>(filter_tap(filter, 2 * i + 1));
  }
  return {even, odd, filter == Filter::ramp};
}

/// Floats that a thread needs for filtering: a weighted row and the results of a block of rows, both split, and the
/// weights of the columns of a view.
std::size_t filter_floats(const Geometry& geometry) {
  return static_cast<std::size_t>(EvenOddSplit(geometry.columns).pitch) * (2 + 2 * rows_per_block) +
         static_cast<std::size_t>(geometry.columns);
}

/// Filters a block of rows of a view. `memory` has filter_floats().
class RowFilter {
 public:
  RowFilter(const Geometry& geometry, const Coverage& coverage, const Taps& taps, float* memory)
      : geometry_(geometry), coverage_(coverage), taps_(taps), split_(geometry.columns) {
    even_ = memory;
    odd_ = even_ + split_.pitch;
    results_ = odd_ + split_.pitch;
    weights_ = results_ + static_cast<std::ptrdiff_t>(2 * rows_per_block) * split_.pitch;
  }
  /// Filters the rows first .. last - 1 of a view, which is the view `number` of `in`, and stores them in the columns
  /// of pixels of the view, which start at `pixels` and have this pitch.
  void filter(int view, int number, int first, int last, const VolumeView<const float>& in, float* pixels, int pitch) {
    const double place = geometry_.view(view).place;
    for (int column = 0; column < geometry_.columns; ++column)
      weights_[column] = static_cast<float>(column_weight(geometry_, coverage_, view, place, column));
    for (int row = first; row < last; ++row) {
      float* even = result(row - first, 0);
      one_row(&in(0, row, number), row, even, even + split_.pitch);
    }
    for (int column = 0; column < geometry_.columns; ++column)
      for (int row = first; row < last; ++row)
        pixels[static_cast<std::ptrdiff_t>(column) * pitch + row] = result(row - first, column % 2)[column / 2];
  }

 private:
  [[nodiscard]] float* result(int row, int half) const {
    return results_ + static_cast<std::ptrdiff_t>(2 * row + half) * split_.pitch;
  }
  /// Filters one row; the results are its even and its odd columns. `from` are the measured columns.
  void one_row(const float* from, int row, float* even_result, float* odd_result) const {
    const int columns = geometry_.columns, evens = split_.count, odds = columns / 2;
    for (int column = 0; column < columns; ++column) {
      const float value =
          coverage_.is_measured(geometry_, column)
              ? from[column - coverage_.columns_before] * weights_[column] * ray_cosine<float>(geometry_, row, column)
              : 0.0f;
      (column % 2 == 0 ? even_ : odd_)[column / 2] = value;
    }
    std::fill_n(even_result, 2 * split_.pitch, 0.0f);
    add_convolved(odd_, odds, taps_.odd - 1, evens, even_result);
    add_convolved(even_, evens, taps_.odd, odds, odd_result);
    if (taps_.even_are_zero) {
      for (int i = 0; i < evens; ++i)
        even_result[i] += taps_.even[0] * even_[i];
      for (int i = 0; i < odds; ++i)
        odd_result[i] += taps_.even[0] * odd_[i];
    } else {
      add_convolved(even_, evens, taps_.even, evens, even_result);
      add_convolved(odd_, odds, taps_.even, odds, odd_result);
    }
  }

  const Geometry& geometry_;
  const Coverage& coverage_;
  const Taps& taps_;
  EvenOddSplit split_;
  float *even_, *odd_, *results_, *weights_;
};

std::size_t filtered_floats(const Geometry& geometry, const FdkShare& share) {
  return FilteredLayout(geometry).view * static_cast<std::size_t>(share.views) + 2 * max_lanes;
}
/// Returns true for volumes of few layers along z, whose columns would leave most lanes idle. With vectors of 16 lanes
/// along x takes less time up to 16 layers, and more at 24.
bool lanes_are_along_x(const Geometry& geometry) {
  return geometry.grid.nz <= 8 && FilteredLayout(geometry).view < std::size_t{1} << 31;
}
int sums_pitch(const Geometry& geometry) {
  return (geometry.grid.nz + max_lanes - 1) / max_lanes * max_lanes;
}
std::size_t tile_floats(const Geometry& geometry) {
  return static_cast<std::size_t>(tile_width * tile_height) * static_cast<std::size_t>(sums_pitch(geometry));
}
std::size_t thread_floats(const Geometry& geometry) {
  // A thread first filters and then backprojects, with the same memory.
  const std::size_t floats = std::max(filter_floats(geometry), tile_floats(geometry));
  return HostScratch::padded(floats * sizeof(float)) / sizeof(float);
}
int block_count(const Geometry& geometry) {
  return (geometry.rows + rows_per_block - 1) / rows_per_block;
}
int tiles_across(const Geometry& geometry) {
  return (geometry.grid.nx + tile_width - 1) / tile_width;
}
int tile_count(const Geometry& geometry, const FdkShare& share) {
  return tiles_across(geometry) * ((share.y1 - share.y0 + tile_height - 1) / tile_height);
}
int max_workers(const Geometry& geometry, const FdkShare& share) {
  const std::int64_t work =
      std::max<std::int64_t>(std::int64_t{share.views} * block_count(geometry), tile_count(geometry, share));
  return static_cast<int>(std::min<std::int64_t>(work, max_threads()));
}

}  // namespace

std::size_t fdk_scratch_bytes(const Geometry& measured, const FdkShare& share) {
  const Geometry geometry = Coverage::of(measured).filtered(measured);
  const auto taps = static_cast<std::size_t>(2 * (2 * reach_of(EvenOddSplit(geometry.columns)) + 1));
  return HostScratch::padded(filtered_floats(geometry, share) * sizeof(float)) +
         HostScratch::padded(taps * sizeof(float)) +
         thread_floats(geometry) * sizeof(float) * static_cast<std::size_t>(max_workers(geometry, share));
}

void fdk_openmp(const Reconstruction::Params& params, const Geometry& measured, const FdkShare& share,
                const HostRun& run) {
  const Coverage coverage = Coverage::of(measured);
  const Geometry geometry = coverage.filtered(measured);
  const FilteredLayout layout(geometry);
  float* const filtered = run.scratch->take<float>(filtered_floats(geometry, share)).data();
  const Taps taps = make_taps(params.filter, EvenOddSplit(geometry.columns), *run.scratch);
  const int workers = std::max(1, std::min(run.threads, max_workers(geometry, share)));
  const std::size_t own = thread_floats(geometry);
  const auto memory = run.scratch->take<float>(own * static_cast<std::size_t>(workers));
  const auto own_memory = [&] { return memory.data() + own * static_cast<std::size_t>(omp_get_thread_num()); };
  HostRun part = run;
  part.threads = workers;

  part.progress = nullptr;  // Filtering takes a small share of the time, so its progress is not reported.
  for_each_part(part, share.views, [&](int view) {
    std::fill_n(filtered + layout.view * static_cast<std::size_t>(view), layout.view, 0.0f);
  });
  std::fill_n(filtered + filtered_floats(geometry, share) - 2 * max_lanes, 2 * max_lanes, 0.0f);
  const auto in = run.in.volume<float>();
  const int blocks = block_count(geometry);
  for_each_part(part, share.views * blocks, [&](int number) {
    const int view = number / blocks, first = number % blocks * rows_per_block;
    RowFilter filter(geometry, coverage, taps, own_memory());
    filter.filter(share.first_view + view, view, first, std::min(first + rows_per_block, geometry.rows), in,
                  filtered + layout.view * static_cast<std::size_t>(view) + layout.origin, layout.pitch);
  });

  std::vector<ViewAngle> angles;
  for (int view = 0; view < share.views; ++view)
    angles.push_back(geometry.view(share.first_view + view));
  const auto out = run.out.volume<float>();
  const volumes::VolumeGrid& grid = geometry.grid;
  const bool along_x = lanes_are_along_x(geometry);
  const int pitch = along_x ? tile_width : sums_pitch(geometry);
  part.progress = run.progress;
  for_each_part(part, tile_count(geometry, share), [&](int number) {
    const int x0 = number % tiles_across(geometry) * tile_width;
    const int y0 = share.y0 + number / tiles_across(geometry) * tile_height;
    const int x1 = std::min(x0 + tile_width, grid.nx), y1 = std::min(y0 + tile_height, share.y1);
    float* const sums = own_memory();
    /// Calls f(voxel, sum) for the voxels of the tile.
    const auto for_each_voxel = [&](const auto& f) {
      const std::ptrdiff_t x_pitch = along_x ? 1 : pitch, z_pitch = along_x ? pitch : 1;
      float* layer = sums;
      for (int y = y0; y < y1; ++y, layer += static_cast<std::ptrdiff_t>(along_x ? grid.nz : x1 - x0) * pitch)
        for (int z = 0; z < grid.nz; ++z)
          for (int x = x0; x < x1; ++x)
            f(out(x, z, y - share.y0), layer[(x - x0) * x_pitch + z * z_pitch]);
    };
    std::fill_n(sums, tile_floats(geometry), 0.0f);
    if (share.first_view > 0) for_each_voxel([](float voxel, float& sum) { sum = voxel; });
    back_project_tile({&geometry, filtered, angles, x0, x1, y0, y1, sums, pitch, along_x});
    for_each_voxel([](float& voxel, float sum) { voxel = sum; });
  });
}

}  // namespace threadscape::reconstruction
