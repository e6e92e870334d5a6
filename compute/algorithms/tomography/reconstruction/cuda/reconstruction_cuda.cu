// Filtered backprojection on the GPU, some views at a time.
//
// filter_rows leaves the rows of a detector column next to each other. Lanes of back_project are voxels above each
// other: they are seen in one column of the detector, at neighbouring rows. What a column of voxels shares in a view
// (place_of) is found in double by one lane for each of 32 views, and told the others through shared memory.

#include <algorithm>

#include "compute/algorithms/tomography/reconstruction/cuda/reconstruction_cuda.h"
#include "compute/cuda/check.h"

namespace threadscape::reconstruction {
namespace {

// ---- filter ----

constexpr int filter_threads = 128;  // columns of a block
constexpr int filter_rows_of_block = 8;

__global__ void make_taps(Filter filter, int count, float* taps) {
  const int n = blockIdx.x * blockDim.x + threadIdx.x;
  if (n < count) taps[n] = static_cast<float>(filter_tap(filter, n));
}

/// Eight rows of a view: a thread makes one column of the result, block by block of what comes in.
__global__ void __launch_bounds__(filter_threads)
    filter_rows(const __grid_constant__ Geometry geometry, const Coverage coverage, const float* __restrict__ views,
                const float* __restrict__ taps, int first_view, FilteredLayout layout, float* __restrict__ filtered) {
  constexpr int rows = filter_rows_of_block;
  __shared__ alignas(16) float weighted[filter_threads][rows];
  __shared__ float near_taps[2 * filter_threads];
  const int lane = threadIdx.x, c0 = blockIdx.x * filter_threads, column = c0 + lane;
  const int row0 = blockIdx.y * rows, view = first_view + static_cast<int>(blockIdx.z);
  float sums[rows] = {};
  for (int from = 0; from < geometry.columns; from += filter_threads) {
    const int own = from + lane;
    const bool there = own < geometry.columns;
    const float weight = there ? static_cast<float>(column_weight(geometry, coverage, view, own)) : 0.0f;
    for (int r = 0; r < rows; ++r) {
      const int row = row0 + r;
      const std::ptrdiff_t line = static_cast<std::ptrdiff_t>(view) * geometry.rows + row;
      weighted[lane][r] = there && row < geometry.rows
                              ? views[line * geometry.columns + own] * weight * ray_cosine<float>(geometry, row, own)
                              : 0.0f;
    }
    // near_taps[i] is the tap between column c0 + i - (filter_threads - 1) and column `from`.
    for (int i = lane; i < 2 * filter_threads; i += filter_threads) {
      const int distance = abs(c0 - from + i - (filter_threads - 1));
      near_taps[i] = distance < geometry.columns ? taps[distance] : 0.0f;
    }
    __syncthreads();
    for (int k = 0; k < filter_threads; ++k) {
      const float tap = near_taps[lane - k + filter_threads - 1];
      const auto* values = reinterpret_cast<const float4*>(weighted[k]);
      const float4 low = values[0], high = values[1];
      sums[0] = fmaf(tap, low.x, sums[0]);
      sums[1] = fmaf(tap, low.y, sums[1]);
      sums[2] = fmaf(tap, low.z, sums[2]);
      sums[3] = fmaf(tap, low.w, sums[3]);
      sums[4] = fmaf(tap, high.x, sums[4]);
      sums[5] = fmaf(tap, high.y, sums[5]);
      sums[6] = fmaf(tap, high.z, sums[6]);
      sums[7] = fmaf(tap, high.w, sums[7]);
    }
    __syncthreads();
  }
  if (column >= geometry.columns) return;
  float* to = filtered + layout.view * blockIdx.z + layout.origin + static_cast<std::ptrdiff_t>(column) * layout.pitch;
#pragma unroll
  for (int r = 0; r < rows; ++r)
    if (row0 + r < geometry.rows) to[row0 + r] = sums[r];
}

// ---- backprojection ----

constexpr int warps = 8;             // of a block, each with a column of voxels: 32 bytes of a row of the result
constexpr int voxels_of_thread = 4;  // along z
constexpr int voxels_of_warp = 32 * voxels_of_thread;
constexpr int views_at_a_time = 32;

struct PartAngles {
  ViewAngle angles[views_of_part];
};

/// What a column of voxels shares in a view.
struct alignas(16) SharedPlace {
  int left;       ///< index of the left column of pixels, at row 0, in a view
  float between;  ///< how far from there to the next column
  float weight;   ///< 0 where the view does not see the column
  float first_row;
  float row;
};

__global__ void __launch_bounds__(32 * warps)
    back_project(const __grid_constant__ Geometry geometry, const __grid_constant__ PartAngles angles, int views,
                 FilteredLayout layout, const float* __restrict__ filtered, ViewStore out, bool add) {
  __shared__ SharedPlace places[warps][views_at_a_time];
  __shared__ float results[voxels_of_warp][warps + 1];
  const int lane = threadIdx.x, warp = threadIdx.y;
  const int x = blockIdx.x * warps + warp, y = blockIdx.z, z0 = blockIdx.y * voxels_of_warp;
  const int nx = geometry.grid.nx, nz = geometry.grid.nz;
  const float highest = static_cast<float>(geometry.rows);
  float sums[voxels_of_thread] = {};
  for (int from = 0; from < views; from += views_at_a_time) {
    SharedPlace& own = places[warp][lane];
    own.weight = 0.0f;
    if (from + lane < views && x < nx) {
      const Place place = place_of(geometry, angles.angles[from + lane], x, y);
      if (place.column > -1 && place.column < geometry.columns) {
        const double column = std::floor(place.column);
        own.left = static_cast<int>(layout.origin) + static_cast<int>(column) * layout.pitch;
        own.between = static_cast<float>(place.column - column);
        own.weight = static_cast<float>(place.weight);
        own.first_row = static_cast<float>(place.first_row + z0 * place.row);
        own.row = static_cast<float>(place.row);
      }
    }
    __syncwarp();
    const int count = min(views - from, views_at_a_time);
    for (int view = 0; view < count; ++view) {
      const SharedPlace place = places[warp][view];
      if (place.weight == 0.0f) continue;
      const float* left = filtered + layout.view * (from + view) + place.left;
      const float* right = left + layout.pitch;
#pragma unroll
      for (int i = 0; i < voxels_of_thread; ++i) {
        const float z = static_cast<float>(lane + 32 * i);
        const float row = fminf(fmaxf(fmaf(z, place.row, place.first_row), -1.0f), highest);
        // Rounded down: the low bits of the sum with 1.5 * 2^23. Conversions have few units.
        const float shifted = __fadd_rd(row, 12582912.0f), floor = shifted - 12582912.0f;
        const int at = __float_as_int(shifted) - 0x4B400000;
        const float a = __ldg(left + at), b = __ldg(right + at), c = __ldg(left + at + 1), e = __ldg(right + at + 1);
        const float low = fmaf(place.between, b - a, a), high = fmaf(place.between, e - c, c);
        sums[i] = fmaf(place.weight, fmaf(row - floor, high - low, low), sums[i]);
      }
    }
    __syncwarp();
  }
  // Through shared memory, so that whole sectors are written: x is fastest in the result.
  for (int i = 0; i < voxels_of_thread; ++i)
    results[lane + 32 * i][warp] = sums[i];
  __syncthreads();
  for (int i = warp * 32 + lane; i < voxels_of_warp * warps; i += 32 * warps) {
    const int z = z0 + i / warps, to_x = blockIdx.x * warps + i % warps;
    if (z >= nz || to_x >= nx) continue;
    if (add)
      out.add(to_x, z, y, results[i / warps][i % warps]);
    else
      out.store(to_x, z, y, results[i / warps][i % warps]);
  }
}

}  // namespace

void fdk_cuda(const Reconstruction::Params& params, const Geometry& geometry, const DeviceRun& run) {
  const FilteredLayout layout(geometry);
  const Coverage coverage = Coverage::of(geometry);
  const auto* views = reinterpret_cast<const float*>(run.in.data);
  float* const filtered = run.scratch->take<float>(layout.view * views_of_part).data();
  float* const taps = run.scratch->take<float>(2 * static_cast<std::size_t>(geometry.columns)).data();
  const ViewStore out(run.out);
  const volumes::VolumeGrid& grid = geometry.grid;

  make_taps<<<(geometry.columns + 255) / 256, 256, 0, run.stream>>>(params.filter, geometry.columns, taps);
  TS_CUDA_LAUNCHED();
  // Zeros around the pixels; the pixels themselves are written over by every part.
  TS_CUDA_CHECK(cudaMemsetAsync(filtered, 0, layout.view * views_of_part * sizeof(float), run.stream));
  const int parts = (geometry.views + views_of_part - 1) / views_of_part;
  for (int part = run.parts.first; part < std::min(parts, run.parts.end); ++part) {
    const int first = part * views_of_part, count = std::min(views_of_part, geometry.views - first);
    const dim3 filter_blocks((geometry.columns + filter_threads - 1) / filter_threads,
                             (geometry.rows + filter_rows_of_block - 1) / filter_rows_of_block, count);
    filter_rows<<<filter_blocks, filter_threads, 0, run.stream>>>(geometry, coverage, views, taps, first, layout,
                                                                  filtered);
    TS_CUDA_LAUNCHED();
    PartAngles angles;
    for (int i = 0; i < count; ++i)
      angles.angles[i] = projection::view_angle(geometry.angle_of(first + i));
    const dim3 blocks((grid.nx + warps - 1) / warps, (grid.nz + voxels_of_warp - 1) / voxels_of_warp, grid.ny);
    back_project<<<blocks, dim3(32, warps), 0, run.stream>>>(geometry, angles, count, layout, filtered, out, part > 0);
    TS_CUDA_LAUNCHED();
  }
}

}  // namespace threadscape::reconstruction

namespace threadscape {

void Reconstruction::cuda(const Params& params, const DeviceRun& run) {
  const projection::Geometry geometry = params.scanner(run.in.shape);
  if (params.method == Method::fdk)
    reconstruction::fdk_cuda(params, geometry, run);
  else
    reconstruction::sirt_cuda(params, geometry, run);
}

}  // namespace threadscape
