// Diamond-square with all cores and SIMD, in one parallel region for all levels: the variant `bands`. The terrain is
// cut into bands of rows. A band takes its rows from a cascade: each level computes its next two rows from two rows of
// the previous level, down to the grid that the terrain starts from. So bands are independent, all rows that are read
// lie in the caches, and memory is written once. Neighbouring bands compute about three rows per level twice.
//
//   level n        row y, y + 1  ->  result        two coarse rows and two rows of diamonds per level
//     |  next()
//   level n - 1    row y / 2, ..
//     |
//   start grid

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/algorithms/terrain/diamond_square/diamond_square_openmp.cpp"
#include <hwy/foreach_target.h>
// clang-format off: must come after foreach_target.h
#include <hwy/highway.h>
#include "compute/algorithms/terrain/diamond_square/diamond_square_rows-inl.h"
// clang-format on

#include <hwy/cache_control.h>
#include <omp.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "compute/algorithms/terrain/diamond_square/diamond_square.h"
#include "compute/core/machine.h"
#include "compute/engines/planes/bands.h"

#ifndef TS_DIAMOND_SQUARE_BANDS
#define TS_DIAMOND_SQUARE_BANDS
namespace threadscape::diamond_square {

/// Padding in values before and after a row, since vectors may start before it and read and write beyond its end.
inline constexpr std::size_t row_front = 64, row_back = 320;
/// Values of memory for a row, with padding.
constexpr std::size_t row_values(std::size_t points) {
  return row_front + (points + 63) / 64 * 64 + row_back;
}

/// Hands out the rows of a cascade from the memory of one thread.
template <class Height>
class RowMemory {
 public:
  explicit RowMemory(Height* from) : next_(from) {}
  Height* row(int points) {
    Height* row = next_ + row_front;
    std::fill_n(next_, row_values(static_cast<std::size_t>(points)), Height(0));
    next_ += row_values(static_cast<std::size_t>(points));
    return row;
  }

 private:
  Height* next_;
};

/// Values of memory for a cascade: two coarse rows and two rows of diamonds for each level, two rows of the last level,
/// and a row of zeros.
inline std::size_t cascade_values(int first, int grown) {
  std::size_t values = 3 * row_values(static_cast<std::size_t>(cells_of(grown)) + 1);
  for (int level = first + 1; level <= grown; ++level)
    values += 4 * row_values(static_cast<std::size_t>(cells_of(level)) / 2 + 1);
  return values;
}

/// The arguments that all bands share.
template <class Height>
struct Job {
  Plan plan;
  const Height* start;  ///< The grid of level plan.first, without padding.
  ImageView<Height> out;
  bool stream;  ///< If true, stores bypass the caches: the result is too large for them, and its rows are aligned.
};

}  // namespace threadscape::diamond_square
#endif

HWY_BEFORE_NAMESPACE();
namespace threadscape::diamond_square {
namespace HWY_NAMESPACE {

/// Iterates over the rows of one level's grid. With Edges::wrap row -1 and the rows beyond the last are those of the
/// other side.
template <class Cells>
class Rows {
 public:
  using Height = typename Cells::Height;

  void prepare(const Job<Height>& job, int level, Rows* coarser, const Height* zeros, RowMemory<Height>& memory) {
    job_ = &job;
    level_ = level;
    coarser_ = coarser;
    zeros_ = zeros;
    if (!coarser) return;
    for (auto* pair : {coarse_, diamonds_})
      for (int i = 0; i < 2; ++i)
        pair[i] = memory.row(cells_of(level) / 2 + 1);
  }

  /// Makes y the next row.
  void start(int y) {
    y_ = y;
    if (!coarser_) return;
    const bool even = y % 2 == 0;
    if (even && y == 0 && !wraps()) {  // there are no rows above
      coarser_->start(0);
      coarser_->next(coarse_[1]);
      return;
    }
    const int diamond_y = even ? y - 1 : y;
    coarser_->start(diamond_y < 0 ? -1 : diamond_y / 2);
    coarser_->next(coarse_[0]);
    coarser_->next(coarse_[1]);
    make_diamonds(diamond_y);
  }

