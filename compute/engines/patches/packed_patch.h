#pragma once
// The patch of the picture that one thread of a `tiled` CUDA kernel computes. It lives in registers as 32-bit words of
// four bytes, four neighbouring pixels of one plane each, so all its loops are unrolled. With words = 2, rows = 2 and
// radius = 1 a plane of a patch is
//
//             word 0       word 1       word 2       word 3
//            +------------+------------+------------+------------+
//   row 0    | . . . o    | o o o o    | o o o o    | o . . .    |     o   pixels that the windows reach
//   row 1    | . . . o    | X X X X    | X X X X    | o . . .    |     X   pixels whose results the thread computes
//   row 2    | . . . o    | X X X X    | X X X X    | o . . .    |     .   pixels that are loaded, but not used
//   row 3    | . . . o    | o o o o    | o o o o    | o . . .    |
//            +------------+------------+------------+------------+
//                          ^ column PatchPlace::x, a multiple of 4 * words
//
// Colour pixels are read four at a time, and transposed to one word per plane.
//
// Everything here compiles for the host as well: tests run the threads of the kernels there, one after the other.

#include "compute/kernel/planes.h"
#include "compute/kernel/std.h"

#if defined(__CUDA_ARCH__)
#define TS_UNROLL _Pragma("unroll")
#else
#define TS_UNROLL
#endif
#if defined(__CUDACC__)
#define TS_NOINLINE __noinline__
#else
#define TS_NOINLINE
#endif

namespace threadscape {

/// Neighbouring words that are loaded or stored by one instruction.
template <int words>
struct alignas(4 * words) WordGroup {
  std::uint32_t word[words];
};

/// Loads 1, 2 or 4 words from an address that is a multiple of their size.
template <int words>
TS_HD inline WordGroup<words> load_words(const void* from) {
  WordGroup<words> group;
#if defined(__CUDA_ARCH__)
  // Through the read-only cache: the compiler may then move loads past stores.
  if constexpr (words == 4) {
    const uint4 v = __ldg(static_cast<const uint4*>(from));
    group = {v.x, v.y, v.z, v.w};
  } else if constexpr (words == 2) {
    const uint2 v = __ldg(static_cast<const uint2*>(from));
    group = {v.x, v.y};
  } else {
    group = {__ldg(static_cast<const unsigned*>(from))};
  }
#else
  std::memcpy(&group, from, sizeof(group));
#endif
  return group;
}

/// Four of the eight bytes of (a, b), as the PRMT instruction picks them: nibble i of `pick` is the index of byte i of
/// the result, where 0 .. 3 are the bytes of `a` from the lowest on, and 4 .. 7 those of `b`.
TS_HD inline std::uint32_t pick_bytes(std::uint32_t a, std::uint32_t b, std::uint32_t pick) {
#if defined(__CUDA_ARCH__)
  return __byte_perm(a, b, pick);
#else
  const std::uint64_t both = static_cast<std::uint64_t>(b) << 32 | a;
  std::uint32_t result = 0;
  for (int i = 0; i < 4; ++i)
    result |= static_cast<std::uint32_t>(both >> (pick >> 4 * i & 7) * 8 & 0xff) << 8 * i;
  return result;
#endif
}

/// The transpose of a 4 x 4 matrix of bytes whose rows are the words: four RGBA pixels become their planes, and back.
TS_HD inline WordGroup<4> transpose(const WordGroup<4>& v) {
  // NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): the analyzer does not see that a memcpy has filled the words.
  const std::uint32_t low01 = pick_bytes(v.word[0], v.word[1], 0x5140),
                      high01 = pick_bytes(v.word[0], v.word[1], 0x7362);
  const std::uint32_t low23 = pick_bytes(v.word[2], v.word[3], 0x5140),
                      high23 = pick_bytes(v.word[2], v.word[3], 0x7362);
  return {pick_bytes(low01, low23, 0x5410), pick_bytes(low01, low23, 0x7632), pick_bytes(high01, high23, 0x5410),
          pick_bytes(high01, high23, 0x7632)};
}

/// Four neighbouring pixels as one word per plane; `kept` holds alpha, which belongs to no plane.
template <class P>
struct FourPixels {
  std::uint32_t plane[P::count];
  std::uint32_t kept;
};

/// The planes of four RGBA pixels.
template <class P>
TS_HD inline FourPixels<P> split_pixels(const WordGroup<4>& pixels) {
  const WordGroup<4> planes = transpose(pixels);
  FourPixels<P> result;
  result.kept = planes.word[3];
  if constexpr (P::count == 3) {
    TS_UNROLL
    for (int i = 0; i < 3; ++i)
      result.plane[i] = planes.word[i];
  } else {
    result.plane[0] = 0;
    TS_UNROLL
    for (int i = 0; i < 4; ++i) {
      const std::uint32_t p = pixels.word[i];
      const Rgba8 pixel{static_cast<std::uint8_t>(p), static_cast<std::uint8_t>(p >> 8),
                        static_cast<std::uint8_t>(p >> 16), 0};
      result.plane[0] |= static_cast<std::uint32_t>(luma(pixel)) << 8 * i;
    }
  }
  return result;
}

/// border_index(), called instead of inlined: code for the border runs rarely, and would be most of the kernel.
TS_HD TS_NOINLINE inline int outside_index(int i, int n, Border border) {
  return border_index(i, n, border);
}
/// border_index() that costs a call only for an index outside of 0 .. n - 1.
TS_HD inline int near_index(int i, int n, Border border) {
  return i >= 0 && i < n ? i : outside_index(i, n, border);
}

/// The place of a thread's patch in the picture, and how it may be read.
struct PatchPlace {
  int x, y;  ///< The first pixel whose result is computed; x is a multiple of 4 * words.
  Border border;
  bool aligned;  ///< Rows of the picture start at multiples of 16 bytes.
};

/// Patches are computed by one of two kernels, as PackedPatch::is_inner() decides. In a single kernel the calls of the
/// code for the border would cost all other patches registers and time. That code is slow as well, so patches at the
/// border are as small as they can be, one word of one row, and many threads share the work.
enum class PatchPart { inner, border };

/// A patch of 4 * words_ x rows_ results, with the pixels around them that windows of this radius reach; radius_ is at
/// most 4.
template <class P, int words_, int rows_, int radius_>
struct PackedPatch {
  using PlanesOfPixel = P;
  using Pixel = typename P::Pixel;
  static constexpr int words = words_, rows = rows_, radius = radius_;
  static constexpr int width = 4 * words;
  static constexpr bool grey = sizeof(Pixel) == 1;

