// A tile of the OpenMP backend: pixels are loaded with what lies around them, the steps are done in a buffer that stays
// in the cache, and the result is stored.
//
// Rectangles go along rows, then along columns. Other flat elements are chords: in a table of maxima over 1, 2, 4, ...
// pixels of every row two entries make any chord (Urbach and Wilkinson). Elements with grey levels are added pixel by
// pixel.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/morphology/morphology_simd.cpp"
#include <hwy/foreach_target.h>
// clang-format off: must come after foreach_target.h
#include <hwy/highway.h>
// clang-format on

#include <algorithm>
#include <bit>
#include <limits>

#include "compute/morphology/morphology_lines-inl.h"
#include "compute/morphology/morphology_math.h"
#include "compute/morphology/morphology_tile.h"

HWY_BEFORE_NAMESPACE();
namespace threadscape::morphology {
namespace HWY_NAMESPACE {

template <class Value>
using WideOf = std::conditional_t<std::is_same_v<Value, float>, float, std::int32_t>;

/// A part of the picture plane, with its left upper corner at (x, y), which may lie outside the picture.
template <class T>
struct Buffer {
  T* data;
  std::ptrdiff_t pitch;  ///< in samples
  int x, y, width, height;
  int kept;  ///< how many of its rows have room; the next one takes the place of the first

  [[nodiscard]] T* row(int i) const { return data + i % kept * pitch; }
};

template <class Value>
class Tile {
 public:
  using Key = KeyOf<Value>;
  using Wide = WideOf<Value>;

  explicit Tile(const Pass& pass) : pass_(pass), channels_(pass.channels) {}

  void operator()(int x, int y, Extent extent, std::byte* memory) {
    const int width = std::min(extent.width, pass_.width - x), height = std::min(extent.height, pass_.height - y);
    const Window& last = *pass_.steps[pass_.count - 1].window;
    // What the last step looks at; before that, what the first one of two looks at to make it.
    Box around = grown({x, y, width, height}, last);
    if (pass_.count == 2) around = grown(around, *pass_.steps[0].window);
    const auto pitch_bytes = static_cast<std::ptrdiff_t>(tile_pitch(pass_, extent));
    if (!last.flat) {
      const auto pitch = pitch_bytes / static_cast<std::ptrdiff_t>(sizeof(Wide));
      const Buffer<Wide> from{
          reinterpret_cast<Wide*>(memory), pitch, around.x, around.y, around.width, around.height, around.height};
      return add_levels(from, {x, y, width, height});
    }
    const auto pitch = pitch_bytes / static_cast<std::ptrdiff_t>(sizeof(Key));
    Key* keys = reinterpret_cast<Key*>(memory);
    Buffer<Key> before{keys, pitch, around.x, around.y, around.width, around.height, around.height};
    if (last.rect) {
      buffer_[0] = before;
      buffer_[0].kept = rows_kept(pass_, 0);
      for (int i = 0; i < pass_.count; ++i) {
        keys += pitch * buffer_[i].kept;
        buffer_[i + 1] = result_of(*pass_.steps[i].window, buffer_[i], keys);
        buffer_[i + 1].kept = rows_kept(pass_, i + 1);
      }
      return make_rows(pass_.count, height);
    }
    for (int i = 0; i < before.height; ++i)
      load_key_row(before, i);
    Buffer<Key> after = result_of(last, before, nullptr);
    after.data = chord_step(last, before, after);
    for (int i = 0; i < height; ++i)
      store_row(after.row(i), x, y + i, width);
  }

 private:
  struct Box {
    int x, y, width, height;
  };
  static Box grown(const Box& box, const Window& window) {
    return {box.x + window.left, box.y + window.top, box.width + window.width - 1, box.height + window.height - 1};
  }

  static Buffer<Key> result_of(const Window& window, const Buffer<Key>& from, Key* data) {
    return {data,
            from.pitch,
            from.x - window.left,
            from.y - window.top,
            from.width - window.width + 1,
            from.height - window.height + 1,
            from.height - window.height + 1};
  }

  // ---- Loading

