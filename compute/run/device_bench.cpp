#include "compute/run/device_bench.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "compute/core/trace.h"
#include "compute/run/device_executor.h"
#include "compute/run/kernel_recording.h"

namespace threadscape::cuda {

namespace {

constexpr std::size_t max_pairs = 64;
/// Later launches of a run are not counted, since each takes ten milliseconds and half a megabyte.
constexpr std::size_t most_counted_launches = 128;

}  // namespace

struct DeviceBench::State {
  explicit State(gpu::Device& device) : executor(device) {}

  DeviceExecutor executor;
  RunRequest request;
  Work work;  ///< What is measured instead of the request, unless it is empty.
  struct Pair {
    explicit Pair(gpu::Device& device) : input(device), output(device) {}
    gpu::DeviceArray input, output;
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
    Pair& pair = pairs[next];
    next = (next + 1) % pairs.size();
    if (work) return work(std::as_const(pair.input).view(), pair.output.view(), executor.stream());
    prepare();
    executor.queue(request, std::as_const(pair.input).view(),
                   {.linear = pair.output.view(), .surface = 0, .shape = output});
  }
  /// Allocates the pairs of input and output, which take `bytes` each, and uploads the input to all of them.
  void fill_pairs(std::size_t bytes) {
    const std::size_t pair = std::max<std::size_t>(bytes, 1);
    gpu::Device& device = executor.device();
    const std::size_t beyond_cache = 4 * static_cast<std::size_t>(device.info().l2_bytes) / pair;
    const std::size_t fitting = device.free_bytes() / 2 / pair;
    const std::size_t count = std::max<std::size_t>(1, std::min({beyond_cache + 1, fitting, max_pairs}));
    while (pairs.size() < count)
      pairs.emplace_back(device);
    (void)executor.timed_ms([&] {
      for (Pair& p : pairs) {
        p.input.reshape(input.shape);
        p.output.reshape(output);
        gpu::upload(input, p.input.view(), executor.stream());
      }
    });
  }
};

DeviceBench::DeviceBench(const RunRequest& request, HostIn input, const Shape& output)
    : state_(std::make_unique<State>(device_of(request))) {
  State& s = *state_;
  s.request = request;
  s.input = input;
  s.output = output;
  MemoryPlan need = plan_memory(request, input.shape);
  need.host_output = 0;  // The caller has allocated the output already.
  s.executor.require_memory(request.algorithm->name, need);
  s.executor.reserve_scratch(request, input.shape);
  s.fill_pairs(need.device_input + need.device_output);
  (void)s.executor.timed_ms([&] { s.executor.queue_host_input(request, std::as_const(s.pairs.front().input).view()); });
}

DeviceBench::DeviceBench(gpu::Device& device, Work work, HostIn input, const Shape& output)
    : state_(std::make_unique<State>(device)) {
  State& s = *state_;
  s.work = std::move(work);
  s.input = input;
  s.output = output;
  const MemoryPlan need{.device_input = gpu::DeviceArray::bytes_for(input.shape),
                        .device_output = gpu::DeviceArray::bytes_for(output)};
  s.executor.require_memory("a peer", need);
  s.fill_pairs(need.device_input + need.device_output);
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
  if (trace::recording())
    trace::add_device({{(s.work ? std::string("peer") : std::string(s.request.algorithm->name)) +
                            (repetitions > 1 ? ", " + std::to_string(repetitions) + " runs" : ""),
                        "kernels", total}});
  return total / repetitions;
}

double DeviceBench::upload_ms(HostIn from) {
  State& s = *state_;
  const double ms = s.executor.timed_ms([&] { gpu::upload(from, s.pairs[0].input.view(), s.executor.stream()); });
  trace::add_device({{"upload", "upload", ms}});
  return ms;
}

double DeviceBench::download_ms(HostOut to) {
  State& s = *state_;
  const double ms =
      s.executor.timed_ms([&] { gpu::download(std::as_const(s.pairs[0].output).view(), to, s.executor.stream()); });
  trace::add_device({{"download", "download", ms}});
  return ms;
}

Kernels DeviceBench::kernels() {
  State& s = *state_;
  Kernels kernels = s.executor.guarded([&] { return record_kernels(s.executor.stream(), [&s] { s.queue_next(); }); });
  s.preparations.clear();
  return kernels;
}

CountedRun DeviceBench::count() {
  State& s = *state_;
  gpu::Device& device = s.executor.device();
  if (!device.runs_kernels() || device.info().ordinal == gpu::emulated_ordinal)
    throw EnvironmentError("the counters of the GPU: " + device.info().name + " is no GPU");
  const gpu::RunCounts counts = s.executor.guarded([&] {
    gpu::Counters counters(gpu::current_gpu_context(), counter_metrics(), most_counted_launches);
    return counters.count([&] {
      s.queue_next();
      device.wait(s.executor.stream());
    });
  });
  s.preparations.clear();
  return counted_run(counts);
}

std::optional<double> DeviceBench::allocation_ms() {
  using Clock = std::chrono::steady_clock;
  State& s = *state_;
  const MemoryPlan need = plan_memory(s.request, s.input.shape);
  gpu::Device& device = s.executor.device();
  if (device.free_bytes() < need.device_bytes()) return std::nullopt;
  double milliseconds = 0.0;
  (void)s.executor.timed_ms([&] {
    device.wait(s.executor.stream());
    const auto start = Clock::now();
    {
      gpu::DeviceArray input(device), output(device);
      DeviceScratch scratch(DeviceMemory{&device});
      input.reshape(s.input.shape);
      output.reshape(s.output);
      scratch.reset(need.device_scratch);
    }
    milliseconds = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  });
  return milliseconds;
}

double device_copy_bandwidth(gpu::Device& device) {
  constexpr int runs = 20;
  DeviceExecutor executor(device);
  const std::size_t wanted = std::max(std::size_t{256} << 20, 8 * static_cast<std::size_t>(device.info().l2_bytes));
  const std::size_t bytes = std::min(wanted, device.free_bytes() / 4) / 4096 * 4096;
  const Shape shape = Shape::image(Element::u8, 1, 4096, static_cast<std::int64_t>(bytes / 4096));
  gpu::DeviceArray from(device), to(device);
  (void)executor.timed_ms([&] {
    from.reshape(shape);
    to.reshape(shape);
    device.fill(from.view().data, 1, bytes, executor.stream());
  });
  const gpu::CopyRows rows{.from = from.view().data, .to = to.view().data, .row_bytes = bytes, .rows = 1};
  double best_ms = 1e9;
  for (int run = 0; run < runs; ++run)
    best_ms = std::min(best_ms,
                       executor.timed_ms([&] { device.copy(rows, gpu::CopyKind::within_device, executor.stream()); }));
  return 2.0 * static_cast<double>(bytes) / (best_ms / 1e3);
}

}  // namespace threadscape::cuda
