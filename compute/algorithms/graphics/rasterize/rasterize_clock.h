#pragma once
// How long each stage of a run takes, for who asks: a run whose preparation (Prepared) has a clock adds its times
// there. Runs without one do not read any clock.

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "compute/core/run.h"

namespace threadscape::rasterize {

/// The stages whose time is measured. A backend that does several of them in one loop has the time of all in the last:
/// binning has that of set-up, and raster that of both if it has neither of its own.
enum class TimedStage : std::uint8_t {
  vertices,  ///< Multiplication with the matrix, and the light of Gouraud shading.
  set_up,    ///< Clipping and set-up of triangles.
  binning,   ///< Sorting of triangles into tiles.
  raster,    ///< Coverage and depth, from an empty buffer to what is visible.
  shading,   ///< Colours of what is visible, or depths or counts, written as the output.
  blending   ///< Transparent triangles.
};
inline constexpr std::array<std::string_view, 6> timed_stage_names{"vertices", "set_up",  "binning",
                                                                   "raster",   "shading", "blending"};

/// Milliseconds of each stage. `present` says which stages took place as stages of their own.
struct StageMilliseconds {
  std::array<double, timed_stage_names.size()> ms{};
  std::array<bool, timed_stage_names.size()> present{};
};

/// Times of a run on the device, which are known once it is done.
class DeviceLapTimes {
 public:
  virtual ~DeviceLapTimes() = default;
  /// Waits until the device is done. Throws DeviceError.
  virtual void add_to(StageMilliseconds& times) const = 0;
};

/// The times of one run. Threads of the run may add to it at the same time.
class StageClock {
 public:
  using Duration = std::chrono::nanoseconds;

  void add(TimedStage stage, Duration time) {
    const auto i = static_cast<std::size_t>(stage);
    sums_[i].fetch_add(time.count(), std::memory_order_relaxed);
    present_[i].store(true, std::memory_order_relaxed);
  }
  /// Adds the times of a set-up that is done twice only to be measured, because drawing does the same work triangle by
  /// triangle. The shorter one counts as the set-up and is taken from the time of raster by times(): the first may have
  /// waited for memory, and either may have been interrupted. `work` is any number that depends on that work, so that
  /// the compiler cannot leave it out.
  void add_repeated_set_up(Duration first, Duration second, std::uint64_t work) {
    add(TimedStage::set_up, std::min(first, second));
    part_of_raster_.fetch_add(std::min(first, second).count(), std::memory_order_relaxed);
    repeated_.fetch_add((first + second).count(), std::memory_order_relaxed);
    work_.fetch_add(work, std::memory_order_relaxed);
  }
  /// Sets the times of a run on the device, which count once times() is called.
  void set_device_laps(std::unique_ptr<const DeviceLapTimes> laps) { device_ = std::move(laps); }

  /// The times of all threads together, divided by their number, so that they can be compared with the time of the
  /// whole run. To be called when the run has ended.
  [[nodiscard]] StageMilliseconds times(int threads) const;
  /// The time of work that was done only to be measured, likewise; it is part of the time of the whole run.
  [[nodiscard]] double repeated_ms(int threads) const;

 private:
  std::array<std::atomic<std::int64_t>, timed_stage_names.size()> sums_{};  ///< Nanoseconds.
  std::array<std::atomic<bool>, timed_stage_names.size()> present_{};
  std::atomic<std::int64_t> repeated_{0};        ///< Nanoseconds.
  std::atomic<std::int64_t> part_of_raster_{0};  ///< Nanoseconds of set-up within the time of raster.
  std::atomic<std::uint64_t> work_{0};
  std::unique_ptr<const DeviceLapTimes> device_;
};

/// Divides the time of one thread into laps. Does nothing without a clock.
class StageLaps {
 public:
  explicit StageLaps(StageClock* clock) : clock_(clock) { skip(); }
  /// The time since the last call belongs to no stage: the thread has waited.
  void skip() {
    if (clock_ != nullptr) last_ = std::chrono::steady_clock::now();
  }
  /// The time since the last call belongs to a stage.
  void end(TimedStage stage) {
    if (clock_ != nullptr) clock_->add(stage, lap());
  }
  /// Does the set-up twice to measure it (StageClock::add_repeated_set_up()). `set_up` returns a number that depends on
  /// the whole set-up.
  template <typename SetUp>
  void repeat_set_up(const SetUp& set_up) {
    if (clock_ == nullptr) return;
    std::uint64_t work = set_up();
    const auto first = lap();
    work += set_up();
    clock_->add_repeated_set_up(first, lap(), work);
  }

 private:
  [[nodiscard]] StageClock::Duration lap() {
    const auto before = last_;
    last_ = std::chrono::steady_clock::now();
    return last_ - before;
  }

  StageClock* clock_;
  std::chrono::steady_clock::time_point last_;
};

/// Divides a run on the device into laps between events on its stream. Does nothing without a clock. Defined in
/// cuda/rasterize_laps.cu.
class DeviceLaps {
 public:
  DeviceLaps(StageClock* clock, CudaStream stream);
  /// Gives the clock what was measured.
  ~DeviceLaps();
  DeviceLaps(const DeviceLaps&) = delete;
  DeviceLaps& operator=(const DeviceLaps&) = delete;
  /// What is queued from now on belongs to this stage.
  void begin(TimedStage stage);
  /// What is queued from now on belongs to no stage.
  void end();

 private:
  class Events;
  StageClock* clock_;
  CudaStream stream_;
  std::unique_ptr<Events> events_;  ///< Null without a clock.
};

}  // namespace threadscape::rasterize
