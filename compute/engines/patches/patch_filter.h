#pragma once
// The frame of all `tiled` CUDA kernels: every thread loads the patch of its place in the grid, a filter computes
// results from it, and they are stored.
//
//   picture, grey                                a thread's patch (packed_patch.h)
//   +--------+--------+--------+--               16 x 4 results in 16 words, read with `radius` pixels around them
//   | thread |        |        |
//   | (0, 0) | (1, 0) | (2, 0) |                 in colour 4 x 4 results, one word per plane and row
//   +--------+--------+--------+--
//   | (0, 1) | (1, 1) |
//
// A filter of patches is a value that kernels take as an argument:
//
//   struct MyPatches {
//     static constexpr int radius = 1;                      // at most 4
//     template <class P> using Size = UsualPatchSize<P>;    // words and rows of a thread's patch
//     // Calls store_result(row, result) for every row of the patch, with one word per plane for every four pixels.
//     template <class Patch, class StoreResult>
//     TS_HD void results_of(const Patch& patch, const StoreResult& store_result) const;
//   };
//
// Everything here compiles for the host as well: tests run it there for every thread of a grid.

#include "compute/engines/patches/packed_patch.h"

namespace threadscape {

/// Patches of 16 x 4 pixels in grey pictures, and of 4 x 4 pixels in colour.
template <class P>
struct UsualPatchSize {
  static constexpr int words = sizeof(typename P::Pixel) == 1 ? 4 : 1;
  static constexpr int rows = 4;
};

/// The type of the patches that nearly all threads of a filter compute: PatchPart::inner.
template <class Filter, class P>
using InnerPatchOf = PackedPatch<P, Filter::template Size<P>::words, Filter::template Size<P>::rows, Filter::radius>;

/// The work of thread (column, row) of the grid; it returns at once if its patch does not belong to `part`.
template <class P, PatchPart part, class Filter, class View, class Store>
TS_HD void filter_patch(int column, int row, const View& in, Border border, bool aligned, const Filter& filter,
                        const Store& store) {
  using Inner = InnerPatchOf<Filter, P>;
  using Patch = PatchOf<part, Inner>;
  const PatchPlace at{column * Patch::width, row * Patch::rows, border, aligned};
  if (!belongs_to<part, Inner>(in, at, store)) return;

  Patch patch;
  if constexpr (part == PatchPart::inner)
    patch.load_inner(in, at);
  else
    patch.load(in, at);
  filter.results_of(patch, [&](int r, const std::uint32_t(&result)[P::count][Patch::words]) {
    if constexpr (part == PatchPart::inner)
      store_inner_row<Patch, P>(at, in.height, r, result, patch.kept[r], store);
    else
      store_row<Patch, P>(in, at, r, result, patch.kept[r], store);
  });
}

}  // namespace threadscape
