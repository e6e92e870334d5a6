#pragma once
// How the CUDA kernels see pixels: as 32-bit words of keys, of which only maxima are taken. An erosion complements
// words when it reads and when it writes them. What a word holds:
//
//  Bytes      | a | b | g | r |    one RGBA pixel of 8 bits
//  U16x2      |   y   |   x   |    two 16-bit values, half of an RGBA pixel
//  Single     |       v       |    one float, or one value of a grey picture with the other bits 0
//
// A Key is a word prepared for several maxima. For Bytes it is two words, so that one u16x2 maximum each is enough:
//
//  odd        | a . | g . |        the upper bytes decide, the lower ones (.) never matter
//  even       | b . | r . |        the word shifted left by 8 bits

#include <cstdint>
#include <cstring>

#include "compute/algorithms/morphology/morphology/morphology_math.h"
#include "compute/core/shape.h"
#include "compute/engines/patches/u16x2.h"

namespace threadscape::morphology {

/// The key of words that one instruction compares: the word itself.
template <class Word>
struct PlainKey {
  using Key = std::uint32_t;
  TS_HD static Key unpack(std::uint32_t word) { return word; }
  /// A word whose top byte is that of the unpacked word.
  TS_HD static std::uint32_t top_byte(Key key) { return key; }
  TS_HD static std::uint32_t pack(Key key) { return key; }
  TS_HD static Key flipped(Key key, std::uint32_t mask) { return key ^ mask; }
  TS_HD static Key max_key(Key a, Key b) { return Word::max(a, b); }
  TS_HD static Key max_key(Key a, Key b, Key c) { return Word::max(Word::max(a, b), c); }
  TS_HD static Key choose(bool first, Key a, Key b) { return first ? a : b; }
};

/// The kinds of words. `Stored` is the type in memory; word w of pixel x is element x * words + w of a row. A word that
/// goes through several maxima is unpacked to a Key first and packed at the end.
struct Bytes {
  using Stored = std::uint32_t;
  static constexpr std::uint32_t lowest = 0;
  /// In a maximum of 16-bit values the upper byte decides. So of two such maxima one is right for the odd bytes and the
  /// other for the even ones; on current GPUs that is faster than an emulated maximum of four bytes.
  TS_HD static std::uint32_t max(std::uint32_t a, std::uint32_t b) {
    const std::uint32_t odd = max_u16x2(a, b), even = max_u16x2(a << 8, b << 8);
    return (odd & 0xff00ff00) | (even >> 8 & 0x00ff00ff);
  }
  /// Both halves of max(), kept apart: a maximum is then two instructions.
  struct alignas(8) Key {
    std::uint32_t odd = 0, even = 0;
  };
  TS_HD static Key unpack(std::uint32_t word) { return {word, word << 8}; }
  TS_HD static std::uint32_t top_byte(Key key) { return key.odd; }
  TS_HD static std::uint32_t pack(Key key) { return pick_bytes(key.even, key.odd, 0x7351); }
  TS_HD static Key flipped(Key key, std::uint32_t mask) { return {key.odd ^ mask, key.even ^ mask}; }
  TS_HD static Key max_key(Key a, Key b) { return {max_u16x2(a.odd, b.odd), max_u16x2(a.even, b.even)}; }
  TS_HD static Key max_key(Key a, Key b, Key c) {
    return {max_u16x2(a.odd, b.odd, c.odd), max_u16x2(a.even, b.even, c.even)};
  }
  /// Written so that it compiles to two selects, not to a branch.
  TS_HD static Key choose(bool first, Key a, Key b) { return {first ? a.odd : b.odd, first ? a.even : b.even}; }
  TS_HD static std::uint32_t load(Stored stored) { return stored; }
  TS_HD static Stored store(std::uint32_t word) { return word; }
};
struct U16x2 : PlainKey<U16x2> {
  using Stored = std::uint32_t;
  static constexpr std::uint32_t lowest = 0;
  TS_HD static std::uint32_t max(std::uint32_t a, std::uint32_t b) { return max_u16x2(a, b); }
  TS_HD static std::uint32_t load(Stored stored) { return stored; }
  TS_HD static Stored store(std::uint32_t word) { return word; }
};
template <class Value>
struct Single : PlainKey<Single<Value>> {
  using Stored = Value;
  static constexpr std::uint32_t lowest = static_cast<std::uint32_t>(lowest_key<Value>);
  TS_HD static std::uint32_t max(std::uint32_t a, std::uint32_t b) {
    if constexpr (std::is_same_v<Value, float>)
      return static_cast<std::int32_t>(a) > static_cast<std::int32_t>(b) ? a : b;
    else
      return a > b ? a : b;
  }
  TS_HD static std::uint32_t load(Stored stored) { return static_cast<std::uint32_t>(total_order_key(stored)); }
  TS_HD static Stored store(std::uint32_t word) {
    return from_total_order_key<Value>(static_cast<TotalOrderKey<Value>>(word));
  }
};

/// Mask that complements the values of a word and keeps the unused bits of a single byte or 16-bit value 0.
template <class Word>
TS_HD inline std::uint32_t flip_mask(bool flip) {
  if (!flip) return 0;
  return sizeof(typename Word::Stored) == 1 ? 0xffu : sizeof(typename Word::Stored) == 2 ? 0xffffu : ~0u;
}

/// Values that are `pitch` bytes apart: a column of a picture, or values of a row at equal distances. `pitch` is an
/// int, so that an address takes one instruction.
template <class Stored>
struct Strided {
  Stored* start;
  int pitch;

