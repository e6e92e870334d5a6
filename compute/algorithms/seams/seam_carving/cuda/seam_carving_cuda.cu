// Going from pass to pass on the GPU: grey values and marks are brought into the space of the pass, the seams are
// searched, and the next picture is assembled. Compare with seam_carving_host.cpp. The host only queues work and waits
// for nothing.

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "compute/algorithms/seams/seam_carving/cuda/seam_carving_cells.h"
#include "compute/algorithms/seams/seam_carving/seam_carving_transport.h"
#include "compute/core/machine.h"
#include "compute/engines/planes/planes.h"
#include "compute/gpu/check.h"
#include "compute/gpu/store.cuh"

namespace threadscape {
namespace seam_carving {
namespace {

using Output = SeamCarving::Output;
template <class T>
using Plane = ImageView<T, Space::device>;

constexpr int block_width = 32, block_height = 8;

dim3 grid_for(int width, int height) {
  return dim3(static_cast<unsigned>((width + block_width - 1) / block_width),
              static_cast<unsigned>((height + block_height - 1) / block_height));
}
__device__ int pixel_x() {
  return static_cast<int>(blockIdx.x * block_width + threadIdx.x);
}
__device__ int pixel_y() {
  return static_cast<int>(blockIdx.y * block_height + threadIdx.y);
}

template <class Pixel>
__global__ void fill_grey(Plane<const Pixel> from, bool of_rows, DeviceSearch search) {
  const int x = pixel_x(), y = pixel_y();
  if (x >= from.width || y >= from.height) return;
  search.grey[of_rows ? search.at(y, x) : search.at(x, y)] = grey_of(from(x, y));
}
/// Marks of removal count only while the picture shrinks.
__global__ void fill_marks(Plane<const Mark> from, const Pass pass, DeviceSearch search) {
  const int x = pixel_x(), y = pixel_y();
  if (x >= from.width || y >= from.height) return;
  const Mark mark = from(x, y);
  search.marks[pass.of_rows ? search.at(y, x) : search.at(x, y)] =
      pass.enlarges && mark == Mark::remove ? Mark::none : mark;
}
__global__ void fill_order(Plane<const std::uint16_t> map, bool of_rows, DeviceSearch search) {
  const int x = pixel_x(), y = pixel_y();
  if (x < map.width && y < map.height) search.order[of_rows ? search.at(y, x) : search.at(x, y)] = map(x, y);
}
__global__ void fill_origins(Plane<std::uint32_t> origins) {
  const int x = pixel_x(), y = pixel_y();
  if (x < origins.width && y < origins.height) origins(x, y) = static_cast<std::uint32_t>(y * origins.width + x);
}

constexpr int place_threads = 256;

/// One block per line of the pass. Finds where in the old line each pixel of the new line comes from, by a prefix sum
/// over the number of pixels that each old pixel becomes: none, one, or two.
__global__ void __launch_bounds__(place_threads)
    place_pixels(DeviceSearch search, int width, Pass pass, std::uint32_t* places, int new_width) {
  __shared__ int warp_best[place_threads / 32];
  const int thread = static_cast<int>(threadIdx.x), warp = thread / 32;
  const unsigned lower = (1u << thread % 32) - 1;
  const std::uint16_t* const order = search.order + search.at(0, static_cast<int>(blockIdx.x));
  std::uint32_t* const line = places + static_cast<std::int64_t>(blockIdx.x) * new_width;
  int done = 0;
  for (int part = 0; part < width; part += place_threads) {
    const int x = part + thread;
    const bool in_seam = x < width && is_taken(order[x], pass.seams);
    const int count = x >= width ? 0 : !in_seam ? 1 : pass.enlarges ? 2 : 0;
    const unsigned any = __ballot_sync(0xffffffffu, count > 0), twice = __ballot_sync(0xffffffffu, count > 1);
    if (thread % 32 == 0) warp_best[warp] = __popc(any) + __popc(twice);
    __syncthreads();
    int to = done + __popc(any & lower) + __popc(twice & lower);
    for (int w = 0; w < place_threads / 32; ++w) {
      if (w < warp) to += warp_best[w];
      done += warp_best[w];
    }
    if (count > 0) line[to] = 2u * static_cast<unsigned>(x);
    if (count > 1) line[to + 1] = 2u * static_cast<unsigned>(x) + 1;
    __syncthreads();
  }
}

/// One thread per pixel (x, y) of the new picture.
template <class T, class Store>
__global__ void assemble(Plane<const T> from, const std::uint32_t* places, bool of_rows, int width, int height,
                         Store store) {
  const int x = pixel_x(), y = pixel_y();
  if (x >= width || y >= height) return;
  const std::uint32_t place =
      of_rows ? places[static_cast<std::int64_t>(x) * height + y] : places[static_cast<std::int64_t>(y) * width + x];
  const int column = static_cast<int>(place / 2), length = of_rows ? from.height : from.width;
  const auto pixel = [&](int i) { return of_rows ? from(x, i) : from(i, y); };
  if (place % 2 == 0)
    store.store(x, y, pixel(column));
  else
    store.store(x, y, mean_of(pixel(column), pixel(column + 1 < length ? column + 1 : max(column - 1, 0))));
}

template <class T, class Store>
__global__ void copy_plane(Plane<const T> from, Store store) {
  const int x = pixel_x(), y = pixel_y();
  if (x < from.width && y < from.height) store.store(x, y, from(x, y));
}
template <class Store>
__global__ void clear(int width, int height, Store store) {
  const int x = pixel_x(), y = pixel_y();
  if (x < width && y < height) store.store(x, y, static_cast<std::uint16_t>(0));
}
/// Stores the numbers of a pass's seams where their pixels are in the input.
template <class Store>
__global__ void add_order(DeviceSearch search, Plane<const std::uint32_t> origins, int input_width, Pass pass,
                          int number, Store store) {
  const int x = pixel_x(), y = pixel_y();
  if (x >= origins.width || y >= origins.height) return;
  const int order = search.order[pass.of_rows ? search.at(y, x) : search.at(x, y)];
  if (!is_taken(order, pass.seams)) return;
  const std::uint32_t origin = origins(x, y), across = static_cast<std::uint32_t>(input_width);
  store.store(static_cast<int>(origin % across), static_cast<int>(origin / across),
              static_cast<std::uint16_t>(number + order));
}

constexpr std::uint32_t no_cost = 0xffffffff;

template <class Store>
__global__ void show_energy(DeviceSearch search, bool of_rows, Store store) {
  const int x = pixel_x(), y = pixel_y();
  if (x >= search.width || y >= search.height) return;
  store.store(of_rows ? y : x, of_rows ? x : y, energy_at(search, x, y));
}
template <class Store>
__global__ void show_cost_row(DeviceSearch search, int y, bool of_rows, Store store) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (x >= search.width) return;
  const Cost cost{search.marks ? search.ranks_of(y)[x] : 0, search.costs_of(y)[x]};
  store.store(of_rows ? y : x, of_rows ? x : y, cost_as_float(cost));
}

template <class Store>
__global__ void show_grey(DeviceSearch search, bool of_rows, Store store) {
  const int x = pixel_x(), y = pixel_y();
  if (x < search.width && y < search.height)
    store.store(of_rows ? y : x, of_rows ? x : y, search.grey[search.at(x, y)]);
}
/// One thread per row and candidate. The bits of relative costs, which are not negative, have the order of the costs.
__global__ void mark_candidates(DeviceSearch search, std::uint32_t* costs) {
  const int start = pixel_x(), y = pixel_y();
  if (start >= search.width || y >= search.height) return;
  atomicMin(&costs[search.at(search.paths[search.at(start, y)], y)], __float_as_uint(search.costs[0][start]));
}
template <class Store>
__global__ void show_candidates(DeviceSearch search, const std::uint32_t* costs, bool of_rows, Store store) {
  const int x = pixel_x(), y = pixel_y();
  if (x >= search.width || y >= search.height) return;
  const std::uint32_t cost = costs[search.at(x, y)];
  const Rgba32f pixel{search.grey[search.at(x, y)], cost == no_cost ? no_candidate : __uint_as_float(cost),
                      search.seams[y] == x ? 1.0f : 0.0f, 1.0f};
  store.store(of_rows ? y : x, of_rows ? x : y, pixel);
}

template <class Pixel>
class SeamPipeline {
 public:
  SeamPipeline(const Plan& plan, const std::vector<Pass>& passes, const DeviceRun& run)
      : plan_(plan), passes_(passes), run_(run), planes_(plan, run.in.shape, *run.scratch), stream_(run.stream) {}

