// The CUDA half of Runner: upload, run, download, each between two events of one stream.

#include "compute/cuda/buffer.h"
#include "compute/cuda/device.h"
#include "compute/run/runner.h"

namespace threadscape {

struct Runner::Device {
  cuda::Stream stream;
  cuda::EventTimer upload, compute, download;
  cuda::DeviceArray input, output;
  DeviceScratch scratch;
};

Runner::Runner() = default;
Runner::~Runner() = default;

std::size_t Runner::device_bytes_held() const {
  return device_ ? device_->input.capacity() + device_->output.capacity() + device_->scratch.size() : 0;
}

StageTimes Runner::run_cuda(const RunRequest& request, HostIn input, HostOut output) try {
  if (!device_) device_ = std::make_unique<Device>();
  Device& device = *device_;
  const AlgorithmInfo& algorithm = *request.algorithm;
  const bool has_input = algorithm.input != Kind::none;
  const Shape input_shape = has_input ? input.shape : Shape{};
  device.input.reshape(input_shape);
  device.output.reshape(output.shape);
  const std::size_t scratch_bytes =
      algorithm.scratch_bytes(request.params, input_shape, Backend::cuda, request.variant);
  device.scratch.reset(scratch_bytes);

  cudaStream_t stream = device.stream.get();
  device.upload.start(stream);
  if (has_input) cuda::upload(input, device.input.view(), stream);
  device.upload.stop(stream);

  device.compute.start(stream);
  DeviceRun run{.in = device.input.view(),
                .out = {.linear = device.output.view(), .surface = 0, .shape = output.shape},
                .scratch = &device.scratch,
                .stream = stream,
                .variant = request.variant,
                .seed = request.seed};
  const int parts =
      algorithm.parts && request.parts_at_once > 0 ? algorithm.parts(request.params, input_shape) : PartRange::all;
  const int at_once = parts == PartRange::all ? parts : request.parts_at_once;
  for (int first = 0; first < parts; first += at_once) {
    run.parts = {first, at_once < parts - first ? first + at_once : PartRange::all};
    device.scratch.reset(scratch_bytes);  // the same pieces again
    algorithm.cuda(request.params, run);
    if (run.parts.end == PartRange::all) break;
  }
  device.compute.stop(stream);

  device.download.start(stream);
  cuda::download(device.output.view(), output, stream);
  device.download.stop(stream);
  device.stream.wait();
  return {.upload_ms = has_input ? device.upload.milliseconds() : 0.0,
          .compute_ms = device.compute.milliseconds(),
          .download_ms = device.download.milliseconds()};
} catch (const cuda::CudaError& error) {
  if (error.sticky()) cuda::retire_device(error.what());
  throw;
}

}  // namespace threadscape
