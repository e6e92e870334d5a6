#pragma once
// Elements with one chord per row, prepared for the OpenMP backend: maxima over each chord length are computed once per
// row of the picture, and equal chords of neighbouring rows are combined in blocks.
//
// element        blocks
// . x x x .      length 3, shift 1, first 0, rows 1
// x x x x x      length 5, shift 0, first 1, rows 2
// x x x x x
// . x x x .      length 3, shift 1, first 3, rows 1

#include <algorithm>
#include <vector>

#include "compute/algorithms/morphology/morphology/morphology_element.h"

namespace threadscape::morphology {

/// `rows` equal chords in neighbouring rows, from row `first` of the window on.
struct ChordBlock {
  int length_index = 0;  ///< Index of their length in ChordLines::lengths.
  int shift = 0;         ///< First column in pixels from the window's left edge.
  int first = 0, rows = 0;

  [[nodiscard]] int kind() const { return std::min(rows, 3); }
};

struct ChordLines {
  static constexpr int max_lengths = 16;
  /// The distinct lengths in ascending order, after 1.
  std::vector<int> lengths{1};
  /// Blocks of one row, then of two rows, then of three and more.
  std::vector<ChordBlock> blocks;

  /// Leaves the blocks empty where rows have no chord or several, or where there are too many lengths to keep in a near
  /// cache.
  explicit ChordLines(const Window& window) {
    if (static_cast<int>(window.chords.size()) != window.height) return;
    for (const Chord& chord : window.chords)
      lengths.push_back(chord.length);
    std::sort(lengths.begin(), lengths.end());
    lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
    if (static_cast<int>(lengths.size()) > max_lengths) return;
    for (const Chord& chord : window.chords) {
      const int row = chord.dy - window.top;
      ChordBlock block{index_of(chord.length), chord.dx - window.left, row, 1};
      if (!blocks.empty() && blocks.back().first + blocks.back().rows != row) {
        blocks.clear();
        return;
      }
      if (!blocks.empty() && blocks.back().length_index == block.length_index && blocks.back().shift == block.shift)
        ++blocks.back().rows;
      else
        blocks.push_back(block);
    }
    std::stable_sort(blocks.begin(), blocks.end(),
                     [](const ChordBlock& a, const ChordBlock& b) { return a.kind() < b.kind(); });
  }
  [[nodiscard]] int index_of(int length) const {
    return static_cast<int>(std::lower_bound(lengths.begin(), lengths.end(), length) - lengths.begin());
  }
  [[nodiscard]] bool usable() const { return !blocks.empty(); }
};

}  // namespace threadscape::morphology