  /// Writes the next row to `to`, a row of a RowMemory or a row with as much room behind it.
  void next(Height* to) { write_next<false>(to); }
  /// Writes the next row with stores that bypass the caches. `to` is aligned and written up to its last point only.
  void next_streamed(Height* to) { write_next<true>(to); }

 private:
  [[nodiscard]] bool wraps() const { return job_->plan.edges == Edges::wrap; }
  [[nodiscard]] int half() const { return cells_of(level_) / 2; }

  void make_diamonds(int y) {
    diamond_row<Cells>(job_->plan, level_, random_index(job_->plan, level_, y), half(), coarse_[0], coarse_[1],
                       diamonds_[1]);
  }

  template <bool stream>
  HWY_INLINE void write_next(Height* to) {
    const Plan& plan = job_->plan;
    const int y = y_++, random_y = random_index(plan, level_, y);
    const bool without_squares = level_ > plan.complete();
    if (!coarser_) {
      const std::size_t side = static_cast<std::size_t>(cells_of(level_)) + 1;
      std::memcpy(to, job_->start + static_cast<std::size_t>(random_y) * side, side * sizeof(Height));
    } else if (y % 2 != 0) {
      if (without_squares)
        odd_row_of_diamonds(half(), coarse_[0], coarse_[1], diamonds_[1], to);
      else
        odd_row<Cells, stream>(plan, level_, random_y, half(), coarse_[0], coarse_[1], diamonds_[1], to);
    } else {
      std::swap(coarse_[0], coarse_[1]);
      std::swap(diamonds_[0], diamonds_[1]);
      const bool top = !wraps() && y == 0, bottom = !wraps() && y == cells_of(level_);
      if (!bottom) {
        coarser_->next(coarse_[1]);
        make_diamonds(y + 1);
      }
      if (without_squares)
        even_row_of_diamonds(half(), coarse_[0], to);
      else if (top || bottom)
        even_row<Cells, 3, stream>(plan, level_, random_y, half(), coarse_[0], top ? zeros_ : diamonds_[0],
                                   bottom ? zeros_ : diamonds_[1], to);
      else
        even_row<Cells, 4, stream>(plan, level_, random_y, half(), coarse_[0], diamonds_[0], diamonds_[1], to);
    }
  }

