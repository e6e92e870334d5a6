// Seam carving with all cores and SIMD. All costs are computed in tiles that the threads share, for the first seam of
// an exact search and for every step of the others. An exact search goes on in bands of rows (seam_carving_bands.cpp).
// In the others, bands of rows are shared by the threads for all work that treats rows alike. There are barriers
// between these steps, but none per row.

#include "compute/algorithms/seams/seam_carving/openmp/seam_carving_openmp.h"

#include <numeric>

namespace threadscape {
namespace seam_carving {
namespace {

constexpr int tile_rows = 32;          // Rows between two barriers while all costs are computed.
constexpr int min_tile_columns = 128;  // Narrower tiles would compute nearly as many costs in their halo as inside.
constexpr int rows_per_task = 16;      // Rows per task of work that treats rows alike.
// A thread with fewer pixels would cost more at the barriers than it saves.
constexpr std::int64_t min_cells_per_thread = 16384;

std::size_t row_pitch(int width) {
  return (static_cast<std::size_t>(width) + 2 * row_padding + 15) / 16 * 16;
}
std::size_t tile_cells(int width) {
  return static_cast<std::size_t>(width) +
         static_cast<std::size_t>(width / min_tile_columns + 1) * 2 * (tile_rows + row_padding);
}

int threads_for(int threads, int width, int height) {
  const std::int64_t worth = std::int64_t{width} * height / min_cells_per_thread;
  return static_cast<int>(std::clamp<std::int64_t>(worth, 1, std::max(1, std::min(threads, height))));
}

class Carver : private CarvingState {
 public:
  Carver(const Search& search_, const HostRun& run)
      : CarvingState{search_, threads_for(run.threads, search_.grey.width, search_.grey.height)}, run_(run) {
    take(value);
    take(columns);
    if (search.path == Path::dp) {
      take(cost);
      for (std::span<float>& line : tile_costs_)
        line = run.scratch->take<float>(tile_cells(width));
    } else {
      take(neighbours);
    }
    if (search.masked()) {
      take(marks);
      if (search.path == Path::dp) {
        take(rank);
        for (std::span<int>& line : tile_ranks_)
          line = run.scratch->take<int>(tile_cells(width));
      }
    }
    row_begins = run.scratch->take<int>(static_cast<std::size_t>(height));
    seams = run.scratch->take<int>(static_cast<std::size_t>(height) * static_cast<std::size_t>(search.seams_at_once));
  }

  CarvingCost run(SeamProgress& progress) {
    start();
    if (search.path == Path::dp && search.seams_at_once == 1 && !recomputes_all_costs()) {
      compute_all_costs(1);
      return carve_in_bands(*this, run_, progress);
    }
    CarvingCost removed;
    for (int done = 0; done < search.seams && !run_.stop.stop_requested();) {
      const int strips = std::min({search.seams_at_once, search.seams - done, width});
      if (search.path == Path::dp) compute_all_costs(strips);
      if (search.path == Path::greedy && !recomputes_all_costs()) find_neighbours(*this, strips);
      for (int strip = 0; strip < strips; ++strip)
        removed.add(search.path == Path::dp ? trace_back(strip, strips)
                                            : find_greedy_path(*this, strip, strips, recomputes_all_costs()));
      compact_rows(strips, done);
      done += strips;
      progress.add(strips);
    }
    return removed;
  }

 private:
  // Variants in the order of SeamCarving::openmp_variants.
  [[nodiscard]] bool recomputes_all_costs() const { return run_.variant == 1; }

  template <class T>
  void take(Rows<T>& rows) {
    rows.pitch = static_cast<std::ptrdiff_t>(row_pitch(width));
    rows.data = run_.scratch->take<T>(row_pitch(width) * static_cast<std::size_t>(height)).data();
  }
  template <class F>
  void for_rows(const F& f) const {
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int y0 = 0; y0 < height; y0 += rows_per_task)
      for (int y = y0; y < std::min(y0 + rows_per_task, height); ++y)
        f(y);
  }

  void start() {
    for_rows([&](int y) {
      row_begins[static_cast<std::size_t>(y)] = row_padding;
      std::iota(at(columns, y), at(columns, y) + width, std::uint16_t{0});
      std::fill_n(search.order.row(y), width, std::uint16_t{0});
      if (marks.data) std::copy_n(search.marks.row(y), width, at(marks, y));
      if (forward) {
        std::copy_n(search.grey.row(y), width, at(value, y));
        extend_border(y, width);
      } else {
        energy_cells(search.energy, search.grey.row(std::max(y - 1, 0)), search.grey.row(y),
                     search.grey.row(std::min(y + 1, height - 1)), width, at(value, y));
      }
    });
  }
  // ---- Costs

