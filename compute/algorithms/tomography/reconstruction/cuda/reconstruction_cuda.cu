// Filtered backprojection on the GPU, views_per_part views at a time.
//
// filter_rows stores the rows of a detector column contiguously (FilteredLayout). back_project gives a column of voxels
// to a warp; the voxels of a column project onto one column of the detector, at neighbouring rows. The position on the
// detector that they share in a view (detector_position) is computed in double by one lane for each of 32 views and
// passed to the other lanes through shared memory.
//
//   filter_rows:   block = 128 columns x 8 rows of a view; a thread has the sums of 8 rows of its column in registers
//   back_project:  block = 8 warps = 8 neighbouring x; a warp has 128 voxels along z of one column (x, y),
//                  lane l the voxels z0 + l, z0 + l + 32, z0 + l + 64, z0 + l + 96, in registers

#include <algorithm>

#include "compute/algorithms/tomography/reconstruction/cuda/reconstruction_cuda.h"
#include "compute/gpu/check.h"

namespace threadscape::reconstruction {
namespace {

/// The angles of the views of one part, a kernel argument.
struct PartAngles {
  ViewAngle angles[views_per_part];
};

// ---- filter ----

constexpr int filter_threads = 128;  // Threads of a block, one per column.
constexpr int filter_rows_per_block = 8;

/// taps[n] = filter_tap(filter, n) for n < count.
__global__ void make_taps(Filter filter, int count, float* taps) {
  const int n = blockIdx.x * blockDim.x + threadIdx.x;
  if (n < count) taps[n] = static_cast<float>(filter_tap(filter, n));
}

/// Filters eight rows of a view. A thread computes one column of the result; the input passes through shared memory in
/// chunks of filter_threads columns.
__global__ void __launch_bounds__(filter_threads)
    filter_rows(const __grid_constant__ Geometry geometry, const Coverage coverage,
                const __grid_constant__ PartAngles angles, const float* __restrict__ views,
                const float* __restrict__ taps, int first_view, FilteredLayout layout, float* __restrict__ filtered) {
  constexpr int rows = filter_rows_per_block;
  __shared__ alignas(16) float weighted[filter_threads][rows];
  __shared__ float near_taps[2 * filter_threads];
  const int lane = threadIdx.x, c0 = blockIdx.x * filter_threads, column = c0 + lane;
  const int row0 = blockIdx.y * rows, view = first_view + static_cast<int>(blockIdx.z);
  const int measured = geometry.columns - coverage.columns_before - coverage.columns_behind;
  const double place = angles.angles[blockIdx.z].place;
  float sums[rows] = {};
  for (int from = 0; from < geometry.columns; from += filter_threads) {
    const int own = from + lane;
    const bool there = coverage.is_measured(geometry, own);
    const float weight = there ? static_cast<float>(column_weight(geometry, coverage, view, place, own)) : 0.0f;
    for (int r = 0; r < rows; ++r) {
      const int row = row0 + r;
      const std::ptrdiff_t line = static_cast<std::ptrdiff_t>(view) * geometry.rows + row;
      weighted[lane][r] = there && row < geometry.rows ? views[line * measured + own - coverage.columns_before] *
                                                             weight * ray_cosine<float>(geometry, row, own)
                                                       : 0.0f;
    }
    // near_taps[i] is the tap for the distance between column c0 + i - (filter_threads - 1) and column `from`.
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

constexpr int warps_per_block = 8;    // of a block, each with a column of voxels: 32 bytes of a row of the result
constexpr int voxels_per_thread = 4;  // Neighbouring voxels along z that a thread computes.
constexpr int voxels_per_warp = 32 * voxels_per_thread;
constexpr int views_per_chunk = 32;

/// The position on the detector of the 128 voxels of a warp in one view, see DetectorPosition.
struct alignas(16) SharedPosition {
  int left;         ///< Index in a view of the left column of pixels at row 0.
  float between;    ///< Interpolation weight of the column to its right, 0..1.
  float weight;     ///< Weight of the view, 0 if the column of voxels projects outside of the detector.
  float first_row;  ///< Row of the voxel z0 of the warp.
  float row;        ///< Distance in rows between neighbouring voxels.
};

/// Adds `views` filtered views to layers of the volume, or stores their sum. With `from_first` the first of these
/// layers is that of the volume.
template <bool from_first>
__global__ void __launch_bounds__(32 * warps_per_block)
    back_project(const __grid_constant__ Geometry geometry, const __grid_constant__ PartAngles angles, int views,
                 FilteredLayout layout, const float* __restrict__ filtered, ViewStore out, bool add, int first_layer) {
  __shared__ SharedPosition positions[warps_per_block][views_per_chunk];
  __shared__ float results[voxels_per_warp][warps_per_block + 1];
  const int lane = threadIdx.x, warp = threadIdx.y;
  const int x = blockIdx.x * warps_per_block + warp, z0 = blockIdx.y * voxels_per_warp;
  const int y = from_first ? blockIdx.z : blockIdx.z + first_layer;
  const int nx = geometry.grid.nx, nz = geometry.grid.nz;
  const float max_row = static_cast<float>(geometry.rows);
  float sums[voxels_per_thread] = {};
  for (int from = 0; from < views; from += views_per_chunk) {
    SharedPosition& own = positions[warp][lane];
    own.weight = 0.0f;
    if (from + lane < views && x < nx) {
      const DetectorPosition position = detector_position(geometry, angles.angles[from + lane], x, y);
      if (position.column > -1 && position.column < geometry.columns) {
        const double column = std::floor(position.column);
        own.left = static_cast<int>(layout.origin) + static_cast<int>(column) * layout.pitch;
        own.between = static_cast<float>(position.column - column);
        own.weight = static_cast<float>(position.weight);
        own.first_row = static_cast<float>(position.first_row + z0 * position.row);
        own.row = static_cast<float>(position.row);
      }
    }
    __syncwarp();
    const int count = min(views - from, views_per_chunk);
    for (int view = 0; view < count; ++view) {
      const SharedPosition position = positions[warp][view];
      if (position.weight == 0.0f) continue;
      const float* left = filtered + layout.view * (from + view) + position.left;
      const float* right = left + layout.pitch;
#pragma unroll
      for (int i = 0; i < voxels_per_thread; ++i) {
        const float z = static_cast<float>(lane + 32 * i);
        const float row = fminf(fmaxf(fmaf(z, position.row, position.first_row), -1.0f), max_row);
        // The row rounded down appears in the low bits of its sum with 1.5 * 2^23. That avoids the conversion
        // instruction, which has a low throughput.
        const float shifted = __fadd_rd(row, 12582912.0f), floor = shifted - 12582912.0f;
        const int at = __float_as_int(shifted) - 0x4B400000;
        const float a = __ldg(left + at), b = __ldg(right + at), c = __ldg(left + at + 1), e = __ldg(right + at + 1);
        const float low = fmaf(position.between, b - a, a), high = fmaf(position.between, e - c, c);
        sums[i] = fmaf(position.weight, fmaf(row - floor, high - low, low), sums[i]);
      }
    }
    __syncwarp();
  }
  // The results pass through shared memory so that whole sectors are written, since x is fastest in the result.
  for (int i = 0; i < voxels_per_thread; ++i)
    results[lane + 32 * i][warp] = sums[i];
  __syncthreads();
  for (int i = warp * 32 + lane; i < voxels_per_warp * warps_per_block; i += 32 * warps_per_block) {
    const int z = z0 + i / warps_per_block, to_x = blockIdx.x * warps_per_block + i % warps_per_block;
    if (z >= nz || to_x >= nx) continue;
    if (add)
      out.add(to_x, z, y, results[i / warps_per_block][i % warps_per_block]);
    else
      out.store(to_x, z, y, results[i / warps_per_block][i % warps_per_block]);
  }
}

}  // namespace

void fdk_cuda(const Reconstruction::Params& params, const Geometry& measured, const DeviceRun& run) {
  const Coverage coverage = Coverage::of(measured);
  const Geometry geometry = coverage.filtered(measured);
  const FilteredLayout layout(geometry);
  const auto* views = reinterpret_cast<const float*>(run.in.data);
  float* const filtered = run.scratch->take<float>(layout.view * views_per_part).data();
  float* const taps = run.scratch->take<float>(2 * static_cast<std::size_t>(geometry.columns)).data();
  const ViewStore out(run.out);
  const volumes::VolumeGrid& grid = geometry.grid;

  make_taps<<<(geometry.columns + 255) / 256, 256, 0, run.stream>>>(params.filter, geometry.columns, taps);
  TS_CUDA_LAUNCHED();
  // The padding around the pixels has to be 0; every part overwrites the pixels themselves.
  TS_CUDA_CHECK(cudaMemsetAsync(filtered, 0, layout.view * views_per_part * sizeof(float), run.stream));
  const int parts = (geometry.views + views_per_part - 1) / views_per_part;
  for (int part = run.parts.first; part < std::min(parts, run.parts.end); ++part) {
    const int first = part * views_per_part, count = std::min(views_per_part, geometry.views - first);
    const dim3 filter_blocks((geometry.columns + filter_threads - 1) / filter_threads,
                             (geometry.rows + filter_rows_per_block - 1) / filter_rows_per_block, count);
    PartAngles angles;
    for (int i = 0; i < count; ++i)
      angles.angles[i] = geometry.view(first + i);
    filter_rows<<<filter_blocks, filter_threads, 0, run.stream>>>(geometry, coverage, angles, views, taps, first,
                                                                  layout, filtered);
    TS_CUDA_LAUNCHED();
    const int first_layer = run.layers.first, layers = std::min(run.layers.end, grid.ny) - first_layer;
    const dim3 blocks((grid.nx + warps_per_block - 1) / warps_per_block,
                      (grid.nz + voxels_per_warp - 1) / voxels_per_warp, layers);
    const auto kernel = first_layer == 0 ? back_project<true> : back_project<false>;
    kernel<<<blocks, dim3(32, warps_per_block), 0, run.stream>>>(geometry, angles, count, layout, filtered, out,
                                                                 part > 0, first_layer);
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
