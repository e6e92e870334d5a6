#include "app/cli/microscope_run.h"

#include <string>

#include "compute/registry/registry.h"
#include "compute/run/device_bench.h"

namespace threadscape::app {

void observe_run(const AlgorithmOptions& options, const Extent& size, ObserveRequest wanted, gpu::Device* counters,
                 MicroscopeReport& report) {
  const AlgorithmInfo& algorithm = find_algorithm(options.algorithm);
  if (counters != nullptr) counters->require();
  BenchPoint point;
  point.request = make_request(options, Backend::cuda);
  RunRequest& request = point.request;
  request.params = sized_params(algorithm, request.params, size);
  point.input = input_shape(algorithm, request.params, size, 1);
  const HostArray input = point.input.kind == Kind::none ? HostArray() : make_input(point);
  wanted.run = request;
  wanted.gpu = report.gpu;
  report.kernels = observe(wanted, input.view()).kernels;
  if (counters != nullptr) {
    request.device = counters;
    report.counters =
        cuda::DeviceBench(request, input.view(), algorithm.output_shape(request.params, point.input)).count();
  }

  std::uint64_t launches = 0;
  for (const ObservedKernel& kernel : report.kernels)
    launches += kernel.launches;
  report.title = std::string(algorithm.name) + ", variant " +
                 std::string(algorithm.variants_of(Backend::cuda)[static_cast<std::size_t>(request.variant)].name) +
                 (point.input.kind == Kind::none ? "" : ", input " + to_string(point.input)) + ": " +
                 std::to_string(launches) + (launches == 1 ? " launch of " : " launches of ") +
                 std::to_string(report.kernels.size()) + (report.kernels.size() == 1 ? " kernel\n" : " kernels\n");
}

}  // namespace threadscape::app
