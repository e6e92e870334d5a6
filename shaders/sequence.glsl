// Values of a sequence encoded as keys of two words, the high one first, which compare as unsigned integers in the
// order of the values. Elements are numbered as in compute/core/shape.h.

const int element_u32 = 2;
const int element_i32 = 3;
const int element_i64 = 4;
const int element_f32 = 5;
const int element_f64 = 6;

const uint block_values = 256u;  // values per span of the summary
const uvec2 max_key = uvec2(0xffffffffu);

struct Span {
  uvec2 low, high;  // keys; low > high if there is no finite value
};

struct Column {
  Span span;
  uvec2 middle;    // key of the value in the middle of the column
  uint companion;  // companion of that value
  uint first;      // place of the first value
};

bool less(uvec2 a, uvec2 b) { return a.x < b.x || (a.x == b.x && a.y < b.y); }
uvec2 lesser(uvec2 a, uvec2 b) { return less(b, a) ? b : a; }
uvec2 greater(uvec2 a, uvec2 b) { return less(a, b) ? b : a; }

bool is_wide(int element) { return element == element_i64 || element == element_f64; }

uvec2 key_of(uvec2 bits, int element) {
  if (element == element_i32 || element == element_i64) bits.x ^= 0x80000000u;
  if (element == element_f32) bits.x = (bits.x >> 31) != 0u ? ~bits.x : bits.x | 0x80000000u;
  if (element == element_f64) bits = (bits.x >> 31) != 0u ? ~bits : uvec2(bits.x | 0x80000000u, bits.y);
  return bits;
}

uvec2 bits_of(uvec2 key, int element) {
  if (element == element_i32 || element == element_i64) key.x ^= 0x80000000u;
  if (element == element_f32) key.x = (key.x >> 31) != 0u ? key.x ^ 0x80000000u : ~key.x;
  if (element == element_f64) key = (key.x >> 31) != 0u ? uvec2(key.x ^ 0x80000000u, key.y) : ~key;
  return key;
}

bool is_finite(uvec2 key, int element) {
  uint high = bits_of(key, element).x;
  if (element == element_f32) return (high & 0x7f800000u) != 0x7f800000u;
  if (element == element_f64) return (high & 0x7ff00000u) != 0x7ff00000u;
  return true;
}

// Position of a value between `low` and `high`, 0..1; 0.5 if both are equal.
float fraction(uvec2 key, uvec2 low, uvec2 high, int element) {
  if (!less(low, high)) return 0.5;
  if (element == element_f32) {
    // The values are divided by 4, since the difference of the ends may overflow a float.
    float from = 0.25 * uintBitsToFloat(bits_of(low, element).x), to = 0.25 * uintBitsToFloat(bits_of(high, element).x);
    return clamp((0.25 * uintBitsToFloat(bits_of(key, element).x) - from) / (to - from), 0.0, 1.0);
  }
  if (element == element_f64) {
    double from = 0.25lf * packDouble2x32(bits_of(low, element).yx);
    double to = 0.25lf * packDouble2x32(bits_of(high, element).yx);
    return float(clamp((0.25lf * packDouble2x32(bits_of(key, element).yx) - from) / (to - from), 0.0lf, 1.0lf));
  }
  if (less(key, low)) return 0.0;
  uint borrow, borrow_all;
  uint part_low = usubBorrow(key.y, low.y, borrow), all_low = usubBorrow(high.y, low.y, borrow_all);
  vec2 part = vec2(key.x - low.x - borrow, part_low), all = vec2(high.x - low.x - borrow_all, all_low);
  return clamp((part.x * 4294967296.0 + part.y) / (all.x * 4294967296.0 + all.y), 0.0, 1.0);
}
