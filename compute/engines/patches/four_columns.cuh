#pragma once
// Four neighbouring values of one plane at a time: how CUDA kernels with tiles of any radius read a picture and write
// their results.
//
//   a thread            columns x .. x + 3 of a row, x a multiple of 4 from the corner of the tile
//   inside the picture  one load of 4 bytes (grey), or of 16 (RGBA bytes, of which one plane is picked; floats)
//   at the border       four loads; where they read is looked up in TilePlaces, once per column and row of the tile

#include <type_traits>

#include "compute/engines/patches/packed_patch.h"

namespace threadscape {

/// Four values that are loaded from shared memory by one instruction.
template <class T>
struct alignas(16) Quad {
  T value[4];
};

/// The values of one plane of four 8-bit pixels as one word.
template <class P>
TS_HD std::uint32_t plane_word(const typename P::Pixel* pixels, int plane) {
  if constexpr (sizeof(typename P::Pixel) == 1) {
    return load_words<1>(pixels).word[0];
  } else if constexpr (P::count == 1) {
    return split_pixels<P>(load_words<4>(pixels)).plane[0];
  } else {
    const WordGroup<4> v = load_words<4>(pixels);
    const std::uint32_t pick = 0x40 + 0x11 * static_cast<std::uint32_t>(plane);
    return pick_bytes(pick_bytes(v.word[0], v.word[1], pick), pick_bytes(v.word[2], v.word[3], pick), 0x5410);
  }
}

/// The columns and rows of the picture that a block's tile and its halo are read from; -1 stands for zeros. It lies in
/// shared memory, so the border is looked up once per column and row.
template <int columns, int rows>
struct TilePlaces {
  int column[columns], row[rows];

  /// Fills the arrays for a tile whose corner is (left, top). All threads of the block take part, and the caller
  /// synchronises.
  __device__ void fill(int left, int top, int width, int height, Border border, int thread, int threads) {
    for (int i = thread; i < columns; i += threads)
      column[i] = border_index(left + i, width, border);
    for (int i = thread; i < rows; i += threads)
      row[i] = border_index(top + i, height, border);
  }
};

/// Reads columns x .. x + 3 of rows; x is a multiple of 4, and `places` are the columns of the picture that they stand
/// for.
template <class P>
struct FourColumns {
  using Pixel = typename P::Pixel;
  const int* places;
  int x;
  bool whole;  ///< All four columns are inside and aligned for one load.

  /// `aligned` says that rows of the picture start at multiples of 16 bytes.
  __device__ FourColumns(const int* places_, int x_, int width, bool aligned)
      : places(places_), x(x_), whole(aligned && x >= 0 && x + 4 <= width) {}

  /// The values of one plane as floats; zeros outside of the picture.
  __device__ Quad<float> floats(const Pixel* row, int plane) const {
    Quad<float> values;
    if constexpr (std::is_same_v<typename P::Value, std::uint8_t>) {
      if (whole) {
        const std::uint32_t word = plane_word<P>(row + x, plane);
        TS_UNROLL
        for (int i = 0; i < 4; ++i)
          values.value[i] = static_cast<float>(word >> 8 * i & 0xff);
        return values;
      }
    } else if constexpr (std::is_same_v<Pixel, float>) {
      if (whole) return *reinterpret_cast<const Quad<float>*>(row + x);
    }
    TS_UNROLL
    for (int i = 0; i < 4; ++i)
      values.value[i] = places[i] < 0 ? 0.0f : static_cast<float>(P::get(row[places[i]], plane));
    return values;
  }
  /// The values of one plane of an 8-bit picture as one word; zeros outside of the picture.
  __device__ std::uint32_t word(const Pixel* row, int plane) const {
    if (whole) return plane_word<P>(row + x, plane);
    std::uint32_t word = 0;
    TS_UNROLL
    for (int i = 0; i < 4; ++i)
      if (places[i] >= 0) word |= static_cast<std::uint32_t>(P::get(row[places[i]], plane)) << 8 * i;
    return word;
  }
};

/// A pixel in registers, whose planes are set one after another: the four bytes of Rgba8 are one word.
template <class Pixel>
using PackedPixel = std::conditional_t<std::is_same_v<Pixel, Rgba8>, std::uint32_t, Pixel>;

/// Stores four neighbouring pixels of row y from column x on; those beyond the width of the picture are left out.
template <class Pixel, class Store>
__device__ void store_four(const Store& store, int x, int y, int width, const PackedPixel<Pixel> (&pixels)[4]) {
  if (sizeof(Pixel) <= 4 && store.wide() && x + 4 <= width) {
    if constexpr (sizeof(Pixel) == 1)
      return store.store_wide(
          x, y,
          WordGroup<1>{{pixels[0] | static_cast<std::uint32_t>(pixels[1]) << 8 |
                        static_cast<std::uint32_t>(pixels[2]) << 16 | static_cast<std::uint32_t>(pixels[3]) << 24}});
    else if constexpr (std::is_same_v<Pixel, Rgba8>)
      return store.store_wide(x, y, WordGroup<4>{{pixels[0], pixels[1], pixels[2], pixels[3]}});
  }
  TS_UNROLL
  for (int i = 0; i < 4; ++i)
    if (x + i < width) store.store(x + i, y, __builtin_bit_cast(Pixel, pixels[i]));
}

}  // namespace threadscape
