#pragma once
// What a run cost, by stage, and the recent history of it. Medians and spreads, never one number.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "compute/core/backend.h"

namespace threadscape {

enum class Stage : std::uint8_t { upload, compute, download, present };
inline constexpr std::array<std::string_view, 4> stage_names{"upload", "compute", "download", "present"};

/// Milliseconds. A stage that did not take place is 0.
struct StageTimes {
  double upload_ms = 0.0;    ///< host memory to device (CUDA)
  double compute_ms = 0.0;   ///< the algorithm itself
  double download_ms = 0.0;  ///< device to host memory (CUDA, when the result is wanted there)
  double present_ms = 0.0;   ///< result to displayed texture
  [[nodiscard]] double total_ms() const { return upload_ms + compute_ms + download_ms + present_ms; }
};

struct TimingSample {
  Backend backend = Backend::serial;
  int variant = 0;
  int threads = 1;
  StageTimes times;
  std::int64_t items = 0;  ///< pixels, voxels or values of the output
  std::uint64_t run = 0;   ///< running number of the run, over all backends
  bool warm_up = false;    ///< first run of this backend at this size: kept out of the statistics
};

/// Order statistics of a set of samples; `spread` is the median absolute deviation.
struct Summary {
  std::size_t count = 0;
  double median = 0.0, minimum = 0.0, maximum = 0.0, spread = 0.0;
};
[[nodiscard]] Summary summarize(std::vector<double> values);

/// The last `capacity` runs of one backend.
class TimingHistory {
 public:
  static constexpr std::size_t capacity = 1024;
  void push(const TimingSample& sample);
  void clear() {
    samples_.clear();
    next_ = 0;
  }
  [[nodiscard]] std::size_t size() const { return samples_.size(); }
  /// 0 is the oldest kept.
  [[nodiscard]] const TimingSample& operator[](std::size_t i) const;
  /// Of the runs that are not warm-up; stage = a StageTimes member, or the total when null.
  [[nodiscard]] Summary summary(double StageTimes::*stage = nullptr) const;

 private:
  std::vector<TimingSample> samples_;
  std::size_t next_ = 0;  ///< slot that the next push overwrites once full
};

}  // namespace threadscape
