#include "compute/run/device_bench.h"

#include <algorithm>
#include <vector>

#include "compute/cuda/buffer.h"
#include "compute/cuda/device.h"

namespace threadscape::cuda {

namespace {

constexpr std::size_t most_pairs = 64;

/// Runs `work`; a sticky error ends the CUDA backend for this run of the program.
template <class Work>
auto guarded(const Work& work) try {
  return work();
} catch (const CudaError& error) {
  if (error.sticky()) retire_device(error.what());
  throw;
}

}  // namespace

struct DeviceBench::State {
  RunRequest request;
  Stream stream;
  EventTimer timer;
  DeviceScratch scratch;
  struct Pair {
    DeviceArray input, output;
  };
  std::vector<Pair> pairs;
  Shape output;
  std::size_t next = 0;

  void run_once() {
    scratch.reset(scratch.size());  // the same pieces again: runs of one stream do not overlap
    Pair& pair = pairs[next];
    next = (next + 1) % pairs.size();
    request.algorithm->cuda(request.params,
                            DeviceRun{.in = pair.input.view(),
                                      .out = {.linear = pair.output.view(), .surface = 0, .shape = output},
                                      .scratch = &scratch,
                                      .stream = stream.get(),
                                      .variant = request.variant,
                                      .seed = request.seed});
  }
  template <class Work>
  double timed(const Work& work) {
    return guarded([&] {
      timer.start(stream.get());
      work();
      timer.stop(stream.get());
      stream.wait();
      return timer.milliseconds();
    });
  }
};

DeviceBench::DeviceBench(const RunRequest& request, HostIn input, const Shape& output) {
  require_device();
  guarded([&] {
    state_ = std::make_unique<State>();
    State& s = *state_;
    s.request = request;
    s.output = output;
    const std::size_t scratch =
        request.algorithm->scratch_bytes(request.params, input.shape, Backend::cuda, request.variant);
    const std::size_t pair = DeviceArray::bytes_for(input.shape) + DeviceArray::bytes_for(output);
    const std::size_t free = free_device_bytes();
    if (pair + scratch > free)
      throw EnvironmentError(std::string(request.algorithm->name) + " needs " + std::to_string(pair + scratch) +
                             " bytes of device memory, " + std::to_string(free) + " are free");
    const std::size_t beyond_cache =
        4 * static_cast<std::size_t>(device_info().l2_bytes) / std::max<std::size_t>(pair, 1);
    const std::size_t fitting = (free - scratch) / 2 / std::max<std::size_t>(pair, 1);
    s.pairs.resize(std::max<std::size_t>(1, std::min({beyond_cache + 1, fitting, most_pairs})));
    s.scratch.reset(scratch);
    for (State::Pair& p : s.pairs) {
      p.input.reshape(input.shape);
      p.output.reshape(output);
      upload(input, p.input.view(), s.stream.get());
    }
    s.stream.wait();
  });
}

DeviceBench::~DeviceBench() = default;

int DeviceBench::pairs() const {
  return static_cast<int>(state_->pairs.size());
}

double DeviceBench::compute_ms(int repetitions) {
  State& s = *state_;
  const double total = s.timed([&] {
    for (int i = 0; i < repetitions; ++i)
      s.run_once();
  });
  return total / repetitions;
}

double DeviceBench::upload_ms(HostIn from) {
  State& s = *state_;
  return s.timed([&] { upload(from, s.pairs[0].input.view(), s.stream.get()); });
}

double DeviceBench::download_ms(HostOut to) {
  State& s = *state_;
  return s.timed([&] { download(s.pairs[0].output.view(), to, s.stream.get()); });
}

double device_copy_bandwidth() {
  require_device();
  return guarded([] {
    constexpr int runs = 20;
    const std::size_t wanted = std::max(std::size_t{256} << 20, 8 * static_cast<std::size_t>(device_info().l2_bytes));
    const std::size_t bytes = std::min(wanted, free_device_bytes() / 4) / 4096 * 4096;
    const Shape shape = Shape::image(Element::u8, 1, 4096, static_cast<std::int64_t>(bytes / 4096));
    DeviceArray from, to;
    from.reshape(shape);
    to.reshape(shape);
    Stream stream;
    EventTimer timer;
    TS_CUDA_CHECK(cudaMemsetAsync(from.view().data, 1, bytes, stream.get()));
    double best_ms = 1e9;
    for (int run = 0; run < runs; ++run) {
      timer.start(stream.get());
      TS_CUDA_CHECK(cudaMemcpyAsync(to.view().data, from.view().data, bytes, cudaMemcpyDeviceToDevice, stream.get()));
      timer.stop(stream.get());
      best_ms = std::min(best_ms, timer.milliseconds());
    }
    return 2.0 * static_cast<double>(bytes) / (best_ms / 1e3);
  });
}

}  // namespace threadscape::cuda