  void queue() {
    picture_ = run_.in.image<Pixel>();
    if (plan_.masked()) start_marks();
    if (plan_.params.output == Output::order) start_order();
    // Passes that earlier calls have finished are gone through again without launches, to find out where the planes are
    // now.
    const int at_once = plan_.params.seams_per_pass;
    int parts = 0;  // of all passes before this one
    for (std::size_t i = 0; i < passes_.size() && parts < run_.parts.end; ++i) {
      const Pass& pass = passes_[i];
      const int parts_here = parts_of(pass, at_once);
      const int first = std::min(std::clamp(run_.parts.first - parts, 0, parts_here) * at_once, pass.seams);
      const int last = std::min(std::min(run_.parts.end - parts, parts_here) * at_once, pass.seams);
      const bool is_last = i + 1 == passes_.size();
      place_space(pass);
      launches_ = first < pass.seams;
      if (launches_) search(pass, first, last);
      if (launches_ && plan_.params.output == Output::order) {
        add_order<<<grid_for(picture_.width, picture_.height), block_, 0, stream_>>>(
            search_, origins_, plan_.width, pass, found_, cuda::EitherStore<std::uint16_t>(run_.out));
        TS_CUDA_LAUNCHED();
      }
      parts += parts_here;
      found_ += last;
      if (last == pass.seams && (!is_last || plan_.params.output != Output::order)) assemble_all(pass, is_last);
    }
    if (passes_.empty() && plan_.params.output == Output::picture) {
      copy_plane<Pixel><<<grid_for(picture_.width, picture_.height), block_, 0, stream_>>>(
          picture_, cuda::EitherStore<Pixel>(run_.out));
      TS_CUDA_LAUNCHED();
    }
    // A picture of the state is one of the last state, which the call with the last part reaches.
    if (plan_.shows_state() && run_.parts.end >= plan_.parts()) view(view_of_rows(passes_));
  }

