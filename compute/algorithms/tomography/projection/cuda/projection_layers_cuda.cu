// A volume larger than the GPU's memory, slab by slab. Three things happen at once: the next slab is read from the file
// into pinned memory, the one before it is on its way to the device, and the one before that is projected.

#include <algorithm>
#include <array>

#include "compute/algorithms/tomography/projection/cuda/projection_cuda.h"
#include "compute/algorithms/tomography/projection/projection.h"
#include "compute/algorithms/tomography/projection/projection_layers.h"
#include "compute/cuda/buffer.h"

namespace threadscape::projection {
namespace {

/// Something that a stream has come to.
class Event {
 public:
  Event() { TS_CUDA_CHECK(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming)); }
  ~Event() { cudaEventDestroy(event_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  void record(const cuda::Stream& stream) { TS_CUDA_CHECK(cudaEventRecord(event_, stream.get())); }
  void wait() const { TS_CUDA_CHECK(cudaEventSynchronize(event_)); }
  void hold(const cuda::Stream& stream) const { TS_CUDA_CHECK(cudaStreamWaitEvent(stream.get(), event_, 0)); }

 private:
  cudaEvent_t event_ = nullptr;
};

/// Where a slab is on its way; two take turns.
struct Place {
  cuda::PinnedBuffer pinned;
  cuda::DeviceArray device;
  Event uploaded, projected;
};

class Pipeline {
 public:
  Pipeline(const LayerPlan& plan, const LayerRun& run)
      : plan_(plan),
        run_(run),
        geometry_(plan.geometry),
        as_columns_(run.variant == 0 && plan.method != Method::siddon) {
    Shape slab = run.in->shape();
    slab.depth = plan.layers;
    for (Place& place : places_) {
      place.pinned.reserve(slab.bytes());
      place.device.reshape(slab);
    }
    views_.reshape(run.out.shape);
    if (as_columns_) scratch_.reset(columns_bytes(geometry_.grid, plan.layers));
  }

  void run() {
    const int count = geometry_.grid.ny;
    read(0, places_[0]);
    for (int slab = 0, y = 0; y < count; ++slab, y += plan_.layers) {
      Place& place = places_[static_cast<std::size_t>(slab) % 2];
      Place& other = places_[static_cast<std::size_t>(slab + 1) % 2];
      const Box box = slab_at(geometry_, y, plan_.layers);
      upload(box, place);
      project(box, place);
      if (y + plan_.layers < count) {
        other.uploaded.wait();  // the slab before has left the memory that is read into
        read(y + plan_.layers, other);
      }
      if (run_.stop.stop_requested()) throw Cancelled();
      if (run_.progress) run_.progress->report(static_cast<double>(box.y1) / count);
    }
    cuda::download(views_.view(), run_.out, compute_.get());
    compute_.wait();
  }

 private:
  void read(int y, Place& place) {
    const Box box = slab_at(geometry_, y, plan_.layers);
    auto* voxels = reinterpret_cast<float*>(place.pinned.data());
    run_.in->read(box.y0, box.y1, voxels);
    Shape shape = run_.in->shape();
    shape.depth = box.y1 - box.y0;
    Projection::check_layers({place.pinned.data(), shape, static_cast<std::size_t>(shape.width) * sizeof(float)}, y);
  }
  void upload(const Box& box, Place& place) {
    const VolumeGrid& grid = geometry_.grid;
    const auto bytes = static_cast<std::size_t>(grid.index(0, box.y1 - box.y0, 0)) * sizeof(float);
    place.projected.hold(copy_);  // the slab that was there before
    TS_CUDA_CHECK(
        cudaMemcpyAsync(place.device.view().data, place.pinned.data(), bytes, cudaMemcpyHostToDevice, copy_.get()));
    place.uploaded.record(copy_);
  }
  void project(const Box& box, Place& place) {
    place.uploaded.hold(compute_);
    const auto* voxels = reinterpret_cast<const float*>(place.device.view().data);
    const ViewStore out({.linear = views_.view(), .surface = 0, .shape = run_.out.shape});
    const bool add = box.y0 > 0;
    if (as_columns_) {
      scratch_.rewind(0);
      float* columns = scratch_.take<float>(columns_bytes(geometry_.grid, plan_.layers) / sizeof(float)).data();
      fill_columns(geometry_, box, voxels, columns, compute_.get());
      place.projected.record(compute_);  // the columns are all that is needed
      project_columns(geometry_, plan_.method, box, columns, out, 0, geometry_.views, add, compute_.get());
    } else {
      project_rays(geometry_, plan_.method, box, voxels, out, 0, geometry_.views, add, compute_.get());
      place.projected.record(compute_);
    }
  }

  const LayerPlan& plan_;
  const LayerRun& run_;
  const Geometry& geometry_;
  bool as_columns_;
  std::array<Place, 2> places_;
  cuda::DeviceArray views_;
  DeviceScratch scratch_;
  cuda::Stream copy_, compute_;
};

}  // namespace

void project_layers_cuda(const LayerPlan& plan, const LayerRun& run) {
  Pipeline(plan, run).run();
}

}  // namespace threadscape::projection
