#include "app/cli/microscope_run.h"

#include <cstdint>
#include <string>
#include <vector>

#include "app/session/sketch_comparison.h"
#include "app/session/sketch_file.h"
#include "compute/core/synthetic.h"
#include "compute/registry/registry.h"
#include "compute/run/device_bench.h"
#include "compute/sketch/sketch_algorithm.h"

namespace threadscape::app {

namespace {

/// The end of a title: ": 3 launches of 2 kernels".
std::string launched(const std::vector<ObservedKernel>& kernels) {
  std::uint64_t launches = 0;
  for (const ObservedKernel& kernel : kernels)
    launches += kernel.launches;
  return ": " + std::to_string(launches) + (launches == 1 ? " launch of " : " launches of ") +
         std::to_string(kernels.size()) + (kernels.size() == 1 ? " kernel\n" : " kernels\n");
}

}  // namespace

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

  report.title = std::string(algorithm.name) + ", variant " +
                 std::string(algorithm.variants_of(Backend::cuda)[static_cast<std::size_t>(request.variant)].name) +
                 (point.input.kind == Kind::none ? "" : ", input " + to_string(point.input)) + launched(report.kernels);
}

void observe_sketch_run(const AlgorithmInfo& sketch, const AlgorithmOptions& options, const Extent& size,
                        ObserveRequest wanted, MicroscopeReport& report, const std::stop_token& stop) {
  const auto live = sketch::sketch_of(sketch);
  const sketch::Head& head = live->sketch().head;
  const ParamBox params = make_params(sketch, options);
  const Shape shape = shape_for(head.reads, size.width, size.height);
  const HostArray input =
      shape.kind == Kind::none ? HostArray() : make_synthetic(InputPattern::photo, shape, options.seed);
  report.file = live->sketch().file;
  report.source = live->sketch().source;
  wanted.gpu = report.gpu;
  wanted.run.threads = options.threads;
  report.kernels = observe_sketch(params, options.seed, wanted, input.view(), stop).kernels;
  report.compiler = live->kernels()->compiler;
  report.title = head.name +
                 (shape.kind == Kind::none ? ", result " + to_string(sketch.output_shape(params, shape))
                                           : ", input " + to_string(shape)) +
                 launched(report.kernels);
}

}  // namespace threadscape::app
