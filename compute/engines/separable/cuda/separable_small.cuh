#pragma once
// Parts of separable_small.cu: the plan in the form that its kernel takes, and the ring buffer in shared memory through
// which the rows of a warp's strip pass.
//
//   shared memory of a warp: 24 rows x 256 bytes; byte x of a row is at x modulo 256
//
//             batch 0     batch 1     batch 2     batch 3         a lane copies 16 bytes of 3 rows per batch:
//   row  0   |  64 bytes |           |           |           |      lane  0   1   2   3      row  0, 8, 16
//   ...      |  being    |   ready   |  on their way by      |      lane  4   5   6   7      row  1, 9, 17
//   row 23   |  summed   |           |  cp.async |           |      ...

#include <algorithm>
#include <cstdint>

#include "compute/engines/patches/packed_patch.h"
#include "compute/engines/separable/cuda/separable_cuda.h"
#include "compute/gpu/async_copy.cuh"

namespace threadscape::separable {

inline constexpr int warps_per_block = 4, blocks_at_once = 5;
inline constexpr int group_bytes = 16, step_bytes = 2 * group_bytes, batch_bytes = 2 * step_bytes;
inline constexpr int reach_down = 4;                                   ///< Rows of halo above and below a strip.
inline constexpr int units = 3, unit_rows = 8;                         ///< A strip with its halo is 3 units of 8 rows.
inline constexpr int small_rows = units * unit_rows - 2 * reach_down;  ///< Rows of results of a strip.
static_assert(small_rows == 16 && unit_rows == 8,
              "fragments of tensor cores have 16 rows of results, from two units of 8 rows");
/// Bounds of the distance, in rows and in bytes, between a result and a value in the band matrices.
inline constexpr int max_down = small_rows + reach_down, max_across = 2 * group_bytes;
inline constexpr int max_fp16_integer = 2048;  ///< fp16 holds every integer up to here.
inline constexpr float pixel_bias = 1024.0f;   ///< Pixel p is the fp16 number 1024 + p: the byte p beside 0x64.

/// The constants of a kernel. 16 bytes of results need `across` groups of 16 bytes of column sums: their windows reach
/// 8 (across - 1) bytes beyond them on either side.
template <class Pixel_, int across_, bool rounds_>
struct Walk {
  using Pixel = Pixel_;
  static constexpr int across = across_, kept = across - 1, reach = 8 * (across - 1);
  static constexpr int spacing = sizeof(Pixel);  ///< Bytes between taps.
  static constexpr bool rounds = rounds_;        ///< Column sums are rounded (Plan::shift is not 0).
};

/// The parts of a plan that the kernel uses, as it uses them.
struct SmallPlan {
  Border border;
  int radius;
  BorderLines across, down;                                 ///< For columns and for rows.
  std::uint16_t column[2 * max_down], row[2 * max_across];  ///< Taps as fp16, by max + distance from the result.
  float column_unit, column_bias;                           ///< Rounding of column sums by floored(), if they round.
  float column_offset;                                      ///< Subtracted from column sums after their rounding.
  float row_start;                                          ///< The number that window sums start from.
  float row_unit, row_bias;                                 ///< Rounding of window sums by floored().
};

/// The rows of a warp's strip and its halo in shared memory, the last four batches of 64 bytes of each: see the drawing
/// above. A lane copies 16 bytes of one row of each unit.
template <class W>
struct RowRing {
  using Pixel = typename W::Pixel;
  static constexpr int bytes = 4 * batch_bytes;
  static_assert((bytes & (bytes - 1)) == 0, "places in the window wrap by a mask of bits");
  static constexpr int pitch = bytes + 16;  ///< The 16 bytes keep a warp's words in different banks.
  static constexpr int window_rows = units * unit_rows;

  unsigned char* rows;
  const unsigned char* picture;
  std::uint32_t from[units];  ///< Offsets in bytes, in the picture, of the rows that this lane copies.
  int given[units];           ///< Bytes to read: 16, or 0 for a row that is all zeros or that no window reaches.
  int first_byte;             ///< Offset in a batch of the 16 bytes that this lane copies.
  int row;                    ///< Row of unit 0 that this lane copies.
  int row_bytes;              ///< Bytes of a row of the picture.

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
      const bool reached = down >= -plan.radius && down < small_rows + plan.radius && y < in.height + plan.radius;
      given[unit] = reached && index >= 0 ? group_bytes : 0;
      from[unit] = static_cast<std::uint32_t>(reached ? max(index, 0) : 0) * pitch_bytes;
    }
  }
  /// The place of a byte of a row in the ring.
  __device__ unsigned char* at(int row, int byte) const {
    return rows + row * pitch + (byte & (bytes - 1));
  }

  /// Starts the copies of the batch that begins at byte `first`, up to byte `end`; both are multiples of 16. Every call
  /// closes one group of asynchronous copies.
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
  /// Writes 16 bytes of which some pixels lie outside the picture, word by word.
  __device__ void fetch_beside(unsigned char* to, int byte, int width, const SmallPlan& plan) const {
    constexpr int pixels = 4 / W::spacing;  // Number of pixels in a word.
#pragma unroll 1
    for (int i = 0; i < group_bytes; i += 4) {
      const int x = (byte + i) / W::spacing;  // exact for negative bytes as well: byte and i are multiples of 4
      if (x + pixels <= -plan.radius || x >= width + plan.radius) continue;
      std::uint32_t word[units] = {};
#pragma unroll
      for (int k = 0; k < pixels; ++k) {
        const int column = plan.across.index(x + k, width);
        if (column < 0 || column >= width) continue;  // Border::zero, or no window reaches it
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