  TS_HD Stored& operator[](int i) const {
    using Byte = std::conditional_t<std::is_const_v<Stored>, const char, char>;
    return *reinterpret_cast<Stored*>(reinterpret_cast<Byte*>(start) + static_cast<std::int64_t>(i) * pitch);
  }
};

/// The words of a picture. Each block works on one of the `words` of every pixel.
template <class Word>
struct WordPicture {
  using Stored = typename Word::Stored;
  Stored* data = nullptr;
  std::ptrdiff_t pitch = 0;  ///< In units of Stored.
  int width = 0, height = 0, words = 1;

  TS_HD std::uint32_t load(int x, int y, int word) const { return Word::load(data[y * pitch + x * words + word]); }
  TS_HD void store(int x, int y, int word, std::uint32_t value) const {
    data[y * pitch + x * words + word] = Word::store(value);
  }
  /// The words from (x, y) downwards.
  TS_HD Strided<Stored> column(int x, int y, int word) const {
    return {data + y * pitch + x * words + word, static_cast<int>(pitch * static_cast<int>(sizeof(Stored)))};
  }
  /// The value at (x, y), complemented by `flip`. The place may lie outside the picture; where the border leaves such
  /// places out the value is the lowest one.
  TS_HD std::uint32_t load_any(int x, int y, int word, Border border, std::uint32_t flip) const {
    const int column = near_index(x, width, border), row = near_index(y, height, border);
    return column < 0 || row < 0 ? Word::lowest : load(column, row, word) ^ flip;
  }
};

template <class Word>
WordPicture<Word> words_of(const std::byte* data, std::size_t pitch, const Shape& shape) {
  using Stored = typename Word::Stored;
  return {const_cast<Stored*>(reinterpret_cast<const Stored*>(data)),
          static_cast<std::ptrdiff_t>(pitch / sizeof(Stored)), static_cast<int>(shape.width),
          static_cast<int>(shape.height), static_cast<int>(shape.pixel_bytes() / sizeof(Stored))};
}

/// Calls f(Word{}) with the kind of words of this shape.
template <class F>
void with_words(const Shape& shape, const F& f) {
  const bool colour = shape.channels == 4;
  if (shape.element == Element::f32)
    f(Single<float>{});
  else if (shape.element == Element::u8)
    colour ? f(Bytes{}) : f(Single<std::uint8_t>{});
  else
    colour ? f(U16x2{}) : f(Single<std::uint16_t>{});
}

}  // namespace threadscape::morphology
