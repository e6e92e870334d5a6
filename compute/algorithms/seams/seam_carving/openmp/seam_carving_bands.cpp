// The exact search: seam after seam, where each seam changes only some costs: those in a cone that starts at the seam,
// grows by one column per row on either side, and ends where costs come out as they were:
//
//  row 0   . . . . . x x S x . . . . . .      S: the removed seam, x: costs that are computed again
//  row 1   . . . . x x S x x . . . . . .
//  row 2   . . . x x x S x x x . . . . .
//  row 3   . . . . x x x S x . . . . . .      costs at the ends were equal: the cone shrinks
//
// Each thread has a band of rows, whose data stay in the cache of its core for all seams. Two waves go through the
// bands for each seam. The seam is traced from the last row to the first, and every thread closes the gap in its band
// as soon as the seam has passed, while the wave goes on. The cone is computed from the first row to the last. There
// are no barriers: a thread waits only for its neighbours.
//
//  band 0        .      .      trace  close  cone   .      .      .      .      trace
//  band 1        .      trace  close  close  .      cone   .      .      trace  close
//  band 2        trace  close  close  .      .      .      cone   trace  close  close      time ->
//
// More bands close gaps faster, and take longer to hand the waves on. A long search therefore measures its first seams
// on all threads, on half of them and so on, and goes on with as many as were the fastest.

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "compute/algorithms/seams/seam_carving/openmp/seam_carving_openmp.h"
#include "compute/core/thread_choice.h"

namespace threadscape::seam_carving {
namespace {

/// What a thread tells its neighbours, each in cache lines of its own. A stamp is the number of the last seam (from 1)
/// for which the statement holds; it is stored after the values that belong to it.
struct alignas(128) Messages {
  std::atomic<int> traced{0};               ///< The seam is known down to the last row of the band above.
  int column = 0;                           ///< Column of the seam in that row; `stopped` if there are no more seams.
  alignas(128) std::atomic<int> closed{0};  ///< The gaps in the band are closed.
  alignas(128) std::atomic<int> coned{0};   ///< The costs of the band hold without the seam.
  ColumnRange changed;                      ///< The columns of the band's last row whose costs have changed.
};
constexpr int stopped = -1;

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// Waits until a stamp has reached `wanted`. Waits are mostly shorter than what the system needs to wake a thread, and
/// a wave would have to wake them one after another, so the thread looks again and again. Between its looks it lets
/// other threads have the core, which they may need where there are more of them than cores.
void await(const std::atomic<int>& stamp, int wanted) {
  constexpr int looks = 64;
  while (true) {
    for (int look = 0; look < looks; ++look) {
      if (stamp.load(std::memory_order_acquire) >= wanted) return;
      pause();
    }
    std::this_thread::yield();
  }
}
void publish(std::atomic<int>& stamp, int number) {
  stamp.store(number, std::memory_order_release);
}

class Band {
 public:
  /// A band of a team that removes the seams from the `first_seam`-th on; those before are gone.
  Band(const CarvingState& state, std::span<Messages> messages, int index, int count, int first_seam)
      : state_(state),
        messages_(messages),
        index_(index),
        first_(index == 0),
        last_(index == count - 1),
        y0_(static_cast<int>(std::int64_t{state.height} * index / count)),
        y1_(static_cast<int>(std::int64_t{state.height} * (index + 1) / count)),
        first_seam_(first_seam),
        width_(state.width - (first_seam - 1)) {}

  /// Removes the seams up to the `last_seam`-th. The band with the last row decides whether the search ends before, and
  /// reports each one when all bands have it.
  void run(int last_seam, const HostRun& run, SeamProgress& progress, CarvingCost& removed) {
    for (int number = first_seam_; number <= last_seam; ++number) {
      if (number > 1) compute_cone(number - 1);
      if (last_ && number > 1) progress.add(1);
      if (!trace(number, run, removed)) return;
      close_gaps(number);
      if (number < state_.search.seams) renew(number);
    }
  }

