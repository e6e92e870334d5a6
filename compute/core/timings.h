#pragma once
// The times of a run by stage, and the history of the last runs, which is summarized by medians and spreads.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "compute/core/backend.h"

namespace threadscape {

enum class Stage : std::uint8_t { upload, compute, download, present };
inline constexpr std::array<std::string_view, 4> stage_names{"upload", "compute", "download", "present"};

/// Times of the stages in milliseconds; 0 for stages that did not take place.
struct StageTimes {
  double upload_ms = 0.0;    ///< Copy of the input from host memory to the device (CUDA).
  double compute_ms = 0.0;   ///< The algorithm itself.
  double download_ms = 0.0;  ///< Copy of the result to host memory (CUDA, if it is needed there).
  double present_ms = 0.0;   ///< Copy of the result to the displayed texture.
  [[nodiscard]] double total_ms() const { return upload_ms + compute_ms + download_ms + present_ms; }
};

struct TimingSample {
  Backend backend = Backend::serial;
  int variant = 0;
  int threads = 1;
  StageTimes times;
  std::int64_t items = 0;  ///< Pixels, voxels or values of the output.
  std::uint64_t run = 0;   ///< Serial number of the run, counted over all backends.
  bool warm_up = false;    ///< First run of this backend at this size; summaries leave it out.
};

/// Order statistics of a set of samples. `spread` is the median absolute deviation from the median.
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
  /// The i-th sample; index 0 is the oldest one that is still kept.
  [[nodiscard]] const TimingSample& operator[](std::size_t i) const;
  /// Summarizes a member of StageTimes, or the total time if null, over the runs that are no warm-up.
  [[nodiscard]] Summary summary(double StageTimes::*stage = nullptr) const;

 private:
  std::vector<TimingSample> samples_;
  std::size_t next_ = 0;  ///< Index that the next push() overwrites if the history is full.
};

}  // namespace threadscape
