#pragma once
// The spans of a triangle: the pixels that it covers in a row, from a division per edge and row, or by walking down its
// two halves without one.

#include <algorithm>
#include <cstdint>

#include "compute/algorithms/graphics/rasterize/rasterize_math.h"

namespace threadscape::rasterize {

/// The quotient rounded down.
[[nodiscard]] inline std::int64_t floor_divide(std::int64_t a, std::int64_t b) {
  const std::int64_t q = a / b;
  return q * b != a && (a < 0) != (b < 0) ? q - 1 : q;
}

/// The pixels first .. last of a row that the triangle covers; none if last < first.
struct Span {
  int first, last;
};
[[nodiscard]] Span row_span(const ScreenTriangle& t, int y);

/// Follows an edge that is not horizontal from row to row. Its edge function a x + r, with r = b y + c, changes its
/// sign at -r / a. The quotient rounded down is kept, and a decision variable: the remainder less the divisor. It grows
/// by the same amount in every row, and the quotient by one more in rows in which it reaches 0 (Bresenham, Algorithm
/// for computer control of a digital plotter, 1965).
class EdgeWalk {
 public:
  EdgeWalk(const ScreenTriangle& t, int edge, int y)
      : left_(t.a[edge] > 0), divisor_(left_ ? t.a[edge] : -std::int64_t{t.a[edge]}) {
    const std::int64_t r = static_cast<std::int64_t>(t.b[edge]) * y + t.c[edge];
    quotient_ = floor_divide(r, divisor_);
    decision_ = r - quotient_ * divisor_ - divisor_;
    quotient_step_ = floor_divide(t.b[edge], divisor_);
    decision_step_ = t.b[edge] - quotient_step_ * divisor_;
  }

  void next_row() {
    quotient_ += quotient_step_;
    decision_ += decision_step_;
    if (decision_ < 0) return;
    ++quotient_;
    decision_ -= divisor_;
  }
  /// Cuts off what is outside of the edge.
  void bound(std::int64_t& first, std::int64_t& last) const {
    if (left_)
      first = std::max(first, -quotient_);
    else
      last = std::min(last, quotient_);
  }

 private:
  bool left_;
  std::int64_t divisor_, quotient_ = 0, decision_ = 0, quotient_step_ = 0, decision_step_ = 0;
};

/// Calls use(y, span) for the rows y0 .. y1 - 1 that the triangle covers a pixel of, from the top. The corner in the
/// middle divides it into two halves, each with two edges: the long one, and one of the short ones. The third edge
/// matters only in the row that goes through the corner in the middle.
template <class Use>
void for_each_span_of_halves(const Piece& piece, int y0, int y1, const Use& use) {
  const ScreenTriangle& t = piece.screen;
  int order[3] = {0, 1, 2};
  std::sort(order, order + 3, [&](int p, int q) { return piece.corner[p].y < piece.corner[q].y; });
  const int top = order[0], middle = order[1], bottom = order[2], middle_y = piece.corner[middle].y;
  const int begin = std::max(y0, t.y0), last_row = std::min(y1 - 1, t.y1);
  const auto half = [&](int from, int to, int short_edge) {
    if (from > to) return;
    EdgeWalk edges[2] = {EdgeWalk(t, middle, from), EdgeWalk(t, short_edge, from)};
    for (int y = from; y <= to; ++y) {
      std::int64_t first = t.x0, last = t.x1;
      for (EdgeWalk& edge : edges) {
        edge.bound(first, last);
        edge.next_row();
      }
      if (first <= last) use(y, Span{static_cast<int>(first), static_cast<int>(last)});
    }
  };
  // Edge i is opposite to corner i.
  half(begin, std::min(last_row, last_pixel(middle_y - 1)), bottom);
  const int through = last_pixel(middle_y);
  if (through * subpixel == middle_y && through >= begin && through <= last_row) {
    const Span span = row_span(t, through);
    if (span.first <= span.last) use(through, span);
  }
  half(std::max(begin, through + 1), last_row, top);
}

}  // namespace threadscape::rasterize
