#include "compute/run/kernel_recording.h"

#include <algorithm>
#include <array>
#include <vector>

#include "compute/core/symbol_name.h"
#include "compute/gpu/check.h"

namespace threadscape::cuda {

namespace {

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
KernelFacts facts_of(const cudaKernelNodeParams& launch, const gpu::DeviceInfo& device) {
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
  const int warps = (threads + device.warp_size - 1) / device.warp_size * facts.blocks_per_multiprocessor;
  facts.occupancy =
      std::min(1.0, static_cast<double>(warps * device.warp_size) / device.max_threads_per_multiprocessor);
  return facts;
}

}  // namespace

Kernels record_kernels(CudaStream stream, const std::function<void()>& queue) {
  if (!stream.device->runs_kernels()) return {};
  std::vector<cudaKernelNodeParams> launches;
  {
    Recording recording(stream);
    try {
      queue();
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
  Kernels kernels;
  for (const cudaKernelNodeParams& launch : launches) {
    const KernelFacts facts = facts_of(launch, stream.device->info());
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

}  // namespace threadscape::cuda
