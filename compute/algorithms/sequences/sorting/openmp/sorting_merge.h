#pragma once
// Merging of two sorted runs, of which any part can be computed by itself, so that threads can share one merge (Odeh et
// al., Merge Path, 2012).

#include <omp.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <utility>
#include <vector>

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

/// Merges neighbouring runs two by two, and leaves the bounds of the merged ones: run i has the places from bounds[i]
/// to bounds[i + 1]. Every thread writes an equal share of the result.
template <class Item>
void merge_neighbours(const Item* from, Item* to, std::vector<std::int64_t>& bounds, int threads,
                      const std::stop_token& stop) {
  const std::size_t last = bounds.size() - 1;
#pragma omp parallel num_threads(threads)
  {
    const int thread = omp_get_thread_num(), team = omp_get_num_threads();
    const std::int64_t share_begin = bounds[last] * thread / team, share_end = bounds[last] * (thread + 1) / team;
    for (std::size_t run = 0; run < last && !stop.stop_requested(); run += 2) {
      const std::int64_t begin = bounds[run], middle = bounds[run + 1], end = bounds[std::min(run + 2, last)];
      const std::int64_t piece_begin = std::max(begin, share_begin), piece_end = std::min(end, share_end);
      if (piece_begin < piece_end)
        merge_piece(from + begin, middle - begin, from + middle, end - middle, piece_begin - begin, piece_end - begin,
                    to + begin);
    }
  }
  std::vector<std::int64_t> merged;
  for (std::size_t run = 0; run < last; run += 2)
    merged.push_back(bounds[run]);
  merged.push_back(bounds[last]);
  bounds = std::move(merged);
}

}  // namespace threadscape::sorting
