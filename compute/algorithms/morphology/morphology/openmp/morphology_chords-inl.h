// Flat elements with one chord per row, in a tile (Google Highway, compiled once per instruction set: no #pragma once).
//
// Of every row of the picture the maxima over all chord lengths are made, each from a shorter one. Four rows of results
// are made together, because most of what they take is the same.

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
      : Base(pass), window_(*pass.steps[0].window), lines_(lines), spare_{memory, pitch} {
    for (std::size_t i = 0; i < lines_.blocks.size() && lines_.blocks[i].rows < 3; ++i)
      ++(lines_.blocks[i].rows == 1 ? ones_ : twos_);
  }

  void operator()(const Box& box) {
    const Box around = grown(box, window_);
    const int kept = chord_rows(window_);
    const RowsOf<Key> rows{spare_.row(chords_at_once), spare_.pitch};
    const Buffer<Key> loaded{rows.first, rows.pitch, around.x, around.y, around.width, around.height, kept};
    int made = 0;
    for (int first = 0; first < box.height; first += chords_at_once) {
      const Box results{box.x, box.y + first, box.width, std::min(chords_at_once, box.height - first)};
      for (; made < std::min(first + kept, around.height); ++made) {
        this->load_key_row(loaded, made);
        for (std::size_t i = 1; i < lines_.lengths.size(); ++i)
          lengthen(loaded.row(made) + static_cast<std::ptrdiff_t>(i - 1) * kept * rows.pitch, kept * rows.pitch,
                   around.width, lines_.lengths[i - 1], lines_.lengths[i]);
      }
      const Key* from[4 * largest_size];
      const Key** at = from;
      for (const ChordBlock& block : lines_.blocks)
        for (int i = 0; i < block.rows + chords_at_once - 1; ++i)
          *at++ = rows.row(block.line * kept + (first + block.first + i) % kept) + block.shift * channels_;
      Pack<Value> pack;
      pack.samples = box.width * channels_;
      if (results.height == chords_at_once && this->goes_to_picture(pack, results)) {
        join<true>(from, pack);
        continue;
      }
      pack.to = spare_;
      join<false>(from, pack);
      for (int i = 0; i < results.height; ++i)
        this->store_row(spare_.row(i), results.x, results.y + i, results.width);
    }
  }

 private:
  /// Windows of `size` pixels from those of `span` pixels, by way of others where more than four would be needed. The
  /// result lies `to` samples behind.
  void lengthen(Key* from, std::ptrdiff_t to, int pixels, int span, int size) {
    Key* result = from + to;
    for (int have = span; have < size;) {
      const int next = size <= 4 * have ? size : size <= 9 * have ? 3 * have : 4 * have;
      max_of_shifted<Value, false>(have == span ? from : result, result, (pixels - next + 1) * channels_,
                                   Runs(have, (next + have - 1) / have, next, channels_), Key{0});
      have = next;
    }
  }

  /// Four rows of results. `from` lists what the blocks take: of each its rows and three more.
  template <bool direct>
  void join(const Key* const* from, const Pack<Value>& pack) {
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
  int ones_ = 0, twos_ = 0;  ///< how many blocks have one row, and two
  RowsOf<Key> spare_;  ///< rows of results that do not go to the picture at once; behind them those of all lengths
};

}  // namespace HWY_NAMESPACE
}  // namespace threadscape::morphology
HWY_AFTER_NAMESPACE();

#endif
