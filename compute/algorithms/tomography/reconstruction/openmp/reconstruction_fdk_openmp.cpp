// Filtered backprojection with all cores and SIMD. First all rows are filtered, into columns of pixels; then threads
// take blocks of columns of voxels and go through all views.

#include <omp.h>

#include <algorithm>
#include <vector>

#include "compute/algorithms/tomography/reconstruction/openmp/reconstruction_openmp.h"
#include "compute/algorithms/tomography/reconstruction/openmp/reconstruction_simd.h"
#include "compute/engines/planes/bands.h"
#include "compute/run/runner.h"

namespace threadscape::reconstruction {

namespace {

constexpr int rows_of_block = 16;  // a cache line of a column of pixels

/// Rows in two halves, even and odd columns: then every second tap of the ramp, which is zero, costs nothing.
struct Halves {
  int count;  ///< of even columns; there are as many odd ones or one less
  int pitch;

  explicit Halves(int columns)
      : count((columns + 1) / 2),
        pitch((count + convolved_at_once - 1) / convolved_at_once * convolved_at_once + convolved_at_once) {}
};

/// Taps of even and of odd distances: even[i] is that of 2 i, odd[i] that of 2 i + 1; from -reach to reach.
struct Taps {
  const float *even, *odd;
  bool even_are_zero;  ///< but for distance 0
};
int reach_of(const Halves& halves) {
  return halves.pitch + 1;
}

Taps make_taps(Filter filter, const Halves& halves, HostScratch& scratch) {
  const int reach = reach_of(halves);
  const auto table = scratch.take<float>(static_cast<std::size_t>(2 * (2 * reach + 1)));
  float *even = table.data() + reach, *odd = even + 2 * reach + 1;
  for (int i = -reach; i <= reach; ++i) {
    even[i] = static_cast<float>(filter_tap(filter, 2 * i));
    odd[i] = static_cast<float>(filter_tap(filter, 2 * i + 1));
  }
  return {even, odd, filter == Filter::ramp};
}

/// What one thread filters with: for each half the weighted row and the result; the weights of a view's columns.
std::size_t filter_floats(const Geometry& geometry) {
  return static_cast<std::size_t>(Halves(geometry.columns).pitch) * (2 + 2 * rows_of_block) +
         static_cast<std::size_t>(geometry.columns);
}

class RowFilter {
 public:
  RowFilter(const Geometry& geometry, const Coverage& coverage, const Taps& taps, float* memory)
      : geometry_(geometry), coverage_(coverage), taps_(taps), halves_(geometry.columns) {
    even_ = memory;
    odd_ = even_ + halves_.pitch;
    results_ = odd_ + halves_.pitch;
    weights_ = results_ + static_cast<std::ptrdiff_t>(2 * rows_of_block) * halves_.pitch;
  }
  /// The rows [first, last) of a view, into the columns of pixels of the view.
  void filter(int view, int first, int last, const VolumeView<const float>& in, float* pixels, int pitch) {
    for (int column = 0; column < geometry_.columns; ++column)
      weights_[column] = static_cast<float>(column_weight(geometry_, coverage_, view, column));
    for (int row = first; row < last; ++row) {
      float* even = result(row - first, 0);
      one_row(&in(0, row, view), row, even, even + halves_.pitch);
    }
    for (int column = 0; column < geometry_.columns; ++column)
      for (int row = first; row < last; ++row)
        pixels[static_cast<std::ptrdiff_t>(column) * pitch + row] = result(row - first, column % 2)[column / 2];
  }

