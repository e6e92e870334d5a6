#pragma once
// The times of rows before they are measured: those of CUDA from counts of their kernels (compute/warp/prediction.h),
// those of the CPU from runs on parts of their inputs (host_predict.h).

#include <stop_token>
#include <string>

#include "app/bench/bench.h"
#include "app/bench/bench_measure.h"
#include "app/bench/host_predict.h"
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

/// The extent along which an input gets shorter.
[[nodiscard]] std::int64_t Shape::*rows_of(Kind kind);
/// The point on an input of its own with fewer rows.
[[nodiscard]] BenchPoint with_rows(const BenchPoint& point, std::int64_t rows);
/// Returns true if no part of the input can take its place: its size follows from the parameters.
[[nodiscard]] bool has_fixed_size(const BenchPoint& point);

class RowPredictor {
 public:
  /// The rates of the GPU that --gpu names, or of the machine's; `measured` are the limits of this machine.
  RowPredictor(const BenchOptions& options, const CopyLimits& measured);
  /// Executes a run of CUDA on the CPU, warp by warp, and predicts its time. Of inputs with more than 2^20 values two
  /// parts with fewer rows are executed instead. A run on the CPU is predicted by predicted_on_host(). What cannot be
  /// predicted says why. Throws Cancelled.
  [[nodiscard]] PredictedTime of(const BenchPoint& point, const std::stop_token& stop);

 private:
  [[nodiscard]] PredictedTime on_gpu(const BenchPoint& point, const std::stop_token& stop) const;

  warp::GpuRates gpu_;
  HostRates host_;
};

}  // namespace threadscape::app
