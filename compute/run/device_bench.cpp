#include "compute/run/device_bench.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "compute/cuda/device.h"
#include "compute/run/cuda_executor.h"

namespace threadscape::cuda {

namespace {

constexpr std::size_t max_pairs = 64;

}  // namespace

struct DeviceBench::State {
  CudaExecutor executor;
  RunRequest request;
  struct Pair {
    DeviceArray input, output;
  };
  std::vector<Pair> pairs;
  Shape output;
  std::size_t next = 0;
  HostIn input;  ///< The input in host memory, from which preparations are made.
  /// The preparations of the queued runs, which must stay alive until the device is done.
  std::vector<std::shared_ptr<const Preparation>> preparations;

  /// The preparation of a run is part of its cost, so each run makes it again.
  void prepare() {
    request.preparation.reset();
    if (!needs_preparation(request)) return;
    request.preparation = preparations.emplace_back(make_preparation(request, input, {}, nullptr));
  }
  void queue_next() {
    prepare();
    Pair& pair = pairs[next];
    next = (next + 1) % pairs.size();
    executor.queue(request, std::as_const(pair.input).view(),
                   {.linear = pair.output.view(), .surface = 0, .shape = output});
  }
};

DeviceBench::DeviceBench(const RunRequest& request, HostIn input, const Shape& output)
    : state_(std::make_unique<State>()) {
  State& s = *state_;
  s.request = request;
  s.input = input;
  s.output = output;
  MemoryPlan need = plan_memory(request, input.shape);
  need.host_output = 0;  // The caller has allocated the output already.
  s.executor.require_memory(request.algorithm->name, need);
  s.executor.reserve_scratch(request, input.shape);
  const std::size_t pair = std::max<std::size_t>(need.device_input + need.device_output, 1);
  const std::size_t beyond_cache = 4 * static_cast<std::size_t>(device_info().l2_bytes) / pair;
  const std::size_t fitting = free_device_bytes() / 2 / pair;
  s.pairs.resize(std::max<std::size_t>(1, std::min({beyond_cache + 1, fitting, max_pairs})));
  (void)s.executor.timed_ms([&] {
    for (State::Pair& p : s.pairs) {
      p.input.reshape(input.shape);
      p.output.reshape(output);
      upload(input, p.input.view(), s.executor.stream());
    }
  });
}

DeviceBench::~DeviceBench() = default;

int DeviceBench::pairs() const {
  return static_cast<int>(state_->pairs.size());
}

double DeviceBench::compute_ms(int repetitions) {
  State& s = *state_;
  const double total = s.executor.timed_ms([&] {
    for (int i = 0; i < repetitions; ++i)
      s.queue_next();
  });
  s.preparations.clear();
  return total / repetitions;
}

double DeviceBench::upload_ms(HostIn from) {
  State& s = *state_;
  return s.executor.timed_ms([&] { upload(from, s.pairs[0].input.view(), s.executor.stream()); });
}

double DeviceBench::download_ms(HostOut to) {
  State& s = *state_;
  return s.executor.timed_ms([&] { download(std::as_const(s.pairs[0].output).view(), to, s.executor.stream()); });
}

double device_copy_bandwidth() {
  constexpr int runs = 20;
  CudaExecutor executor;
  const std::size_t wanted = std::max(std::size_t{256} << 20, 8 * static_cast<std::size_t>(device_info().l2_bytes));
  const std::size_t bytes = std::min(wanted, free_device_bytes() / 4) / 4096 * 4096;
  const Shape shape = Shape::image(Element::u8, 1, 4096, static_cast<std::int64_t>(bytes / 4096));
  DeviceArray from, to;
  (void)executor.timed_ms([&] {
    from.reshape(shape);
    to.reshape(shape);
    TS_CUDA_CHECK(cudaMemsetAsync(from.view().data, 1, bytes, executor.stream()));
  });
  double best_ms = 1e9;
  for (int run = 0; run < runs; ++run)
    best_ms = std::min(best_ms, executor.timed_ms([&] {
      TS_CUDA_CHECK(
          cudaMemcpyAsync(to.view().data, from.view().data, bytes, cudaMemcpyDeviceToDevice, executor.stream()));
    }));
  return 2.0 * static_cast<double>(bytes) / (best_ms / 1e3);
}

}  // namespace threadscape::cuda