  /// Fills row i of a buffer with the picture and what lies around it: convert(from, to, count) for samples of the
  /// picture, fill(to, count) for what is left out.
  template <class T, class Convert, class Fill>
  void load_row(const Buffer<T>& to, int i, const Convert& convert, const Fill& fill) {
    T* HWY_RESTRICT row = to.row(i);
    const int y = border_index(to.y + i, pass_.height, pass_.border);
    if (y < 0) return fill(row, to.width * channels_);
    const Value* from = pass_.from.row<Value>(y);
    const int first = std::min(std::max(0, -to.x), to.width);
    const int last = std::max(first, std::min(to.width, pass_.width - to.x));
    if (y + rows_ahead < pass_.height)
      announce(pass_.from.row<Value>(y + rows_ahead) + (to.x + first) * channels_, (last - first) * channels_);
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
    const auto flip = static_cast<Key>(pass_.steps[0].erode ? ~Key{0} : Key{0});
    load_row(
        to, row,
        [&](const Value* HWY_RESTRICT from, Key* HWY_RESTRICT keys, int count) HWY_ATTR {
          const hn::ScalableTag<Key> d;
          const auto mask = hn::Set(d, flip);
          const int lanes = static_cast<int>(hn::Lanes(d));
          const auto key_at = [&](int i) HWY_ATTR {
            auto v = hn::LoadU(d, reinterpret_cast<const Key*>(from) + i);
            if constexpr (std::is_same_v<Value, float>) v = ordered(v);
            return hn::Xor(v, mask);
          };
          int i = 0;
          for (; i + 2 * lanes <= count; i += 2 * lanes) {
            hn::StoreU(key_at(i), d, keys + i);
            hn::StoreU(key_at(i + lanes), d, keys + i + lanes);
          }
          for (; i < count; ++i)
            keys[i] = static_cast<Key>(key_of(from[i]) ^ flip);
        },
        [](Key* keys, int count) { std::fill_n(keys, count, lowest_key<Value>); });
  }
  /// Bits of floats to keys and back.
  template <class V>
  static HWY_INLINE V ordered(V bits) {
    const hn::ScalableTag<std::int32_t> d;
    return hn::Xor(bits, hn::And(hn::ShiftRight<31>(bits), hn::Set(d, 0x7fffffff)));
  }

  void clear_outside(const Buffer<Key>& buffer, int row) {
    const auto clear = [&](int from, int to) {
      std::fill(buffer.row(row) + from * channels_, buffer.row(row) + to * channels_, lowest_key<Value>);
    };
    const int y = buffer.y + row;
    if (y < 0 || y >= pass_.height) return clear(0, buffer.width);
    clear(0, std::clamp(-buffer.x, 0, buffer.width));
    clear(std::clamp(pass_.width - buffer.x, 0, buffer.width), buffer.width);
  }

  // ---- Steps

  /// Rectangles: makes the first `count` rows after `step` steps, those that are not there yet, and first what they
  /// need. So every row is worked on again while it is still in the nearest cache.
  void make_rows(int step, int count) {
    const Buffer<Key>& rows = buffer_[step];
    const bool last = step == pass_.count;
    const auto spread = [&](int row) HWY_ATTR {  // what comes next goes along rows
      if (last) return store_row(rows.row(row), rows.x, rows.y + row, rows.width);
      if (step > 0) clear_outside(rows, row);
      max_along_row(rows.row(row), rows.width, pass_.steps[step].window->width, channels_);
    };
    int& made = made_[step];
    if (step == 0) {
      for (; made < count; ++made) {
        load_key_row(rows, made);
        spread(made);
      }
      return;
    }
    const Window& window = *pass_.steps[step - 1].window;
    const int size = window.height;
    const bool turn = !last && pass_.steps[step - 1].erode != pass_.steps[step].erode;
    while (made < count) {
      const int more = std::min(rows_at_once(window), rows.height - made);
      make_rows(step - 1, made + more + size - 1);
      const Key* from[3 * largest_size];
      Key* to[2 * largest_size];
      for (int i = 0; i < more + size - 1; ++i)
        from[i] = buffer_[step - 1].row(made + i);
      for (int i = 0; i < more; ++i)
        to[i] = rows.row(made + i);
      max_along_columns(from, to, rows.width * channels_, more, size, static_cast<Key>(turn ? ~Key{0} : Key{0}));
      for (int i = 0; i < more; ++i)
        spread(made + i);
      made += more;
    }
  }

