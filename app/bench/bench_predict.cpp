#include "app/bench/bench_predict.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "app/bench/bench_plan.h"
#include "compute/core/clip.h"
#include "compute/core/errors.h"
#include "compute/core/kind_info.h"
#include "compute/registry/registry.h"

namespace threadscape::app {

namespace {

/// Inputs with more values are not executed as a whole, except for those that have no fewer rows.
constexpr std::int64_t most_values = 1 << 20, most_fixed_values = 1 << 22;
constexpr std::uint64_t most_instructions = 400'000'000;
/// Rows are left out in multiples of the height of most blocks.
constexpr std::int64_t row_step = 64;

PredictedTime as_predicted(const warp::Prediction& found, const warp::GpuRates& gpu) {
  constexpr double milliseconds = 1e3;
  return {.ms = milliseconds * found.seconds, .bound = std::string(name_of(found.bound)), .gpu = gpu.name};
}

std::vector<warp::LaunchWork> executed(const BenchPoint& point, const std::stop_token& stop) {
  ObserveRequest wanted{.run = point.request};
  wanted.gpu = &warp::gpu_model(90);
  wanted.instructions = most_instructions;
  wanted.assembles = true;
  const HostArray made = point.file || point.input.kind == Kind::none ? HostArray() : make_input(point);
  std::vector<warp::LaunchWork> works =
      works_of(observe(wanted, point.file ? point.file->data.view() : made.view(), stop).kernels);
  if (works.empty()) throw UsageError("it launches no kernel");
  return works;
}

}  // namespace

std::int64_t Shape::*rows_of(Kind kind) {
  const int dimensions = info_of(kind).dimensions;
  return dimensions == 1 ? &Shape::width : dimensions == 2 || is_moving(kind) ? &Shape::height : &Shape::depth;
}

BenchPoint with_rows(const BenchPoint& point, std::int64_t rows) {
  BenchPoint part = point;
  part.file.reset();
  part.input.*rows_of(part.input.kind) = rows;
  const AlgorithmInfo& algorithm = *part.request.algorithm;
  part.request.params = sized_params(algorithm, part.request.params, {part.input.width, part.input.height});
  part.output = algorithm.output_shape(part.request.params, part.input);
  return part;
}

bool has_fixed_size(const BenchPoint& point) {
  const AlgorithmInfo& algorithm = *point.request.algorithm;
  const bool sequence = point.input.kind != Kind::none && info_of(point.input.kind).dimensions == 1;
  return !has_sizes(algorithm) ||
         (!sequence && algorithm.own_input && algorithm.own_input->shape(point.request.params) == point.input);
}

PredictedTime predicted(const std::vector<ObservedKernel>& kernels, const warp::GpuRates& gpu, bool warm) {
  return as_predicted(warp::predict(works_of(kernels), gpu, warm), gpu);
}

warp::GpuRates rates_of(gpu::Device& device, const CopyLimits& measured) {
  warp::GpuRates rates = warp::known_rates().front();
  if (!device.usable() || !device.runs_kernels() || &device == &gpu::devices().emulated()) return rates;
  const gpu::DeviceInfo& info = device.info();
  for (const warp::GpuRates& known : warp::known_rates())
    if (info.name.find(known.name) != std::string::npos) rates = known;
  rates.name = info.name;
  rates.multiprocessors = info.multiprocessors;
  rates.l2_capacity = info.l2_bytes;
  if (measured.device > 0.0) rates.memory = measured.device;
  constexpr double shared_bytes_of_cycle = 128;
  for (const NamedRate& reading : measured.device_ceilings.reading) {
    if (reading.name == "L2") rates.l2 = reading.per_second;
    if (reading.name == "shared memory")
      rates.clock = reading.per_second / (shared_bytes_of_cycle * info.multiprocessors);
  }
  return rates;
}

RowPredictor::RowPredictor(const BenchOptions& options, const CopyLimits& measured)
    : gpu_(options.predict_gpu.value_or(rates_of(device_of({.device = options.device}), measured))), host_(measured) {}

PredictedTime RowPredictor::of(const BenchPoint& point, const std::stop_token& stop) {
  try {
    return point.request.backend == Backend::cuda ? on_gpu(point, stop) : predicted_on_host(point, host_, stop);
  } catch (const Cancelled&) {
    throw;
  } catch (const Error& error) {
    return {.why_none = error.what()};
  }
}

PredictedTime RowPredictor::on_gpu(const BenchPoint& point, const std::stop_token& stop) const {
  const Shape& input = point.input;
  const auto values = [](const Shape& shape) { return static_cast<double>(shape.items() * shape.channels); };
  // `bench` goes round as many buffers as exceed L2 four times, but no more than these.
  constexpr double most_buffers = 64;
  const auto bytes_of = [&](const Shape& shape) {
    return static_cast<double>(shape.items()) * static_cast<double>(shape.pixel_bytes());
  };
  const double bytes = bytes_of(input) + bytes_of(point.output);
  const bool warm = most_buffers * bytes <= gpu_.l2_capacity;
  const bool sequence = input.kind != Kind::none && info_of(input.kind).dimensions == 1;
  const bool fixed = has_fixed_size(point);
  const auto most = static_cast<double>(fixed ? most_fixed_values : most_values);
  if (values(input.kind == Kind::none ? point.output : input) <= most)
    return as_predicted(warp::predict(executed(point, stop), gpu_, warm), gpu_);
  if (fixed) throw UsageError("its input is too large to be executed on the CPU");
  const std::int64_t all = input.*rows_of(input.kind), step = sequence ? most_values / 2 : row_step;
  const auto of_row = static_cast<std::int64_t>(values(input)) / all;
  const std::int64_t half = std::max(most_values / 2 / of_row / step, std::int64_t{1}) * step;
  const BenchPoint smaller = with_rows(point, std::min(half, all)), larger = with_rows(point, std::min(2 * half, all));
  if (larger.input == smaller.input) return as_predicted(warp::predict(executed(larger, stop), gpu_, warm), gpu_);
  const std::vector<warp::LaunchWork> works = warp::extended(
      executed(smaller, stop), values(smaller.input), executed(larger, stop), values(larger.input), values(input));
  return as_predicted(warp::predict(works, gpu_, warm), gpu_);
}

}  // namespace threadscape::app
