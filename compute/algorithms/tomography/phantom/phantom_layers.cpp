#include "compute/algorithms/tomography/phantom/phantom_layers.h"

#include <algorithm>
#include <utility>

namespace threadscape {

PhantomLayers::PhantomLayers(const PhantomVolume::Params& params, int threads, std::stop_token stop, Progress* progress)
    : plan_(params.plan()),
      shape_(plan_.grid.shape()),
      threads_(std::max(threads, 1)),
      stop_(std::move(stop)),
      progress_(progress) {}

void PhantomLayers::read(std::int64_t first, std::int64_t end, float* to) {
  if (stop_.stop_requested()) throw Cancelled();
  const int nx = plan_.grid.nx, nz = plan_.grid.nz, y0 = static_cast<int>(first);
  const auto rows = static_cast<int>(end - first) * nz;
#pragma omp parallel for schedule(static) num_threads(threads_)
  for (int row = 0; row < rows; ++row)
    for (int x = 0; x < nx; ++x)
      to[static_cast<std::ptrdiff_t>(row) * nx + x] = plan_.at(x, y0 + row / nz, row % nz);
  if (progress_ != nullptr) progress_->report(static_cast<double>(end) / plan_.grid.ny);
}

}  // namespace threadscape
