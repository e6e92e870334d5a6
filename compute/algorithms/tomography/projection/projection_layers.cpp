#include "compute/algorithms/tomography/projection/projection_layers.h"

#include <algorithm>
#include <future>
#include <utility>

#include "compute/algorithms/tomography/projection/openmp/projection_openmp.h"
#include "compute/algorithms/tomography/projection/projection.h"
#include "compute/core/layers.h"
#include "compute/core/machine.h"
#include "compute/gpu/device.h"

namespace threadscape {
namespace projection {

Box slab_at(const Geometry& geometry, int y, int layers) {
  Box box = whole(geometry.grid);
  box.y0 = y;
  box.y1 = std::min(y + layers, geometry.grid.ny);
  return box;
}

std::size_t device_bytes_for_layers(const LayerRun& run) {
  const std::size_t views = run.out.shape.bytes(), free = run.device->free_bytes();
  return free > views ? free - views : 0;
}

namespace {

constexpr int slabs_in_memory = 3;  // the slab being read, the slab being projected, and its copy as columns of voxels

/// Layers of a slab: the parameter `slab`, or the number that a run in memory takes, limited by the memory.
int layers_for(const Projection::Params& params, const Geometry& geometry, const LayerRun& run) {
  // Half of the free memory, since files are read through the page cache, which needs memory as well.
  std::size_t bytes = free_host_bytes() / 2;
  if (run.memory > 0) bytes = std::min(bytes, run.memory);
  if (run.backend == Backend::cuda) bytes = std::min(bytes, device_bytes_for_layers(run) / 10 * 9);
  const int max_layers = layers_fitting(geometry.grid, bytes / slabs_in_memory, 1);
  return std::min(max_layers, openmp_layers(geometry.grid, params.slab));
}

void project_layers_host(const LayerPlan& plan, const LayerRun& run) {
  const Geometry& geometry = plan.geometry;
  const int count = geometry.grid.ny;
  const auto read = [&](int y) {
    Shape shape = run.in->shape();
    const Box box = slab_at(geometry, y, plan.layers);
    shape.depth = box.y1 - box.y0;
    HostArray slab(shape);
    run.in->read(box.y0, box.y1, reinterpret_cast<float*>(slab.data()));
    return slab;
  };
  const VolumeView<float> out = run.out.volume<float>();
  std::fill_n(out.data, run.out.shape.items(), 0.0f);
  HostScratch scratch;
  HostRun part;
  part.scratch = &scratch;
  part.stop = run.stop;
  part.threads = run.backend == Backend::serial ? 1 : std::max(1, run.threads);
  if (run.backend != Backend::serial) scratch.reset(openmp_scratch_bytes(geometry, plan.layers));

  HostArray slab = read(0);
  for (int y = 0; y < count; y += plan.layers) {
    std::future<HostArray> next;
    if (y + plan.layers < count) next = std::async(std::launch::async, read, y + plan.layers);
    Projection::check_layers(std::as_const(slab).view(), y);
    const Box box = slab_at(geometry, y, plan.layers);
    const auto* voxels = reinterpret_cast<const float*>(slab.data());
    if (run.backend == Backend::serial)
      add_rays(geometry, plan.method, box, voxels, out, part);
    else
      add_slab(geometry, plan.method, box, voxels, out, part);
    if (run.stop.stop_requested()) throw Cancelled();
    if (run.progress) run.progress->report(static_cast<double>(box.y1) / count);
    if (next.valid()) slab = next.get();
  }
}

}  // namespace
}  // namespace projection

void Projection::run_layers(const Params& params, const LayerRun& run) {
  const Shape wanted = output_shape(params, run.in->shape());
  if (run.out.shape != wanted)
    throw UsageError("projection writes " + to_string(wanted) + ", not " + to_string(run.out.shape));
  if (params.output == Output::voxels) {
    const projection::Geometry geometry = params.scanner(run.in->shape());
    if (run.backend == Backend::cuda) return projection::count_voxels_cuda(geometry, run);
    HostRun part;
    part.stop = run.stop;
    part.threads = run.backend == Backend::serial ? 1 : std::max(1, run.threads);
    return projection::count_voxels(geometry, run.out.volume<float>(), part);
  }
  projection::LayerPlan plan{params.scanner(run.in->shape()), params.method, 1};
  if (run.backend == Backend::cuda) run.device->require();
  plan.layers = projection::layers_for(params, plan.geometry, run);
  if (run.backend == Backend::cuda)
    projection::project_layers_cuda(plan, run);
  else
    projection::project_layers_host(plan, run);
}

}  // namespace threadscape
