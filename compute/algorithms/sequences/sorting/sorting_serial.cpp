// Sorting, the readable reference: quicksort, std::sort, or the bitonic network. With threads, the parts of quicksort
// are tasks, and the comparisons of a stage are shared.

#include <algorithm>

#include "compute/algorithms/sequences/sorting/sorting_host.h"

namespace threadscape {

namespace sorting {
namespace {

/// Quicksort with a pivot from a random place, so that no input is slow for all seeds.
template <class Item>
class Quicksort {
 public:
  explicit Quicksort(const HostRun& run) : seed_(run.seed), threads_(run.threads) {}

  /// Sorts `count` items.
  void operator()(Item* items, std::int64_t count) const {
    if (threads_ <= 1) return sort(items, 0, count - 1);
#pragma omp parallel num_threads(threads_)
#pragma omp single
    sort(items, 0, count - 1);
  }

 private:
  static constexpr std::int64_t task_items = 4096;  ///< Shorter parts are not worth a task.

  /// Sorts the items first .. last, both included.
  void sort(Item* items, std::int64_t first, std::int64_t last) const {
    while (first < last) {
      const std::int64_t middle = partition(items, first, last);
      // The shorter part is sorted by recursion, so that the depth is at most log2 of the length.
      if (middle - first < last - middle) {
        sort_part(items, first, middle);
        first = middle + 1;
      } else {
        sort_part(items, middle + 1, last);
        last = middle;
      }
    }
  }
  void sort_part(Item* items, std::int64_t first, std::int64_t last) const {
    if (threads_ <= 1 || last - first < task_items) return sort(items, first, last);
#pragma omp task firstprivate(items, first, last)
    sort(items, first, last);
  }

  /// Hoare's partition: afterwards no item up to the returned place is larger than any item after it. Equal items are
  /// exchanged, which splits a range of equal items in the middle.
  std::int64_t partition(Item* items, std::int64_t first, std::int64_t last) const {
    const Item pivot = items[random_place(first, last)];  // never the last: both parts keep an item
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
  /// A random place in first .. last - 1, which depends on the part alone, and so not on the order of tasks.
  [[nodiscard]] std::int64_t random_place(std::int64_t first, std::int64_t last) const {
    // The finalizer of SplitMix64 costs less than the comparisons of a short part.
    std::uint64_t bits =
        seed_ + static_cast<std::uint64_t>(first) * 0x9E3779B97F4A7C15u + static_cast<std::uint64_t>(last);
    bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9u;
    bits = (bits ^ bits >> 27) * 0x94D049BB133111EBu;
    const auto count = static_cast<std::uint64_t>(last - first);
    return first + static_cast<std::int64_t>(((bits >> 32) * count) >> 32);
  }

  std::uint64_t seed_;
  int threads_;
};

/// Performs the first `stages` stages of the bitonic network.
template <class Item>
void run_network(Item* items, std::int64_t count, Network network, int stages, int threads) {
  for (int number = 0; number < stages; ++number) {
    const Stage stage = stage_at(network, count, number);
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1)
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
    run_network(items, count, params.network, stages_to_run(params, count), run.threads);
  else if (run.variant == 0)
    Quicksort<Item>{run}(items, count);
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
