// Flat elements with one chord per row, in a tile (Google Highway, compiled once per instruction set: no #pragma once).
//
// For every row of the picture the maxima over all chord lengths are computed, each from those of a shorter length.
// Four rows of results are made together, because most of their operands are the same:
//
// block of 3 rows, shifted by 0     result rows     operands (rows of the same length)
//                                        0          r0 r1 r2
//                                        1             r1 r2 r3
//                                        2                r2 r3 r4
//                                        3                   r3 r4 r5
//
// A lane is one sample (one channel of a pixel). Two vectors per row, so eight accumulators, are in registers.

#if defined(THREADSCAPE_MORPHOLOGY_CHORDS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef THREADSCAPE_MORPHOLOGY_CHORDS_INL_H_
#undef THREADSCAPE_MORPHOLOGY_CHORDS_INL_H_
#else
#define THREADSCAPE_MORPHOLOGY_CHORDS_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>

#include "compute/algorithms/morphology/morphology/openmp/morphology_chord_lines.h"
#include "compute/algorithms/morphology/morphology/openmp/morphology_rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace threadscape::morphology {
namespace HWY_NAMESPACE {

template <class Value>
class ChordTile : private TileRows<Value> {
  using Base = TileRows<Value>;
  using Base::channels_;
  using Base::pass_;
  using typename Base::Key;

 public:
  ChordTile(const Pass& pass, const ChordLines& lines, Key* memory, std::ptrdiff_t pitch)
      : Base(pass), window_(*pass.steps[0].window), lines_(lines), intermediate_{memory, pitch} {
    for (std::size_t i = 0; i < lines_.blocks.size() && lines_.blocks[i].rows < 3; ++i)
      ++(lines_.blocks[i].rows == 1 ? ones_ : twos_);
  }

  void operator()(const Box& box) {
    const Box around = grown(box, window_);
    const int kept = chord_rows(window_);
    const RowsOf<Key> rows{intermediate_.row(chords_at_once), intermediate_.pitch};
    const Buffer<Key> loaded{rows.first, rows.pitch, around.x, around.y, around.width, around.height, kept};
    int made = 0;
    for (int first = 0; first < box.height; first += chords_at_once) {
      const Box results{box.x, box.y + first, box.width, std::min(chords_at_once, box.height - first)};
      for (; made < std::min(first + kept, around.height); ++made) {
        this->load_key_row(loaded, made);
        for (std::size_t i = 1; i < lines_.lengths.size(); ++i)
          widen(loaded.row(made) + static_cast<std::ptrdiff_t>(i - 1) * kept * rows.pitch, kept * rows.pitch,
                around.width, lines_.lengths[i - 1], lines_.lengths[i]);
      }
      const Key* from[4 * max_element_size];
      const Key** at = from;
      for (const ChordBlock& block : lines_.blocks)
        for (int i = 0; i < block.rows + chords_at_once - 1; ++i)
          *at++ = rows.row(block.length_index * kept + (first + block.first + i) % kept) + block.shift * channels_;
      RowPack<Value> pack;
      pack.samples = box.width * channels_;
      if (results.height == chords_at_once && this->can_store_directly(pack, results)) {
        combine_blocks<true>(from, pack);
        continue;
      }
      pack.to = intermediate_;
      combine_blocks<false>(from, pack);
      for (int i = 0; i < results.height; ++i)
        this->store_row(intermediate_.row(i), results.x, results.y + i, results.width);
    }
  }

 private:
  /// Maxima over windows of `size` pixels from those over `span` pixels, with intermediate sizes where more than four
  /// operands would be needed. The result is `to` samples behind `from`.
  void widen(Key* from, std::ptrdiff_t to, int pixels, int span, int size) {
    Key* result = from + to;
    for (int have = span; have < size;) {
      const int next = size <= 4 * have ? size : size <= 9 * have ? 3 * have : 4 * have;
      max_of_shifted<Value, false>(have == span ? from : result, result, (pixels - next + 1) * channels_,
                                   WindowLoads(have, (next + have - 1) / have, next, channels_), Key{0});
      have = next;
    }
  }

