// The source document's paths with all cores. Paths that start beside each other go down together, so that they share
// what they read.

#include <omp.h>

#include <limits>

#include "compute/algorithms/seams/seam_carving/openmp/seam_carving_openmp.h"

namespace threadscape::seam_carving {
namespace {

constexpr int paths_at_once = 64;

int side_below(const Remains& remains, int x, int y, int begin, int end) {
  const auto to = [&](int d) { return x + d < begin || x + d >= end ? no_cost() : remains.step(x + d, y + 1, -d); };
  int side = 0;
  (void)least(to(-1), to(0), to(1), side);
  return side;
}

struct Route {
  Cost total = no_cost();
  int start = std::numeric_limits<int>::max();
};
bool operator<(const Route& a, const Route& b) {
  return a.total < b.total || (!(b.total < a.total) && a.start < b.start);
}

}  // namespace

void find_sides(const Remains& remains, int strips) {
#pragma omp parallel for schedule(static) num_threads(remains.threads)
  for (int y = 0; y < remains.height - 1; ++y)
    for (int strip = 0; strip < strips; ++strip) {
      const int begin = strip_begin(strip, strips, remains.width), end = strip_begin(strip + 1, strips, remains.width);
      for (int x = begin; x < end; ++x)
        remains.at(remains.sides, y)[x] = static_cast<std::int8_t>(side_below(remains, x, y, begin, end));
    }
}

Cost follow(const Remains& remains, int strip, int strips, bool direct) {
  const int begin = strip_begin(strip, strips, remains.width), end = strip_begin(strip + 1, strips, remains.width);
  const auto side = [&](int x, int y) -> int {
    return direct ? side_below(remains, x, y, begin, end) : remains.at(remains.sides, y)[x];
  };
  Route best;
#pragma omp parallel num_threads(remains.threads)
  {
    Route of_thread;
#pragma omp for schedule(dynamic)
    for (int first = begin; first < end; first += paths_at_once) {
      const int paths = std::min(paths_at_once, end - first);
      int x[paths_at_once];
      Cost total[paths_at_once];
      for (int i = 0; i < paths; ++i) {
        x[i] = first + i;
        total[i] = remains.start_cost(x[i], 0);
      }
      for (int y = 0; y + 1 < remains.height; ++y)
        for (int i = 0; i < paths; ++i) {
          const int d = side(x[i], y);
          x[i] += d;
          total[i] = total[i] + remains.step(x[i], y + 1, -d);
        }
      for (int i = 0; i < paths; ++i)
        of_thread = std::min(of_thread, Route{total[i], first + i});
    }
#pragma omp critical
    best = std::min(best, of_thread);
  }
  remains.seam(strip, 0) = best.start;
  for (int y = 0; y + 1 < remains.height; ++y)
    remains.seam(strip, y + 1) = remains.seam(strip, y) + side(remains.seam(strip, y), y);
  return best.total;
}

}  // namespace threadscape::seam_carving
