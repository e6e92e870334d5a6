// Phantoms that need not fit into memory: their layers are computed when they are asked for.

#include <algorithm>
#include <utility>

#include "compute/algorithms/tomography/phantom/phantom.h"
#include "compute/core/layers.h"

namespace threadscape {

namespace {

class PhantomLayers final : public LayerReader {
 public:
  PhantomLayers(const PhantomVolume::Params& params, int threads, std::stop_token stop, Progress* progress)
      : plan_(params.plan()),
        shape_(plan_.grid.shape()),
        threads_(std::max(threads, 1)),
        stop_(std::move(stop)),
        progress_(progress) {}

  [[nodiscard]] const Shape& shape() const override { return shape_; }

  void read(std::int64_t first, std::int64_t end, float* to) override {
    if (stop_.stop_requested()) throw Cancelled();
    const int nx = plan_.grid.nx, nz = plan_.grid.nz, y0 = static_cast<int>(first);
    const auto rows = static_cast<int>(end - first) * nz;
#pragma omp parallel for schedule(static) num_threads(threads_)
    for (int row = 0; row < rows; ++row)
      for (int x = 0; x < nx; ++x)
        to[static_cast<std::ptrdiff_t>(row) * nx + x] = plan_.at(x, y0 + row / nz, row % nz);
    if (progress_ != nullptr) progress_->report(static_cast<double>(end) / plan_.grid.ny);
  }

 private:
  volumes::PhantomPlan plan_;
  Shape shape_;
  int threads_;
  std::stop_token stop_;
  Progress* progress_;
};

}  // namespace

std::unique_ptr<LayerReader> PhantomVolume::stream(const Params& params, int threads, std::stop_token stop,
                                                   Progress* progress) {
  return std::make_unique<PhantomLayers>(params, threads, std::move(stop), progress);
}

}  // namespace threadscape
