// Rows of tiles: loading from the picture with the pixels around it, and storing (Google Highway, compiled once per
// instruction set: no #pragma once).

#if defined(THREADSCAPE_MORPHOLOGY_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef THREADSCAPE_MORPHOLOGY_ROWS_INL_H_
#undef THREADSCAPE_MORPHOLOGY_ROWS_INL_H_
#else
#define THREADSCAPE_MORPHOLOGY_ROWS_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>

#include "compute/algorithms/morphology/morphology/morphology_math.h"
#include "compute/algorithms/morphology/morphology/openmp/morphology_lines-inl.h"
#include "compute/algorithms/morphology/morphology/openmp/morphology_tile.h"

HWY_BEFORE_NAMESPACE();
namespace threadscape::morphology {
namespace HWY_NAMESPACE {

struct Box {
  int x, y, width, height;
};
inline Box grown(const Box& box, const Window& window) {
  return {box.x + window.left, box.y + window.top, box.width + window.width - 1, box.height + window.height - 1};
}

/// A part of the picture plane with its upper left corner at (x, y), which may lie outside the picture.
template <class T>
struct Buffer {
  T* data;
  std::ptrdiff_t pitch;  ///< In samples.
  int x, y, width, height;
  int kept;  ///< Number of rows in memory: row i is in place i % kept.

  [[nodiscard]] T* row(int i) const { return data + i % kept * pitch; }
};

/// What all kinds of tiles share.
template <class Value>
class TileRows {
 public:
  using Key = TotalOrderKey<Value>;

  explicit TileRows(const Pass& pass) : pass_(pass), channels_(pass.channels) {}

 protected:
  // ---- Loading

  /// Fills row i of a buffer with pixels of the picture and around it: convert(from, to, count) for samples of the
  /// picture, fill(to, count) for samples that the border leaves out.
  template <class T, class Convert, class Fill>
  void load_row(const Buffer<T>& to, int i, const Convert& convert, const Fill& fill) {
    T* HWY_RESTRICT row = to.row(i);
    const int y = border_index(to.y + i, pass_.height, pass_.border);
    if (y < 0) return fill(row, to.width * channels_);
    const Value* from = pass_.from.row<Value>(y);
    const int first = std::min(std::max(0, -to.x), to.width);
    const int last = std::max(first, std::min(to.width, pass_.width - to.x));
    if (y + rows_ahead < pass_.height)
      prefetch_row(pass_.from.row<Value>(y + rows_ahead) + (to.x + first) * channels_, (last - first) * channels_);
    if (first < last) convert(from + (to.x + first) * channels_, row + first * channels_, (last - first) * channels_);
    const auto outside = [&](int x) HWY_ATTR {
      const int column = border_index(to.x + x, pass_.width, pass_.border);
      if (column < 0)
        fill(row + x * channels_, channels_);
      else
        for (int c = 0; c < channels_; ++c)
          convert(from + column * channels_ + c, row + x * channels_ + c, 1);
    };
    for (int x = 0; x < first; ++x)
      outside(x);
    for (int x = last; x < to.width; ++x)
      outside(x);
  }

  void load_key_row(const Buffer<Key>& to, int row) {
    const Key flip = flip_in();
    load_row(
        to, row,
        [&](const Value* HWY_RESTRICT from, Key* HWY_RESTRICT keys, int count) HWY_ATTR {
          const hn::ScalableTag<Key> d;
          const auto mask = hn::Set(d, flip);
          const int lanes = static_cast<int>(hn::Lanes(d));
          const auto key_at = [&](int i) HWY_ATTR {
            auto v = hn::LoadU(d, reinterpret_cast<const Key*>(from) + i);
            if constexpr (std::is_same_v<Value, float>) v = float_bits_to_keys(v);
            return hn::Xor(v, mask);
          };
          int i = 0;
          for (; i + 2 * lanes <= count; i += 2 * lanes) {
            hn::StoreU(key_at(i), d, keys + i);
            hn::StoreU(key_at(i + lanes), d, keys + i + lanes);
          }
          for (; i < count; ++i)
            keys[i] = static_cast<Key>(total_order_key(from[i]) ^ flip);
        },
        [](Key* keys, int count) { std::fill_n(keys, count, lowest_key<Value>); });
  }

