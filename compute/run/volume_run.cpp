#include "compute/run/volume_run.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>

namespace threadscape {

namespace {

/// Memory for stacks of threads, and what the allocator keeps.
constexpr std::size_t thread_stacks = std::size_t{24} << 20;

Shape layers_of(Shape volume, std::int64_t layers) {
  volume.depth = layers;
  return volume;
}
Region slab_of(const Shape& result, std::int64_t first, std::int64_t layers) {
  return {0, 0, first, result.width, result.height, std::min(layers, result.depth - first)};
}

/// The most layers of the input that a slab needs; 0 if a slab needs more than whole layers.
std::int64_t most_input_layers(const RunRequest& request, const Shape& input, const Shape& result,
                               std::int64_t layers) {
  std::int64_t most = 0;
  for (std::int64_t z = 0; z < result.depth; z += layers) {
    const Region needed = request.algorithm->halo->input_needed(request.params, input, slab_of(result, z, layers));
    if (needed.x != 0 || needed.width != input.width || needed.y != 0 || needed.height != input.height) return 0;
    most = std::max(most, needed.depth);
  }
  return most;
}

SlabRun like_slabs(const RunRequest& request, const Shape& result, std::int64_t layers, std::int64_t input_layers) {
  return {.out = HostOut(nullptr, layers_of(result, layers), 0),
          .input_layers = input_layers,
          .backend = request.backend,
          .variant = request.variant,
          .threads = threads_of(request)};
}

/// The plan for slabs of so many layers, if `input_layers` of the input are read at a time for a SlabsFacet.
VolumePlan plan_for(const RunRequest& request, const Shape& input, std::size_t beside, std::int64_t layers,
                    std::int64_t input_layers) {
  const Shape result = request.algorithm->output_shape(request.params, input);
  VolumePlan plan{.layers = layers,
                  .slabs = (result.depth + layers - 1) / layers,
                  .input_layers = input_layers,
                  .reads_all = !request.algorithm->halo,
                  .bytes = thread_stacks + beside};
  if (plan.reads_all) {
    plan.bytes +=
        HostArray::bytes_for(layers_of(result, layers)) +
        request.algorithm->slabs->bytes(request.params, input, like_slabs(request, result, layers, input_layers));
    return plan;
  }
  plan.input_layers = most_input_layers(request, input, result, layers);
  if (plan.input_layers == 0) return plan;
  const Shape part = layers_of(input, plan.input_layers);
  plan.bytes += HostArray::bytes_for(part) + plan_memory(request, part).host_bytes();
  return plan;
}

/// The largest number from 1 to `most` that `fits` accepts, which accepts all smaller ones; 1 if it accepts none.
template <class Fits>
std::int64_t largest(std::int64_t most, const Fits& fits) {
  std::int64_t good = 1;
  while (good < most) {
    const std::int64_t middle = good + (most - good + 1) / 2;
    if (fits(middle))
      good = middle;
    else
      most = middle - 1;
  }
  return good;
}

double passed_ms(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

VolumePlan plan_volume(const RunRequest& request, const Shape& input, std::size_t beside, std::size_t memory) {
  const AlgorithmInfo& algorithm = *request.algorithm;
  const std::string name(algorithm.name);
  if (algorithm.input != Kind::volume || algorithm.output != Kind::volume || (!algorithm.halo && !algorithm.slabs))
    throw UsageError(name + " cannot be cut into slabs: a layer of its result can depend on all of its input");
  if (algorithm.slabs)
    if (const std::string why = algorithm.slabs->why_not(request.params, request.backend); !why.empty())
      throw UsageError(name + " cannot be cut into slabs: " + why);
  const Shape result = algorithm.output_shape(request.params, input);
  const auto plan = [&](std::int64_t layers, std::int64_t input_layers) {
    return plan_for(request, input, beside, layers, input_layers);
  };
  const VolumePlan thinnest = plan(1, 1);
  if (thinnest.input_layers == 0 || (!thinnest.reads_all && thinnest.input_layers == input.depth && input.depth > 1))
    throw UsageError(name +
                     " cannot be cut into slabs with these parameters: a layer of the result can depend on all "
                     "layers of the volume");
  if (thinnest.bytes > memory)
    throw EnvironmentError(name + " needs " + std::to_string(thinnest.bytes) +
                           " bytes of memory for slabs of one layer, and may take " + std::to_string(memory));
  // Each slab reads all of the input once, so that most of the memory is for thick slabs, and a quarter for the input.
  const std::size_t for_input = thinnest.bytes + (memory - thinnest.bytes) / 4;
  const std::int64_t input_layers =
      thinnest.reads_all ? largest(input.depth, [&](std::int64_t count) { return plan(1, count).bytes <= for_input; })
                         : 1;
  return plan(largest(result.depth,
                      [&](std::int64_t layers) {
                        const VolumePlan tried = plan(layers, input_layers);
                        return tried.input_layers > 0 && tried.bytes <= memory;
                      }),
              input_layers);
}

VolumeResult::VolumeResult(Runner& runner, const RunRequest& request, const VolumePlan& plan, LayerReader& input,
                           std::stop_token stop, Progress* progress)
    : runner_(runner),
      request_(request),
      plan_(plan),
      input_(input),
      stop_(std::move(stop)),
      progress_(progress),
      shape_(request.algorithm->output_shape(request.params, input.shape())) {
  check(request);
  if (plan.reads_all) {
    made_ = HostArray(layers_of(shape_, plan.layers));
    return;
  }
  part_ = HostArray(layers_of(input.shape(), plan.input_layers));
  made_ = HostArray(request.algorithm->output_shape(request.params, part_.shape()));
}

void VolumeResult::compute(std::int64_t first) {
  const AlgorithmInfo& algorithm = *request_.algorithm;
  const Region slab = slab_of(shape_, first, plan_.layers);
  const auto start = std::chrono::steady_clock::now();
  HostOut out = made_.view();
  if (plan_.reads_all) {
    out.shape.depth = slab.depth;
    algorithm.slabs->run(request_.params, {.in = &input_,
                                           .out = out,
                                           .first = first,
                                           .input_layers = plan_.input_layers,
                                           .backend = request_.backend,
                                           .variant = request_.variant,
                                           .threads = threads_of(request_),
                                           .stop = stop_});
    times_.compute_ms += passed_ms(start);
  } else {
    const Region needed = algorithm.halo->input_needed(request_.params, input_.shape(), slab);
    if (needed.depth > plan_.input_layers) throw std::logic_error("a slab needs more layers than were planned");
    input_.read(needed.z, needed.z + needed.depth, reinterpret_cast<float*>(part_.data()));
    read_ms_ += passed_ms(start);
    HostIn in = std::as_const(part_).view();
    in.shape.depth = needed.depth;
    out.shape = algorithm.output_shape(request_.params, in.shape);
    const StageTimes slab_times = runner_.run_into(request_, in, out, stop_);
    times_.upload_ms += slab_times.upload_ms;
    times_.compute_ms += slab_times.compute_ms;
    times_.download_ms += slab_times.download_ms;
    offset_ = first - needed.z;
  }
  if (stop_.stop_requested()) throw Cancelled();
  first_ = first;
  end_ = first + slab.depth;
  if (progress_) progress_->report(static_cast<double>(end_) / static_cast<double>(shape_.depth));
}

void VolumeResult::read(std::int64_t first, std::int64_t end, float* to) {
  const std::int64_t layer = shape_.width * shape_.height;
  while (first < end) {
    if (first < first_ || first >= end_) compute(first / plan_.layers * plan_.layers);
    const std::int64_t count = std::min(end, end_) - first;
    std::memcpy(to, reinterpret_cast<const float*>(made_.data()) + (first - first_ + offset_) * layer,
                static_cast<std::size_t>(count * layer) * sizeof(float));
    to += count * layer;
    first += count;
  }
}

}  // namespace threadscape
