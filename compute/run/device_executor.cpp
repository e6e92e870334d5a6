#include "compute/run/device_executor.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "compute/registry/registry.h"
#include "compute/run/host_places.h"

namespace threadscape {

DeviceExecutor::DeviceExecutor(gpu::Device& of, std::optional<CUstream_st*> stream) try
    : Executor(of, stream),
      upload_(of),
      compute_(of),
      download_(of),
      input_(of),
      output_(of),
      scratch_(DeviceMemory{&of}),
      host_input_(of),
      host_output_(of),
      pinned_(of) {
} catch (const DeviceError& error) {
  rethrow(of, error);
}

void DeviceExecutor::HostBlock::reserve(Place place, std::size_t bytes) {
  if (place == Place::pinned) pinned.reserve(bytes);
  if (place == Place::pageable) pageable.reset(HostScratch::padded(bytes));
}

std::byte* DeviceExecutor::HostBlock::at(Place place, std::size_t bytes) {
  if (place == Place::pinned) return pinned.data();
  pageable.rewind(0);
  return pageable.take<std::byte>(bytes).data();
}

void DeviceExecutor::HostBlock::release() {
  pinned.release();
  pageable.release();
}

MemoryPlan DeviceExecutor::held() const {
  return {.host_scratch = host_input_.size() + host_output_.size(),
          .device_input = input_.capacity(),
          .device_output = output_.capacity(),
          .device_scratch = scratch_.size()};
}

void DeviceExecutor::release_beyond(const MemoryPlan& need) {
  if (input_.capacity() > need.device_input) input_.release();
  if (output_.capacity() > need.device_output) output_.release();
  if (scratch_.size() > need.device_scratch) scratch_.release();
  if (host_input_.size() + host_output_.size() > need.host_scratch)
    for (HostBlock* block : {&host_input_, &host_output_})
      block->release();
}

void DeviceExecutor::require_memory(std::string_view what, const MemoryPlan& need) {
  guarded([&] {
    if (const std::size_t growth = device_growth(need, held()); growth > 0 && growth > device().free_bytes())
      release_beyond(need);
    threadscape::require_memory(what, need, held(), &device());
  });
}

void DeviceExecutor::set_input(HostIn input) {
  device().require();
  require_memory("the input", {.device_input = array_bytes(input.shape, gpu::row_alignment)});
  guarded([&] {
    input_.reshape(input.shape);
    upload_.start(stream());
    gpu::upload(input, input_.view(), stream());
    upload_.stop(stream());
    given_input_ = std::as_const(input_).view();
    pending_.upload = true;
  });
}

void DeviceExecutor::set_input(DeviceIn input) {
  device().require();
  given_input_ = input;
  pending_.upload = false;
}

DeviceOut DeviceExecutor::input_memory(const Shape& shape) {
  device().require();
  require_memory("the input", {.device_input = array_bytes(shape, gpu::row_alignment)});
  return guarded([&] {
    input_.reshape(shape);
    given_input_ = std::as_const(input_).view();
    pending_.upload = false;
    return input_.view();
  });
}

DeviceOut DeviceExecutor::linear_output(const Shape& shape) {
  device().require();
  require_memory("the output",
                 {.device_input = held().device_input, .device_output = array_bytes(shape, gpu::row_alignment)});
  return guarded([&] {
    output_.reshape(shape);
    return output_.view();
  });
}

void DeviceExecutor::reserve_scratch(const RunRequest& request, const Shape& input) {
  const AlgorithmInfo& algorithm = *request.algorithm;
  if (device().runs_kernels() && !algorithm.cuda)
    throw BackendAbsent(std::string(algorithm.name) + " has no CUDA backend");
  MemoryPlan need = held();  // The memory that is held includes the input and output of the run.
  need.device_scratch = algorithm.scratch_bytes(request.params, input, Backend::cuda, request.variant);
  const RunPlaces places = places_of(algorithm, request.params);
  const Shape output = algorithm.output_shape(request.params, input);
  need.host_scratch = host_bytes_of(places, input, output);
  require_memory(algorithm.name, need);
  scratch_.reset(need.device_scratch);
  host_input_.reserve(places.input, gpu::DeviceArray::bytes_for(input));
  host_output_.reserve(places.output, gpu::DeviceArray::bytes_for(output));
}

HostOut DeviceExecutor::host_view(HostBlock& block, Place place, const Shape& shape) {
  return {block.at(place, gpu::DeviceArray::bytes_for(shape)), shape, row_bytes(shape, gpu::row_alignment)};
}

void DeviceExecutor::queue_host_input(const RunRequest& request, DeviceIn input) {
  const Place place = places_of(*request.algorithm, request.params).input;
  if (place != Place::device) gpu::download(input, host_view(host_input_, place, input.shape), stream());
}

void DeviceExecutor::queue_host_output(const RunRequest& request, const DeviceSink& sink) {
  const Place place = places_of(*request.algorithm, request.params).output;
  if (place != Place::device) gpu::upload(host_view(host_output_, place, sink.linear.shape), sink.linear, stream());
}

void DeviceExecutor::queue(const RunRequest& request, DeviceIn input, const DeviceSink& sink, PartRange parts) {
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
  if (!device().runs_kernels()) return compute_serially(request, input, result, parts);
  request.algorithm->cuda(request.params, DeviceRun{.in = input,
                                                    .out = result,
                                                    .scratch = &scratch_,
                                                    .stream = stream(),
                                                    .variant = request.variant,
                                                    .route = request.route,
                                                    .seed = request.seed,
                                                    .frame = request.frame,
                                                    .parts = parts,
                                                    .layers = request.layers,
                                                    .preparation = request.preparation.get()});
}

void DeviceExecutor::compute_serially(const RunRequest& request, DeviceIn input, const DeviceSink& sink,
                                      PartRange parts) {
  if (parts.end != PartRange::all) return;
  const AlgorithmInfo& algorithm = *request.algorithm;
  serial_scratch_.reset(algorithm.scratch_bytes(request.params, input.shape, Backend::serial, 0));
  device().compute([&] {
    const HostOut out{sink.linear.data, sink.linear.shape, sink.linear.pitch};
    // Memory of the result may have room for the wanted layers alone.
    HostArray whole;
    if (request.layers.end != LayerRange::all) whole = HostArray(out.shape);
    algorithm.serial(request.params, HostRun{.in = {input.data, input.shape, input.pitch},
                                             .out = whole.shape().items() > 0 ? whole.view() : out,
                                             .scratch = &serial_scratch_,
                                             .seed = request.seed,
                                             .frame = request.frame,
                                             .preparation = request.preparation.get()});
    if (whole.shape().items() == 0) return;
    const std::int64_t rows = out.shape.kind == Kind::volume ? out.shape.height : 1;
    for (std::int64_t y = request.layers.first * rows; y < request.layers.end * rows; ++y)
      std::memcpy(out.data + out.pitch * static_cast<std::size_t>(y),
                  whole.data() + whole.view().pitch * static_cast<std::size_t>(y),
                  static_cast<std::size_t>(out.shape.width) * out.shape.pixel_bytes());
  });
}

void DeviceExecutor::run_unguarded(const RunRequest& request, const DeviceSink& sink, PartRange parts) {
  const AlgorithmInfo& algorithm = *request.algorithm;
  const bool has_input = algorithm.input != Kind::none;
  const DeviceIn input = has_input ? given_input_ : DeviceIn{};
  reserve_scratch(request, input.shape);
  pending_.upload = pending_.upload && has_input;
  queue_host_input(request, input);
  compute_.start(stream());
  const bool cut = request.parts_at_once > 0 && algorithm.parts && parts.end == PartRange::all;
  const int count = cut ? algorithm.parts->count(request.params, input.shape) : 0;
  for (int first = parts.first; first < count - request.parts_at_once; first += request.parts_at_once) {
    queue(request, input, sink, {first, first + request.parts_at_once});
    parts.first = first + request.parts_at_once;
  }
  queue(request, input, sink, parts);
  compute_.stop(stream());
  queue_host_output(request, sink);
  pending_.compute = true;
  pending_.download = false;
}

void DeviceExecutor::run(const RunRequest& request, const DeviceSink& sink, PartRange parts) {
  device().require();
  if (needs_preparation(request)) throw std::logic_error("run without its preparation");
  guarded([&] { run_unguarded(request, sink, parts); });
}

void DeviceExecutor::queue_download() {
  guarded([&] {
    const DeviceIn from = std::as_const(output_).view();
    // With the pitch of the device, so that the transfer is one plain copy.
    pinned_.reserve(
        std::max<std::size_t>(from.pitch * static_cast<std::size_t>(from.shape.height * from.shape.depth), 1));
    downloaded_ = {pinned_.data(), from.shape, from.pitch};
    download_.start(stream());
    gpu::download(from, downloaded_, stream());
    download_.stop(stream());
    pending_.download = true;
  });
}

void DeviceExecutor::download(HostOut to) {
  guarded([&] {
    download_.start(stream());
    gpu::download(std::as_const(output_).view(), to, stream());
    download_.stop(stream());
    pending_.download = true;
    device().wait(stream());
  });
}

void DeviceExecutor::download(const Region& region, HostOut to) {
  guarded([&] {
    const DeviceIn all = std::as_const(output_).view();
    const auto first = static_cast<std::size_t>(region.y + region.z * all.shape.height);
    download_.start(stream());
    gpu::download({all.data + first * all.pitch, to.shape, all.pitch}, to, stream());
    download_.stop(stream());
    pending_.download = true;
    device().wait(stream());
  });
}

std::optional<StageTimes> DeviceExecutor::poll() {
  return guarded([&] {
    try {
      return times();
    } catch (...) {
      pending_ = {};  // A failed run has no times, and its error is reported once.
      throw;
    }
  });
}

std::optional<StageTimes> DeviceExecutor::times() {
  if (!pending_.compute) return std::nullopt;
  if (!(pending_.download ? download_ : compute_).ready()) return std::nullopt;
  const Pending done = std::exchange(pending_, {});
  StageTimes times{.compute_ms = compute_.milliseconds()};
  if (done.upload) times.upload_ms = upload_.milliseconds();
  if (done.download) times.download_ms = download_.milliseconds();
  return times;
}

}  // namespace threadscape
