// Rectangles in a tile, one step or two at once (Google Highway, compiled once per instruction set: no #pragma once).
//
// For small windows rows come in packs of one row fewer than the window is high; for others one by one, or as many as
// are transposed together:
//
// picture rows --> maxima along rows --> combined with kept rows --> next step, or the picture
//   in (part)         rows_                 kept_[i]                 while the rows are in the L1 cache
//
// Rows are read where they are in the picture and written where they belong, as far as no border is near.

#if defined(THREADSCAPE_MORPHOLOGY_RECT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef THREADSCAPE_MORPHOLOGY_RECT_INL_H_
#undef THREADSCAPE_MORPHOLOGY_RECT_INL_H_
#else
#define THREADSCAPE_MORPHOLOGY_RECT_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>

#include "compute/algorithms/morphology/morphology/openmp/morphology_rows-inl.h"
#include "compute/algorithms/morphology/morphology/openmp/morphology_transposed-inl.h"

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
        kept_rows_(kept_rows(window_)),
        transposed_(transposed_rows > 0 && channels_ * sizeof(Key) == 4 && window_.width >= min_transposed_width &&
                    kept_rows_ >= transposed_rows),
        loads_(transposed_ ? WindowLoads(transposed_span(window_.width), window_.width % 4 == 1 ? 1 : 2, window_.width,
                                         channels_)
                           : window_loads_of<Value>(window_, channels_)),
        pack_(packed_rows<Value>(window_, loads_)),
        rows_{memory, pitch} {
    for (int i = 0; i < pass.count; ++i) {
      const int before = kept_rows_ + i * (kept_rows_ + 1);
      kept_[i] = {rows_.row(before), pitch};
      running_max_[i] = rows_.row(before + kept_rows_);
    }
  }

  void operator()(const Box& box) {
    Box around = box;
    for (int i = 0; i < pass_.count; ++i)
      around = grown(around, *pass_.steps[i].window);
    const int at_once = transposed_ ? transposed_rows : std::max(pack_, 1);
    int rows_given[2] = {};  // Rows that each step was given.
    for (int first = 0, height; first < around.height; first += height) {
      // No step is given the last rows that it only keeps together with the first rows that give results.
      const int rest = first < pass_.count * kept_rows_ ? kept_rows_ - first % kept_rows_ : around.height - first;
      Box part{around.x, around.y + first, around.width, std::min(at_once, rest)};
      height = part.height;
      bool raw = is_small<Value>(window_) && part.height == pack_;
      RowsOf<const Key> in = this->load_part(part, rows_);
      for (int i = 0; i < pass_.count; ++i) {
        if (!raw) in = max_along_rows(in, part, i == 0);
        const Box results = results_of(part, *pass_.steps[i].window);
        const int before = rows_given[i];
        rows_given[i] += part.height;
        if (window_.height == 1) {
          std::fill_n(kept_[i].first, results.width * channels_, lowest_key<Value>);
        } else if (before < kept_rows_) {  // There are no rows before these yet.
          for (int row = 0; row < part.height; ++row)
            keep(in.row(row), kept_[i].row(before + row), results.width * channels_, raw);
          if (pack_ == 0 && rows_given[i] == kept_rows_) suffix_max(kept_[i], kept_rows_, results.width * channels_);
          break;
        }
        combine_with_kept_rows(i, in, raw, before % kept_rows_, results);
        part = results;
        in = {rows_.first, rows_.pitch};
        raw = false;
      }
    }
  }

 private:
  /// The results of a step from a part and from the rows before it.
  static Box results_of(const Box& part, const Window& window) {
    return {part.x - window.left, part.y - window.top - (window.height - 1), part.width - window.width + 1,
            part.height};
  }
  /// Maxima over windows of loads_.span pixels along the rows; raw rows are converted to keys.
  RowsOf<const Key> max_along_rows(RowsOf<const Key> in, const Box& part, bool raw) {
#if HWY_TARGET != HWY_SCALAR && !HWY_HAVE_SCALABLE
    if (transposed_) {
      for (int row = 0; raw && row < part.height; ++row)
        prefetch_row(in.row(row + part.height), part.width * channels_);
      if (raw)
        max_of_transposed<Value, true>(in, rows_, part.height, part.width, loads_.span, this->flip_in());
      else
        max_of_transposed<Value, false>(in, rows_, part.height, part.width, loads_.span, Key{0});
      return {rows_.first, rows_.pitch};
    }
#endif
    const int first = std::min(loads_.span, 4);
    for (int row = 0; row < part.height; ++row) {
      Key* to = rows_.row(row);
      int pixels = part.width - first + 1;
      const WindowLoads start(1, first, first, channels_);
      if (raw) {
        prefetch_row(in.row(row + std::max(pack_, rows_ahead)), part.width * channels_);
        max_of_shifted<Value, true>(in.row(row), to, pixels * channels_, start, this->flip_in());
      } else if (first > 1) {
        max_of_shifted<Value, false>(to, to, pixels * channels_, start, Key{0});
      }
      for (int span = first; span < loads_.span; span *= 4) {
        pixels -= 3 * span;
        max_of_shifted<Value, 4, false>(to, to, pixels * channels_, WindowLoads(span, 4, 4 * span, channels_).offset,
                                        Key{0});
      }
    }
    return {rows_.first, rows_.pitch};
  }

  void keep(const Key* from, Key* to, int samples, bool raw) {
    if (raw)
      max_of_shifted<Value, true>(from, to, samples, loads_, this->flip_in());
    else
      max_of_shifted<Value, false>(from, to, samples, loads_, Key{0});
  }

  /// Combines new rows with the kept ones, of which `done` have been replaced already.
  void combine_with_kept_rows(int step, RowsOf<const Key> in, bool raw, int done, const Box& results) {
    const bool last = step + 1 == pass_.count, erode = pass_.steps[step].erode;
    RowPack<Value> pack;
    pack.in = in;
    pack.window_loads = loads_;
    pack.flip_in = this->flip_in();
    pack.kept = kept_[step];
    pack.rows = results.height;
    pack.samples = results.width * channels_;
    if (last && this->can_store_directly(pack, results)) return max_of_rows<true>(pack, raw, done, running_max_[step]);
    pack.to = rows_;
    if (!last) pack.flip = static_cast<Key>(erode != pass_.steps[step + 1].erode ? ~Key{0} : Key{0});
    max_of_rows<false>(pack, raw, done, running_max_[step]);
    for (int row = 0; row < results.height; ++row)
      if (last)
        this->store_row(rows_.row(row), results.x, results.y + row, results.width);
      else
        this->clear_outside(rows_.row(row), results.x, results.y + row, results.width);
  }
  template <bool direct>
  void max_of_rows(const RowPack<Value>& pack, bool raw, int done, Key* running_max) {
    if (pack_ > 0 && pack.rows == pack_) return max_of_pack<Value, direct>(pack, raw);
    if (pack_ > 0) suffix_max(pack.kept, kept_rows_, pack.samples);  // For the rest at the lower end of the tile.
    for (int i = 0; i < pack.rows; ++i, done = done + 1 < kept_rows_ ? done + 1 : 0) {
      if (done == 0) std::fill_n(running_max, pack.samples, lowest_key<Value>);
      RowPack<Value> row = pack;
      row.in.first = pack.in.row(i);
      row.kept.first = pack.kept.row(done);
      row.to.first = pack.to.row(i);
      row.own.first = pack.own.row(i);
      max_of_row<Value, direct>(row, running_max);
      if (done + 1 == kept_rows_) suffix_max(pack.kept, kept_rows_, pack.samples);
    }
  }

  static constexpr int rows_ahead = 2;  ///< Distance in rows of the prefetch.
  static constexpr int min_transposed_width = 16;

  const Window& window_;  ///< Steps that share a tile have windows of the same size.
  int kept_rows_;
  bool transposed_;  ///< If true, maxima along rows come from max_of_transposed().
  WindowLoads loads_;
  int pack_;             ///< Rows that are processed together, if more than one.
  RowsOf<Key> rows_;     ///< The rows that are processed.
  RowsOf<Key> kept_[2];  ///< For each step: the rows before them, as maxima along rows.
  Key* running_max_[2];  ///< For each step: see max_of_row().
};

}  // namespace HWY_NAMESPACE
}  // namespace threadscape::morphology
HWY_AFTER_NAMESPACE();

#endif
