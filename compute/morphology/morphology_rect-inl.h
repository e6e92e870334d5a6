// Rectangles, one step or two at once, in a tile (Google Highway, compiled once per instruction set: no #pragma once).
//
// Rows come in packs, one row fewer than the window is high. A pack is spread along its rows, joined with the pack
// before it, and worked on by the next step while it is in the nearest cache. Rows are read where they lie in the
// picture and written where they belong, as far as no border is near.

#if defined(THREADSCAPE_MORPHOLOGY_RECT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef THREADSCAPE_MORPHOLOGY_RECT_INL_H_
#undef THREADSCAPE_MORPHOLOGY_RECT_INL_H_
#else
#define THREADSCAPE_MORPHOLOGY_RECT_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>

#include "compute/morphology/morphology_rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace threadscape::morphology {
namespace HWY_NAMESPACE {

template <class Value>
class RectTile : private TileRows<Value> {
  using Base = TileRows<Value>;
  using Base::channels_;
  using Base::pass_;
  using typename Base::Key;

 public:
  RectTile(const Pass& pass, Key* memory, std::ptrdiff_t pitch)
      : Base(pass),
        window_(*pass.steps[0].window),
        packed_(packed_rows(window_)),
        runs_(runs_of<Value>(window_, channels_)),
        rows_{memory, pitch} {
    for (int i = 0; i < pass.count; ++i)
      kept_[i] = {rows_.row((i + 1) * packed_), pitch};
  }

  void operator()(const Box& box) {
    Box around = box;
    for (int i = 0; i < pass_.count; ++i)
      around = grown(around, *pass_.steps[i].window);
    int packs[2] = {};
    for (int first = 0; first < around.height; first += packed_) {
      Box part{around.x, around.y + first, around.width, std::min(packed_, around.height - first)};
      bool raw = is_small<Value>(window_) && part.height == packed_;
      RowsOf<const Key> in = this->take(part, rows_);
      for (int i = 0; i < pass_.count; ++i) {
        if (!raw) in = spread(in, part, i == 0);
        const Box results = results_of(part, *pass_.steps[i].window);
        if (window_.height == 1) {
          std::fill_n(kept_[i].first, results.width * channels_, lowest_key<Value>);
        } else if (packs[i]++ == 0) {  // no rows before them yet
          for (int row = 0; row < part.height; ++row)
            keep(in.row(row), kept_[i].row(row), results.width * channels_, raw);
          break;
        }
        join(i, in, raw, results);
        part = results;
        in = {rows_.first, rows_.pitch};
        raw = false;
      }
    }
  }

 private:
  /// What the step makes of a part and of the pack before it.
  static Box results_of(const Box& part, const Window& window) {
    return {part.x - window.left, part.y - window.top - (window.height - 1), part.width - window.width + 1,
            part.height};
  }
  /// Windows of runs_.span pixels along the rows; raw rows become keys.
  RowsOf<const Key> spread(RowsOf<const Key> in, const Box& part, bool raw) {
    const int first = std::min(runs_.span, 4);
    for (int row = 0; row < part.height; ++row) {
      Key* to = rows_.row(row);
      int pixels = part.width - first + 1;
      const Runs start(1, first, first, channels_);
      if (raw) {
        announce(in.row(row + packed_), part.width * channels_);
        max_of_shifted<Value, true>(in.row(row), to, pixels * channels_, start, this->flip_in());
      } else if (first > 1) {
        max_of_shifted<Value, false>(to, to, pixels * channels_, start, Key{0});
      }
      for (int span = first; span < runs_.span; span *= 4) {
        pixels -= 3 * span;
        max_of_shifted<Value, 4, false>(to, to, pixels * channels_, Runs(span, 4, 4 * span, channels_).offset, Key{0});
      }
    }
    return {rows_.first, rows_.pitch};
  }

  void keep(const Key* from, Key* to, int samples, bool raw) {
    if (raw)
      max_of_shifted<Value, true>(from, to, samples, runs_, this->flip_in());
    else
      max_of_shifted<Value, false>(from, to, samples, runs_, Key{0});
  }

  void join(int step, RowsOf<const Key> in, bool raw, const Box& results) {
    const bool last = step + 1 == pass_.count, erode = pass_.steps[step].erode;
    Pack<Value> pack;
    pack.in = in;
    pack.runs = runs_;
    pack.flip_in = this->flip_in();
    pack.kept = kept_[step];
    pack.size = packed_;
    pack.rows = results.height;
    pack.samples = results.width * channels_;
    if (last && this->goes_to_picture(pack, results)) {
      max_of_pack<Value, true>(pack, raw);
      return;
    }
    pack.to = rows_;
    if (!last) pack.flip = static_cast<Key>(erode != pass_.steps[step + 1].erode ? ~Key{0} : Key{0});
    max_of_pack<Value, false>(pack, raw);
    for (int row = 0; row < results.height; ++row)
      if (last)
        this->store_row(rows_.row(row), results.x, results.y + row, results.width);
      else
        this->clear_outside(rows_.row(row), results.x, results.y + row, results.width);
  }

  const Window& window_;  ///< steps that share a tile have windows of one size
  int packed_;            ///< rows in a pack
  Runs runs_;
  RowsOf<Key> rows_;     ///< a pack
  RowsOf<Key> kept_[2];  ///< the one before it, spread along its rows, for each step
};

}  // namespace HWY_NAMESPACE
}  // namespace threadscape::morphology
HWY_AFTER_NAMESPACE();

#endif
