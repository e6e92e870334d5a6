// The greedy paths of the source document, with all cores. Paths that start at neighbouring pixels go on
// together, because they read the same rows.

#include <limits>

#include "compute/algorithms/seams/seam_carving/openmp/seam_carving_openmp.h"

namespace threadscape::seam_carving {
namespace {

constexpr int paths_per_group = 64;

int next_side(const CarvingState& state, int x, int y, int begin, int end) {
  const int next = next_row(state.search.start);
  const auto to = [&](int d) {
    return x + d < begin || x + d >= end ? infinite_cost() : state.step(x + d, y + next, -d, -next);
  };
  int side = 0;
  (void)min_cost(to(-1), to(0), to(1), side);
  return side;
}

struct GreedyPath {
  Cost total = infinite_cost();
  int start = std::numeric_limits<int>::max();
};
bool operator<(const GreedyPath& a, const GreedyPath& b) {
  return a.total < b.total || (!(b.total < a.total) && a.start < b.start);
}

}  // namespace

void find_neighbours(const CarvingState& state, int strips) {
#pragma omp parallel for schedule(static) num_threads(state.threads)
  for (int i = 0; i < state.height - 1; ++i)
    for (int strip = 0; strip < strips; ++strip) {
      const int y = row_of_step(state.search.start, state.height, i);
      const int begin = strip_begin(strip, strips, state.width), end = strip_begin(strip + 1, strips, state.width);
      for (int x = begin; x < end; ++x)
        state.at(state.neighbours, y)[x] = static_cast<std::int8_t>(next_side(state, x, y, begin, end));
    }
}

Cost find_greedy_path(const CarvingState& state, int strip, int strips, bool direct) {
  const int begin = strip_begin(strip, strips, state.width), end = strip_begin(strip + 1, strips, state.width);
  const auto side = [&](int x, int y) -> int {
    return direct ? next_side(state, x, y, begin, end) : state.at(state.neighbours, y)[x];
  };
  const int next = next_row(state.search.start);
  const auto row = [&](int i) { return row_of_step(state.search.start, state.height, i); };
  GreedyPath best;
#pragma omp parallel num_threads(state.threads)
  {
    GreedyPath thread_best;
#pragma omp for schedule(dynamic)
    for (int first = begin; first < end; first += paths_per_group) {
      const int paths = std::min(paths_per_group, end - first);
      int x[paths_per_group];
      Cost total[paths_per_group];
      for (int i = 0; i < paths; ++i) {
        x[i] = first + i;
        total[i] = state.start_cost(x[i], row(0));
      }
      for (int done = 1; done < state.height; ++done) {
        const int y = row(done - 1);
        for (int i = 0; i < paths; ++i) {
          const int d = side(x[i], y);
          x[i] += d;
          total[i] = total[i] + state.step(x[i], y + next, -d, -next);
        }
      }
      for (int i = 0; i < paths; ++i)
        thread_best = std::min(thread_best, GreedyPath{total[i], first + i});
    }
#pragma omp critical
    best = std::min(best, thread_best);
  }
  state.seam(strip, row(0)) = best.start;
  for (int i = 1; i < state.height; ++i) {
    const int before = state.seam(strip, row(i - 1));
    state.seam(strip, row(i)) = before + side(before, row(i - 1));
  }
  return best.total;
}

}  // namespace threadscape::seam_carving
