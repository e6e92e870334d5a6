#pragma once
// The times of CUDA rows before they are measured.

#include <stop_token>
#include <string>

#include "app/bench/bench_measure.h"
#include "app/measure/report_file.h"
#include "compute/gpu/device.h"
#include "compute/run/observation.h"
#include "compute/warp/prediction.h"

namespace threadscape::app {

/// The time of kernels that were observed, if they follow each other on a GPU.
[[nodiscard]] PredictedTime predicted(const std::vector<ObservedKernel>& kernels, const warp::GpuRates& gpu, bool warm);

/// What a GPU reaches: the copy, L2 and the clock as measured, latencies as known of the GPU that it is most like.
/// Those of the first one of warp::known_rates() for the device `emulated` and for one that cannot be used.
[[nodiscard]] warp::GpuRates rates_of(gpu::Device& device, const CopyLimits& measured);

class RowPredictor {
 public:
  explicit RowPredictor(warp::GpuRates gpu) : gpu_(std::move(gpu)) {}
  /// Executes the run of the point on the CPU, warp by warp, and predicts its time. Of inputs with more than 2^20
  /// values two parts with fewer rows are executed instead. What cannot be predicted says why. Throws Cancelled.
  [[nodiscard]] PredictedTime of(const BenchPoint& point, const std::stop_token& stop) const;

 private:
  warp::GpuRates gpu_;
};

}  // namespace threadscape::app
