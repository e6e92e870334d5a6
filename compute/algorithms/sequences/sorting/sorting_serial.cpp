// Sorting, the readable reference, on one thread: quicksort, std::sort, or the bitonic network.

#include <algorithm>

#include "compute/algorithms/sequences/sorting/sorting_host.h"
#include "compute/kernel/philox.h"

namespace threadscape {

namespace sorting {
namespace {

/// Quicksort with a pivot from a random place, so that no input is slow for all seeds.
template <class Item>
class Quicksort {
 public:
  explicit Quicksort(std::uint64_t seed) : seed_(seed) {}

  /// Sorts the items first .. last, both included.
  void sort(Item* items, std::int64_t first, std::int64_t last) {
    while (first < last) {
      const std::int64_t middle = partition(items, first, last);
      // The shorter part is sorted by recursion, so that the depth is at most log2 of the length.
      if (middle - first < last - middle) {
        sort(items, first, middle);
        first = middle + 1;
      } else {
        sort(items, middle + 1, last);
        last = middle;
      }
    }
  }

 private:
  /// Hoare's partition: afterwards no item up to the returned place is larger than any item after it. Equal items are
  /// exchanged, which splits a range of equal items in the middle.
  std::int64_t partition(Item* items, std::int64_t first, std::int64_t last) {
    const Item pivot = items[first + random_below(last - first)];  // never the last: both parts keep an item
    std::int64_t left = first - 1, right = last + 1;
    while (true) {
      do
        ++left;
      while (items[left] < pivot);
      do
        --right;
      while (pivot < items[right]);
      if (left >= right) return right;
      std::swap(items[left], items[right]);
    }
  }
  /// A random number in 0 .. count - 1.
  std::int64_t random_below(std::int64_t count) {
    const PhiloxBlock words = philox({{calls_++, 0, 0, 0}}, seed_);
    return static_cast<std::int64_t>((std::uint64_t{words.word[0]} * static_cast<std::uint64_t>(count)) >> 32);
  }

  std::uint64_t seed_;
  std::uint32_t calls_ = 0;
};

/// Performs the first `stages` stages of the bitonic network.
template <class Item>
void run_network(Item* items, std::int64_t count, Network network, int stages) {
  for (int number = 0; number < stages; ++number) {
    const Stage stage = stage_at(network, count, number);
    for (std::int64_t i = 0; i < comparisons_for(count); ++i)
      if (const Comparison at = stage.comparison(i); at.upper < count)
        compare_exchange(items[at.lower], items[at.upper], at.descending);
  }
}

template <class Item>
void sort_serial(const Sorting::Params& params, const HostRun& run) {
  const std::int64_t count = run.in.shape.width;
  Item* items = items_memory<Item>(run);
  make_items(params, run, items);
  if (params.stages > 0)
    run_network(items, count, params.network, stages_to_run(params, count));
  else if (run.variant == 0)
    Quicksort<Item>(run.seed).sort(items, 0, count - 1);
  else
    std::sort(items, items + count);
  write_items(params, run, items);
}

}  // namespace
}  // namespace sorting

void Sorting::serial(const Params& params, const HostRun& run) {
  params.pairs ? sorting::sort_serial<sorting::Pair>(params, run) : sorting::sort_serial<sorting::Key>(params, run);
}

}  // namespace threadscape
