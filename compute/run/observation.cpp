#include "compute/run/observation.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <mutex>
#include <thread>
#include <utility>

#include "compute/core/errors.h"
#include "compute/gpu/device.h"
#include "compute/gpu/launcher.h"
#include "compute/run/runner.h"
#include "compute/warp/compile.h"
#include "compute/warp/kernel_parameters.h"

namespace threadscape {

namespace {

/// Lets the emulated device launch by a function as long as it exists.
class LaunchesBy {
 public:
  LaunchesBy(gpu::Launcher launcher, bool watched) { gpu::launch_by(std::move(launcher), watched); }
  ~LaunchesBy() { gpu::launch_by(nullptr); }
  LaunchesBy(const LaunchesBy&) = delete;
  LaunchesBy& operator=(const LaunchesBy&) = delete;
};

/// Writes the threads of a kernel that have stored elements over those of earlier kernels.
void add_writers(std::size_t kernel, const std::vector<warp::Writer>& stored, std::vector<ElementThread>& all) {
  for (std::size_t i = 0; i < stored.size(); ++i)
    if (stored[i].function != nullptr) all[i] = {.kernel = kernel, .writer = stored[i]};
}

}  // namespace

std::vector<warp::LaunchWork> works_of(const std::vector<ObservedKernel>& kernels) {
  std::vector<warp::LaunchWork> works;
  for (const ObservedKernel& kernel : kernels)
    works.push_back(
        warp::work_of(kernel.name, kernel.study, static_cast<double>(kernel.launches), kernel.grid, kernel.block));
  return works;
}

std::shared_ptr<const warp::KeptLaunch> LaunchObserver::keep(const warp::LaunchRequest& request) {
  const std::uint64_t bytes = warp::KeptLaunch::bytes_of(request);
  if (bytes > room_) return nullptr;
  room_ -= bytes;
  return std::make_shared<const warp::KeptLaunch>(request);
}

std::string_view LaunchObserver::machine_code(const warp::LaunchRequest& request) {
  if (!assembles_) return cubin_;
  const auto [code, is_new] = assembled_.try_emplace({request.module, request.kernel});
  const std::string ptx = is_new ? gpu::ptx_of(*request.module) : std::string();
  if (!ptx.empty())
    code->second = warp::assemble(warp::kernel_alone(ptx, request.kernel), gpu_->capability,
                                  {.processor = std::chrono::seconds(20), .stop = stop_});
  return code->second;
}

void LaunchObserver::note_writers(std::string allocation, const Shape& shape, std::size_t pitch) {
  result_ = std::move(allocation);
  element_bytes_ = shape.pixel_bytes();
  observation_.row_elements = pitch / element_bytes_;
  observation_.writers.resize(observation_.row_elements * static_cast<std::size_t>(shape.height * shape.depth));
}

void LaunchObserver::watch(std::size_t kernel, const warp::LaunchRequest& request, warp::LaunchOptions& options) {
  const auto result = std::ranges::find(request.memory, result_, &warp::Allocation::name);
  if (observation_.writers.empty() || result == request.memory.end()) return;
  // Launches of one kernel in a row share the list, so that a loop of many costs no more than one.
  if (kernel != storing_ || stored_.empty()) {
    add_writers(storing_, stored_, observation_.writers);
    stored_.assign(observation_.writers.size(), {});
    storing_ = kernel;
  }
  options.watched = result->address;
  options.writer_bytes = element_bytes_;
  options.writers = &stored_;
}

Observation LaunchObserver::take(HostArray output) {
  add_writers(storing_, stored_, observation_.writers);
  observation_.output = std::move(output);
  return std::move(observation_);
}

warp::LaunchResult LaunchObserver::launch(const warp::LaunchRequest& request) {
  std::vector<ObservedKernel>& kernels = observation_.kernels;
  // Others may use the device meanwhile, such as a window that shows a result.
  if (std::this_thread::get_id() != thread_) return warp::launch(request);
  const std::string name = warp::shown_name(request.kernel);
  const auto known = std::ranges::find_if(kernels, [&](const ObservedKernel& kernel) {
    return kernel.name == name && kernel.module == request.module && kernel.grid == request.grid &&
           kernel.block == request.block;
  });
  std::shared_ptr<const warp::KeptLaunch> kept;
  if (known == kernels.end()) kept = keep(request);
  const auto index = static_cast<std::size_t>(known - kernels.begin());
  warp::StudyRequest wanted;
  wanted.launch = request;
  wanted.launch.options.per_instruction = true;
  wanted.launch.options.global_races = races_;
  wanted.launch.options.uninitialised |= uninitialised_;
  wanted.launch.options.stop = stop_;
  wanted.launch.options.limits.instructions = left_;
  wanted.launch.options.limits.block_instructions = left_;
  watch(index, request, wanted.launch.options);
  wanted.gpu = gpu_;
  wanted.cubin = machine_code(request);
  warp::Study study = warp::study(wanted);
  left_ -= std::min(left_, study.launch.total.ptx_instructions);
  warp::LaunchResult result = study.launch;
  result.faults.clear();  // They are in the study, and the run goes on.
  observation_.last = index;
  if (known != kernels.end()) {
    ++known->launches;
    known->study.add(study);
  } else {
    kernels.push_back({.name = name,
                       .module = request.module,
                       .grid = request.grid,
                       .block = request.block,
                       .launches = 1,
                       .study = std::move(study),
                       .first = std::move(kept)});
  }
  return result;
}

Observation observe(const ObserveRequest& request, HostIn input, const std::stop_token& stop) {
  // The device has one launcher, which a second observation would take away.
  static std::mutex one_at_a_time;
  const std::scoped_lock lock(one_at_a_time);
  RunRequest run = request.run;
  LaunchObserver observer(request, stop);
  const LaunchesBy observed([&](const warp::LaunchRequest& launch) { return observer.launch(launch); },
                            request.uninitialised);
  run.backend = Backend::cuda;
  run.device = &gpu::devices().emulated();
  Runner runner;
  try {
    HostArray output = runner.run(run, input, stop).output;
    return observer.take(std::move(output));
  } catch (const DeviceError&) {
    if (stop.stop_requested()) throw Cancelled();
    throw;
  }
}

ResultThreads::ResultThreads(const Observation& observation) {
  const HostIn result = observation.output.view();
  const Shape& shape = result.shape;
  if (observation.last >= observation.kernels.size() || shape.items() == 0) return;
  if (!observation.writers.empty()) {
    width_ = shape.width;
    height_ = shape.height;
    pitch_ = observation.row_elements;
    writers_ = observation.writers;
    return;
  }
  const ObservedKernel& kernel = observation.kernels[observation.last];
  if (kernel.first == nullptr || kernel.launches != 1) return;
  // The result lies in the allocation that has its bytes when the launch has ended.
  const std::size_t pitch = row_bytes(shape, gpu::row_alignment), row = row_bytes(shape, 1);
  const std::size_t bytes = pitch * static_cast<std::size_t>(shape.height - 1) + row;
  warp::KeptLaunch::Again again(*kernel.first);
  warp::LaunchRequest& request = again.request();
  request.options.per_instruction = request.options.races = false;
  (void)warp::launch(request);
  const auto holds = [&](const warp::Allocation& memory) {
    if (memory.bytes < bytes) return false;
    for (std::int64_t line = 0; line < shape.height; ++line)
      if (std::memcmp(memory.memory + pitch * static_cast<std::size_t>(line),
                      result.data + result.pitch * static_cast<std::size_t>(line), row) != 0)
        return false;
    return true;
  };
  const auto place = std::ranges::find_if(request.memory, holds);
  if (place == request.memory.end()) return;
  const std::size_t element = row / static_cast<std::size_t>(shape.width);
  width_ = shape.width;
  height_ = shape.height;
  pitch_ = pitch / element;
  // Parts of a result, such as its borders, come from launches of their own.
  writers_.resize((bytes + element - 1) / element);
  for (std::size_t i = 0; i <= observation.last; ++i) {
    const ObservedKernel& before = observation.kernels[i];
    if (before.first == nullptr) continue;
    std::vector<warp::Writer> stored(writers_.size());
    warp::KeptLaunch::Again part(*before.first);
    part.request().options = {.per_instruction = false, .races = false};
    part.request().options.watched = place->address;
    part.request().options.writer_bytes = element;
    part.request().options.writers = &stored;
    (void)warp::launch(part.request());
    add_writers(i, stored, writers_);
  }
}

std::optional<ElementThread> ResultThreads::of(std::int64_t x, std::int64_t y) const {
  if (x < 0 || y < 0 || x >= width_ || y >= height_) return {};
  const std::size_t place = pitch_ * static_cast<std::size_t>(y) + static_cast<std::size_t>(x);
  if (place >= writers_.size() || writers_[place].writer.function == nullptr) return {};
  return writers_[place];
}

}  // namespace threadscape
