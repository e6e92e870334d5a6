// The variant `planes`: the kernels of source document 000, chapter 4.2.3. Every kernel has one thread per cell of a
// plane with its ghost area (morphology_planes.h), in blocks of 22 x 22 threads, the largest square below 512.
//
//   split_channels   channels of the picture into planes, and their ghost area, without branches
//   set_default      the neutral value in all cells of the planes that a step writes
//   repeat_border    borders that are not neutral: pixels of the plane into its ghost area
//   step_plane       one erosion or dilation of one channel
//   compose_image    planes into a picture, with the alpha of the input

#include "compute/algorithms/morphology/morphology/cuda/morphology_cuda.h"
#include "compute/algorithms/morphology/morphology/morphology_planes.h"
#include "compute/engines/planes/planes.h"
#include "compute/gpu/check.h"
#include "compute/gpu/store.cuh"

namespace threadscape::morphology {
namespace {

constexpr int block_side = 22;

/// One plane for each channel of a picture.
template <class Value>
struct ChannelPlanes {
  Value* channel[3] = {};
};

/// The coordinates of a thread's cell, relative to the picture: negative ones lie in the ghost area.
struct Cell {
  int x, y;

  __device__ explicit Cell(const PlaneExtent& extent)
      : x(static_cast<int>(blockIdx.x * block_side + threadIdx.x) - extent.left),
        y(static_cast<int>(blockIdx.y * block_side + threadIdx.y) - extent.top) {}
  [[nodiscard]] __device__ bool in_plane(const PlaneExtent& extent) const {
    return x < extent.width + extent.right && y < extent.height + extent.bottom;
  }
  [[nodiscard]] __device__ bool in_picture(const PlaneExtent& extent) const {
    return x >= 0 && y >= 0 && x < extent.width && y < extent.height;
  }
};

__device__ std::int64_t index_of(const PlaneExtent& extent, int x, int y) {
  return static_cast<std::int64_t>(y + extent.top) * extent.columns() + x + extent.left;
}

/// The integer with the bits of a value: the products of split_channels are exact for infinities as well.
template <class Value>
__device__ std::uint32_t bits_of(Value value) {
  if constexpr (std::is_same_v<Value, float>)
    return __float_as_uint(value);
  else
    return value;
}
template <class Value>
__device__ Value value_of(std::uint32_t bits) {
  if constexpr (std::is_same_v<Value, float>)
    return __uint_as_float(bits);
  else
    return static_cast<Value>(bits);
}

/// A cell of the ghost area reads the first pixel of the picture, and its value counts zero times.
template <class P>
__global__ void split_channels(ImageView<const typename P::Pixel, Space::device> image,
                               ChannelPlanes<typename P::Value> planes, PlaneExtent extent, Border border,
                               typename P::Value ghost) {
  const Cell cell(extent);
  if (!cell.in_plane(extent)) return;
  const int column = border_index(cell.x, extent.width, border), row = border_index(cell.y, extent.height, border);
  const int img = (column >= 0) & (row >= 0), halo = 1 - img;
  const auto pixel = image(column * img, row * img);
  const std::int64_t index = index_of(extent, cell.x, cell.y);
  for (int channel = 0; channel < P::count; ++channel)
    planes.channel[channel][index] =
        value_of<typename P::Value>(bits_of(P::get(pixel, channel)) * static_cast<std::uint32_t>(img) +
                                    bits_of(ghost) * static_cast<std::uint32_t>(halo));
}

template <class P>
__global__ void set_default(ChannelPlanes<typename P::Value> planes, PlaneExtent extent, typename P::Value value) {
  const Cell cell(extent);
  if (!cell.in_plane(extent)) return;
  for (int channel = 0; channel < P::count; ++channel)
    planes.channel[channel][index_of(extent, cell.x, cell.y)] = value;
}

/// Fills the ghost area only: by the rule of the border, or with `ghost` where that names no pixel.
template <class P>
__global__ void repeat_border(ChannelPlanes<typename P::Value> planes, PlaneExtent extent, Border border,
                              typename P::Value ghost) {
  const Cell cell(extent);
  if (!cell.in_plane(extent) || cell.in_picture(extent)) return;
  const int column = border_index(cell.x, extent.width, border), row = border_index(cell.y, extent.height, border);
  for (int channel = 0; channel < P::count; ++channel)
    planes.channel[channel][index_of(extent, cell.x, cell.y)] =
        column < 0 || row < 0 ? ghost : planes.channel[channel][index_of(extent, column, row)];
}

template <class Value>
__global__ void step_plane(const Value* from, Value* to, PlaneExtent extent, const Term* terms, int count, bool flat,
                           bool erode, bool neutral) {
  const Cell cell(extent);
  if (!cell.in_picture(extent)) return;
  const std::int64_t index = index_of(extent, cell.x, cell.y);
  Value result = neutral_value<Value>(erode);
  for (int i = 0; i < count; ++i) {
    const Term term = terms[i];
    const Value value = from[index + static_cast<std::int64_t>(term.dy) * extent.columns() + term.dx];
    if (flat) {
      result = extreme(result, value, erode);
      continue;
    }
    // A ghost cell is not neutral any more once the element's grey level has been added to it or subtracted from it.
    const int x = cell.x + term.dx, y = cell.y + term.dy;
    if (neutral && (x < 0 || y < 0 || x >= extent.width || y >= extent.height)) continue;
    result = extreme(result, shifted(value, in_units<Value>(term.level), erode), erode);
  }
  to[index] = result;
}

template <class P, class Store>
__global__ void compose_image(ImageView<const typename P::Pixel, Space::device> image,
                              ChannelPlanes<typename P::Value> result, ChannelPlanes<typename P::Value> side,
                              PlaneExtent extent, Finish finish, Store store) {
  const Cell cell(extent);
  if (!cell.in_picture(extent)) return;
  const std::int64_t index = index_of(extent, cell.x, cell.y);
  const auto original = image(cell.x, cell.y);
  auto pixel = original;  // Keeps the alpha of the input.
  for (int channel = 0; channel < P::count; ++channel)
    P::set(pixel, channel,
           finished(finish, result.channel[channel][index], P::get(original, channel), side.channel[channel][index]));
  store.store(cell.x, cell.y, pixel);
}

template <class P>
class PlanesExecution {
 public:
  using Pixel = typename P::Pixel;
  using Value = typename P::Value;