  /// Between two steps: sets pixels outside of the picture to the key that never wins.
  void clear_outside(Key* row, int x, int y, int width) {
    const auto clear = [&](int from, int to) {
      std::fill(row + from * channels_, row + to * channels_, lowest_key<Value>);
    };
    if (y < 0 || y >= pass_.height) return clear(0, width);
    clear(0, std::clamp(-x, 0, width));
    clear(std::clamp(pass_.width - x, 0, width), width);
  }

  /// Xored to keys when they are loaded.
  [[nodiscard]] Key flip_in() const { return static_cast<Key>(pass_.steps[0].erode ? ~Key{0} : Key{0}); }

  /// Values of a part of the picture: their place in the picture, or a copy that includes what is around the picture.
  RowsOf<const Key> load_part(const Box& part, const RowsOf<Key>& room) {
    // Samples that vectors may read behind a row.
    const int beyond = 4 * static_cast<int>(hn::Lanes(hn::ScalableTag<Key>()));
    if (part.y >= 0 && part.y + part.height <= pass_.height && part.x >= 0 &&
        (part.x + part.width) * channels_ + beyond <= pass_.width * channels_)
      return {reinterpret_cast<const Key*>(pass_.from.template row<Value>(part.y) + part.x * channels_),
              pass_.from.pitch / static_cast<std::ptrdiff_t>(sizeof(Value))};
    const Buffer<Value> copy{
        reinterpret_cast<Value*>(room.first), room.pitch, part.x, part.y, part.width, part.height, part.height};
    const Value outside = neutral_value<Value>(pass_.steps[0].erode);
    for (int row = 0; row < part.height; ++row)
      load_row(
          copy, row, [](const Value* from, Value* to, int count) { std::copy_n(from, count, to); },
          [outside](Value* to, int count) { std::fill_n(to, count, outside); });
    return {room.first, room.pitch};
  }

  // ---- Storing

