#pragma once
// The teaching pictures of the bars scene: the comparisons of a sorting network, the tree of a reduction within a
// thread block, and the words that a warp reads. All lengths follow from the size of the canvas, so that they can be
// read in a small pane and on a 4K screen.

#include <cstdint>
#include <string>
#include <vector>

#include "app/ui/view_canvas.h"
#include "compute/registry/diagram.h"
#include "render/passes/bars_pass.h"

namespace threadscape::app {

/// The values of a short sequence in the form that the diagrams draw.
struct DiagramValues {
  Element element = Element::i32;
  std::vector<render::SequenceKey> keys;  ///< Sort keys of the values, in their order.
  /// The value at a place as text.
  [[nodiscard]] std::string text(std::size_t place) const;
};

/// The values of the first row of `data`.
[[nodiscard]] DiagramValues values_of(HostIn data);
/// The keys at each place after the first `stages` stages of the network.
[[nodiscard]] std::vector<render::SequenceKey> after_stages(const NetworkDiagram& network,
                                                            std::vector<render::SequenceKey> keys, int stages);
/// A column for each comparison of a stage, chosen so that no two arrows in a column overlap.
[[nodiscard]] std::vector<int> lanes_of(const NetworkDiagram::Stage& stage);

/// Draws a wire for each place from left to right, coloured by its value as far as the stages are done, and each
/// comparison as an arrow to the place that gets the larger value. `result` is the array that the backend left; it is
/// drawn at the right.
void draw_network(ViewCanvas& canvas, const NetworkDiagram& network, const DiagramValues& input,
                  const DiagramValues& result);
/// Draws step `step`, counted from 0, of the tree: threads, shared memory by banks, and a table of all steps.
void draw_tree(ViewCanvas& canvas, const TreeDiagram& tree, int step);
/// Draws the threads of a warp and the rows of memory that they read, with the words that are fetched for nothing.
void draw_access(ViewCanvas& canvas, const AccessDiagram& access);

}  // namespace threadscape::app
