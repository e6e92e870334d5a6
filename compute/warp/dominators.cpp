#include "compute/warp/dominators.h"

#include <algorithm>
#include <utility>

#include "compute/warp/code.h"

namespace threadscape::warp {
namespace {

/// The blocks in the order in which a walk from the root leaves them.
std::vector<std::uint32_t> post_order(const Edges& next, std::uint32_t root) {
  std::vector<std::uint32_t> order;
  std::vector<bool> seen(next.size());
  std::vector<std::pair<std::uint32_t, std::size_t>> path{{root, 0}};
  seen[root] = true;
  while (!path.empty()) {
    auto& [block, edge] = path.back();
    if (edge == next[block].size()) {
      order.push_back(block);
      path.pop_back();
      continue;
    }
    const std::uint32_t to = next[block][edge++];
    if (!seen[to]) {
      seen[to] = true;
      path.emplace_back(to, 0);
    }
  }
  return order;
}

/// Adds the blocks that reach a block of the loop without its head.
void grow(Loop& loop, std::uint32_t from, const Edges& before, const std::vector<std::uint32_t>& dominator) {
  std::vector<std::uint32_t> left{from};
  while (!left.empty()) {
    const std::uint32_t block = left.back();
    left.pop_back();
    if (loop.holds[block] || dominator[block] == none) continue;
    loop.holds[block] = true;
    ++loop.size;
    left.insert(left.end(), before[block].begin(), before[block].end());
  }
}

}  // namespace

std::vector<std::uint32_t> immediate_dominators(const Edges& next, const Edges& before, std::uint32_t root) {
  const std::vector<std::uint32_t> order = post_order(next, root);
  std::vector<std::uint32_t> place(next.size(), none), dominator(next.size(), none);
  for (std::uint32_t i = 0; i < order.size(); ++i)
    place[order[i]] = i;
  dominator[root] = root;
  const auto meet = [&](std::uint32_t a, std::uint32_t b) {
    while (a != b) {
      while (place[a] < place[b])
        a = dominator[a];
      while (place[b] < place[a])
        b = dominator[b];
    }
    return a;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (auto block = order.rbegin(); block != order.rend(); ++block) {
      if (*block == root) continue;
      std::uint32_t found = none;
      for (const std::uint32_t from : before[*block])
        if (place[from] != none && dominator[from] != none) found = found == none ? from : meet(found, from);
      if (found == dominator[*block]) continue;
      dominator[*block] = found;
      changed = true;
    }
  }
  return dominator;
}

std::vector<Loop> natural_loops(const Edges& next, const Edges& before, std::uint32_t root) {
  const std::vector<std::uint32_t> dominator = immediate_dominators(next, before, root);
  const auto dominates = [&](std::uint32_t above, std::uint32_t block) {
    while (block != above && block != root)
      block = dominator[block];
    return block == above;
  };
  std::vector<Loop> loops;
  for (std::uint32_t from = 0; from < next.size(); ++from)
    for (const std::uint32_t head : next[from]) {
      if (dominator[from] == none || !dominates(head, from)) continue;
      auto loop = std::ranges::find(loops, head, &Loop::head);
      if (loop == loops.end()) {
        loop = loops.insert(loops.end(), {.head = head, .size = 1, .holds = std::vector<bool>(next.size())});
        loop->holds[head] = true;
      }
      grow(*loop, from, before, dominator);
    }
  std::ranges::stable_sort(loops, std::ranges::greater(), &Loop::size);
  return loops;
}

}  // namespace threadscape::warp
