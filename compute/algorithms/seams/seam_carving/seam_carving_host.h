#pragma once
// What both CPU backends share: going from pass to pass, and a plain implementation of the maths. The backends differ
// in the function that searches the seams of a pass.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "compute/algorithms/seams/seam_carving/seam_carving_plan.h"
#include "compute/core/run.h"

namespace threadscape::seam_carving {

/// The map that output=order returns, filled seam by seam: the window shows the seams found so far while the run goes
/// on.
struct OrderMap {
  ImageView<std::uint16_t> out;            ///< Has the input's size.
  ImageView<const std::uint32_t> origins;  ///< Index in the input of each pixel of this pass's picture.
  bool of_rows = false;
  int number = 0;  ///< How many seams the passes before have found.

  /// Records that the pass's i-th seam (counted from 1) takes the pixel in column x of line y, in the space of the
  /// pass.
  void take(int x, int y, int i) const {
    const std::uint32_t origin = of_rows ? origins(y, x) : origins(x, y);
    const auto width = static_cast<std::uint32_t>(out.width);
    out(static_cast<int>(origin % width), static_cast<int>(origin / width)) = static_cast<std::uint16_t>(number + i);
  }
};

/// The search of one pass, in the space of the pass: seams run from top to bottom.
struct Search {
  ImageView<const float> grey;
  ImageView<const Mark> marks;  ///< `data` is null without masks.
  Energy energy = Energy::gradient;
  Path path = Path::dp;
  Start start = Start::top;
  int seams = 0, seams_at_once = 1;
  /// The result: number of the seam that takes a pixel, counted from 1 in this pass; 0 = none.
  ImageView<std::uint16_t> order;
  const OrderMap* map = nullptr;  ///< Receives each seam as well; null where no map is wanted.

  [[nodiscard]] bool masked() const { return marks.data != nullptr; }
  /// Records that the i-th seam takes the pixel (x, y).
  void take(int x, int y, int i) const {
    order(x, y) = static_cast<std::uint16_t>(i);
    if (map != nullptr) map->take(x, y, i);
  }
};

/// The summed cost of the seams that a search has found.
struct CarvingCost {
  std::int64_t rank = 0;
  double energy = 0.0;
  void add(const Cost& cost) {
    rank += cost.rank;
    energy += static_cast<double>(cost.sum);
  }
};

/// Reports the share of a run's seams that have been found.
class SeamProgress {
 public:
  SeamProgress(const HostRun& run, int total) : run_(run), total_(total) {}
  void add(int seams) {
    done_ += seams;
    if (run_.progress == nullptr || total_ == 0) return;
    // A reader that sees this share finds all seams up to it complete in the order map: report() is a release store.
    run_.progress->report(static_cast<double>(done_) / total_);
  }

 private:
  const HostRun& run_;
  int total_, done_ = 0;
};

/// Finds the seams of a pass, takes its working memory from run.scratch and reports each seam to `progress`. Returns
/// early when run.stop is requested.
using CarveFunction = CarvingCost (*)(const Search&, const HostRun& run, SeamProgress& progress);
CarvingCost carve_serial(const Search&, const HostRun&, SeamProgress&);
CarvingCost carve_openmp(const Search&, const HostRun&, SeamProgress&);
[[nodiscard]] std::size_t serial_bytes(const Plan&);
[[nodiscard]] std::size_t openmp_bytes(const Plan&);

/// Executes a whole run with the given search.
void run_on_host(const SeamCarving::Params&, const HostRun&, CarveFunction);
/// Working memory in bytes of run_on_host(), without that of its CarveFunction.
[[nodiscard]] std::size_t host_bytes(const Plan&, const Shape& input);

/// Total cost of all seams that a run removes or duplicates.
[[nodiscard]] CarvingCost carving_cost(const SeamCarving::Params&, const HostIn& input, int threads);

// ---- Access to a picture or its transpose.

/// The pixel in column x of line y of a pass, whose lines are the picture's columns if it is `of_rows`.
template <class T>
T& at(const ImageView<T>& picture, bool of_rows, int x, int y) {
  return of_rows ? picture(y, x) : picture(x, y);
}
/// How many lines of a pass are processed together. Neighbouring lines of a transposed picture share cache lines.
inline constexpr int lines_per_block = 16;

/// Writes a row of a picture without the seams of a pass. Pixels between seams are copied piece by piece.
template <class T>
void assemble_row(int seams, const std::uint16_t* order, int width, const T* from, T* to) {
  constexpr int piece = 64;
  for (int x = 0; x < width; x += piece) {
    const int end = std::min(x + piece, width);
    bool taken = false;
    for (int i = x; i < end; ++i)
      taken |= is_taken(order[i], seams);
    if (!taken) {
      to = std::copy(from + x, from + end, to);
      continue;
    }
    for (int i = x; i < end; ++i)
      if (!is_taken(order[i], seams)) *to++ = from[i];
  }
}

/// Writes lines y0..y1-1 of a picture without the seams of a pass, or with each of them twice. At most lines_per_block
/// lines at once.
template <class T>
void assemble_lines(const Pass& pass, const ImageView<const std::uint16_t>& order, const ImageView<const T>& from,
                    const ImageView<T>& to, int y0, int y1) {
  if (!pass.of_rows && !pass.enlarges) {
    for (int y = y0; y < y1; ++y)
      assemble_row(pass.seams, order.row(y), order.width, from.row(y), to.row(y));
    return;
  }
  int next[lines_per_block] = {};
  for (int x = 0; x < order.width; ++x)
    for (int y = y0; y < y1; ++y) {
      int& to_x = next[y - y0];
      const T& pixel = at(from, pass.of_rows, x, y);
      const bool in_seam = is_taken(order(x, y), pass.seams);
      if (!in_seam || pass.enlarges) at(to, pass.of_rows, to_x++, y) = pixel;
      if (!in_seam || !pass.enlarges) continue;
      const int beside = x + 1 < order.width ? x + 1 : std::max(x - 1, 0);
      at(to, pass.of_rows, to_x++, y) = mean_of(pixel, at(from, pass.of_rows, beside, y));
    }
}

/// A picture during a search: every row lists the columns that are left. The plain implementation of
/// seam_carving_math.h, without precomputed energies.
struct RemainingPicture {
  const Search& search;
  /// Columns of the whole picture that are left; the width of this view is their number.
  ImageView<std::uint16_t> columns;

