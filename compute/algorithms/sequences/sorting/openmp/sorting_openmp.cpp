// Sorting with all threads: parts are sorted with SIMD and merged pairwise, or the bitonic network is performed.

#include <hwy/contrib/sort/vqsort.h>

#include <utility>
#include <vector>

#include "compute/algorithms/sequences/sorting/openmp/sorting_merge.h"
#include "compute/algorithms/sequences/sorting/sorting_host.h"

namespace threadscape {

namespace sorting {
namespace {

constexpr std::int64_t min_part_keys = 4096;  ///< Smaller parts are not worth a thread.

/// Number of parts that are sorted separately, a power of two, so that they can be merged pairwise.
int parts_for(std::int64_t count, int threads) {
  const auto max_parts = static_cast<std::uint64_t>(std::max<std::int64_t>(1, count / min_part_keys));
  return static_cast<int>(std::min(std::bit_ceil(static_cast<std::uint64_t>(threads)), std::bit_floor(max_parts)));
}

template <class Item>
void sort_parts(Item* items, const std::vector<std::int64_t>& bounds, const HostRun& run) {
  const std::size_t parts = bounds.size() - 1;
#pragma omp parallel for schedule(dynamic) num_threads(run.threads)
  for (std::size_t part = 0; part < parts; ++part) {
    if (run.stop.stop_requested()) continue;
    hwy::Sorter()(items + bounds[part], static_cast<std::size_t>(bounds[part + 1] - bounds[part]),
                  hwy::SortAscending());
  }
}

/// Sorts the input of the run into `items`. `items` and `other` hold the intermediate results in turn.
template <class Item>
void sort_and_merge(const Sorting::Params& params, const HostRun& run, Item* items, Item* other) {
  const std::int64_t count = run.in.shape.width;
  const int parts = parts_for(count, run.threads), rounds = std::countr_zero(static_cast<unsigned>(parts));
  Item* from = rounds % 2 == 0 ? items : other;
  Item* to = rounds % 2 == 0 ? other : items;
  make_items(params, run, from);
  std::vector<std::int64_t> bounds;
  for (int part = 0; part <= parts; ++part)
    bounds.push_back(count * part / parts);
  sort_parts(from, bounds, run);
  while (bounds.size() > 2) {
    merge_neighbours(from, to, bounds, run.threads, run.stop);
    std::swap(from, to);
  }
}

/// Makes the comparisons [begin, end) of a stage, run by run: within a run, the compared places both advance by one, or
/// they approach each other in a mirror stage.
template <class Item>
void compare_places(Item* items, std::int64_t count, const Stage& stage, std::int64_t begin, std::int64_t end) {
  const std::int64_t half = std::int64_t{1} << stage.distance;
  while (begin < end) {
    const std::int64_t length = std::min(end, (begin | (half - 1)) + 1) - begin;
    const Comparison first = stage.comparison(begin);
    Item* lower = items + first.lower;
    Item* upper = items + first.upper;
    if (stage.mirror) {
      for (std::int64_t i = std::max<std::int64_t>(0, first.upper - count + 1); i < length; ++i)
        compare_exchange(lower[i], upper[-i]);
    } else {
      const std::int64_t within = std::min(length, count - first.upper);
      if (first.descending) std::swap(lower, upper);
      for (std::int64_t i = 0; i < within; ++i)
        compare_exchange(lower[i], upper[i]);
    }
    begin += length;
  }
}

/// Performs `stages` stages of the bitonic network. A thread owns tiles of 4096 items. Consecutive stages that compare
/// places within tiles run tile by tile without a barrier between them; stages with longer distances run for all tiles
/// between two barriers.
template <class Item>
void run_network(Item* items, std::int64_t count, Network network, int stages, const HostRun& run) {
  constexpr int tile_merges = 12;
  constexpr std::int64_t tile_comparisons = std::int64_t{1} << (tile_merges - 1);
  const auto is_near = [=](int stage) { return stage_at(network, count, stage).distance < tile_merges; };
  const std::int64_t comparisons = comparisons_for(count);
  const std::int64_t tiles = (comparisons + tile_comparisons - 1) / tile_comparisons;
  const auto team = static_cast<int>(std::clamp<std::int64_t>(tiles, 1, run.threads));
#pragma omp parallel num_threads(team)
  {
    const int thread = omp_get_thread_num(), threads = omp_get_num_threads();
    const std::int64_t first_tile = tiles * thread / threads, end_tile = tiles * (thread + 1) / threads;
    for (int stage = 0; stage < stages;) {
      int next = stage + 1;
      while (is_near(stage) && next < stages && is_near(next))
        ++next;
      for (std::int64_t tile = first_tile; tile < end_tile && !run.stop.stop_requested(); ++tile)
        for (int s = stage; s < next; ++s)
          compare_places(items, count, stage_at(network, count, s), tile * tile_comparisons,
                         std::min(comparisons, (tile + 1) * tile_comparisons));
      stage = next;
#pragma omp barrier
    }
  }
}

template <class Item>
void sort_openmp(const Sorting::Params& params, const HostRun& run) {
  const std::int64_t count = run.in.shape.width;
  Item* items = items_memory<Item>(run);
  if (params.stages == 0 && run.variant == 0) {
    sort_and_merge(params, run, items, run.scratch->take<Item>(static_cast<std::size_t>(count)).data());
  } else {
    make_items(params, run, items);
    run_network(items, count, params.network, stages_to_run(params, count), run);
  }
  write_items(params, run, items);
}

}  // namespace
}  // namespace sorting

void Sorting::openmp(const Params& params, const HostRun& run) {
  params.pairs ? sorting::sort_openmp<sorting::Pair>(params, run) : sorting::sort_openmp<sorting::Key>(params, run);
}

}  // namespace threadscape
