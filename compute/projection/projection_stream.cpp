#include "compute/projection/projection_stream.h"

#include <algorithm>
#include <future>
#include <utility>

#include "compute/projection/projection_openmp.h"

namespace threadscape::projection {

HostArray project_file(const Projection::Params& params, io::VolumeReader& file, int threads,
                       const std::stop_token& stop, Progress* progress) {
  const Geometry geometry = params.scanner(file.shape());
  const int layers = openmp_layers(geometry.grid, params.slab), count = geometry.grid.ny;
  const auto slab_shape = [&](int y) {
    Shape shape = file.shape();
    shape.depth = std::min(layers, count - y);
    return shape;
  };
  const auto read = [&](int y) {
    HostArray slab(slab_shape(y));
    file.read(y, y + slab.shape().depth, reinterpret_cast<float*>(slab.data()));
    return slab;
  };

  HostArray result(Projection::output_shape(params, file.shape()));
  const VolumeView<float> out = result.view().volume<float>();
  std::fill_n(out.data, result.shape().items(), 0.0f);
  HostScratch scratch;
  scratch.reset(openmp_scratch_bytes(geometry, layers));
  HostRun run;
  run.scratch = &scratch;
  run.threads = std::max(1, threads);
  run.stop = stop;

  HostArray slab = read(0);
  for (int y = 0; y < count; y += layers) {
    std::future<HostArray> next;
    if (y + layers < count) next = std::async(std::launch::async, read, y + layers);
    Projection::check_layers(std::as_const(slab).view(), y);
    Box box = whole(geometry.grid);
    box.y0 = y;
    box.y1 = y + static_cast<int>(slab.shape().depth);
    add_slab(geometry, params.method, box, reinterpret_cast<const float*>(slab.data()), out, run);
    if (stop.stop_requested()) throw Cancelled();
    if (progress) progress->report(static_cast<double>(box.y1) / count);
    if (next.valid()) slab = next.get();
  }
  return result;
}

}  // namespace threadscape::projection