  /// Makes four rows of results. `from` lists the operands of each block: its rows and three more.
  template <bool direct>
  void combine_blocks(const Key* const* from, const RowPack<Value>& pack) {
    const hn::ScalableTag<Key> d;
    const KeyStorer<Value, direct> store(pack);
    const int lanes = static_cast<int>(hn::Lanes(d)), samples = pack.samples, ones = ones_, twos = twos_;
    const int blocks = static_cast<int>(lines_.blocks.size());
    const ChordBlock* block = lines_.blocks.data();
    for (int x = 0; x < samples; x += 2 * lanes) {
      auto v0 = hn::Set(d, hwy::LowestValue<Key>()), v1 = v0, v2 = v0, v3 = v0, w0 = v0, w1 = v0, w2 = v0, w3 = v0;
      const Key* const* at = from;
      const auto row = [&](int i) HWY_ATTR { return hn::LoadU(d, at[i] + x); };
      const auto next = [&](int i) HWY_ATTR { return hn::LoadU(d, at[i] + x + lanes); };
      int i = 0;
      for (; i < ones; ++i, at += 4) {
        v0 = hn::Max(v0, row(0));
        v1 = hn::Max(v1, row(1));
        v2 = hn::Max(v2, row(2));
        v3 = hn::Max(v3, row(3));
        w0 = hn::Max(w0, next(0));
        w1 = hn::Max(w1, next(1));
        w2 = hn::Max(w2, next(2));
        w3 = hn::Max(w3, next(3));
      }
      for (; i < ones + twos; ++i, at += 5) {
        const auto two = [&](const auto& load, auto& a0, auto& a1, auto& a2, auto& a3) HWY_ATTR {
          const auto r1 = load(1), r2 = load(2), r3 = load(3);
          a0 = hn::Max(a0, hn::Max(load(0), r1));
          a1 = hn::Max(a1, hn::Max(r1, r2));
          a2 = hn::Max(a2, hn::Max(r2, r3));
          a3 = hn::Max(a3, hn::Max(r3, load(4)));
        };
        two(row, v0, v1, v2, v3);
        two(next, w0, w1, w2, w3);
      }
      for (; i < blocks; ++i) {
        const int size = block[i].rows;
        const auto many = [&](const auto& load, auto& a0, auto& a1, auto& a2, auto& a3) HWY_ATTR {
          const auto second = load(2), third = load(size);
          auto shared = hn::Set(d, hwy::LowestValue<Key>());
          for (int j = 3; j < size; ++j)
            shared = hn::Max(shared, load(j));
          const auto before = hn::Max(load(1), second), after = hn::Max(third, load(size + 1));
          a0 = hn::Max(a0, hn::Max(hn::Max(load(0), before), shared));
          a1 = hn::Max(a1, hn::Max(hn::Max(before, third), shared));
          a2 = hn::Max(a2, hn::Max(hn::Max(second, after), shared));
          a3 = hn::Max(a3, hn::Max(hn::Max(after, load(size + 2)), shared));
        };
        many(row, v0, v1, v2, v3);
        many(next, w0, w1, w2, w3);
        at += size + 3;
      }
      store(v0, 0, x);
      store(w0, 0, x + lanes);
      store(v1, 1, x);
      store(w1, 1, x + lanes);
      store(v2, 2, x);
      store(w2, 2, x + lanes);
      store(v3, 3, x);
      store(w3, 3, x + lanes);
    }
  }

  const Window& window_;
  const ChordLines& lines_;
  int ones_ = 0, twos_ = 0;   ///< How many blocks have one row, and how many two.
  RowsOf<Key> intermediate_;  ///< Buffered results, then the rows of all lengths.
};

}  // namespace HWY_NAMESPACE
}  // namespace threadscape::morphology
HWY_AFTER_NAMESPACE();

#endif
