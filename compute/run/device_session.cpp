#include "compute/run/device_session.h"

#include "compute/cuda/buffer.h"
#include "compute/cuda/device.h"

namespace threadscape::cuda {

struct DeviceSession::State {
  Stream stream;
  DeviceScratch scratch;
  DeviceArray input;
  DeviceArray output;
  EventTimer upload_timer;
  EventTimer run_timer;
  bool upload_pending = false;
  bool run_pending = false;
};

DeviceSession::DeviceSession() {
  require_device();
  state_ = std::make_unique<State>();
}

DeviceSession::~DeviceSession() = default;

void DeviceSession::set_input(HostIn input) {
  State& s = *state_;
  s.input.reshape(input.shape);
  s.upload_timer.start(s.stream.get());
  upload(input, s.input.view(), s.stream.get());
  s.upload_timer.stop(s.stream.get());
  s.upload_pending = true;
}

CudaStream DeviceSession::stream() const {
  return state_->stream.get();
}

DeviceOut DeviceSession::linear_output(const Shape& shape) {
  state_->output.reshape(shape);
  return state_->output.view();
}

void DeviceSession::run(const RunRequest& request, const DeviceSink& sink, PartRange parts) {
  State& s = *state_;
  const Shape input = request.algorithm->input == Kind::none ? Shape{} : s.input.shape();
  const std::size_t scratch = request.algorithm->scratch_bytes(request.params, input, Backend::cuda, request.variant);
  if (scratch > s.scratch.size() && scratch > free_device_bytes())
    throw EnvironmentError(std::string(request.algorithm->name) + " needs " + std::to_string(scratch) +
                           " bytes of device memory, " + std::to_string(free_device_bytes()) + " are free");
  s.scratch.reset(scratch);
  s.run_timer.start(s.stream.get());
  request.algorithm->cuda(request.params, DeviceRun{.in = s.input.view(),
                                                    .out = sink,
                                                    .scratch = &s.scratch,
                                                    .stream = s.stream.get(),
                                                    .variant = request.variant,
                                                    .seed = request.seed,
                                                    .parts = parts});
  s.run_timer.stop(s.stream.get());
  s.run_pending = true;
}

std::optional<StageTimes> DeviceSession::poll() {
  State& s = *state_;
  if (!s.run_pending || !s.run_timer.ready()) return std::nullopt;
  StageTimes times;
  if (s.upload_pending) times.upload_ms = s.upload_timer.milliseconds();
  times.compute_ms = s.run_timer.milliseconds();
  s.upload_pending = s.run_pending = false;
  return times;
}

void DeviceSession::wait() {
  state_->stream.wait();
}

}  // namespace threadscape::cuda