  PlanesExecution(const Plan& plan, const DeviceRun& run)
      : plan_(plan), run_(run), extent_(plan, run.in.shape), image_(run.in.image<Pixel>()) {
    for (int plane = 0; plane < planes_per_channel(plan); ++plane)
      for (int channel = 0; channel < P::count; ++channel)
        planes_[plane].channel[channel] = run.scratch->take<Value>(extent_.cells()).data();
    const PlanesMemoryNeed need(plan, run.in.shape);
    terms_ = run.scratch->take<Term>(need.terms).data();
    if (plan.reconstruct) {
      marker_ = {run.scratch->take<std::byte>(need.marker).data(), need.marker_pitch};
      grow_ = run.scratch->take<std::byte>(need.grow).data();
    }
    grid_ = dim3((extent_.columns() + block_side - 1) / block_side, (extent_.rows() + block_side - 1) / block_side);
  }

  void operator()() {
    PlanePair pair;
    int side = 0;
    if (!plan_.side.empty()) {
      side = branch(plan_.side, pair);
      pair = pair_beside(side);
    }
    const int result = branch(plan_.steps, pair);
    if (!plan_.reconstruct) return compose(run_.out, result, side);
    DeviceSink sink;
    sink.shape = run_.in.shape;
    sink.linear = marker_.view(run_.in.shape);
    compose(sink, result, side);
    launch_reconstruction(run_, marker_, grow_);
    launch_finish(run_, Finish::none, marker_, {});
  }

 private:
  /// Executes the steps of a branch on all channels. Returns the planes that hold the result.
  int branch(const std::vector<Step>& steps, PlanePair pair) {
    split_channels<P><<<grid_, block_, 0, run_.stream>>>(image_, planes_[pair.first], extent_, plan_.border,
                                                         neutral_value<Value>(steps[0].erode));
    TS_CUDA_LAUNCHED();
    for (std::size_t i = 0; i < steps.size(); ++i) {
      if (i + 1 < steps.size() && plan_.neutral()) {
        set_default<P><<<grid_, block_, 0, run_.stream>>>(planes_[pair.read_by(i + 1)], extent_,
                                                          neutral_value<Value>(steps[i + 1].erode));
        TS_CUDA_LAUNCHED();
      }
      if (i > 0 && !plan_.neutral()) {
        repeat_border<P><<<grid_, block_, 0, run_.stream>>>(planes_[pair.read_by(i)], extent_, plan_.border,
                                                            neutral_value<Value>(steps[i].erode));
        TS_CUDA_LAUNCHED();
      }
      launch_step(steps[i], planes_[pair.read_by(i)], planes_[pair.read_by(i + 1)]);
    }
    return pair.read_by(steps.size());
  }

  void launch_step(const Step& step, const ChannelPlanes<Value>& from, const ChannelPlanes<Value>& to) {
    const std::vector<Term> terms = all_terms(*step.window);
    TS_CUDA_CHECK(
        cudaMemcpyAsync(terms_, terms.data(), terms.size() * sizeof(Term), cudaMemcpyHostToDevice, run_.stream));
    for (int channel = 0; channel < P::count; ++channel) {
      step_plane<Value><<<grid_, block_, 0, run_.stream>>>(from.channel[channel], to.channel[channel], extent_, terms_,
                                                           static_cast<int>(terms.size()), step.window->flat,
                                                           step.erode, plan_.neutral());
      TS_CUDA_LAUNCHED();
    }
  }

  void compose(const DeviceSink& sink, int result, int side) {
    cuda::dispatch_store<Pixel>(sink, [&](auto store) {
      compose_image<P>
          <<<grid_, block_, 0, run_.stream>>>(image_, planes_[result], planes_[side], extent_, plan_.finish, store);
      TS_CUDA_LAUNCHED();
    });
  }

  const Plan& plan_;
  const DeviceRun& run_;
  PlaneExtent extent_;
  ImageView<const Pixel, Space::device> image_;
  ChannelPlanes<Value> planes_[3];
  Term* terms_ = nullptr;
  DevicePicture marker_;
  std::byte* grow_ = nullptr;
  dim3 block_{block_side, block_side}, grid_;
};

}  // namespace

void launch_planes(const Plan& plan, const DeviceRun& run) {
  with_planes<std::uint8_t, std::uint16_t, float>(run.in.shape, Channels::each, [&](auto planes) {
    PlanesExecution<decltype(planes)> execution(plan, run);
    execution();
  });
}

}  // namespace threadscape::morphology