  [[nodiscard]] float grey(int x, int y) const {
    y = std::clamp(y, 0, columns.height - 1);
    return search.grey(columns(std::clamp(x, 0, columns.width - 1), y), y);
  }
  /// Energy of the pixel (x, y), and the rank of its mark.
  [[nodiscard]] int rank(int x, int y) const { return search.masked() ? rank_of(search.marks(columns(x, y), y)) : 0; }
  [[nodiscard]] Cost cost(int x, int y) const {
    return {rank(x, y), energy_of(search.energy, [&](int dx, int dy) { return grey(x + dx, y + dy); })};
  }
  /// Cost of the step from (x + side, y + from) to (x, y), with side = -1, 0 or 1. `from` is 1 for paths that go up.
  [[nodiscard]] Cost step(int x, int y, int side, int from = -1) const {
    if (search.energy != Energy::forward) return cost(x, y);
    const Steps steps = forward_steps(grey(x - 1, y), grey(x + 1, y), grey(x, y + from));
    return {rank(x, y), side < 0 ? steps.from_left : side == 0 ? steps.from_above : steps.from_right};
  }
  /// Column of the cheapest of the three pixels that a greedy path can go to from (x, y), relative to x.
  [[nodiscard]] int next_side(int x, int y, int begin, int end) const {
    const int next = next_row(search.start);
    const auto to = [&](int d) {
      return x + d < begin || x + d >= end ? infinite_cost() : step(x + d, y + next, -d, -next);
    };
    int side = 0;
    (void)min_cost(to(-1), to(0), to(1), side);
    return side;
  }
  /// Cost of the best path from the top row to (x, y) inside the strip begin..end-1. `costs(x, y - 1)` gives the costs
  /// of the row above; `side` becomes -1, 0 or 1: which of the three parents is the best. `grey_at(dx, dy)` is the grey
  /// value of a neighbour.
  template <class Costs, class Grey>
  [[nodiscard]] Cost best(const Costs& costs, int x, int y, int begin, int end, int& side, const Grey& grey_at) const {
    side = 0;
    const int own_rank = rank(x, y);
    if (y == 0) return {own_rank, energy_of(search.energy, grey_at)};
    const auto parent_at = [&](int d) { return x + d < begin || x + d >= end ? infinite_cost() : costs(x + d, y - 1); };
    if (search.energy != Energy::forward)
      return min_cost(parent_at(-1), parent_at(0), parent_at(1), side) +
             Cost{own_rank, energy_of(search.energy, grey_at)};
    const Steps steps = forward_steps(grey_at(-1, 0), grey_at(1, 0), grey_at(0, -1));
    const auto from = [&](int d, float of_step) {
      return x + d < begin || x + d >= end ? infinite_cost() : costs(x + d, y - 1) + Cost{own_rank, of_step};
    };
    return min_cost(from(-1, steps.from_left), from(0, steps.from_above), from(1, steps.from_right), side);
  }
  template <class Costs>
  [[nodiscard]] Cost best(const Costs& costs, int x, int y, int begin, int end, int& side) const {
    return best(costs, x, y, begin, end, side, [&](int dx, int dy) { return grey(x + dx, y + dy); });
  }
};

}  // namespace threadscape::seam_carving
