#pragma once
// The frame of all `tiled` CUDA kernels: a thread loads its patch, a filter makes results of it, and they are stored. A
// filter of patches is a value that kernels take as an argument:
//
//   struct MyPatches {
//     static constexpr int radius = 1;                      // at most 4
//     template <class P> using Size = UsualPatchSize<P>;    // how much one thread does
//     // Calls store_result(row, result) with a word per plane and four pixels for every row of the patch.
//     template <class Patch, class StoreResult>
//     TS_HD void results_of(const Patch& patch, const StoreResult& store_result) const;
//   };
//
// Compiles for the host as well: tests run it there for every thread of a grid. A chain of filters calls results_of()
// for patches of its own, see compute/algorithms/filters/chain/chain_fused.h.

#include "compute/engines/patches/packed_patch.h"

namespace threadscape {

/// Patches of 16x4 grey pixels, or of 4x4 in colour.
template <class P>
struct UsualPatchSize {
  static constexpr int words = sizeof(typename P::Pixel) == 1 ? 4 : 1;
  static constexpr int rows = 4;
};

/// The patches that nearly all threads of a filter work on, see PatchPart.
template <class Filter, class P>
using InnerPatchOf = PackedPatch<P, Filter::template Size<P>::words, Filter::template Size<P>::rows, Filter::radius>;

/// Thread (column, row) of the grid, if its patch belongs to `part`.
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
