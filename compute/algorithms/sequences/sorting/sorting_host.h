#pragma once
// Conversions for the CPU backends: keys become items that compare as unsigned integers, and sorted items become keys.

#include "compute/algorithms/sequences/sorting/sorting.h"

namespace threadscape::sorting {

inline std::size_t item_bytes(const Sorting::Params& params) {
  return params.pairs ? sizeof(Pair) : sizeof(Key);
}

/// Converts the input of the run to items.
template <class Item>
void make_items(const Sorting::Params& params, const HostRun& run, Item* items) {
  const auto* bits = reinterpret_cast<const std::uint32_t*>(run.in.data);
#pragma omp parallel for schedule(static) num_threads(run.threads)
  for (std::int64_t i = 0; i < run.in.shape.width; ++i)
    items[i] = make_item<Item>(bits[i], i, params.type);
}

/// Writes the keys, and for pairs their places below them, to the output. `items` may be in the memory of the output.
template <class Item>
void write_items(const Sorting::Params& params, const HostRun& run, const Item* items) {
  auto* keys = reinterpret_cast<std::uint32_t*>(run.out.data);
  const std::int64_t count = run.in.shape.width;
#pragma omp parallel for schedule(static) num_threads(run.threads)
  for (std::int64_t i = 0; i < count; ++i) {
    const Item item = items[i];
    keys[i] = decode(key_of(item), params.type);
    if constexpr (sizeof(Item) == sizeof(Pair)) keys[count + i] = static_cast<std::uint32_t>(item);
  }
}

/// Memory in which a run sorts its items: the output for keys, scratch memory for pairs.
template <class Item>
Item* items_memory(const HostRun& run) {
  if constexpr (sizeof(Item) == sizeof(Key))
    return reinterpret_cast<Key*>(run.out.data);
  else
    return run.scratch->take<Pair>(static_cast<std::size_t>(run.in.shape.width)).data();
}

/// Number of stages of the bitonic network that a run performs: the parameter `stages`, or all of them.
inline int stages_to_run(const Sorting::Params& params, std::int64_t count) {
  const int all = stages_for(count);
  return params.stages == 0 || params.stages > all ? all : params.stages;
}

}  // namespace threadscape::sorting
