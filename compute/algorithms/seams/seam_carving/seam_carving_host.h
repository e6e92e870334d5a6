#pragma once
// What both CPU backends share: the way from pass to pass. They differ in how seams are found.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "compute/algorithms/seams/seam_carving/seam_carving_plan.h"

namespace threadscape::seam_carving {

/// The map of all seams, output=order, as far as they are found: the window looks at it on the way.
struct OrderMap {
  ImageView<std::uint16_t> out;            ///< of the input's size
  ImageView<const std::uint32_t> origins;  ///< where in the input the pixels of this pass's picture were
  bool of_rows = false;
  int number = 0;  ///< of seams of the passes before

  /// The pass's i-th seam takes the pixel in column x of line y.
  void take(int x, int y, int i) const {
    const std::uint32_t origin = of_rows ? origins(y, x) : origins(x, y);
    const auto width = static_cast<std::uint32_t>(out.width);
    out(static_cast<int>(origin % width), static_cast<int>(origin / width)) = static_cast<std::uint16_t>(number + i);
  }
};

/// The search of one pass, in the pass's own space: seams run from top to bottom.
struct Search {
  ImageView<const float> grey;
  ImageView<const Mark> marks;  ///< data is null without masks
  Energy energy = Energy::gradient;
  Path path = Path::dp;
  int seams = 0, at_once = 1;
  ImageView<std::uint16_t> order;  ///< the result: number of the seam that takes a pixel, 0 = none
  const OrderMap* map = nullptr;   ///< gets it as well; null where nobody wants it

  [[nodiscard]] bool masked() const { return marks.data != nullptr; }
  /// The i-th seam takes a pixel.
  void take(int x, int y, int i) const {
    order(x, y) = static_cast<std::uint16_t>(i);
    if (map != nullptr) map->take(x, y, i);
  }
};

/// What seams cost: sums of the costs that the search found.
struct Removed {
  std::int64_t rank = 0;
  double energy = 0.0;
  void add(const Cost& cost) {
    rank += cost.rank;
    energy += static_cast<double>(cost.sum);
  }
};

/// Counts seams for the progress of a run.
class SeamCount {
 public:
  SeamCount(const HostRun& run, int total) : run_(run), total_(total) {}
  void add(int seams) {
    done_ += seams;
    if (run_.progress == nullptr || total_ == 0) return;
    // Who sees the number, and then looks at an order map, finds so many seams as a whole: Progress sees to it.
    run_.progress->report(static_cast<double>(done_) / total_);
  }

 private:
  const HostRun& run_;
  int total_, done_ = 0;
};

/// Takes its working memory from run.scratch. Returns early when the run is to stop.
using Carve = Removed (*)(const Search&, const HostRun& run, SeamCount& count);
Removed carve_serial(const Search&, const HostRun&, SeamCount&);
Removed carve_openmp(const Search&, const HostRun&, SeamCount&);
[[nodiscard]] std::size_t serial_bytes(const Plan&);
[[nodiscard]] std::size_t openmp_bytes(const Plan&);

/// The whole run.
void run_on_host(const SeamCarving::Params&, const HostRun&, Carve);
/// Working memory of run_on_host() apart from what `carve` takes.
[[nodiscard]] std::size_t host_bytes(const Plan&, const Shape& input);

/// Total cost of all seams of a run.
[[nodiscard]] Removed removed_by(const SeamCarving::Params&, const HostIn& input, int threads);

// ---- The sequence of rows and columns for order=optimal, seam_carving_transport.cpp.

struct Picture {
  ImageView<float> grey;
  ImageView<Mark> marks;  ///< data is null without masks
};
/// `start` is the input. Shrinking passes in the cheapest order, then the others of the plan.
[[nodiscard]] std::vector<Pass> transport_passes(const Plan&, const Picture& start, const HostRun&, Carve);
[[nodiscard]] std::size_t transport_bytes(const Plan&);
/// The same for any backend: reads the input on the host and searches with all cores.
[[nodiscard]] std::vector<Pass> transport_passes(const Plan&, const HostIn& input, const HostRun&);

// ---- A picture and its transpose by one name.

/// Column x of line y of a pass, in a picture.
template <class T>
T& at(const ImageView<T>& picture, bool of_rows, int x, int y) {
  return of_rows ? picture(y, x) : picture(x, y);
}
/// Lines of a pass that are worked on together: on a transposed picture they share cache lines.
inline constexpr int lines_at_once = 16;

/// Line y of a picture without, or with twice, the seams of a pass.
template <class T>
void assemble_lines(const Pass& pass, const ImageView<const std::uint16_t>& order, const ImageView<const T>& from,
                    const ImageView<T>& to, int y0, int y1) {
  int next[lines_at_once] = {};
  for (int x = 0; x < order.width; ++x)
    for (int y = y0; y < y1; ++y) {
      int& to_x = next[y - y0];
      const T& pixel = at(from, pass.of_rows, x, y);
      const bool in_seam = taken(order(x, y), pass.seams);
      if (!in_seam || pass.enlarges) at(to, pass.of_rows, to_x++, y) = pixel;
      if (!in_seam || !pass.enlarges) continue;
      const int beside = x + 1 < order.width ? x + 1 : std::max(x - 1, 0);
      at(to, pass.of_rows, to_x++, y) = mean_of(pixel, at(from, pass.of_rows, beside, y));
    }
}

/// A picture that loses seams: every row holds the columns that are left. The maths of seam_carving_math.h, unhurried.
struct Remaining {
  const Search& search;
  ImageView<std::uint16_t> columns;  ///< its width is what is left

  [[nodiscard]] float grey(int x, int y) const {
    y = std::clamp(y, 0, columns.height - 1);
    return search.grey(columns(std::clamp(x, 0, columns.width - 1), y), y);
  }
  [[nodiscard]] int rank(int x, int y) const { return search.masked() ? rank_of(search.marks(columns(x, y), y)) : 0; }
  [[nodiscard]] Cost cost(int x, int y) const {
    return {rank(x, y), energy_of(search.energy, [&](int dx, int dy) { return grey(x + dx, y + dy); })};
  }
  /// Of the step from (x + side, y - 1) to (x, y), side = -1, 0, 1.
  [[nodiscard]] Cost step(int x, int y, int side) const {
    if (search.energy != Energy::forward) return cost(x, y);
    const Steps steps = forward_steps(grey(x - 1, y), grey(x + 1, y), grey(x, y - 1));
    return {rank(x, y), side < 0 ? steps.from_left : side == 0 ? steps.from_above : steps.from_right};
  }
  /// Of the best path from the top row to (x, y) inside the strip begin..end-1; `costs` has the row above. `side` says
  /// from which parent.
  template <class Costs>
  [[nodiscard]] Cost best(const Costs& costs, int x, int y, int begin, int end, int& side) const {
    side = 0;
    if (y == 0) return cost(x, y);
    const bool forward = search.energy == Energy::forward;
    const auto from = [&](int d) {
      if (x + d < begin || x + d >= end) return no_cost();
      return forward ? costs(x + d, y - 1) + step(x, y, d) : costs(x + d, y - 1);
    };
    const Cost parent = least(from(-1), from(0), from(1), side);
    return forward ? parent : parent + cost(x, y);
  }
};

}  // namespace threadscape::seam_carving
