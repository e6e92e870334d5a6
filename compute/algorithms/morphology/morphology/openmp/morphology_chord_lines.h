#pragma once
// Elements with one chord per row, as the OpenMP backend works on them: chords of one length are made once per row of
// the picture, and those that lie below each other are taken together.

#include <algorithm>
#include <vector>

#include "compute/algorithms/morphology/morphology/morphology_element.h"

namespace threadscape::morphology {

/// `rows` equal chords below each other, from row `first` of the window on.
struct ChordBlock {
  int line = 0;   ///< index of their length
  int shift = 0;  ///< in pixels, from the window's left edge
  int first = 0, rows = 0;

  [[nodiscard]] int kind() const { return std::min(rows, 3); }
};

struct ChordLines {
  static constexpr int most = 16;
  /// The distinct lengths, ascending, after 1.
  std::vector<int> lengths{1};
  /// By rows: those of one row, of two, of three and more.
  std::vector<ChordBlock> blocks;

  /// Without blocks where rows have no chord or several, or where there are too many lengths to keep in a near cache.
  explicit ChordLines(const Window& window) {
    if (static_cast<int>(window.chords.size()) != window.height) return;
    for (const Chord& chord : window.chords)
      lengths.push_back(chord.length);
    std::sort(lengths.begin(), lengths.end());
    lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
    if (static_cast<int>(lengths.size()) > most) return;
    for (const Chord& chord : window.chords) {
      const int row = chord.dy - window.top;
      ChordBlock block{index_of(chord.length), chord.dx - window.left, row, 1};
      if (!blocks.empty() && blocks.back().first + blocks.back().rows != row) {
        blocks.clear();
        return;
      }
      if (!blocks.empty() && blocks.back().line == block.line && blocks.back().shift == block.shift)
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
