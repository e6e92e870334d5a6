// Sorting a sequence that was sorted in parts, as on several devices: the parts are merged two by two.

#include <utility>
#include <vector>

#include "compute/algorithms/sequences/sorting/openmp/sorting_merge.h"
#include "compute/algorithms/sequences/sorting/sorting_host.h"
#include "compute/core/data.h"
#include "compute/core/join_run.h"

namespace threadscape {

namespace {

/// Makes items of the sorted parts. The places of pairs become those in the whole sequence.
template <class Item>
void make_items_of_parts(const Sorting::Params& params, const JoinRun& run, Item* items) {
  for (const JoinPart& part : run.parts) {
    const std::int64_t count = part.result.shape.width;
    const auto* const keys = reinterpret_cast<const std::uint32_t*>(part.result.data);
    Item* const to = items + part.first;
#pragma omp parallel for schedule(static) num_threads(run.threads)
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t place = sizeof(Item) == sizeof(sorting::Pair) ? part.first + keys[count + i] : 0;
      to[i] = sorting::make_item<Item>(keys[i], place, params.type);
    }
  }
}

template <class Item>
void join_items(const Sorting::Params& params, const JoinRun& run) {
  const Shape shape{.kind = Kind::sequence,
                    .element = sizeof(Item) == sizeof(sorting::Pair) ? Element::i64 : Element::u32,
                    .width = run.in.shape.width};
  HostArray first(shape), second(shape);
  auto* from = reinterpret_cast<Item*>(first.data());
  auto* to = reinterpret_cast<Item*>(second.data());
  make_items_of_parts(params, run, from);
  std::vector<std::int64_t> bounds;
  for (const JoinPart& part : run.parts)
    bounds.push_back(part.first);
  bounds.push_back(shape.width);
  while (bounds.size() > 2 && !run.stop.stop_requested()) {
    sorting::merge_neighbours(from, to, bounds, run.threads, run.stop);
    std::swap(from, to);
  }
  sorting::write_items(params, {.in = run.in, .out = run.out, .threads = run.threads, .stop = run.stop}, from);
}

}  // namespace

std::string Sorting::why_no_join(const Params& params) {
  return params.stages > 0 ? "shows stages of one network" : "";
}

void Sorting::join(const Params& params, const JoinRun& run) {
  params.pairs ? join_items<sorting::Pair>(params, run) : join_items<sorting::Key>(params, run);
}

}  // namespace threadscape
