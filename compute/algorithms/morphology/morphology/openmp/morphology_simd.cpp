// A tile of the OpenMP backend: pixels are loaded with those around them, the steps are executed in a buffer that stays
// in the cache, and the result is stored.
//
// Rectangles are processed along rows, then along columns (morphology_rect-inl.h). Elements with one chord per row are
// combined from maxima over their lengths (morphology_chords-inl.h). Other flat elements are chords in any order: two
// entries of a table of maxima over 1, 2, 4, ... pixels of a row make any chord (Urbach and Wilkinson). Elements with
// grey levels are added pixel by pixel.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/algorithms/morphology/morphology/openmp/morphology_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <type_traits>

#include "compute/algorithms/morphology/morphology/morphology_math.h"
#include "compute/algorithms/morphology/morphology/openmp/morphology_chords-inl.h"
#include "compute/algorithms/morphology/morphology/openmp/morphology_rect-inl.h"
#include "compute/algorithms/morphology/morphology/openmp/morphology_rows-inl.h"
#include "compute/algorithms/morphology/morphology/openmp/morphology_tile.h"

HWY_BEFORE_NAMESPACE();
namespace threadscape::morphology {
namespace HWY_NAMESPACE {

template <class Value>
using WideOf = std::conditional_t<std::is_same_v<Value, float>, float, std::int32_t>;

template <class Value>
class Tile : private TileRows<Value> {
  using Base = TileRows<Value>;
  using Base::channels_;
  using Base::pass_;
  using typename Base::Key;
  using Wide = WideOf<Value>;

 public:
  using Base::Base;

  void operator()(int x, int y, Extent extent, std::byte* memory) {
    const int width = std::min(extent.width, pass_.width - x), height = std::min(extent.height, pass_.height - y);
    const Window& last = *pass_.steps[pass_.count - 1].window;
    const Box box{x, y, width, height}, around = grown(box, last);
    const auto pitch_bytes = static_cast<std::ptrdiff_t>(tile_pitch(pass_, extent));
    if (!last.flat) {
      const auto pitch = pitch_bytes / static_cast<std::ptrdiff_t>(sizeof(Wide));
      const Buffer<Wide> from{
          reinterpret_cast<Wide*>(memory), pitch, around.x, around.y, around.width, around.height, around.height};
      return add_levels(from, box);
    }
    const auto pitch = pitch_bytes / static_cast<std::ptrdiff_t>(sizeof(Key));
    Key* keys = reinterpret_cast<Key*>(memory);
    if (last.rect) return RectTile<Value>(pass_, keys, pitch)(box);
    if (pass_.lines) return ChordTile<Value>(pass_, *pass_.lines, keys, pitch)(box);
    const Buffer<Key> before{keys, pitch, around.x, around.y, around.width, around.height, around.height};
    for (int i = 0; i < before.height; ++i)
      this->load_key_row(before, i);
    Buffer<Key> after = result_of(last, before, nullptr);
    after.data = chord_step(last, before, after);
    for (int i = 0; i < height; ++i)
      this->store_row(after.row(i), x, y + i, width);
  }

 private:
  static Buffer<Key> result_of(const Window& window, const Buffer<Key>& from, Key* data) {
    return {data,
            from.pitch,
            from.x - window.left,
            from.y - window.top,
            from.width - window.width + 1,
            from.height - window.height + 1,
            from.height - window.height + 1};
  }

  // ---- Steps

  /// Computes a step of chords. `from` begins the tables; returns where the result is, behind them.
  Key* chord_step(const Window& window, const Buffer<Key>& from, const Buffer<Key>& to) {
    const hn::ScalableTag<Key> d;
    const int lanes = static_cast<int>(hn::Lanes(d));
    const std::ptrdiff_t table = from.pitch * from.height;
    int max_length = 0;
    for (const Chord& chord : window.chords)
      max_length = std::max(max_length, chord.length);
    const int levels = std::bit_width(static_cast<unsigned>(max_length));
    for (int level = 1; level < levels; ++level) {
      const int distance = 1 << (level - 1);
      for (int row = 0; row < from.height; ++row) {
        const Key* HWY_RESTRICT narrow = from.row(row) + (level - 1) * table;
        Key* HWY_RESTRICT wide = from.row(row) + level * table;
        for (int i = 0; i < (from.width - distance) * channels_; i += lanes)
          hn::StoreU(hn::Max(hn::LoadU(d, narrow + i), hn::LoadU(d, narrow + i + distance * channels_)), d, wide + i);
      }
    }
    Key* result = from.data + levels * table;
    // Places of the table entries relative to the upper left corner of the window.
    auto* offsets = reinterpret_cast<std::ptrdiff_t*>(result + to.pitch * to.height);
    int count = 0;
    for (const Chord& chord : window.chords) {
      const int level = std::bit_width(static_cast<unsigned>(chord.length)) - 1;
      offsets[count++] = level * table + (chord.dy - window.top) * from.pitch + (chord.dx - window.left) * channels_;
      if (const int rest = chord.length - static_cast<int>(std::bit_floor(static_cast<unsigned>(chord.length)));
          rest > 0) {
        offsets[count] = offsets[count - 1] + rest * channels_;
        ++count;
      }
    }
    for (int row = 0; row < to.height; ++row)
      for (int i = 0; i < to.width * channels_; i += 4 * lanes) {
        const Key* HWY_RESTRICT at = from.row(row) + i;
        auto v0 = hn::LoadU(d, at + offsets[0]), v1 = hn::LoadU(d, at + offsets[0] + lanes);
        auto v2 = hn::LoadU(d, at + offsets[0] + 2 * lanes), v3 = hn::LoadU(d, at + offsets[0] + 3 * lanes);
        for (int c = 1; c < count; ++c) {
          const Key* HWY_RESTRICT entry = at + offsets[c];
          v0 = hn::Max(v0, hn::LoadU(d, entry));
          v1 = hn::Max(v1, hn::LoadU(d, entry + lanes));
          v2 = hn::Max(v2, hn::LoadU(d, entry + 2 * lanes));
          v3 = hn::Max(v3, hn::LoadU(d, entry + 3 * lanes));
        }
        Key* HWY_RESTRICT out = result + row * to.pitch + i;
        hn::StoreU(v0, d, out);
        hn::StoreU(v1, d, out + lanes);
        hn::StoreU(v2, d, out + 2 * lanes);
        hn::StoreU(v3, d, out + 3 * lanes);
      }
    return result;
  }