  /// Returns where the result is: behind the tables, which `from` begins.
  Key* chord_step(const Window& window, const Buffer<Key>& from, const Buffer<Key>& to) {
    const hn::ScalableTag<Key> d;
    const int lanes = static_cast<int>(hn::Lanes(d));
    const std::ptrdiff_t table = from.pitch * from.height;
    int longest = 0;
    for (const Chord& chord : window.chords)
      longest = std::max(longest, chord.length);
    const int levels = std::bit_width(static_cast<unsigned>(longest));
    for (int level = 1; level < levels; ++level) {
      const int reach = 1 << (level - 1);
      for (int row = 0; row < from.height; ++row) {
        const Key* HWY_RESTRICT half = from.row(row) + (level - 1) * table;
        Key* HWY_RESTRICT whole = from.row(row) + level * table;
        for (int i = 0; i < (from.width - reach) * channels_; i += lanes)
          hn::StoreU(hn::Max(hn::LoadU(d, half + i), hn::LoadU(d, half + i + reach * channels_)), d, whole + i);
      }
    }
    Key* result = from.data + levels * table;
    // The entries of the table, as seen from the upper left corner of the window.
    auto* offsets = reinterpret_cast<std::ptrdiff_t*>(result + to.pitch * to.height);
    int count = 0;
    for (const Chord& chord : window.chords) {
      const int level = std::bit_width(static_cast<unsigned>(chord.length)) - 1;
      offsets[count++] = level * table + (chord.dy - window.top) * from.pitch + (chord.dx - window.left) * channels_;
      if (const int rest = chord.length - (1 << level); rest > 0) {
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

  /// An element with grey levels: sums that cannot overflow, of negated values for an erosion.
  void add_levels(const Buffer<Wide>& from, const Box& box) {
    constexpr Wide outside = std::is_same_v<Value, float> ? -std::numeric_limits<Wide>::infinity() : Wide(-(1 << 30));
    const Step& step = pass_.steps[0];
    const Window& window = *step.window;
    const bool erode = step.erode;
    for (int i = 0; i < from.height; ++i)
      load_row(
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
        Wide value = erode ? -sums[i] : sums[i];
        if constexpr (std::is_same_v<Value, float>)
          value += 0.0f;
        else
          value = std::clamp<Wide>(value, 0, white<Value>);
        keys[i] = static_cast<Key>(erode ? ~key_of(static_cast<Value>(value)) : key_of(static_cast<Value>(value)));
      }
      store_row(keys, box.x, box.y + row, box.width);
    }
  }

  // ---- Storing

  void store_row(const Key* HWY_RESTRICT keys, int x, int y, int width) {
    const bool erode = pass_.steps[pass_.count - 1].erode;
    const auto flip = static_cast<Key>(erode ? ~Key{0} : Key{0});
    const int count = width * channels_;
    Value* HWY_RESTRICT to = pass_.to.row<Value>(y) + x * channels_;
    const Value* HWY_RESTRICT original = pass_.original.row<Value>(y) + x * channels_;
    const Value* HWY_RESTRICT side = pass_.side.data ? pass_.side.row<Value>(y) + x * channels_ : original;

    const hn::ScalableTag<Key> d;
    const int lanes = static_cast<int>(hn::Lanes(d));
    const auto mask = hn::Set(d, flip);
    HWY_ALIGN Key alpha_lanes[hn::MaxLanes(hn::ScalableTag<Key>())];
    for (int i = 0; i < lanes; ++i)
      alpha_lanes[i] = static_cast<Key>(pass_.keep_alpha && i % 4 == 3 ? ~Key{0} : Key{0});
    const auto alpha = hn::Load(d, alpha_lanes);
    // 128-bit vectors of floats hold one pixel, all others whole pixels, too.
    const bool past_cache = pass_.stream && reinterpret_cast<std::uintptr_t>(to) % (sizeof(Key) * lanes) == 0;
    int i = 0;
    const auto values_at = [&]() HWY_ATTR {
      auto v = hn::Xor(hn::LoadU(d, keys + i), mask);
      if constexpr (std::is_same_v<Value, float>) v = ordered(v);
      return v;
    };
    const auto kept = [&](auto v) HWY_ATTR {
      const auto source = hn::LoadU(d, reinterpret_cast<const Key*>(original) + i);
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
      const bool result_first = pass_.finish == Finish::minus_original;
      const Value* HWY_RESTRICT other = pass_.finish == Finish::from_side ? side : original;
      for (; i + lanes <= count; i += lanes) {
        const auto result = values_at(), operand = hn::LoadU(d, reinterpret_cast<const Key*>(other) + i);
        const auto a = result_first ? result : operand, b = result_first ? operand : result;
        hn::StoreU(kept(minus(a, b)), d, reinterpret_cast<Key*>(to) + i);
      }
    }
    for (; i < count; ++i) {
      const Value result = value_of<Value>(static_cast<Key>(keys[i] ^ flip));
      to[i] = pass_.keep_alpha && i % 4 == 3 ? original[i] : finished(pass_.finish, result, original[i], side[i]);
    }
  }
  /// difference() of what the bits stand for.
  template <class V>
  static HWY_INLINE V minus(V a, V b) {
    if constexpr (std::is_same_v<Value, float>) {
      const hn::ScalableTag<float> d;
      return hn::BitCast(hn::ScalableTag<Key>(), hn::Sub(hn::BitCast(d, a), hn::BitCast(d, b)));
    } else {
      return hn::SaturatedSub(a, b);
    }
  }

  static constexpr int rows_ahead = 3;  ///< of those that are announced

  const Pass& pass_;
  int channels_;
  Buffer<Key> buffer_[3] = {};  ///< loaded, and after each step
  int made_[3] = {};            ///< how many of their rows are there
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
