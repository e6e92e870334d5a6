#pragma once
// Merging of two sorted runs, of which any part can be computed by itself, so that threads can share one merge (Odeh et
// al., Merge Path, 2012).

#include <algorithm>
#include <cstdint>

namespace threadscape::sorting {

/// Number of items of run `a` among the first `place` items of the merged result; equal items of `a` come first.
template <class Item>
std::int64_t taken_from_a(const Item* a, std::int64_t a_count, const Item* b, std::int64_t b_count,
                          std::int64_t place) {
  std::int64_t low = std::max<std::int64_t>(0, place - b_count), high = std::min(place, a_count);
  while (low < high) {
    const std::int64_t middle = (low + high) / 2;
    if (b[place - middle - 1] < a[middle])
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

/// Merges [a, a_end) and [b, b_end) to `out`. It merges from both ends at once, as two independent chains of dependent
/// comparisons, and does not check for the end of a run while both are long enough.
template <class Item>
void merge_runs(const Item* a, const Item* a_end, const Item* b, const Item* b_end, Item* out) {
  Item* out_end = out + (a_end - a) + (b_end - b);
  while (const std::int64_t steps = std::min(a_end - a, b_end - b) / 2) {
    for (std::int64_t i = 0; i < steps; ++i) {
      const Item first_a = *a, first_b = *b;
      const bool from_b = first_b < first_a;
      *out++ = from_b ? first_b : first_a;
      b += from_b;
      a += !from_b;
      const Item last_a = a_end[-1], last_b = b_end[-1];
      const bool from_a = last_b < last_a;
      *--out_end = from_a ? last_a : last_b;
      a_end -= from_a;
      b_end -= !from_a;
    }
  }
  while (a < a_end && b < b_end)
    *out++ = *b < *a ? *b++ : *a++;
  std::copy(b, b_end, std::copy(a, a_end, out));
}

/// Writes the places [from, to) of the result of merging two runs.
template <class Item>
void merge_piece(const Item* a, std::int64_t a_count, const Item* b, std::int64_t b_count, std::int64_t from,
                 std::int64_t to, Item* out) {
  const std::int64_t a_from = taken_from_a(a, a_count, b, b_count, from);
  const std::int64_t a_to = taken_from_a(a, a_count, b, b_count, to);
  merge_runs(a + a_from, a + a_to, b + (from - a_from), b + (to - a_to), out + from);
}

}  // namespace threadscape::sorting
