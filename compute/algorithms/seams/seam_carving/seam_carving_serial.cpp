// The readable reference of seam carving: for every seam all energies, all costs, the path back, and the rows closed
// up. The loops over a row of costs, over the starts of greedy paths and over the rows that are closed up take threads
// as they stand, which is the OpenMP variant `loops`.

#include <limits>
#include <numeric>
#include <type_traits>

#include "compute/algorithms/seams/seam_carving/seam_carving_host.h"

namespace threadscape {
namespace seam_carving {
namespace {

/// The grey values of the picture that is left, of four neighbouring rows: those around the row whose costs are
/// computed, and the one that is read meanwhile. The border pixel is repeated beside both ends.
class GreyLines {
 public:
  GreyLines(float* values, const RemainingPicture& picture, int begin, int end)
      : values_(values), picture_(picture), begin_(begin), end_(end) {}

  /// A row that is read: value x of `line` is that of column columns[x] in `grey`. All null below the picture.
  struct Reading {
    float* line;
    const float* grey;
    const std::uint16_t* columns;
    void operator()(int x) const {
      if (line != nullptr) line[x] = grey[columns[x]];
    }
  };
  [[nodiscard]] Reading reading(int y) const {
    if (y >= picture_.columns.height) return {nullptr, nullptr, nullptr};
    return {of(y), picture_.search.grey.row(y), picture_.columns.row(y)};
  }
  /// Reads the values beside both ends of the strip.
  void read_ends(int y) const {
    if (y >= picture_.columns.height) return;
    of(y)[begin_ - 1] = picture_.grey(begin_ - 1, y);
    of(y)[end_] = picture_.grey(end_, y);
  }
  [[nodiscard]] const float* row(int y) const { return of(std::clamp(y, 0, picture_.columns.height - 1)); }
  static constexpr std::size_t floats(std::size_t side) { return rows * (side + 2); }