  const Job<Height>* job_ = nullptr;
  int level_ = 0, y_ = 0;
  Rows* coarser_ = nullptr;
  const Height* zeros_ = nullptr;
  Height* coarse_[2] = {};    ///< The coarse rows above and below the diamonds computed last.
  Height* diamonds_[2] = {};  ///< The diamonds of two odd rows; those of [1] were computed last.
};

/// Computes the rows y0 .. y1 - 1 of the result.
template <class Cells>
void grow_band(const Job<typename Cells::Height>& job, typename Cells::Height* scratch, int y0, int y1) {
  using Height = typename Cells::Height;
  const Plan& plan = job.plan;
  const auto& out = job.out;
  RowMemory<Height> memory(scratch);
  const int last_points = cells_of(plan.grown) + 1;
  Height* above = memory.row(last_points);
  Height* below = memory.row(last_points);
  const Height* zeros = memory.row(last_points);
  std::array<Rows<Cells>, max_levels + 1> levels;
  for (int level = plan.first; level <= plan.grown; ++level)
    levels[static_cast<std::size_t>(level)].prepare(
        job, level, level == plan.first ? nullptr : &levels[static_cast<std::size_t>(level) - 1], zeros, memory);
  Rows<Cells>& rows = levels[static_cast<std::size_t>(plan.grown)];

  const int bits = plan.n - plan.grown;
  if (bits == 0) {
    rows.start(y0);
    for (int y = y0; y < y1; ++y) {
      // A vector that reaches beyond a row of the result would write to the next row, which may belong to another
      // thread.
      const bool whole = cells_of(plan.n) % (2 * chunk) == 0;
      if (whole && job.stream && plan.first < plan.n) {
        rows.next_streamed(out.row(y));
      } else if (whole) {
        rows.next(out.row(y));
      } else {
        rows.next(above);
        std::copy_n(above, out.width, out.row(y));
      }
    }
    if (job.stream) hwy::FlushStream();
    return;
  }

  const int last = cells_of(plan.grown) - 1;
  int row = std::min(y0 >> bits, last);
  rows.start(row);
  rows.next(above);
  rows.next(below);
  for (int y = y0; y < y1; ++y) {
    if (std::min(y >> bits, last) != row) {
      std::swap(above, below);
      rows.next(below);
      ++row;
    }
    Height* to = out.row(y);
    for (int cell = 0, x = 0; cell <= last; ++cell) {
      const int end = cell == last ? out.width : (cell + 1) << bits;
      for (; x < end; ++x)
        to[x] = between(above[cell], above[cell + 1], below[cell], below[cell + 1], x - (cell << bits),
                        y - (row << bits), bits);
    }
  }
}

void grow_float_band(const Job<float>& job, float* scratch, int y0, int y1) {
  grow_band<FloatCells>(job, scratch, y0, y1);
}
void grow_byte_band(const Job<std::uint8_t>& job, std::uint8_t* scratch, int y0, int y1) {
  grow_band<ByteCells>(job, scratch, y0, y1);
}

}  // namespace HWY_NAMESPACE
}  // namespace threadscape::diamond_square
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace threadscape {
namespace diamond_square {
namespace {

HWY_EXPORT(grow_float_band);
HWY_EXPORT(grow_byte_band);

constexpr std::size_t worth_streaming = std::size_t{32} << 20;  // bytes, more than a core's share of any cache

/// Rows of a band: long bands compute few rows twice, and about twelve bands for each thread let all threads end
/// together.
int rows_of_band(int side, int threads) {
  return std::min(std::clamp(side / 32, 16, 256), std::clamp(side / (12 * threads), 64, 256));
}
/// The largest number of threads that a terrain has bands for.
int threads_of(int side) {
  const int rows = rows_of_band(side, max_threads());
  return std::min((side + rows - 1) / rows, max_threads());
}

}  // namespace

std::size_t openmp_scratch_bytes(const DiamondSquare::Params& params, int variant) {
  const Plan plan = DiamondSquare::plan(params, 0);
  if (variant != 0) return host_table_bytes(plan);  // Other variants work in place.
  const std::size_t of_thread = cascade_values(plan.first, plan.grown) * (params.classic() ? 1 : sizeof(float));
  const int threads = threads_of(cells_of(plan.n) + 1);
  return HostScratch::padded(of_thread) * static_cast<std::size_t>(threads) + host_table_bytes(plan);
}

}  // namespace diamond_square

void DiamondSquare::openmp(const Params& params, const HostRun& run) {
  using namespace diamond_square;  // NOLINT: where HWY_EXPORT put the tables
  Plan plan = DiamondSquare::plan(params, run.seed);
  fill_table(plan, run, run.threads);
  with_height(params.mode, [&]<class Height>(Height) {
    const std::vector<Height> start = start_grid<Height>(params, plan);
    if (run.variant != 0) return run_shared_steps(plan, start, run);
    const ImageView<Height> out = run.out.image<Height>();
    const bool aligned = reinterpret_cast<std::uintptr_t>(out.data) % 64 == 0 && run.out.pitch % 64 == 0;
    const Job<Height> job{plan, start.data(), out, aligned && run.out.shape.bytes() >= worth_streaming};
    const std::size_t of_thread = HostScratch::padded(cascade_values(plan.first, plan.grown) * sizeof(Height));
    const auto threads = static_cast<std::size_t>(threads_of(out.height));
    std::byte* scratch = run.scratch->take<std::byte>(of_thread * threads).data();
    for_each_band(
        run, out.height,
        [&](int y0, int y1) {
          auto* own = reinterpret_cast<Height*>(scratch + of_thread * static_cast<std::size_t>(omp_get_thread_num()));
          if constexpr (std::is_same_v<Height, float>)
            HWY_DYNAMIC_DISPATCH(grow_float_band)(job, own, y0, y1);
          else
            HWY_DYNAMIC_DISPATCH(grow_byte_band)(job, own, y0, y1);
        },
        rows_of_band(out.height, run.threads));
  });
}

}  // namespace threadscape
#endif