 private:
  template <class T>
  Plane<T> whole(T* data) const {
    return {data, plan_.width, plan_.height, plan_.width};
  }
  /// Returns whether no part of the run has been executed by an earlier call.
  [[nodiscard]] bool is_first_call() const { return run_.parts.first == 0; }
  void start_marks() {
    marks_ = whole(planes_.marks[0]);
    if (!is_first_call()) return;
    std::vector<Mark> marks;
    marks.reserve(static_cast<std::size_t>(run_.in.shape.items()));
    for (int y = 0; y < plan_.height; ++y)
      for (int x = 0; x < plan_.width; ++x)
        marks.push_back(plan_.mark(x, y));
    TS_CUDA_CHECK(cudaMemcpyAsync(planes_.marks[0], marks.data(), marks.size(), cudaMemcpyHostToDevice, stream_));
  }
  void start_order() {
    const auto origins = whole(planes_.origins[0]);
    origins_ = origins;
    if (!is_first_call()) return;
    fill_origins<<<grid_for(plan_.width, plan_.height), block_, 0, stream_>>>(origins);
    TS_CUDA_LAUNCHED();
    clear<<<grid_for(plan_.width, plan_.height), block_, 0, stream_>>>(plan_.width, plan_.height,
                                                                       cuda::EitherStore<std::uint16_t>(run_.out));
    TS_CUDA_LAUNCHED();
  }
  void place_space(const Pass& pass) {
    search_ = planes_.search;
    search_.width = pass.of_rows ? picture_.height : picture_.width;
    search_.height = pass.of_rows ? picture_.width : picture_.height;
    search_.pitch = device_pitch(search_.width);
  }
  void fill_space(const Pass& pass) {
    const dim3 grid = grid_for(picture_.width, picture_.height);
    fill_grey<Pixel><<<grid, block_, 0, stream_>>>(picture_, pass.of_rows, search_);
    TS_CUDA_LAUNCHED();
    if (plan_.masked()) {
      fill_marks<<<grid, block_, 0, stream_>>>(marks_, pass, search_);
      TS_CUDA_LAUNCHED();
    }
    start_search(search_, stream_);
  }
  /// Queues the search for the seams [first, last) of a pass.
  void search(const Pass& pass, int first, int last) {
    if (first == 0) fill_space(pass);
    if (!plan_.map) {
      search_.width -= first;  // Enlarging passes remove their seams during the search as well, to find the next ones.
      carve(search_, plan_.params.path, plan_.params.seams_per_pass, first, last, run_.variant, stream_);
      return;
    }
    // The first call has taken all of them from the map.
    if (first > 0) return;
    // This memory is large enough, and free until the picture is assembled.
    const auto map = whole(reinterpret_cast<std::uint16_t*>(planes_.places));
    TS_CUDA_CHECK(cudaMemcpyAsync(map.data, plan_.map->order.data(), plan_.map->order.size() * sizeof(std::uint16_t),
                                  cudaMemcpyHostToDevice, stream_));
    fill_order<<<grid_for(map.width, map.height), block_, 0, stream_>>>(map, pass.of_rows, search_);
    TS_CUDA_LAUNCHED();
  }