  void compute_all_costs(int strips) {
    if (strips > 1) {
#pragma omp parallel for schedule(static) num_threads(threads)
      for (int strip = 0; strip < strips; ++strip) {
        const int begin = strip_begin(strip, strips, width), end = strip_begin(strip + 1, strips, width);
        ColumnRange changed;
        for (int y = 0; y < height; ++y)
          compute_cells(cost_row(y, begin, end), y, begin, end, changed);
      }
      return;
    }
    const int tiles = std::max(1, std::min(width / min_tile_columns, threads));
#pragma omp parallel num_threads(tiles)
    for (int y0 = 0; y0 < height; y0 += tile_rows) {
#pragma omp for schedule(static)
      for (int tile = 0; tile < tiles; ++tile)
        compute_tile(tile, tiles, y0, std::min(y0 + tile_rows, height));
    }
  }
  /// Computes rows y0..y1-1 of a tile together with the halo that its last row depends on. Costs of the halo stay in
  /// buffers of the tile.
  void compute_tile(int tile, int tiles, int y0, int y1) {
    const int begin = strip_begin(tile, tiles, width), end = strip_begin(tile + 1, tiles, width);
    const std::ptrdiff_t place =
        static_cast<std::ptrdiff_t>(tile) * 2 * (tile_rows + row_padding) + tile_rows + row_padding;
    ColumnRange changed;
    for (int y = y0; y < y1; ++y) {
      CostRow row = cost_row(y, 0, width);
      if (tiles == 1) {
        compute_cells(row, y, 0, width, changed);
        continue;
      }
      const int beside = y1 - 1 - y;
      const auto line = static_cast<std::size_t>(y % 2), above = static_cast<std::size_t>((y + 1) % 2);
      const int x0 = std::max(0, begin - beside), x1 = std::min(width, end + beside);
      row.cost = tile_costs_[line].data() + place;
      if (y > y0) row.above = tile_costs_[above].data() + place;
      if (rank.data) {
        row.rank = tile_ranks_[line].data() + place;
        if (y > y0) row.rank_above = tile_ranks_[above].data() + place;
      }
      compute_cells(row, y, x0, x1, changed);
      std::copy(row.cost + begin, row.cost + end, at(cost, y) + begin);
      if (rank.data) std::copy(row.rank + begin, row.rank + end, at(rank, y) + begin);
    }
  }
  /// Finds the seam of lowest cost of a strip, from the last row upwards.
  Cost trace_back(int strip, int strips) const {
    const int begin = strip_begin(strip, strips, width), end = strip_begin(strip + 1, strips, width);
    int x = end_of_seam(begin, end);
    const Cost total = cost_at(x, height - 1);
    seam(strip, height - 1) = x;
    for (int y = height - 1; y > 0; --y)
      seam(strip, y - 1) = x = column_above(x, y, begin, end);
    return total;
  }

  // ---- Removal

  /// Removes several seams: what lies between them moves to the left.
  template <class T>
  void compact_row_of_strips(const Rows<T>& rows, int y, int strips) const {
    if (!rows.data) return;
    T* const row = at(rows, y);
    for (int i = 0; i < strips; ++i)
      std::copy(row + seam(i, y) + 1, row + (i + 1 < strips ? seam(i + 1, y) : width), row + seam(i, y) - i);
  }
  void compact_rows(int strips, int done) {
    for_rows([&](int y) {
      if (strips == 1) return remove_pixel(y, width, done + 1);
      for (int i = 0; i < strips; ++i)
        search.take(at(columns, y)[seam(i, y)], y, done + i + 1);
      const auto close = [&](const auto& rows) { compact_row_of_strips(rows, y, strips); };
      close(value);
      close(columns);
      close(cost);
      close(marks);
      close(rank);
    });
    width -= strips;
    if (width == 0) return;
    for_rows([&](int y) {
      if (forward)
        extend_border(y, width);
      else
        for (int i = 0; i < strips; ++i)
          renew_energies(y, seam(i, y) - i, width);
    });
  }

  const HostRun& run_;
  std::span<float> tile_costs_[2];
  std::span<int> tile_ranks_[2];
};

/// Working memory in bytes for a pass of this size.
std::size_t carver_bytes(const Plan& plan, int width, int height) {
  const std::size_t cells = row_pitch(width) * static_cast<std::size_t>(height);
  const auto strips = static_cast<std::size_t>(plan.params.seams_per_pass);
  std::size_t bytes = 2 * HostScratch::padded(cells * sizeof(float)) +
                      HostScratch::padded(cells * sizeof(std::uint16_t)) + HostScratch::padded(cells) +
                      2 * HostScratch::padded(tile_cells(width) * sizeof(float)) +
                      HostScratch::padded(static_cast<std::size_t>(height) * sizeof(int)) +
                      HostScratch::padded(static_cast<std::size_t>(height) * strips * sizeof(int));
  if (plan.masked())
    bytes += HostScratch::padded(cells) + HostScratch::padded(cells * sizeof(int)) +
             2 * HostScratch::padded(tile_cells(width) * sizeof(int));
  return bytes;
}

}  // namespace

std::size_t openmp_bytes(const Plan& plan) {
  return std::max(carver_bytes(plan, plan.max_width, plan.max_height),
                  carver_bytes(plan, plan.max_height, plan.max_width));
}

CarvingCost carve_openmp(const Search& search, const HostRun& run, SeamProgress& progress) {
  const std::size_t mark = run.scratch->mark();
  const CarvingCost removed = Carver(search, run).run(progress);
  run.scratch->rewind(mark);
  return removed;
}

}  // namespace seam_carving

void SeamCarving::openmp(const Params& params, const HostRun& run) {
  seam_carving::run_on_host(params, run, seam_carving::carve_openmp);
}

}  // namespace threadscape