  static constexpr int all_rows = rows + 2 * radius;

  std::uint32_t word[P::count][all_rows][words + 2];  ///< Pixels by plane and row; word[..][..][1] starts at column x.
  std::uint32_t kept[rows][words];                    ///< Alpha of the patch itself; unused for grey pictures.

  /// Returns whether load_inner() can load the patch: rows are read and written in whole groups of words, and only the
  /// rows above and below and the words to the left and right of the patch may lie outside of the picture. This holds
  /// for nearly all patches, and their code contains no calls.
  template <class View, class Store>
  TS_HD static bool is_inner(const View& in, const PatchPlace& at, const Store& store) {
    const bool columns_inside = at.x >= 4 && at.x + width + 4 <= in.width;
    return at.aligned && store.wide() && at.x + width <= in.width && in.width >= 16 && in.height >= 16 &&
           (at.border != Border::valid || (columns_inside && rows_inside(in, at)));
  }
  /// Loads a patch for which is_inner() holds.
  template <class View>
  TS_HD void load_inner(const View& in, const PatchPlace& at) {
    const bool left = at.x >= 4, right = at.x + width + 4 <= in.width, inside = rows_inside(in, at);
    int y[all_rows];
    TS_UNROLL
    for (int r = 0; r < all_rows; ++r)
      y[r] = at.y + r - radius;
    if (!inside) {
      TS_UNROLL
      for (int r = 0; r < all_rows; ++r)
        y[r] = index_beside(y[r], in.height, at.border);
    }
    TS_UNROLL
    for (int r = 0; r < all_rows; ++r)
      load_row_inner(in.row(y[r] < 0 ? 0 : y[r]) + at.x, r, left, right);
    if (!left) load_outer_words(in, at, y, 0, at.x - 4);
    if (!right) load_outer_words(in, at, y, words + 1, at.x + width);
    if (!inside && at.border == Border::zero) {
      TS_UNROLL
      for (int r = 0; r < all_rows; ++r) {
        if (y[r] >= 0) continue;
        TS_UNROLL
        for (int i = 0; i < P::count * (words + 2); ++i)
          word[i / (words + 2)][r][i % (words + 2)] = 0;
      }
    }
  }
  /// Loads any patch, slowly.
  template <class View>
  TS_HD void load(const View& in, const PatchPlace& at) {
    TS_UNROLL
    for (int r = 0; r < all_rows; ++r)
      load_row_anywhere(in, at, r);
  }

