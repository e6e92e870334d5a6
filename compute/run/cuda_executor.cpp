#include "compute/run/cuda_executor.h"

#include <algorithm>
#include <utility>

#include "compute/cuda/device.h"

namespace threadscape {

namespace {

/// Refuses before the members that need a device are made.
cuda::Stream make_stream() {
  cuda::require_device();
  return {};
}

}  // namespace

CudaExecutor::CudaExecutor() try : stream_(make_stream()) {
} catch (...) {
  rethrow();
}

CudaExecutor::~CudaExecutor() {
  // Transfers still write to the memory of the members. Fails only where the device is lost: then nothing is written.
  cudaStreamSynchronize(stream_.get());
}

MemoryPlan CudaExecutor::held() const {
  return {.device_input = input_.capacity(), .device_output = output_.capacity(), .device_scratch = scratch_.size()};
}

void CudaExecutor::do_release_beyond(const MemoryPlan& need) {
  if (input_.capacity() > need.device_input) input_ = {};
  if (output_.capacity() > need.device_output) output_ = {};
  if (scratch_.size() > need.device_scratch) scratch_.release();
}

void CudaExecutor::do_set_input(HostIn input) {
  input_.reshape(input.shape);
  upload_.start(stream_.get());
  cuda::upload(input, input_.view(), stream_.get());
  upload_.stop(stream_.get());
  pending_.upload = true;
}

DeviceOut CudaExecutor::do_input_memory(const Shape& shape) {
  input_.reshape(shape);
  pending_.upload = false;
  return input_.view();
}

DeviceOut CudaExecutor::do_linear_output(const Shape& shape) {
  output_.reshape(shape);
  return output_.view();
}

void CudaExecutor::reserve_scratch(const RunRequest& request, const Shape& input) {
  const AlgorithmInfo& algorithm = *request.algorithm;
  if (!algorithm.cuda) throw BackendAbsent(std::string(algorithm.name) + " has no CUDA backend");
  MemoryPlan need = held();  // The memory that is held includes the input and output of the run.
  need.device_scratch = algorithm.scratch_bytes(request.params, input, Backend::cuda, request.variant);
  require_memory(algorithm.name, need);
  scratch_.reset(need.device_scratch);
}

void CudaExecutor::queue(const RunRequest& request, DeviceIn input, const DeviceSink& sink, PartRange parts) {
  scratch_.reset(scratch_.size());  // The next run takes its scratch memory from the start again.
  request.algorithm->cuda(request.params, DeviceRun{.in = input,
                                                    .out = sink,
                                                    .scratch = &scratch_,
                                                    .stream = stream_.get(),
                                                    .variant = request.variant,
                                                    .seed = request.seed,
                                                    .parts = parts,
                                                    .preparation = request.preparation.get()});
}

void CudaExecutor::do_run(const RunRequest& request, const DeviceSink& sink, PartRange parts) {
  const AlgorithmInfo& algorithm = *request.algorithm;
  const bool has_input = algorithm.input != Kind::none;
  const DeviceIn input = has_input ? std::as_const(input_).view() : DeviceIn{};
  reserve_scratch(request, input.shape);
  pending_.upload = pending_.upload && has_input;
  compute_.start(stream_.get());
  const bool cut = request.parts_at_once > 0 && algorithm.parts && parts.end == PartRange::all;
  const int count = cut ? algorithm.parts->count(request.params, input.shape) : 0;
  for (int first = parts.first; first < count - request.parts_at_once; first += request.parts_at_once) {
    queue(request, input, sink, {first, first + request.parts_at_once});
    parts.first = first + request.parts_at_once;
  }
  queue(request, input, sink, parts);
  compute_.stop(stream_.get());
  pending_.compute = true;
  pending_.download = false;
}

void CudaExecutor::do_queue_download() {
  const DeviceIn from = std::as_const(output_).view();
  // With the pitch of the device, so that the transfer is one plain copy.
  pinned_.reserve(
      std::max<std::size_t>(from.pitch * static_cast<std::size_t>(from.shape.height * from.shape.depth), 1));
  downloaded_ = {pinned_.data(), from.shape, from.pitch};
  download_.start(stream_.get());
  cuda::download(from, downloaded_, stream_.get());
  download_.stop(stream_.get());
  pending_.download = true;
}

void CudaExecutor::do_download(HostOut to) {
  download_.start(stream_.get());
  cuda::download(std::as_const(output_).view(), to, stream_.get());
  download_.stop(stream_.get());
  pending_.download = true;
  stream_.wait();
}

std::optional<StageTimes> CudaExecutor::do_poll() try {
  if (!pending_.compute) return std::nullopt;
  if (!(pending_.download ? download_ : compute_).ready()) return std::nullopt;
  const Pending done = std::exchange(pending_, {});
  StageTimes times{.compute_ms = compute_.milliseconds()};
  if (done.upload) times.upload_ms = upload_.milliseconds();
  if (done.download) times.download_ms = download_.milliseconds();
  return times;
} catch (...) {
  pending_ = {};  // A failed run has no times, and its error is reported once.
  throw;
}

std::unique_ptr<DeviceExecutor> make_cuda_executor() {
  return std::make_unique<CudaExecutor>();
}

}  // namespace threadscape
