// Where the lanes of a divergent branch meet again.

#include <algorithm>
#include <utility>

#include "compute/warp/control_flow.h"
#include "compute/warp/dominators.h"

namespace threadscape::warp {
namespace {

bool ends_block(Flow flow) {
  return flow == Flow::Branch || flow == Flow::IndexedBranch || flow == Flow::Return || flow == Flow::Exit ||
         flow == Flow::Trap;
}

}  // namespace

Graph graph_of(const Code& code) {
  const std::size_t size = code.operations.size();
  std::vector<bool> leader(size + 1);
  leader[0] = true;
  for (std::size_t i = 0; i < size; ++i) {
    const Operation& op = code.operations[i];
    if (ends_block(op.flow)) leader[i + 1] = true;
    if (op.flow == Flow::Branch) leader[op.target] = true;
    if (op.flow == Flow::IndexedBranch)
      for (const std::uint32_t target : code.tables[op.target])
        leader[target] = true;
  }
  Graph graph;
  graph.block_of.resize(size);
  for (std::size_t i = 0; i < size; ++i) {
    if (leader[i]) graph.first.push_back(static_cast<std::uint32_t>(i));
    graph.block_of[i] = static_cast<std::uint32_t>(graph.first.size() - 1);
  }
  const std::size_t blocks = graph.first.size();
  graph.first.push_back(static_cast<std::uint32_t>(size));
  graph.next.resize(blocks + 1);
  graph.before.resize(blocks + 1);
  const auto exit = static_cast<std::uint32_t>(blocks);
  for (std::uint32_t block = 0; block < blocks; ++block) {
    const Operation& last = code.operations[graph.first[block + 1] - 1];
    std::vector<std::uint32_t>& next = graph.next[block];
    if (last.flow == Flow::Branch) next.push_back(graph.block_of[last.target]);
    if (last.flow == Flow::IndexedBranch)
      for (const std::uint32_t target : code.tables[last.target])
        next.push_back(graph.block_of[target]);
    if (last.flow == Flow::Return || last.flow == Flow::Exit || last.flow == Flow::Trap) next.push_back(exit);
    if (!ends_block(last.flow) || last.guard != none) next.push_back(block + 1);
    std::sort(next.begin(), next.end());
    next.erase(std::unique(next.begin(), next.end()), next.end());
    for (const std::uint32_t to : next)
      graph.before[to].push_back(block);
  }
  return graph;
}

namespace {

/// The ways of a turn of a loop: those that leave it are not there, and those to its head lead to the exit.
Edges edges_within(const Loop& loop, const Graph& graph) {
  const auto exit = static_cast<std::uint32_t>(graph.next.size() - 1);
  Edges within(graph.next.size());
  for (std::uint32_t block = 0; block < exit; ++block)
    for (const std::uint32_t next : graph.next[block])
      if (loop.holds[block] && loop.holds[next]) within[block].push_back(next == loop.head ? exit : next);
  return within;
}

Edges reversed(const Edges& edges) {
  Edges before(edges.size());
  for (std::uint32_t from = 0; from < edges.size(); ++from)
    for (const std::uint32_t to : edges[from])
      before[to].push_back(from);
  return before;
}

}  // namespace

void find_reconvergence(Code& code) {
  const Graph graph = graph_of(code);
  const auto exit = static_cast<std::uint32_t>(graph.next.size() - 1);
  code.block_of = graph.block_of;
  code.loops = natural_loops(graph.next, graph.before, 0);
  const std::vector<std::uint32_t> dominator = immediate_dominators(graph.before, graph.next, exit);
  std::vector<Edges> within;
  std::vector<std::vector<std::uint32_t>> dominator_within;
  for (const Loop& loop : code.loops) {
    within.push_back(edges_within(loop, graph));
    dominator_within.push_back(immediate_dominators(reversed(within.back()), within.back(), exit));
  }
  for (std::size_t i = 0; i < code.operations.size(); ++i) {
    Operation& op = code.operations[i];
    if (op.flow != Flow::Branch && op.flow != Flow::IndexedBranch) continue;
    const std::uint32_t block = graph.block_of[i], meeting = dominator[block];
    op.reconverge = meeting == none || meeting == exit ? none : graph.first[meeting];
    std::vector<Meeting> meetings{{op.reconverge, none}};
    for (std::uint32_t k = 0; k < code.loops.size(); ++k) {
      const Loop& loop = code.loops[k];
      if (!loop.holds[block]) continue;
      op.breaks |= std::ranges::any_of(graph.next[block], [&](std::uint32_t next) { return !loop.holds[next]; });
      const std::uint32_t at = dominator_within[k][block];
      if (within[k][block].size() > 1 && at != none) meetings.push_back({graph.first[at == exit ? loop.head : at], k});
    }
    if (std::ranges::all_of(meetings, [&](const Meeting& one) { return one.at == op.reconverge; })) continue;
    op.meetings = static_cast<std::uint32_t>(code.meetings.size());
    code.meetings.push_back(std::move(meetings));
  }
}

}  // namespace threadscape::warp
