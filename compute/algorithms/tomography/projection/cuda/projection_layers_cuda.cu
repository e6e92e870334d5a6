// Projection of a volume larger than the GPU's memory, slab by slab. Three stages overlap: slab n + 2 is read from the
// file into pinned memory, slab n + 1 is uploaded, and slab n is projected.
//
//   file      | read 0 | read 1 | read 2 | read 3 |            two buffers alternate: slab n uses buffer n % 2
//   copy_              | up 0   | up 1   | up 2   | ..
//   compute_                    | proj 0 | proj 1 | ..

#include <algorithm>
#include <array>
#include <utility>

#include "compute/algorithms/tomography/projection/cuda/projection_cuda.h"
#include "compute/algorithms/tomography/projection/projection.h"
#include "compute/algorithms/tomography/projection/projection_layers.h"
#include "compute/core/layers.h"
#include "compute/gpu/executor.h"

namespace threadscape::projection {
namespace {

/// The memory of one slab on its way to the device.
struct SlabBuffer {
  explicit SlabBuffer(gpu::Device& of) : pinned(of), device(of), uploaded(of), projected(of) {}
  gpu::PinnedBuffer pinned;
  gpu::DeviceArray device;
  gpu::OrderEvent uploaded, projected;
};

class Pipeline {
 public:
  Pipeline(const LayerPlan& plan, const LayerRun& run, CudaStream compute)
      : plan_(plan),
        run_(run),
        geometry_(plan.geometry),
        as_columns_(run.variant == 0 && plan.method != Method::siddon),
        buffers_{SlabBuffer(*run.device), SlabBuffer(*run.device)},
        views_(*run.device),
        scratch_(DeviceMemory{run.device}),
        copy_(*run.device),
        compute_(compute) {
    Shape slab = run.in->shape();
    slab.depth = plan.layers;
    for (SlabBuffer& buffer : buffers_) {
      buffer.pinned.reserve(slab.bytes());
      buffer.device.reshape(slab);
    }
    views_.reshape(run.out.shape);
    if (as_columns_) scratch_.reset(columns_bytes(geometry_.grid, plan.layers));
  }

  void run() {
    const int count = geometry_.grid.ny;
    read(0, buffers_[0]);
    for (int slab = 0, y = 0; y < count; ++slab, y += plan_.layers) {
      SlabBuffer& buffer = buffers_[static_cast<std::size_t>(slab) % 2];
      SlabBuffer& other = buffers_[static_cast<std::size_t>(slab + 1) % 2];
      const Box box = slab_at(geometry_, y, plan_.layers);
      upload(box, buffer);
      project(box, buffer);
      if (y + plan_.layers < count) {
        other.uploaded.wait();  // the upload of the previous slab has to finish before its pinned memory is overwritten
        read(y + plan_.layers, other);
      }
      if (run_.stop.stop_requested()) throw Cancelled();
      if (run_.progress) run_.progress->report(static_cast<double>(box.y1) / count);
    }
    gpu::download(std::as_const(views_).view(), run_.out, compute_);
    run_.device->wait(compute_);
  }

 private:
  void read(int y, SlabBuffer& buffer) {
    const Box box = slab_at(geometry_, y, plan_.layers);
    auto* voxels = reinterpret_cast<float*>(buffer.pinned.data());
    run_.in->read(box.y0, box.y1, voxels);
    Shape shape = run_.in->shape();
    shape.depth = box.y1 - box.y0;
    Projection::check_layers({buffer.pinned.data(), shape, static_cast<std::size_t>(shape.width) * sizeof(float)}, y);
  }
  void upload(const Box& box, SlabBuffer& buffer) {
    const VolumeGrid& grid = geometry_.grid;
    const auto bytes = static_cast<std::size_t>(grid.index(0, box.y1 - box.y0, 0)) * sizeof(float);
    buffer.projected.hold(copy_.get());  // the slab that used this buffer before has to be projected first
    run_.device->copy({.from = buffer.pinned.data(), .to = buffer.device.view().data, .row_bytes = bytes, .rows = 1},
                      gpu::CopyKind::to_device, copy_.get());
    buffer.uploaded.record(copy_.get());
  }
  void project(const Box& box, SlabBuffer& buffer) {
    buffer.uploaded.hold(compute_);
    const auto* voxels = reinterpret_cast<const float*>(buffer.device.view().data);
    const ViewStore out(DeviceSink{.linear = views_.view(), .surface = 0, .shape = run_.out.shape});
    const bool add = box.y0 > 0;
    if (as_columns_) {
      scratch_.rewind(0);
      float* columns = scratch_.take<float>(columns_bytes(geometry_.grid, plan_.layers) / sizeof(float)).data();
      fill_columns(geometry_, box, voxels, columns, compute_);
      buffer.projected.record(compute_);  // the kernels that follow read the columns only
      project_columns(geometry_, plan_.method, box, columns, out, 0, geometry_.views, add, compute_);
    } else {
      project_rays(geometry_, plan_.method, box, voxels, out, 0, geometry_.views, add, compute_);
      buffer.projected.record(compute_);
    }
  }

  const LayerPlan& plan_;
  const LayerRun& run_;
  const Geometry& geometry_;
  bool as_columns_;
  std::array<SlabBuffer, 2> buffers_;
  gpu::DeviceArray views_;
  DeviceScratch scratch_;
  gpu::Stream copy_;
  CudaStream compute_;
};

}  // namespace

void project_layers_cuda(const LayerPlan& plan, const LayerRun& run) {
  const gpu::Executor executor(*run.device);
  executor.guarded([&] { Pipeline(plan, run, executor.stream()).run(); });
}

void count_voxels_cuda(const Geometry& geometry, const LayerRun& run) {
  run.device->require();
  const gpu::Executor executor(*run.device);
  executor.guarded([&] {
    gpu::DeviceArray views(*run.device);
    views.reshape(run.out.shape);
    count_voxels(geometry, ViewStore(DeviceSink{.linear = views.view(), .surface = 0, .shape = run.out.shape}), 0,
                 geometry.views, executor.stream());
    gpu::download(std::as_const(views).view(), run.out, executor.stream());
    run.device->wait(executor.stream());
  });
}

}  // namespace threadscape::projection