 private:
  static constexpr std::size_t rows = 4;
  [[nodiscard]] float* of(int y) const {
    return values_ + static_cast<std::size_t>(y) % rows * (static_cast<std::size_t>(picture_.search.grey.width) + 2) +
           1;
  }
  float* values_;
  const RemainingPicture& picture_;
  int begin_, end_;
};

struct Memory {
  float* lines;           ///< The memory of GreyLines.
  ImageView<Cost> costs;  ///< Two rows: that of a pixel, and the one above it.
  /// Two rows of costs for searches without masks, whose ranks are all 0, so that a cost is its sum. The cost of column
  /// x is at x + 1, and beside the strip stands infinity.
  ImageView<float> sums;
  ImageView<std::int8_t> sides;
  ImageView<int> seams;  ///< [strip][row]: column of the strip's seam.
};

/// Calls f(i) for begin <= i < end on so many threads, or on fewer if there is little for each: every row of costs
/// waits for all of them.
template <class F>
void share(int threads, int begin, int end, const F& f) {
  constexpr int worth_a_thread = 32;
  threads = std::min(threads, (end - begin) / worth_a_thread);
  if (threads > 1) {
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int i = begin; i < end; ++i)
      f(i);
    return;
  }
  const F own = f;  // What a thread could see, a stored byte could change.
  for (int i = begin; i < end; ++i)
    own(i);
}

/// RemainingPicture::best() without masks. The minimum is taken without a branch, which would be hard to predict.
/// What lies beside the strip in the row above is infinity.
template <Energy energy, class Grey>
float best_sum(const float* above, int x, int& side, const Grey& grey) {
  float left = above[x - 1], middle = above[x], right = above[x + 1];
  if constexpr (energy == Energy::forward) {
    const Steps steps = forward_steps(grey(-1, 0), grey(1, 0), grey(0, -1));
    left += steps.from_left;
    middle += steps.from_above;
    right += steps.from_right;
  }
  const float best = std::min(std::min(left, middle), right);
  side = static_cast<int>(best != left) + static_cast<int>((best != left) & (best != middle)) - 1;
  return energy == Energy::forward ? best : best + energy_of(energy, grey);
}

/// Finds the seam of lowest cost in the columns begin..end-1 by dynamic programming. `rows_of_costs` are two rows of
/// Cost, or of sums without masks.
template <Energy energy, class Sum>
Cost find_dp(const RemainingPicture& picture, int begin, int end, const Memory& memory,
             const ImageView<Sum>& rows_of_costs, int* seam, int threads) {
  const int height = picture.columns.height;
  const GreyLines lines(memory.lines, picture, begin, end);
  for (int y = 0; y < 2; ++y) {
    const GreyLines::Reading read = lines.reading(y);
    for (int x = begin; x < end; ++x)
      read(x);
    lines.read_ends(y);
  }
  constexpr int beside = std::is_same_v<Sum, Cost> ? 0 : 1;
  if constexpr (beside != 0)
    for (int i = 0; i < 2; ++i)
      rows_of_costs(begin, i) = rows_of_costs(end + 1, i) = std::numeric_limits<float>::infinity();
  for (int y = 0; y < height; ++y) {
    const float *const above = lines.row(y - 1), *const here = lines.row(y), *const below = lines.row(y + 1);
    const Sum* const before = rows_of_costs.row((y + 1) % 2) + beside;
    Sum* const costs = rows_of_costs.row(y % 2) + beside;
    std::int8_t* const sides = memory.sides.row(y);
    const GreyLines::Reading read = lines.reading(y + 2);
    share(threads, begin, end, [=, &picture](int x) {
      int side = 0;
      const auto grey = [&](int dx, int dy) { return (dy < 0 ? above : dy > 0 ? below : here)[x + dx]; };
      if constexpr (std::is_same_v<Sum, Cost>)
        costs[x] = picture.best([&](int at, int) { return before[at]; }, x, y, begin, end, side, grey);
      else
        costs[x] = y == 0 ? energy_of(energy, grey) : best_sum<energy>(before, x, side, grey);
      sides[x] = static_cast<std::int8_t>(side);
      read(x);
    });
    lines.read_ends(y + 2);
  }
  const Sum* const last = rows_of_costs.row((height - 1) % 2) + beside;
  seam[height - 1] = static_cast<int>(std::min_element(last + begin, last + end) - last);
  for (int y = height - 1; y > 0; --y)
    seam[y - 1] = seam[y] + memory.sides(seam[y], y);
  if constexpr (std::is_same_v<Sum, Cost>)
    return last[seam[height - 1]];
  else
    return {0, last[seam[height - 1]]};
}
Cost find_dp(const RemainingPicture& picture, int begin, int end, const Memory& memory, int* seam, int threads) {
  const auto find = [&]<Energy energy>(std::integral_constant<Energy, energy>) {
    return picture.search.masked() ? find_dp<energy>(picture, begin, end, memory, memory.costs, seam, threads)
                                   : find_dp<energy>(picture, begin, end, memory, memory.sums, seam, threads);
  };
  switch (picture.search.energy) {
    case Energy::gradient:
      return find(std::integral_constant<Energy, Energy::gradient>{});
    case Energy::sobel:
      return find(std::integral_constant<Energy, Energy::sobel>{});
    default:
      return find(std::integral_constant<Energy, Energy::forward>{});
  }
}

/// Finds the best of the paths that go to the cheapest of the three pixels of the next row.
Cost find_greedy(const RemainingPicture& picture, int begin, int end, const Memory& memory, int* seam, int threads) {
  const int height = picture.columns.height;
  const Start from = picture.search.start;
  const int next = next_row(from);
  const auto row = [&](int i) { return row_of_step(from, height, i); };
  share(threads, begin, end, [&](int x) {
    Cost total = picture.cost(x, row(0));
    for (int i = 1, at = x; i < height; ++i) {
      const int side = picture.next_side(at, row(i - 1), begin, end);
      at += side;
      total = total + picture.step(at, row(i), -side, -next);
    }
    memory.costs(x, 0) = total;
  });
  int start = begin;
  Cost best = infinite_cost();
  for (int x = begin; x < end; ++x) {
    if (!(memory.costs(x, 0) < best)) continue;
    best = memory.costs(x, 0);
    start = x;
  }
  seam[row(0)] = start;
  for (int i = 1; i < height; ++i)
    seam[row(i)] = seam[row(i - 1)] + picture.next_side(seam[row(i - 1)], row(i - 1), begin, end);
  return best;
}

}  // namespace

std::size_t serial_bytes(const Plan& plan) {
  const std::size_t pixels = plan.max_pixels();
  const auto side = static_cast<std::size_t>(std::max(plan.max_width, plan.max_height));
  return HostScratch::padded(pixels * sizeof(std::uint16_t)) + HostScratch::padded(2 * side * sizeof(Cost)) +
         HostScratch::padded(2 * (side + 2) * sizeof(float)) + HostScratch::padded(pixels) +
         HostScratch::padded(GreyLines::floats(side) * sizeof(float)) +
         HostScratch::padded(side * static_cast<std::size_t>(plan.params.seams_per_pass) * sizeof(int));
}

CarvingCost carve_serial(const Search& search, const HostRun& run, SeamProgress& progress) {
  const int width = search.grey.width, height = search.grey.height;
  const std::size_t mark = run.scratch->mark();
  const auto plane = [&]<class T>(T, int columns, int rows) {
    const std::size_t cells = static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows);
    return ImageView<T>{run.scratch->take<T>(cells).data(), columns, rows, columns};
  };
  RemainingPicture picture{search, plane(std::uint16_t{}, width, height)};
  const Memory memory{run.scratch->take<float>(GreyLines::floats(static_cast<std::size_t>(width))).data(),
                      plane(Cost{}, width, 2), plane(float{}, width + 2, 2), plane(std::int8_t{}, width, height),
                      plane(int{}, height, search.seams_at_once)};
  for (int y = 0; y < height; ++y) {
    std::iota(picture.columns.row(y), picture.columns.row(y) + width, std::uint16_t{0});
    std::fill_n(search.order.row(y), width, std::uint16_t{0});
  }
  CarvingCost removed;
  for (int done = 0; done < search.seams && !run.stop.stop_requested();) {
    const int strips = std::min({search.seams_at_once, search.seams - done, picture.columns.width});
    for (int i = 0; i < strips; ++i) {
      const int begin = strip_begin(i, strips, picture.columns.width);
      const int end = strip_begin(i + 1, strips, picture.columns.width);
      removed.add(search.path == Path::dp ? find_dp(picture, begin, end, memory, memory.seams.row(i), run.threads)
                                          : find_greedy(picture, begin, end, memory, memory.seams.row(i), run.threads));
    }
    share(run.threads, 0, height, [&](int y) {
      for (int i = strips - 1; i >= 0; --i) {
        std::uint16_t* const row = picture.columns.row(y);
        const int x = memory.seams(y, i);
        search.take(row[x], y, done + i + 1);
        std::copy(row + x + 1, row + picture.columns.width, row + x);
      }
    });
    picture.columns.width -= strips;
    done += strips;
    progress.add(strips);
  }
  run.scratch->rewind(mark);
  return removed;
}

}  // namespace seam_carving

void SeamCarving::serial(const Params& params, const HostRun& run) {
  seam_carving::run_on_host(params, run, seam_carving::carve_serial);
}

}  // namespace threadscape
