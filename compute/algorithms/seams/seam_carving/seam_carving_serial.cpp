// The readable reference of seam carving: for every seam all energies, all costs, the path back, and the rows closed
// up. The loops over a row of costs, over the starts of greedy paths and over the rows that are closed up take threads
// as they stand, which is the OpenMP variant `loops`.

#include <numeric>

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

  /// Reads the value in this column of a row, and at the ends of the strip that beside it.
  void read(int x, int y) const {
    if (y >= picture_.columns.height) return;
    float* const line = of(y);
    line[x] = picture_.grey(x, y);
    if (x == begin_) line[x - 1] = picture_.grey(x - 1, y);
    if (x == end_ - 1) line[x + 1] = picture_.grey(x + 1, y);
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
  float* lines;  ///< The memory of GreyLines.
  ImageView<Cost> costs;
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
  for (int i = begin; i < end; ++i)
    f(i);
}

/// Finds the seam of lowest cost in the columns begin..end-1 by dynamic programming.
Cost find_dp(const RemainingPicture& picture, int begin, int end, const Memory& memory, int* seam, int threads) {
  const int height = picture.columns.height;
  const GreyLines lines(memory.lines, picture, begin, end);
  for (int y = 0; y < 2; ++y)
    for (int x = begin; x < end; ++x)
      lines.read(x, y);
  for (int y = 0; y < height; ++y) {
    const float *const above = lines.row(y - 1), *const here = lines.row(y), *const below = lines.row(y + 1);
    share(threads, begin, end, [&](int x) {
      int side = 0;
      const auto grey = [&](int dx, int dy) { return (dy < 0 ? above : dy > 0 ? below : here)[x + dx]; };
      memory.costs(x, y) = picture.best(memory.costs, x, y, begin, end, side, grey);
      memory.sides(x, y) = static_cast<std::int8_t>(side);
      lines.read(x, y + 2);
    });
  }
  int best = begin;
  for (int x = begin; x < end; ++x)
    if (memory.costs(x, height - 1) < memory.costs(best, height - 1)) best = x;
  seam[height - 1] = best;
  for (int y = height - 1; y > 0; --y)
    seam[y - 1] = seam[y] + memory.sides(seam[y], y);
  return memory.costs(best, height - 1);
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
  return HostScratch::padded(pixels * sizeof(std::uint16_t)) + HostScratch::padded(pixels * sizeof(Cost)) +
         HostScratch::padded(pixels) + HostScratch::padded(GreyLines::floats(side) * sizeof(float)) +
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
                      plane(Cost{}, width, height), plane(std::int8_t{}, width, height),
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
