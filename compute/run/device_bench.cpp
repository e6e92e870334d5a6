#include "compute/run/device_bench.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>
#include <vector>

#include "compute/gpu/check.h"
#include "compute/gpu/device.h"
#include "compute/run/cuda_executor.h"

namespace threadscape::cuda {

namespace {

constexpr std::size_t max_pairs = 64;

/// Records what is queued on a stream as a graph instead of executing it. The destructor ends the recording, also one
/// that an error has left open, so that the stream can be used again.
class Recording {
 public:
  explicit Recording(cudaStream_t stream) : stream_(stream) {
    // Algorithms may ask for attributes of kernels meanwhile, which a stricter mode would refuse.
    TS_CUDA_CHECK(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeRelaxed));
  }
  ~Recording() {
    if (!ended_) (void)end();
    if (graph_ != nullptr) cudaGraphDestroy(graph_);
  }
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  /// The nodes that were recorded. Empty if something that was queued cannot be recorded.
  [[nodiscard]] std::vector<cudaGraphNode_t> nodes() {
    if (!end()) return {};
    std::size_t count = 0;
    TS_CUDA_CHECK(cudaGraphGetNodes(graph_, nullptr, &count));
    std::vector<cudaGraphNode_t> nodes(count);
    if (count > 0) TS_CUDA_CHECK(cudaGraphGetNodes(graph_, nodes.data(), &count));
    return nodes;
  }

 private:
  bool end() {
    ended_ = true;
    if (cudaStreamEndCapture(stream_, &graph_) == cudaSuccess) return graph_ != nullptr;
    (void)cudaGetLastError();  // A recording that was not possible is no failure of the device.
    return false;
  }

  cudaStream_t stream_;
  cudaGraph_t graph_ = nullptr;
  bool ended_ = false;
};

std::array<unsigned, 3> extents(dim3 size) {
  return {size.x, size.y, size.z};
}

/// The facts of a launch.
KernelFacts facts_of(const cudaKernelNodeParams& launch) {
  cudaFuncAttributes attributes{};
  TS_CUDA_CHECK(cudaFuncGetAttributes(&attributes, launch.func));
  KernelFacts facts{.launches = 1,
                    .grid = extents(launch.gridDim),
                    .block = extents(launch.blockDim),
                    .registers = attributes.numRegs,
                    .shared_bytes = attributes.sharedSizeBytes + launch.sharedMemBytes,
                    .local_bytes = attributes.localSizeBytes};
#if CUDART_VERSION >= 12030
  const char* symbol = nullptr;
  TS_CUDA_CHECK(cudaFuncGetName(&symbol, launch.func));
  facts.name = kernel_name(symbol);
#else
  facts.name = "kernel";  // Older versions of the runtime do not tell the name.
#endif
  const auto threads = static_cast<int>(launch.blockDim.x * launch.blockDim.y * launch.blockDim.z);
  TS_CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&facts.blocks_per_multiprocessor, launch.func, threads,
                                                              launch.sharedMemBytes));
  int warp = 0, most_threads = 0;
  const int device = device_info().index;
  TS_CUDA_CHECK(cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, device));
  TS_CUDA_CHECK(cudaDeviceGetAttribute(&most_threads, cudaDevAttrMaxThreadsPerMultiProcessor, device));
  const int warps = (threads + warp - 1) / warp * facts.blocks_per_multiprocessor;
  facts.occupancy = std::min(1.0, static_cast<double>(warps * warp) / most_threads);
  return facts;
}

}  // namespace

struct DeviceBench::State {
  CudaExecutor executor;
  RunRequest request;
  Work work;  ///< What is measured instead of the request, unless it is empty.
  struct Pair {
    DeviceArray input, output;
  };
  std::vector<Pair> pairs;
  Shape output;
  std::size_t next = 0;
  HostIn input;  ///< The input in host memory, from which preparations are made.
  /// The preparations of the queued runs, which must stay alive until the device is done.
  std::vector<std::shared_ptr<const Preparation>> preparations;

  /// The preparation of a run is part of its cost, so each run makes it again.
  void prepare() {
    request.preparation.reset();
    if (!needs_preparation(request)) return;
    request.preparation = preparations.emplace_back(make_preparation(request, input, {}, nullptr));
  }
  void queue_next() {
    Pair& pair = pairs[next];
    next = (next + 1) % pairs.size();
    if (work) return work(std::as_const(pair.input).view(), pair.output.view(), executor.stream());
    prepare();
    executor.queue(request, std::as_const(pair.input).view(),
                   {.linear = pair.output.view(), .surface = 0, .shape = output});
  }
  /// Allocates the pairs of input and output, which take `bytes` each, and uploads the input to all of them.
  void fill_pairs(std::size_t bytes) {
    const std::size_t pair = std::max<std::size_t>(bytes, 1);
    const std::size_t beyond_cache = 4 * static_cast<std::size_t>(device_info().l2_bytes) / pair;
    const std::size_t fitting = free_device_bytes() / 2 / pair;
    pairs.resize(std::max<std::size_t>(1, std::min({beyond_cache + 1, fitting, max_pairs})));
    (void)executor.timed_ms([&] {
      for (Pair& p : pairs) {
        p.input.reshape(input.shape);
        p.output.reshape(output);
        upload(input, p.input.view(), executor.stream());
      }
    });
  }
};