  template <class T, class Store>
  void assemble_plane(const Pass& pass, const Plane<const T>& from, int width, int height, const Store& store) {
    if (!launches_) return;
    assemble<T>
        <<<grid_for(width, height), block_, 0, stream_>>>(from, planes_.places, pass.of_rows, width, height, store);
    TS_CUDA_LAUNCHED();
  }
  void assemble_all(const Pass& pass, bool last) {
    const int change = pass.enlarges ? pass.seams : -pass.seams;
    const int width = picture_.width + (pass.of_rows ? 0 : change);
    const int height = picture_.height + (pass.of_rows ? change : 0);
    const int lines = pass.of_rows ? width : height, length = pass.of_rows ? picture_.height : picture_.width;
    if (launches_) {
      place_pixels<<<static_cast<unsigned>(lines), place_threads, 0, stream_>>>(search_, length, pass, planes_.places,
                                                                                length + change);
      TS_CUDA_LAUNCHED();
    }
    const std::size_t other = ++buffer_ % 2;
    if (last && plan_.params.output == Output::picture) {
      assemble_plane<Pixel>(pass, picture_, width, height, cuda::EitherStore<Pixel>(run_.out));
      return;
    }
    const Plane<Pixel> to{reinterpret_cast<Pixel*>(planes_.pictures[other]), width, height, width};
    assemble_plane<Pixel>(pass, picture_, width, height, cuda::LinearStore<Pixel>{to});
    picture_ = to;
    if (plan_.masked()) {
      const Plane<Mark> marks{planes_.marks[other], width, height, width};
      assemble_plane<Mark>(pass, marks_, width, height, cuda::LinearStore<Mark>{marks});
      marks_ = marks;
    }
    if (plan_.params.output == Output::order) {
      const Plane<std::uint32_t> origins{planes_.origins[other], width, height, width};
      assemble_plane<std::uint32_t>(pass, origins_, width, height, cuda::LinearStore<std::uint32_t>{origins});
      origins_ = origins;
    }
  }

  void view(bool of_rows) {
    place_space({of_rows, false, 0});
    fill_space({of_rows, false, 0});
    const dim3 grid = grid_for(search_.width, search_.height);
    if (plan_.params.output == Output::candidates) {
      find_candidates(search_, plan_.params.path, stream_);
      // The values of the search are not needed any more, so the costs by pixel take their place.
      auto* costs = reinterpret_cast<std::uint32_t*>(search_.value);
      const std::int64_t cells = static_cast<std::int64_t>(search_.pitch) * search_.height;
      TS_CUDA_CHECK(cudaMemsetAsync(costs, 0xff, static_cast<std::size_t>(cells) * sizeof *costs, stream_));
      mark_candidates<<<grid, block_, 0, stream_>>>(search_, costs);
      TS_CUDA_LAUNCHED();
      show_candidates<<<grid, block_, 0, stream_>>>(search_, costs, of_rows, cuda::EitherStore<Rgba32f>(run_.out));
      TS_CUDA_LAUNCHED();
      return;
    }
    const cuda::EitherStore<float> store(run_.out);
    if (plan_.params.output != Output::cost) {
      if (plan_.params.output == Output::grey)
        show_grey<<<grid, block_, 0, stream_>>>(search_, of_rows, store);
      else
        show_energy<<<grid, block_, 0, stream_>>>(search_, of_rows, store);
      TS_CUDA_LAUNCHED();
      return;
    }
    constexpr int threads = 256;
    for (int y = 0; y < search_.height; ++y) {
      launch_cost_row(search_, 1, y, stream_);
      show_cost_row<<<static_cast<unsigned>((search_.width + threads - 1) / threads), threads, 0, stream_>>>(
          search_, y, of_rows, store);
      TS_CUDA_LAUNCHED();
    }
  }

  const Plan& plan_;
  const std::vector<Pass>& passes_;
  const DeviceRun& run_;
  DevicePlanes planes_;
  DeviceSearch search_;  ///< The search of the last pass.
  CudaStream stream_;
  dim3 block_{block_width, block_height};
  std::size_t buffer_ = 0;
  int found_ = 0;         ///< Seams of all passes that have been queued so far.
  bool launches_ = true;  ///< False while finished passes are gone through without launches.

  Plane<const Pixel> picture_;
  Plane<const Mark> marks_;
  Plane<const std::uint32_t> origins_;  ///< Index in the input of each pixel.
};

/// The passes of a run: of its plan, or with order=optimal of its preparation.
const std::vector<Pass>& passes_of(const Plan& plan, const DeviceRun& run) {
  if (!plan.needs_transport()) return plan.passes;
  const auto* order = dynamic_cast<const PassOrder*>(run.preparation);
  if (order == nullptr) throw std::logic_error("seam_carving: order = optimal needs its preparation on CUDA");
  return order->passes;
}

}  // namespace
}  // namespace seam_carving

void SeamCarving::cuda(const Params& params, const DeviceRun& run) {
  const seam_carving::Plan plan = seam_carving::make_plan(params, run.in.shape);
  const std::vector<seam_carving::Pass>& passes = seam_carving::passes_of(plan, run);
  with_planes<std::uint8_t, std::uint16_t, float>(run.in.shape, Channels::each, [&](auto planes) {
    seam_carving::SeamPipeline<typename decltype(planes)::Pixel>(plan, passes, run).queue();
  });
}

}  // namespace threadscape
