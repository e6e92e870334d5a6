// Gradient filters, the readable reference: the responses of the masks at every pixel. One thread, no tricks. Three
// lines of values are read at a time, with what lies outside of the picture, so that the masks need not ask for the
// border.

#include <algorithm>
#include <stdexcept>

#include "compute/core/rows.h"
#include "compute/engines/gradient/gradient.h"
#include "compute/engines/planes/lines.h"
#include "compute/engines/planes/require_planes.h"

namespace threadscape::gradient {
namespace {

/// The values of a plane around `count` pixels of a row. Line 1 has those of the row itself, lines 0 and 2 those above
/// and below; index i + 1 belongs to pixel i.
template <class Value>
struct Lines {
  const Value* line[3];
  int count;

  /// The responses at pixel i.
  template <class Sum>
  [[nodiscard]] CompassResponses<Sum> responses(const Plan& plan, int i) const {
    return compass_responses<Sum>(plan, [&](int dx, int dy) { return static_cast<Sum>(line[1 + dy][i + 1 + dx]); });
  }
};

/// The results by any plan.
template <class Sum, class Value>
void find_edges(const Plan plan, const Lines<Value> lines, Value* results) {
  for (int i = 0; i < lines.count; ++i)
    results[i] = edge_of<Value>(plan, lines.template responses<Sum>(plan, i));
}

/// The same for |gx| + |gy|, with the weights of the mask M as constants: a textbook has this loop with the numbers of
/// the mask written into it.
template <class M, class Sum, class Value>
void find_strengths(const Lines<Value> lines, Value* __restrict__ results) {
  constexpr Plan plan{.side = M::side, .centre = M::centre};
  for (int i = 0; i < lines.count; ++i) {
    const auto responses = lines.template responses<Sum>(plan, i);
    results[i] = strength(responses.result[0], responses.result[2], Norm::l1);
  }
}

template <class P>
void find_edges_of_row(const Plan& plan, ImageView<const typename P::Pixel> in, ImageView<typename P::Pixel> out,
                       int y) {
  using Value = typename P::Value;
  using Sum = std::conditional_t<std::is_same_v<Value, float>, float, int>;
  const bool strengths = plan.directions == Directions::two && plan.norm == Norm::l1 && plan.output == Result::absolute;
  keep_row(in, out, y, plan.border);
  const Columns columns(y, in.width, in.height, radius, plan.border);
  for (int x = columns.first; x < columns.end; x += stretch)
    for (int plane = 0; plane < P::count; ++plane) {
      Value buffers[3][stretch + 2], buffer[stretch];
      Value* const results = results_of<P>(out, x, y, buffer);
      Lines<Value> lines;
      lines.count = std::min(stretch, columns.end - x);
      for (int row = 0; row < 3; ++row)
        lines.line[row] = line_of<P>(in, x - 1, y - 1 + row, lines.count + 2, plane, plan.border, buffers[row]);
      if (strengths && plan.centre == SobelMask::centre)
        find_strengths<SobelMask, Sum>(lines, results);
      else if (strengths && plan.centre == PrewittMask::centre)
        find_strengths<PrewittMask, Sum>(lines, results);
      else if (strengths && plan.centre == ScharrMask::centre)
        find_strengths<ScharrMask, Sum>(lines, results);
      else
        find_edges<Sum>(plan, lines, results);
      set_line<P>(out, x, y, lines.count, plane, results);
    }
}

}  // namespace

Shape output_shape(std::string_view algorithm, const Shape& input) {
  require_planes_of<std::uint8_t, float>(algorithm, "8-bit, 16-bit and float images, grey or RGBA", input);
  return input;
}

void find_edges_of_rows(const Plan& plan, const HostRun& run, int y0, int y1) {
  with_planes<std::uint8_t, float>(run.in.shape, plan.channels, [&](auto planes) {
    using P = decltype(planes);
    using Pixel = typename P::Pixel;
    for (int y = y0; y < y1; ++y)
      find_edges_of_row<P>(plan, run.in.image<Pixel>(), run.out.image<Pixel>(), y);
  });
}

void check(const Plan& plan) {
  const auto is = [&]<class M>(M) { return plan.side == M::side && plan.centre == M::centre; };
  if (!is(SobelMask{}) && !is(PrewittMask{}) && !is(ScharrMask{}))
    throw std::logic_error("gradient plan: weights of none of the masks");
  if (plan.output == Result::angle) throw std::logic_error("gradient plan: an angle, which derivatives compute");
}

void serial(const Plan& plan, const HostRun& run) {
  check(plan);
  for_rows(run, run.in.shape.height, [&](int y) { find_edges_of_rows(plan, run, y, y + 1); });
}

}  // namespace threadscape::gradient