DeviceBench::DeviceBench(const RunRequest& request, HostIn input, const Shape& output)
    : state_(std::make_unique<State>()) {
  State& s = *state_;
  s.request = request;
  s.input = input;
  s.output = output;
  MemoryPlan need = plan_memory(request, input.shape);
  need.host_output = 0;  // The caller has allocated the output already.
  s.executor.require_memory(request.algorithm->name, need);
  s.executor.reserve_scratch(request, input.shape);
  s.fill_pairs(need.device_input + need.device_output);
  (void)s.executor.timed_ms([&] { s.executor.queue_host_input(request, std::as_const(s.pairs.front().input).view()); });
}

DeviceBench::DeviceBench(Work work, HostIn input, const Shape& output) : state_(std::make_unique<State>()) {
  State& s = *state_;
  s.work = std::move(work);
  s.input = input;
  s.output = output;
  const MemoryPlan need{.device_input = DeviceArray::bytes_for(input.shape),
                        .device_output = DeviceArray::bytes_for(output)};
  s.executor.require_memory("a peer", need);
  s.fill_pairs(need.device_input + need.device_output);
}

DeviceBench::~DeviceBench() = default;

int DeviceBench::pairs() const {
  return static_cast<int>(state_->pairs.size());
}

double DeviceBench::compute_ms(int repetitions) {
  State& s = *state_;
  const double total = s.executor.timed_ms([&] {
    for (int i = 0; i < repetitions; ++i)
      s.queue_next();
  });
  s.preparations.clear();
  return total / repetitions;
}

double DeviceBench::upload_ms(HostIn from) {
  State& s = *state_;
  return s.executor.timed_ms([&] { upload(from, s.pairs[0].input.view(), s.executor.stream()); });
}

double DeviceBench::download_ms(HostOut to) {
  State& s = *state_;
  return s.executor.timed_ms([&] { download(std::as_const(s.pairs[0].output).view(), to, s.executor.stream()); });
}

Kernels DeviceBench::kernels() {
  State& s = *state_;
  std::vector<cudaKernelNodeParams> launches;
  {
    Recording recording(s.executor.stream());
    try {
      s.queue_next();
    } catch (const CudaError& error) {
      // Waiting for a stream that is recorded is refused; that is the only error that means no harm.
      if (error.cuda_code() != cudaErrorStreamCaptureUnsupported) throw;
      (void)cudaGetLastError();
      return {};
    }
    for (const cudaGraphNode_t node : recording.nodes()) {
      cudaGraphNodeType type{};
      TS_CUDA_CHECK(cudaGraphNodeGetType(node, &type));
      if (type == cudaGraphNodeTypeKernel) TS_CUDA_CHECK(cudaGraphKernelNodeGetParams(node, &launches.emplace_back()));
    }
  }
  s.preparations.clear();
  Kernels kernels;
  for (const cudaKernelNodeParams& launch : launches) {
    const KernelFacts facts = facts_of(launch);
    const auto known = std::ranges::find_if(kernels, [&](KernelFacts other) {
      other.launches = 1;
      return other == facts;
    });
    if (known == kernels.end())
      kernels.push_back(facts);
    else
      ++known->launches;
  }
  return kernels;
}

std::optional<double> DeviceBench::allocation_ms() {
  using Clock = std::chrono::steady_clock;
  State& s = *state_;
  const MemoryPlan need = plan_memory(s.request, s.input.shape);
  if (free_device_bytes() < need.device_bytes()) return std::nullopt;
  double milliseconds = 0.0;
  (void)s.executor.timed_ms([&] {
    TS_CUDA_CHECK(cudaStreamSynchronize(s.executor.stream()));
    const auto start = Clock::now();
    {
      DeviceArray input, output;
      DeviceScratch scratch;
      input.reshape(s.input.shape);
      output.reshape(s.output);
      scratch.reset(need.device_scratch);
    }
    milliseconds = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  });
  return milliseconds;
}

double device_copy_bandwidth() {
  constexpr int runs = 20;
  CudaExecutor executor;
  const std::size_t wanted = std::max(std::size_t{256} << 20, 8 * static_cast<std::size_t>(device_info().l2_bytes));
  const std::size_t bytes = std::min(wanted, free_device_bytes() / 4) / 4096 * 4096;
  const Shape shape = Shape::image(Element::u8, 1, 4096, static_cast<std::int64_t>(bytes / 4096));
  DeviceArray from, to;
  (void)executor.timed_ms([&] {
    from.reshape(shape);
    to.reshape(shape);
    TS_CUDA_CHECK(cudaMemsetAsync(from.view().data, 1, bytes, executor.stream()));
  });
  double best_ms = 1e9;
  for (int run = 0; run < runs; ++run)
    best_ms = std::min(best_ms, executor.timed_ms([&] {
      TS_CUDA_CHECK(
          cudaMemcpyAsync(to.view().data, from.view().data, bytes, cudaMemcpyDeviceToDevice, executor.stream()));
    }));
  return 2.0 * static_cast<double>(bytes) / (best_ms / 1e3);
}

}  // namespace threadscape::cuda