 private:
  template <class View>
  TS_HD static bool rows_inside(const View& in, const PatchPlace& at) {
    return at.y >= radius && at.y + rows + radius <= in.height;
  }
  TS_HD void put(int r, int w, const FourPixels<P>& four) {
    TS_UNROLL
    for (int plane = 0; plane < P::count; ++plane)
      word[plane][r][w] = four.plane[plane];
    if (!grey && r >= radius && r < radius + rows && w >= 1 && w <= words) kept[r - radius][w - 1] = four.kept;
  }
  /// Loads row r of the patch, whose own pixels start at `first`. `left` and `right` say whether the outer words lie
  /// inside the picture as well.
  TS_HD void load_row_inner(const Pixel* first, int r, bool left, bool right) {
    if constexpr (grey) {
      word[0][r][0] = left ? load_words<1>(first - 4).word[0] : 0;
      const auto own = load_words<words>(first);
      TS_UNROLL
      for (int w = 0; w < words; ++w)
        word[0][r][w + 1] = own.word[w];
      word[0][r][words + 1] = right ? load_words<1>(first + width).word[0] : 0;
    } else {
      TS_UNROLL
      for (int w = 0; w < words + 2; ++w)
        if ((w > 0 || left) && (w <= words || right)) put(r, w, split_pixels<P>(load_words<4>(first + 4 * (w - 1))));
    }
  }
  /// Loads word `w` of all rows, whose four pixels start at column x and lie at least partly outside of the picture.
  /// Only the `radius` pixels that a window reaches are read; the columns that they are read from are the same in every
  /// row.
  template <class View>
  TS_HD void load_outer_words(const View& in, const PatchPlace& at, const int (&y)[all_rows], int w, int x) {
    const int first = w == 0 ? 4 - radius : 0;
    int column[radius];
    TS_UNROLL
    for (int i = 0; i < radius; ++i)
      column[i] = index_beside(x + first + i, in.width, at.border);
    TS_UNROLL
    for (int r = 0; r < all_rows; ++r) {
      const Pixel* row = in.row(y[r] < 0 ? 0 : y[r]);
      WordGroup<4> pixels{};
      TS_UNROLL
      for (int i = 0; i < radius; ++i) {
        if (column[i] < 0) continue;
        if constexpr (grey)
          pixels.word[0] |= static_cast<std::uint32_t>(row[column[i]]) << 8 * (first + i);
        else
          pixels.word[first + i] = load_words<1>(row + column[i]).word[0];
      }
      if constexpr (grey)
        word[0][r][w] = pixels.word[0];
      else
        put(r, w, split_pixels<P>(pixels));
    }
  }
  template <class View>
  TS_HD void load_row_anywhere(const View& in, const PatchPlace& at, int r) {
    const int y = near_index(at.y + r - radius, in.height, at.border);
    TS_UNROLL
    for (int w = 0; w < words + 2; ++w) {
      FourPixels<P> four{};
      const int x = at.x + 4 * (w - 1);
      if (y >= 0) {
        if (at.aligned && x >= 0 && x + 4 <= in.width) {
          if constexpr (grey)
            four.plane[0] = load_words<1>(in.row(y) + x).word[0];
          else
            four = split_pixels<P>(load_words<4>(in.row(y) + x));
        } else {
          four = gather(in, x, y, at.border);
        }
      }
      put(r, w, four);
    }
  }
  /// Four pixels from column x on, read one by one; each of them may lie outside of the picture.
  template <class View>
  TS_HD TS_NOINLINE static FourPixels<P> gather(View in, int x, int y, Border border) {
    WordGroup<4> pixels{};
    const Pixel* row = in.row(y);
    TS_UNROLL
    for (int i = 0; i < 4; ++i) {
      const int column = near_index(x + i, in.width, border);
      if (column < 0) continue;
      if constexpr (grey)
        pixels.word[0] |= static_cast<std::uint32_t>(row[column]) << 8 * i;
      else
        pixels.word[i] = load_words<1>(row + column).word[0];
    }
    if constexpr (grey)
      return {{pixels.word[0]}, 0};
    else
      return split_pixels<P>(pixels);
  }
};

/// The type of the patches of `part`, where those inside have the type Inner.
template <PatchPart part, class Inner>
using PatchOf = std::conditional_t<part == PatchPart::inner, Inner,
                                   PackedPatch<typename Inner::PlanesOfPixel, 1, 1, Inner::radius>>;

/// Returns whether the patch at `at`, a PatchOf<part, Inner>, lies in the picture and belongs to `part`.
template <PatchPart part, class Inner, class View, class Store>
TS_HD bool belongs_to(const View& in, const PatchPlace& at, const Store& store) {
  if (at.x >= in.width || at.y >= in.height) return false;
  PatchPlace whole = at;  // the place of the inner patch that contains it
  whole.x -= whole.x % Inner::width;
  whole.y -= whole.y % Inner::rows;
  return Inner::is_inner(in, whole, store) == (part == PatchPart::inner);
}

/// Stores four pixels one by one: only those inside the picture, and with Border::valid the input pixel where the
/// window reaches out of the picture.
template <class Pixel, class View, class Store>
TS_HD TS_NOINLINE void store_pixels(View in, int x, int y, int radius, Border border, WordGroup<sizeof(Pixel)> pixels,
                                    Store store) {
  TS_UNROLL
  for (int i = 0; i < 4; ++i) {
    if (x + i >= in.width) return;
    Pixel pixel;
    if constexpr (sizeof(Pixel) == 1) {
      pixel = static_cast<Pixel>(pixels.word[0] >> 8 * i);
    } else {
      const std::uint32_t p = pixels.word[i];
      pixel = {static_cast<std::uint8_t>(p), static_cast<std::uint8_t>(p >> 8), static_cast<std::uint8_t>(p >> 16),
               static_cast<std::uint8_t>(p >> 24)};
    }
    if (border == Border::valid && window_leaves(x + i, y, in.width, in.height, radius)) pixel = in(x + i, y);
    store.store(x + i, y, pixel);
  }
}

/// store_row() for a patch for which is_inner() holds.
template <class Patch, class P, class Store>
TS_HD void store_inner_row(const PatchPlace& at, int height, int row,
                           const std::uint32_t (&result)[P::count][Patch::words],
                           const std::uint32_t (&kept)[Patch::words], const Store& store) {
  const int y = at.y + row;
  if (y >= height) return;
  if constexpr (Patch::grey) {
    WordGroup<Patch::words> pixels;
    TS_UNROLL
    for (int w = 0; w < Patch::words; ++w)
      pixels.word[w] = result[0][w];
    store.store_wide(at.x, y, pixels);
  } else {
    constexpr int green = P::count == 3 ? 1 : 0, blue = P::count == 3 ? 2 : 0;
    TS_UNROLL
    for (int w = 0; w < Patch::words; ++w)
      store.store_wide(at.x + 4 * w, y, transpose({result[0][w], result[green][w], result[blue][w], kept[w]}));
  }
}

/// Stores one row of the results of a patch: `result` has one word per plane for every four pixels, and `kept` is
/// alpha, as in PackedPatch.
template <class Patch, class P, class View, class Store>
TS_HD void store_row(const View& in, const PatchPlace& at, int row,
                     const std::uint32_t (&result)[P::count][Patch::words], const std::uint32_t (&kept)[Patch::words],
                     const Store& store) {
  using Pixel = typename P::Pixel;
  const int y = at.y + row;
  if (y >= in.height) return;
  const bool whole =
      at.x + Patch::width <= in.width && store.wide() &&
      !(at.border == Border::valid && (window_leaves(at.x, y, in.width, in.height, Patch::radius) ||
                                       window_leaves(at.x + Patch::width - 1, y, in.width, in.height, Patch::radius)));
  if constexpr (Patch::grey) {
    WordGroup<Patch::words> pixels;
    TS_UNROLL
    for (int w = 0; w < Patch::words; ++w)
      pixels.word[w] = result[0][w];
    if (whole) return store.store_wide(at.x, y, pixels);
    TS_UNROLL
    for (int w = 0; w < Patch::words; ++w)
      store_pixels<Pixel>(in, at.x + 4 * w, y, Patch::radius, at.border, WordGroup<1>{pixels.word[w]}, store);
  } else {
    constexpr int green = P::count == 3 ? 1 : 0, blue = P::count == 3 ? 2 : 0;
    TS_UNROLL
    for (int w = 0; w < Patch::words; ++w) {
      const WordGroup<4> pixels = transpose({result[0][w], result[green][w], result[blue][w], kept[w]});
      if (whole)
        store.store_wide(at.x + 4 * w, y, pixels);
      else
        store_pixels<Pixel>(in, at.x + 4 * w, y, Patch::radius, at.border, pixels, store);
    }
  }
}

}  // namespace threadscape