  /// A step with grey levels of floats: the maximum of the keys of the sums, which are complemented for an erosion.
  void add_levels(const Buffer<float>& from, const Box& box) requires std::is_same_v<Value, float> {
    const Step& step = pass_.steps[0];
    const Window& window = *step.window;
    const bool erode = step.erode;
    for (int i = 0; i < from.height; ++i)
      this->load_row(
          from, i, [&](const float* values, float* to, int count) { std::copy_n(values, count, to); },
          [&](float* to, int count) { std::fill_n(to, count, neutral_value<float>(erode)); });

    const hn::ScalableTag<float> d;
    const hn::RebindToSigned<decltype(d)> dk;
    const int lanes = static_cast<int>(hn::Lanes(d)), samples = box.width * channels_;
    const auto flip = hn::Set(dk, erode ? -1 : 0), all_but_sign = hn::Set(dk, 0x7fffffff);
    Key* keys = reinterpret_cast<Key*>(from.data + from.pitch * from.height);
    for (int row = 0; row < box.height; ++row) {
      std::fill_n(keys, samples + lanes, lowest_key<float>);
      for (const Term& term : window.terms) {
        const float units = in_units<float>(term.level);
        const auto level = hn::Set(d, erode ? -units : units);
        const float* HWY_RESTRICT at = from.row(row + term.dy - window.top) + (term.dx - window.left) * channels_;
        for (int i = 0; i < samples; i += lanes) {
          const auto value = hn::LoadU(d, at + i);
          const auto sum = hn::IfThenElse(hn::IsNaN(value), value, hn::Add(hn::Add(value, level), hn::Zero(d)));
          const auto bits = hn::BitCast(dk, sum);
          const auto key = hn::Xor(bits, hn::And(hn::BroadcastSignBit(bits), all_but_sign));
          hn::Store(hn::Max(hn::Load(dk, keys + i), hn::Xor(key, flip)), dk, keys + i);
        }
      }
      this->store_row(keys, box.x, box.y + row, box.width);
    }
  }

  /// A step with grey levels of integers: sums that cannot overflow, of negated values for an erosion.
  void add_levels(const Buffer<Wide>& from, const Box& box) requires std::is_integral_v<Value> {
    constexpr Wide outside = -(1 << 30);
    const Step& step = pass_.steps[0];
    const Window& window = *step.window;
    const bool erode = step.erode;
    for (int i = 0; i < from.height; ++i)
      this->load_row(
          from, i,
          [&](const Value* HWY_RESTRICT values, Wide* HWY_RESTRICT to, int count) {
            for (int i = 0; i < count; ++i)
              to[i] = erode ? -static_cast<Wide>(values[i]) : static_cast<Wide>(values[i]);
          },
          [&](Wide* to, int count) { std::fill_n(to, count, outside); });

    const hn::ScalableTag<Wide> d;
    const int lanes = static_cast<int>(hn::Lanes(d)), samples = box.width * channels_;
    Wide* sums = from.data + from.pitch * from.height;
    Key* keys = reinterpret_cast<Key*>(sums + from.pitch);
    for (int row = 0; row < box.height; ++row) {
      std::fill_n(sums, samples + lanes, outside);
      for (const Term& term : window.terms) {
        const auto level = hn::Set(d, static_cast<Wide>(in_units<Value>(term.level)));
        const Wide* HWY_RESTRICT at = from.row(row + term.dy - window.top) + (term.dx - window.left) * channels_;
        for (int i = 0; i < samples; i += lanes)
          hn::Store(hn::Max(hn::Load(d, sums + i), hn::Add(hn::LoadU(d, at + i), level)), d, sums + i);
      }
      for (int i = 0; i < samples; ++i) {
        const Wide value = std::clamp<Wide>(erode ? -sums[i] : sums[i], 0, white<Value>);
        keys[i] = static_cast<Key>(erode ? ~total_order_key(static_cast<Value>(value))
                                         : total_order_key(static_cast<Value>(value)));
      }
      this->store_row(keys, box.x, box.y + row, box.width);
    }
  }
};

void process(const Pass& pass, int x, int y, Extent extent, std::byte* memory) {
  switch (pass.element) {
    case Element::u8:
      return Tile<std::uint8_t>(pass)(x, y, extent, memory);
    case Element::u16:
      return Tile<std::uint16_t>(pass)(x, y, extent, memory);
    default:
      return Tile<float>(pass)(x, y, extent, memory);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace threadscape::morphology
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace threadscape::morphology {
HWY_EXPORT(process);

void process_tile(const Pass& pass, int x, int y, Extent extent, std::byte* memory) {
  HWY_DYNAMIC_DISPATCH(process)(pass, x, y, extent, memory);
}

}  // namespace threadscape::morphology
#endif