  void store_row(const Key* HWY_RESTRICT keys, int x, int y, int width) {
    const bool erode = pass_.steps[pass_.count - 1].erode;
    const auto flip = static_cast<Key>(erode ? ~Key{0} : Key{0});
    const int count = width * channels_;
    Value* HWY_RESTRICT to = pass_.to.row<Value>(y) + x * channels_;
    const Value* HWY_RESTRICT original = pass_.original.row<Value>(y) + x * channels_;
    const Value* HWY_RESTRICT own = pass_.from.row<Value>(y) + x * channels_;
    const Value* HWY_RESTRICT side = pass_.side.data ? pass_.side.row<Value>(y) + x * channels_ : original;

    const hn::ScalableTag<Key> d;
    const int lanes = static_cast<int>(hn::Lanes(d));
    const auto mask = hn::Set(d, flip);
    HWY_ALIGN Key alpha_lanes[hn::MaxLanes(hn::ScalableTag<Key>())];
    for (int i = 0; i < lanes; ++i)
      alpha_lanes[i] = static_cast<Key>(pass_.keep_alpha && i % 4 == 3 ? ~Key{0} : Key{0});
    const auto alpha = hn::Load(d, alpha_lanes);
    // 128-bit vectors of floats hold one pixel, all others hold several whole pixels.
    const bool past_cache = pass_.stream && reinterpret_cast<std::uintptr_t>(to) % (sizeof(Key) * lanes) == 0;
    int i = 0;
    const auto values_at = [&]() HWY_ATTR {
      auto v = hn::Xor(hn::LoadU(d, keys + i), mask);
      if constexpr (std::is_same_v<Value, float>) v = float_bits_to_keys(v);
      return v;
    };
    const auto kept = [&](auto v) HWY_ATTR {
      const auto source = hn::LoadU(d, reinterpret_cast<const Key*>(own) + i);
      return hn::Or(hn::And(alpha, source), hn::AndNot(alpha, v));
    };
    if (pass_.finish == Finish::none && lanes >= 4) {
      Key* out = reinterpret_cast<Key*>(to);
      if (past_cache)
        for (; i + lanes <= count; i += lanes)
          hn::Stream(kept(values_at()), d, out + i);
      else
        for (; i + lanes <= count; i += lanes)
          hn::StoreU(kept(values_at()), d, out + i);
    } else if (pass_.finish != Finish::hit_and_miss && lanes >= 4) {
      const bool result_first = pass_.finish == Finish::result_minus_original;
      const Value* HWY_RESTRICT other = pass_.finish == Finish::side_minus_result ? side : original;
      for (; i + lanes <= count; i += lanes) {
        auto result = values_at();
        const auto operand = hn::LoadU(d, reinterpret_cast<const Key*>(other) + i);
        if constexpr (std::is_same_v<Value, float>)
          if (pass_.finish != Finish::side_minus_result) result = with_holes_of(operand, result);
        if (pass_.finish == Finish::holes_of_original) {
          hn::StoreU(kept(result), d, reinterpret_cast<Key*>(to) + i);
          continue;
        }
        const auto a = result_first ? result : operand, b = result_first ? operand : result;
        hn::StoreU(kept(minus(a, b)), d, reinterpret_cast<Key*>(to) + i);
      }
    }
    for (; i < count; ++i) {
      const Value result = from_total_order_key<Value>(static_cast<Key>(keys[i] ^ flip));
      to[i] = pass_.keep_alpha && i % 4 == 3 ? own[i] : finished(pass_.finish, result, original[i], side[i]);
    }
  }
  /// with_holes() of the floats that the bits represent.
  template <class V>
  static HWY_INLINE V with_holes_of(V original, V result) {
    const hn::ScalableTag<float> d;
    const auto before = hn::BitCast(d, original), after = hn::BitCast(d, result);
    return hn::BitCast(hn::ScalableTag<Key>(),
                       hn::IfThenElse(hn::Or(hn::IsNaN(before), hn::IsNaN(after)), before, after));
  }
  /// difference() of the values that the bits represent.
  template <class V>
  static HWY_INLINE V minus(V a, V b) {
    if constexpr (std::is_same_v<Value, float>) {
      const hn::ScalableTag<float> d;
      return hn::BitCast(hn::ScalableTag<Key>(), hn::Sub(hn::BitCast(d, a), hn::BitCast(d, b)));
    } else {
      return hn::SaturatedSub(a, b);
    }
  }

  /// Returns whether results can be stored in the picture without a buffer: nothing but alpha is added, and rows are
  /// whole vectors. Sets the destination of the pack if so.
  bool can_store_directly(RowPack<Value>& pack, const Box& results) const {
    const int lanes = static_cast<int>(hn::Lanes(hn::ScalableTag<Key>()));
    // 128-bit vectors of floats hold one pixel, all others hold several whole pixels.
    if (pass_.finish != Finish::none || lanes < 4 || results.width * channels_ % (2 * lanes) != 0) return false;
    const auto place = [&](const Samples& picture) {
      return RowsOf<Key>{reinterpret_cast<Key*>(picture.row<Value>(results.y) + results.x * channels_),
                         picture.pitch / static_cast<std::ptrdiff_t>(sizeof(Key))};
    };
    const RowsOf<Key> own = place(pass_.from);
    pack.own = {own.first, own.pitch};
    pack.to = place(pass_.to);
    pack.flip = static_cast<Key>(pass_.steps[pass_.count - 1].erode ? ~Key{0} : Key{0});
    pack.alpha = pass_.keep_alpha;
    const auto vector = sizeof(Key) * static_cast<std::size_t>(lanes);
    pack.stream = pass_.stream && reinterpret_cast<std::uintptr_t>(pack.to.first) % vector == 0 &&
                  static_cast<std::size_t>(pass_.to.pitch) % vector == 0;
    return true;
  }

  static constexpr int rows_ahead = 8;  ///< Distance in rows of the prefetch.

  const Pass& pass_;
  int channels_;
};

}  // namespace HWY_NAMESPACE
}  // namespace threadscape::morphology
HWY_AFTER_NAMESPACE();

#endif