 private:
  [[nodiscard]] float* result(int row, int half) const {
    return results_ + static_cast<std::ptrdiff_t>(2 * row + half) * halves_.pitch;
  }
  void one_row(const float* from, int row, float* even_result, float* odd_result) const {
    const int columns = geometry_.columns, evens = halves_.count, odds = columns / 2;
    for (int column = 0; column < columns; ++column) {
      const float value = from[column] * weights_[column] * ray_cosine<float>(geometry_, row, column);
      (column % 2 == 0 ? even_ : odd_)[column / 2] = value;
    }
    std::fill_n(even_result, 2 * halves_.pitch, 0.0f);
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
  Halves halves_;
  float *even_, *odd_, *results_, *weights_;
};

std::size_t filtered_floats(const Geometry& geometry) {
  return FilteredLayout(geometry).view * static_cast<std::size_t>(geometry.views) + 2 * most_lanes;
}
int sums_pitch(const Geometry& geometry) {
  return (geometry.grid.nz + most_lanes - 1) / most_lanes * most_lanes;
}
std::size_t tile_floats(const Geometry& geometry) {
  return static_cast<std::size_t>(tile_width * tile_height) * static_cast<std::size_t>(sums_pitch(geometry));
}
std::size_t thread_floats(const Geometry& geometry) {
  // Either or: a thread first filters, then projects back.
  const std::size_t floats = std::max(filter_floats(geometry), tile_floats(geometry));
  return HostScratch::padded(floats * sizeof(float)) / sizeof(float);
}
int blocks_of(const Geometry& geometry) {
  return (geometry.rows + rows_of_block - 1) / rows_of_block;
}
int tiles_across(const Geometry& geometry) {
  return (geometry.grid.nx + tile_width - 1) / tile_width;
}
int tiles_of(const Geometry& geometry) {
  return tiles_across(geometry) * ((geometry.grid.ny + tile_height - 1) / tile_height);
}
int most_workers(const Geometry& geometry) {
  const std::int64_t work =
      std::max<std::int64_t>(std::int64_t{geometry.views} * blocks_of(geometry), tiles_of(geometry));
  return static_cast<int>(std::min<std::int64_t>(work, max_threads()));
}

}  // namespace

std::size_t fdk_scratch_bytes(const Geometry& geometry) {
  const auto taps = static_cast<std::size_t>(2 * (2 * reach_of(Halves(geometry.columns)) + 1));
  return HostScratch::padded(filtered_floats(geometry) * sizeof(float)) + HostScratch::padded(taps * sizeof(float)) +
         thread_floats(geometry) * sizeof(float) * static_cast<std::size_t>(most_workers(geometry));
}

void fdk_openmp(const Reconstruction::Params& params, const Geometry& geometry, const HostRun& run) {
  const FilteredLayout layout(geometry);
  const Coverage coverage = Coverage::of(geometry);
  float* const filtered = run.scratch->take<float>(filtered_floats(geometry)).data();
  const Taps taps = make_taps(params.filter, Halves(geometry.columns), *run.scratch);
  const int workers = std::max(1, std::min(run.threads, most_workers(geometry)));
  const std::size_t own = thread_floats(geometry);
  const auto memory = run.scratch->take<float>(own * static_cast<std::size_t>(workers));
  const auto own_memory = [&] { return memory.data() + own * static_cast<std::size_t>(omp_get_thread_num()); };
  HostRun part = run;
  part.threads = workers;

  part.progress = nullptr;  // it is a small share of the time
  for_each_part(part, geometry.views, [&](int view) {
    std::fill_n(filtered + layout.view * static_cast<std::size_t>(view), layout.view, 0.0f);
  });
  std::fill_n(filtered + filtered_floats(geometry) - 2 * most_lanes, 2 * most_lanes, 0.0f);
  const auto in = run.in.volume<float>();
  const int blocks = blocks_of(geometry);
  for_each_part(part, geometry.views * blocks, [&](int number) {
    const int view = number / blocks, first = number % blocks * rows_of_block;
    RowFilter filter(geometry, coverage, taps, own_memory());
    filter.filter(view, first, std::min(first + rows_of_block, geometry.rows), in,
                  filtered + layout.view * static_cast<std::size_t>(view) + layout.origin, layout.pitch);
  });

  std::vector<ViewAngle> angles;
  for (int view = 0; view < geometry.views; ++view)
    angles.push_back(projection::view_angle(geometry.angle_of(view)));
  const auto out = run.out.volume<float>();
  const volumes::VolumeGrid& grid = geometry.grid;
  const int pitch = sums_pitch(geometry);
  part.progress = run.progress;
  for_each_part(part, tiles_of(geometry), [&](int number) {
    const int x0 = number % tiles_across(geometry) * tile_width, y0 = number / tiles_across(geometry) * tile_height;
    const int x1 = std::min(x0 + tile_width, grid.nx), y1 = std::min(y0 + tile_height, grid.ny);
    float* sums = own_memory();
    std::fill_n(sums, tile_floats(geometry), 0.0f);
    back_project_tile({&geometry, filtered, angles, x0, x1, y0, y1, sums, pitch});
    for (int y = y0; y < y1; ++y, sums += static_cast<std::ptrdiff_t>(x1 - x0) * pitch)
      for (int z = 0; z < grid.nz; ++z)
        for (int x = x0; x < x1; ++x)
          out(x, z, y) = sums[static_cast<std::ptrdiff_t>(x - x0) * pitch + z];
  });
}

}  // namespace threadscape::reconstruction
