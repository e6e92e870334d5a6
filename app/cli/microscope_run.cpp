#include "app/cli/microscope_run.h"

#include <algorithm>
#include <string>
#include <utility>

#include "compute/core/errors.h"
#include "compute/gpu/device.h"
#include "compute/gpu/launcher.h"
#include "compute/registry/registry.h"
#include "compute/warp/kernel_parameters.h"

namespace threadscape::app {

namespace {

/// Executes launches and adds each to the kernel that it belongs to.
class Observer {
 public:
  Observer(std::uint64_t instructions, bool races, MicroscopeReport& report)
      : left_(instructions), races_(races), report_(report) {}

  warp::LaunchResult launch(const warp::LaunchRequest& request) {
    warp::StudyRequest wanted;
    wanted.launch = request;
    wanted.launch.options.per_instruction = true;
    wanted.launch.options.global_races = races_;
    wanted.launch.options.limits.instructions = left_;
    wanted.launch.options.limits.block_instructions = left_;
    wanted.gpu = report_.gpu;
    warp::Study study = warp::study(wanted);
    left_ -= std::min(left_, study.launch.total.ptx_instructions);
    warp::LaunchResult result = study.launch;
    result.faults.clear();  // They are in the report, and the run goes on.
    const std::string name = warp::shown_name(request.kernel);
    const auto known = std::ranges::find_if(report_.kernels, [&](const KernelReport& kernel) {
      return kernel.name == name && kernel.module == request.module && kernel.grid == request.grid &&
             kernel.block == request.block;
    });
    if (known != report_.kernels.end()) {
      ++known->launches;
      known->study.add(study);
    } else {
      KernelReport kernel;
      kernel.name = name;
      kernel.module = request.module;
      kernel.grid = request.grid;
      kernel.block = request.block;
      kernel.study = std::move(study);
      report_.kernels.push_back(std::move(kernel));
    }
    return result;
  }

 private:
  std::uint64_t left_;
  bool races_;
  MicroscopeReport& report_;
};

}  // namespace

void observe_run(const AlgorithmOptions& options, const Extent& size, std::uint64_t instructions, bool races,
                 MicroscopeReport& report) {
  const AlgorithmInfo& algorithm = find_algorithm(options.algorithm);
  gpu::launch_by(nullptr);  // Throws where there are no kernels.
  BenchPoint point;
  point.request = make_request(options, Backend::cuda);
  RunRequest& request = point.request;
  request.params = sized_params(algorithm, request.params, size);
  point.input = input_shape(algorithm, request.params, size, 1);
  const HostArray input = point.input.kind == Kind::none ? HostArray() : make_input(point);

  Observer observer(instructions, races, report);
  gpu::launch_by([&](const warp::LaunchRequest& launch) { return observer.launch(launch); });
  Runner runner;
  try {
    (void)runner.run(request, input.view());
  } catch (...) {
    gpu::launch_by(nullptr);
    throw;
  }
  gpu::launch_by(nullptr);

  std::uint64_t launches = 0;
  for (const KernelReport& kernel : report.kernels)
    launches += kernel.launches;
  report.title = std::string(algorithm.name) + ", variant " +
                 std::string(algorithm.variants_of(Backend::cuda)[static_cast<std::size_t>(request.variant)].name) +
                 (point.input.kind == Kind::none ? "" : ", input " + to_string(point.input)) + ": " +
                 std::to_string(launches) + (launches == 1 ? " launch of " : " launches of ") +
                 std::to_string(report.kernels.size()) + (report.kernels.size() == 1 ? " kernel\n" : " kernels\n");
}

}  // namespace threadscape::app