 private:
  [[nodiscard]] Messages& own() const { return messages_[static_cast<std::size_t>(index_)]; }
  [[nodiscard]] const Messages& above() const { return messages_[static_cast<std::size_t>(index_) - 1]; }
  [[nodiscard]] const Messages& below() const { return messages_[static_cast<std::size_t>(index_) + 1]; }

  /// Computes the costs that the removal of a seam has changed.
  void compute_cone(int number) {
    ColumnRange changed;
    if (!first_) {
      await(above().coned, number);
      changed = above().changed;
    }
    for (int y = y0_; y < y1_; ++y)
      changed = state_.compute_cone_row(y, width_, changed);
    own().changed = changed;
    publish(own().coned, number);
  }

  /// Follows the next seam through the band. Returns false if the search ends before it.
  bool trace(int number, const HostRun& run, CarvingCost& removed) {
    int x = stopped;
    if (!last_) {
      await(below().traced, number);
      x = below().column;
    } else if (!run.stop.stop_requested()) {
      x = state_.end_of_seam(0, width_);
      removed.add(state_.cost_at(x, state_.height - 1));
    }
    if (x != stopped) {
      state_.seam(0, y1_ - 1) = x;
      for (int y = y1_ - 1; y > y0_; --y)
        state_.seam(0, y - 1) = x = state_.column_above(x, y, 0, width_);
    }
    if (!first_) {
      own().column = x == stopped ? stopped : state_.column_above(x, y0_, 0, width_);
      publish(own().traced, number);
    }
    return x != stopped;
  }

  void close_gaps(int number) {
    for (int y = y0_; y < y1_; ++y)
      state_.remove_pixel(y, width_, number);
    --width_;
    publish(own().closed, number);
  }

  /// Computes the values beside the gap that depend on pixels which were not neighbours before. The energies of a row
  /// depend on the pixels of the rows above and below it.
  void renew(int number) {
    if (state_.forward) {
      for (int y = y0_; y < y1_; ++y)
        state_.extend_border(y, width_);
      return;
    }
    for (int y = y0_ + 1; y < y1_ - 1; ++y)
      state_.renew_energies(y, state_.seam(0, y), width_);
    if (!last_) await(below().closed, number);
    if (!first_) await(above().closed, number);
    state_.renew_energies(y0_, state_.seam(0, y0_), width_);
    if (y1_ - 1 > y0_) state_.renew_energies(y1_ - 1, state_.seam(0, y1_ - 1), width_);
  }

  const CarvingState& state_;
  std::span<Messages> messages_;
  int index_;
  bool first_, last_;
  int y0_, y1_;     ///< The rows y0_..y1_-1.
  int first_seam_;  ///< Number of the team's first seam, from 1.
  int width_;       ///< The number of columns that are left in the band.
};

/// How many seams are measured on each number of threads: the cones of single seams differ much.
constexpr int seams_per_piece = 8;
/// A search of fewer seams takes all threads: what a better choice saves would not pay for measuring worse ones.
constexpr int seams_worth_measuring = 8 * seams_per_piece;

}  // namespace

CarvingCost carve_in_bands(const CarvingState& state, const HostRun& run, SeamProgress& progress) {
  using Clock = std::chrono::steady_clock;
  CarvingCost removed;
  ThreadChoice choice(state.threads);
  const int seams = state.search.seams;
  const bool measures = seams >= seams_worth_measuring;
  for (int first = 1, last = 0; first <= seams && !run.stop.stop_requested(); first = last + 1) {
    last = measures && !choice.settled() ? std::min(seams, first + seams_per_piece - 1) : seams;
    const int threads = choice.threads();
    std::vector<Messages> messages(static_cast<std::size_t>(threads));
    const Clock::time_point start = Clock::now();
#pragma omp parallel num_threads(threads)
    Band(state, messages, omp_get_thread_num(), omp_get_num_threads(), first).run(last, run, progress, removed);
    choice.measured(std::chrono::duration<double>(Clock::now() - start).count() / (last - first + 1));
  }
  if (!run.stop.stop_requested() && seams > 0) progress.add(1);
  return removed;
}

}  // namespace threadscape::seam_carving
