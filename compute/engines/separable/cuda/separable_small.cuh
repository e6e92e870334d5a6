#pragma once
// What a warp of separable_small.cu walks over: the plan as its kernel takes it, and the rows of the picture as they
// pass through shared memory.

#include <algorithm>
#include <cstdint>

#include "compute/cuda/async_copy.cuh"
#include "compute/engines/patches/packed_patch.h"
#include "compute/engines/separable/cuda/separable_cuda.h"

namespace threadscape::separable {

inline constexpr int warps_per_block = 4, blocks_at_once = 5;
inline constexpr int strip_rows = 16, batch_bytes = 64, step_bytes = 32, group_bytes = 16;
inline constexpr int reach_down = 4;                               ///< rows above and below a strip
inline constexpr int units = 3, unit_rows = 8;                     ///< of the rows that a strip looks at
inline constexpr int max_down = 20, max_across = 2 * group_bytes;  ///< distances from a result in the bands
inline constexpr int max_fp16_integer = 2048;
inline constexpr float pixel_bias = 1024.0f;
inline constexpr unsigned all_lanes = 0xffffffffu;

/// A window of results needs `across` groups of 16 bytes, and reaches 8 (across - 1) bytes beyond its 16.
template <class Pixel_, int across_, bool rounds_>
struct Walk {
  using Pixel = Pixel_;
  static constexpr int across = across_, kept = across - 1, reach = 8 * (across - 1);
  static constexpr int spacing = sizeof(Pixel);
  static constexpr bool rounds = rounds_;  ///< column sums lose bits
};

/// Where a row or column beside the picture is in it, without branches: see index_beside().
struct Folding {
  int before, before_step, after, after_step;

  static Folding of(int n, Border border) {
    switch (border) {
      case Border::zero:
        return {-1, 0, -1, 0};
      case Border::mirror:
        return {0, -1, 2 * n - 2, -1};
      case Border::reflect:
        return {-1, -1, 2 * n - 1, -1};
      case Border::wrap:
        return {n, 1, -n, 1};
      default:
        return {0, 0, n - 1, 0};
    }
  }
  __device__ int index(int i, int n) const {
    const int beside = i < 0 ? before + before_step * i : after + after_step * i;
    return i >= 0 && i < n ? i : beside;
  }
};

/// What the kernel takes from the plan.
struct SmallPlan {
  Border border;
  int radius;
  Folding across, down;
  std::uint16_t column[2 * max_down], row[2 * max_across];  ///< half floats, by the distance from the result
  float column_unit, column_bias;                           ///< where column sums lose bits: see floored()
  float column_offset;                                      ///< is subtracted then
  float row_start;                                          ///< what sums along rows start with
  float row_unit, row_bias;
};

/// The rows that a warp needs, in shared memory: the last few batches of 64 bytes of each. Lanes fetch 16 bytes each;
/// byte x of a row is at x to the modulus of the ring.
template <class W>
struct RowRing {
  using Pixel = typename W::Pixel;
  static constexpr int bytes = 4 * batch_bytes;
  static constexpr int pitch = bytes + 16;  ///< so that a warp's words are in different banks
  static constexpr int window_rows = units * unit_rows;

  unsigned char* rows;
  const unsigned char* picture;
  std::uint32_t from[units];  ///< bytes from the start of the picture, of the rows that this lane fetches
  int given[units];           ///< 16, or 0 for a row that is all zeros or that no window reaches
  int first_byte;             ///< of a batch, for this lane
  int row;                    ///< the first that this lane fetches
  int row_bytes;

  __device__ RowRing(unsigned char* memory, const ImageView<const Pixel, Space::device>& in, const SmallPlan& plan,
                     int y0, int lane)
      : rows(memory),
        picture(reinterpret_cast<const unsigned char*>(in.data)),
        first_byte(group_bytes * (lane % 4)),
        row(lane / 4),
        row_bytes(in.width * W::spacing) {
    const auto pitch_bytes = static_cast<std::uint32_t>(in.pitch * W::spacing);
#pragma unroll
    for (int unit = 0; unit < units; ++unit) {
      const int down = unit * unit_rows + row - reach_down, y = y0 + down;
      const int index = plan.down.index(y, in.height);
      const bool reached = down >= -plan.radius && down < strip_rows + plan.radius && y < in.height + plan.radius;
      given[unit] = reached && index >= 0 ? group_bytes : 0;
      from[unit] = static_cast<std::uint32_t>(reached ? max(index, 0) : 0) * pitch_bytes;
    }
  }
  __device__ unsigned char* at(int row, int byte) const {
    return rows + row * pitch + (byte & (bytes - 1));
  }

  /// Batch `first`, as far as it lies before `end`; both are multiples of 16.
  __device__ void fetch(int first, int end, int width, const SmallPlan& plan) const {
    const int byte = first + first_byte;
    if (byte < end) {
      unsigned char* const to = at(row, byte);
      if (byte >= 0 && byte + group_bytes <= row_bytes) {
#pragma unroll
        for (int unit = 0; unit < units; ++unit)
          cuda::start_copy16(to + unit * unit_rows * pitch, picture + (from[unit] + static_cast<std::uint32_t>(byte)),
                             given[unit]);
      } else {
        fetch_beside(to, byte, width, plan);
      }
    }
    cuda::close_copy_group();
  }
  /// Words of which some pixels lie outside of the picture.
  __device__ void fetch_beside(unsigned char* to, int byte, int width, const SmallPlan& plan) const {
    constexpr int pixels = 4 / W::spacing;  // of a word
#pragma unroll 1
    for (int i = 0; i < group_bytes; i += 4) {
      const int x = (byte + i) / W::spacing;  // both are multiples of 4
      if (x + pixels <= -plan.radius || x >= width + plan.radius) continue;
      std::uint32_t word[units] = {};
#pragma unroll
      for (int k = 0; k < pixels; ++k) {
        const int column = plan.across.index(x + k, width);
        if (column < 0 || column >= width) continue;  // zeros, or not reached by a window
#pragma unroll
        for (int unit = 0; unit < units; ++unit) {
          const unsigned char* const pixel = picture + (from[unit] + static_cast<std::uint32_t>(column * W::spacing));
          if (given[unit] == 0) continue;
          if constexpr (W::spacing == 1)
            word[unit] |= static_cast<std::uint32_t>(*pixel) << 8 * k;
          else
            word[unit] = load_words<1>(pixel).word[0];
        }
      }
#pragma unroll
      for (int unit = 0; unit < units; ++unit)
        *reinterpret_cast<std::uint32_t*>(to + unit * unit_rows * pitch + i) = word[unit];
    }
  }
};

}  // namespace threadscape::separable
