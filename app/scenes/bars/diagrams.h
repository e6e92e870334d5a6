#pragma once
// The two teaching pictures of the bars scene: the comparisons of a sorting network, and the tree of a reduction within
// a block. Everything is laid out in the canvas's own size, so that they can be read in a small pane and on a 4K
// screen.

#include <cstdint>
#include <string>
#include <vector>

#include "app/window/view_canvas.h"
#include "compute/registry/diagram.h"
#include "render/passes/bars_pass.h"

namespace threadscape::app {

/// The values of a sequence by their keys, and as text.
struct DiagramValues {
  Element element = Element::i32;
  std::vector<render::SequenceKey> keys;
  [[nodiscard]] std::string text(std::size_t place) const;
};

/// Keys of what memory holds in its first row.
[[nodiscard]] DiagramValues values_of(HostIn data);
/// What is at each place after the first `stages` stages.
[[nodiscard]] std::vector<render::SequenceKey> after_stages(const NetworkDiagram& network,
                                                            std::vector<render::SequenceKey> keys, int stages);
/// Columns for the comparisons of a stage, so that none lies over another: a number for each.
[[nodiscard]] std::vector<int> lanes_of(const NetworkDiagram::Stage& stage);

/// Wires from left to right, coloured by their values, as far as the stages are done; comparisons with an arrow to
/// where the larger value goes. `result` is what the backend left, drawn at the right.
void draw_network(ViewCanvas& canvas, const NetworkDiagram& network, const DiagramValues& input,
                  const DiagramValues& result);
/// Step `step` (from 0) of the tree: threads, shared memory by banks, and a table of all steps.
void draw_tree(ViewCanvas& canvas, const TreeDiagram& tree, int step);

}  // namespace threadscape::app
