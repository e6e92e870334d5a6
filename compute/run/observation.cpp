#include "compute/run/observation.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "compute/core/errors.h"
#include "compute/gpu/device.h"
#include "compute/gpu/launcher.h"
#include "compute/run/runner.h"
#include "compute/warp/kernel_parameters.h"

namespace threadscape {

namespace {

/// Executes launches and adds each to the kernel that it belongs to.
class Observer {
 public:
  Observer(const ObserveRequest& request, std::stop_token stop)
      : gpu_(request.gpu), left_(request.instructions), room_(request.kept_bytes), stop_(std::move(stop)) {}

  warp::LaunchResult launch(const warp::LaunchRequest& request) {
    // Others may use the device meanwhile, such as a window that shows a result.
    if (std::this_thread::get_id() != thread_) return warp::launch(request);
    const std::string name = warp::shown_name(request.kernel);
    const auto known = std::ranges::find_if(kernels_, [&](const ObservedKernel& kernel) {
      return kernel.name == name && kernel.module == request.module && kernel.grid == request.grid &&
             kernel.block == request.block;
    });
    std::shared_ptr<const warp::KeptLaunch> kept;
    if (known == kernels_.end()) kept = keep(request);
    warp::StudyRequest wanted;
    wanted.launch = request;
    wanted.launch.options.per_instruction = true;
    wanted.launch.options.stop = stop_;
    wanted.launch.options.limits.instructions = left_;
    wanted.launch.options.limits.block_instructions = left_;
    wanted.gpu = gpu_;
    warp::Study study = warp::study(wanted);
    left_ -= std::min(left_, study.launch.total.ptx_instructions);
    warp::LaunchResult result = study.launch;
    result.faults.clear();  // They are in the study, and the run goes on.
    if (known != kernels_.end()) {
      ++known->launches;
      known->study.add(study);
    } else {
      kernels_.push_back({.name = name,
                          .module = request.module,
                          .grid = request.grid,
                          .block = request.block,
                          .launches = 1,
                          .study = std::move(study),
                          .first = std::move(kept)});
    }
    return result;
  }
  [[nodiscard]] std::vector<ObservedKernel> take() { return std::move(kernels_); }

 private:
  std::shared_ptr<const warp::KeptLaunch> keep(const warp::LaunchRequest& request) {
    const std::uint64_t bytes = warp::KeptLaunch::bytes_of(request);
    if (bytes > room_) return nullptr;
    room_ -= bytes;
    return std::make_shared<const warp::KeptLaunch>(request);
  }

  const warp::GpuModel* gpu_;
  std::uint64_t left_, room_;
  std::stop_token stop_;
  std::thread::id thread_ = std::this_thread::get_id();
  std::vector<ObservedKernel> kernels_;
};

/// Lets the emulated device launch by a function as long as it exists.
class LaunchesBy {
 public:
  explicit LaunchesBy(gpu::Launcher launcher) { gpu::launch_by(std::move(launcher)); }
  ~LaunchesBy() { gpu::launch_by(nullptr); }
  LaunchesBy(const LaunchesBy&) = delete;
  LaunchesBy& operator=(const LaunchesBy&) = delete;
};

}  // namespace

std::vector<ObservedKernel> observe(const ObserveRequest& request, HostIn input, const std::stop_token& stop) {
  RunRequest run = request.run;
  Observer observer(request, stop);
  const LaunchesBy observed([&](const warp::LaunchRequest& launch) { return observer.launch(launch); });
  run.backend = Backend::cuda;
  run.device = &gpu::devices().emulated();
  Runner runner;
  try {
    (void)runner.run(run, input, stop);
  } catch (const DeviceError&) {
    if (stop.stop_requested()) throw Cancelled();
    throw;
  }
  return observer.take();
}

}  // namespace threadscape
