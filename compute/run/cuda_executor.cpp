#include "compute/run/cuda_executor.h"

#include <algorithm>
#include <utility>

#include "compute/gpu/device.h"
#include "compute/registry/registry.h"
#include "compute/run/host_places.h"

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

void CudaExecutor::HostBlock::reserve(Place place, std::size_t bytes) {
  if (place == Place::pinned) pinned.reserve(bytes);
  if (place == Place::pageable) pageable.reset(HostScratch::padded(bytes));
}

std::byte* CudaExecutor::HostBlock::at(Place place, std::size_t bytes) {
  if (place == Place::pinned) return pinned.data();
  pageable.rewind(0);
  return pageable.take<std::byte>(bytes).data();
}

void CudaExecutor::HostBlock::release() {
  pinned = {};
  pageable.release();
}

MemoryPlan CudaExecutor::held() const {
  return {.host_scratch = host_input_.size() + host_output_.size(),
          .device_input = input_.capacity(),
          .device_output = output_.capacity(),
          .device_scratch = scratch_.size()};
}

void CudaExecutor::do_release_beyond(const MemoryPlan& need) {
  if (input_.capacity() > need.device_input) input_ = {};
  if (output_.capacity() > need.device_output) output_ = {};
  if (scratch_.size() > need.device_scratch) scratch_.release();
  if (host_input_.size() + host_output_.size() > need.host_scratch)
    for (HostBlock* block : {&host_input_, &host_output_})
      block->release();
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
  const RunPlaces places = places_of(algorithm, request.params);
  const Shape output = algorithm.output_shape(request.params, input);
  need.host_scratch = host_bytes_of(places, input, output);
  require_memory(algorithm.name, need);
  scratch_.reset(need.device_scratch);
  host_input_.reserve(places.input, cuda::DeviceArray::bytes_for(input));
  host_output_.reserve(places.output, cuda::DeviceArray::bytes_for(output));
}

HostOut CudaExecutor::host_view(HostBlock& block, Place place, const Shape& shape) {
  return {block.at(place, cuda::DeviceArray::bytes_for(shape)), shape, row_bytes(shape, cuda::device_row_alignment)};
}

void CudaExecutor::queue_host_input(const RunRequest& request, DeviceIn input) {
  const Place place = places_of(*request.algorithm, request.params).input;
  if (place != Place::device) cuda::download(input, host_view(host_input_, place, input.shape), stream_.get());
}

void CudaExecutor::queue_host_output(const RunRequest& request, const DeviceSink& sink) {
  const Place place = places_of(*request.algorithm, request.params).output;
  if (place != Place::device)
    cuda::upload(host_view(host_output_, place, sink.linear.shape), sink.linear, stream_.get());
}

void CudaExecutor::queue(const RunRequest& request, DeviceIn input, const DeviceSink& sink, PartRange parts) {
  scratch_.reset(scratch_.size());  // The next run takes its scratch memory from the start again.
  const RunPlaces places = places_of(*request.algorithm, request.params);
  DeviceSink result = sink;
  if (places.input != Place::device) {
    const HostOut host = host_view(host_input_, places.input, input.shape);
    input = {host.data, host.shape, host.pitch};
  }
  if (places.output != Place::device) {
    const HostOut host = host_view(host_output_, places.output, sink.linear.shape);
    result.linear = {host.data, host.shape, host.pitch};
  }
  request.algorithm->cuda(request.params, DeviceRun{.in = input,
                                                    .out = result,
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
  queue_host_input(request, input);
  compute_.start(stream_.get());
  const bool cut = request.parts_at_once > 0 && algorithm.parts && parts.end == PartRange::all;
  const int count = cut ? algorithm.parts->count(request.params, input.shape) : 0;
  for (int first = parts.first; first < count - request.parts_at_once; first += request.parts_at_once) {
    queue(request, input, sink, {first, first + request.parts_at_once});
    parts.first = first + request.parts_at_once;
  }
  queue(request, input, sink, parts);
  compute_.stop(stream_.get());
  queue_host_output(request, sink);
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
