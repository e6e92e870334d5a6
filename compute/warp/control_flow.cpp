// Where the lanes of a divergent branch meet again: at the immediate post-dominator of its basic block.

#include <algorithm>

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

void find_reconvergence(Code& code) {
  const Graph graph = graph_of(code);
  const auto exit = static_cast<std::uint32_t>(graph.next.size() - 1);
  const std::vector<std::uint32_t> dominator = immediate_dominators(graph.before, graph.next, exit);
  for (std::size_t i = 0; i < code.operations.size(); ++i) {
    Operation& op = code.operations[i];
    if (op.flow != Flow::Branch && op.flow != Flow::IndexedBranch) continue;
    const std::uint32_t meeting = dominator[graph.block_of[i]];
    op.reconverge = meeting == none || meeting == exit ? none : graph.first[meeting];
  }
}

}  // namespace threadscape::warp
