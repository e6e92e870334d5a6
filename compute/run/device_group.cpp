#include "compute/run/device_group.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <functional>
#include <limits>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include "compute/core/machine.h"
#include "compute/core/trace.h"

namespace threadscape {

namespace {

constexpr std::size_t workers_per_device = 2;
constexpr std::int64_t pieces_per_device = 4;  ///< Enough for uploads beside kernels, and halos stay small.
constexpr std::int64_t most_pieces = 1 << 16;

/// The axis along which results are divided: the outermost one.
struct Axis {
  std::int64_t Region::*from, Region::*size;
};

Axis axis_of(const Shape& shape) {
  if (shape.depth > 1) return {&Region::z, &Region::depth};
  if (shape.height > 1) return {&Region::y, &Region::height};
  return {&Region::x, &Region::width};
}

/// Part `i` of `count` parts of a region along an axis.
Region part_of(const Region& all, const Axis& axis, std::int64_t i, std::int64_t count) {
  Region part = all;
  const std::int64_t first = i * (all.*axis.size) / count, end = (i + 1) * (all.*axis.size) / count;
  part.*axis.from += first;
  part.*axis.size = end - first;
  return part;
}

/// Returns whether the region is a range of layers, or of rows of a picture, so that it has the pitch of the array.
bool whole_rows(const Region& region, const Shape& shape) {
  return region.x == 0 && region.width == shape.width && (shape.depth == 1 || region.height == shape.height);
}

template <class View>
View view_of(const View& array, const Region& region) {
  const auto row = static_cast<std::size_t>(region.y + region.z * array.shape.height);
  return {array.data + row * array.pitch, shape_of(array.shape, region), array.pitch};
}

/// The pieces of each device: the result is divided into as many ranges as there are devices, and those into pieces so
/// small that all pieces that are in work fit into the memory of the device.
std::vector<std::vector<Slab>> pieces_of(const RunRequest& request, const Shape& input, const Shape& output,
                                         const std::vector<gpu::Device*>& devices,
                                         const std::vector<std::size_t>& held) {
  const HaloFacet& halo = *request.algorithm->halo;
  const Region all = whole_of(output);
  const Axis axis = axis_of(output);
  const auto shares = std::min<std::int64_t>(static_cast<std::int64_t>(devices.size()), all.*axis.size);
  std::vector<std::vector<Slab>> found(devices.size());
  for (std::int64_t i = 0; i < shares; ++i) {
    const auto device = static_cast<std::size_t>(i);
    const Region share = part_of(all, axis, i, shares);
    std::size_t free = devices[device]->free_bytes() + held[device];
    if (request.memory > 0) free = std::min(free, request.memory);
    std::vector<Slab>& pieces = found[device];
    for (std::int64_t count = std::min(pieces_per_device, share.*axis.size);; count *= 2) {
      pieces.clear();
      std::size_t most = 0;
      for (std::int64_t k = 0; k < std::min(count, share.*axis.size); ++k) {
        Slab piece{.output = part_of(share, axis, k, std::min(count, share.*axis.size))};
        piece.input = halo.input_needed(request.params, input, piece.output);
        most = std::max(most, plan_memory(request, shape_of(input, piece.input)).device_bytes());
        pieces.push_back(piece);
      }
      // Too large pieces of the smallest size are refused with the numbers of bytes when they are run.
      if (most <= free / workers_per_device || count >= std::min(share.*axis.size, most_pieces)) break;
    }
  }
  return found;
}

/// A part of a sequence whose result is joined to those of the others.
struct SequencePart {
  std::int64_t first = 0, count = 0;
};

/// The parts of a sequence, a number for each worker, or as many times that as they fit into the devices.
std::vector<SequencePart> parts_of(const RunRequest& request, const Shape& input,
                                   const std::vector<gpu::Device*>& devices, const std::vector<std::size_t>& held) {
  std::size_t free = std::numeric_limits<std::size_t>::max();
  for (std::size_t i = 0; i < devices.size(); ++i)
    free = std::min(free, devices[i]->free_bytes() + held[i]);
  if (request.memory > 0) free = std::min(free, request.memory);
  const auto workers = static_cast<std::int64_t>(devices.size() * workers_per_device);
  for (std::int64_t count = std::min(workers, input.width);; count = std::min(2 * count, input.width)) {
    std::vector<SequencePart> parts;
    Shape longest = input;
    longest.width = (input.width + count - 1) / count;
    for (std::int64_t i = 0; i < count; ++i)
      parts.push_back({i * input.width / count, (i + 1) * input.width / count - i * input.width / count});
    // Too large parts of the smallest size are refused with the numbers of bytes when they are run.
    if (plan_memory(request, longest).device_bytes() <= free / workers_per_device ||
        count >= std::min(input.width, most_pieces))
      return parts;
  }
}

/// Computes the result of a part.
HostArray run_part(DeviceExecutor& executor, const RunRequest& request, const SequencePart& part, HostIn input) {
  HostIn from = input;
  from.data += static_cast<std::size_t>(part.first) * input.shape.pixel_bytes();
  from.shape.width = part.count;
  from.pitch = row_bytes(from.shape, 1);
  HostArray result(request.algorithm->output_shape(request.params, from.shape));
  MemoryPlan need = plan_memory(request, from.shape);
  need.host_output = 0;
  executor.require_memory(request.algorithm->name, need);
  executor.set_input(from);
  executor.run(request, {.linear = executor.linear_output(result.shape()), .surface = 0, .shape = result.shape()});
  executor.download(result.view());
  return result;
}

/// Computes a piece and copies what belongs to it to the result.
void run_piece(DeviceExecutor& executor, const RunRequest& request, const Slab& piece, HostIn input, HostOut output) {
  HostArray part;
  HostIn from;
  if (whole_rows(piece.input, input.shape)) {
    from = view_of(input, piece.input);
  } else {
    part = HostArray(shape_of(input.shape, piece.input));
    copy_region(input, piece.input, part.view(), {});
    from = std::as_const(part).view();
  }
  const Shape shape = request.algorithm->output_shape(request.params, from.shape);
  MemoryPlan need = plan_memory(request, from.shape);
  need.host_output = 0;
  executor.require_memory(request.algorithm->name, need);
  executor.set_input(from);
  const DeviceOut result = executor.linear_output(shape);
  executor.run(request, {.linear = result, .surface = 0, .shape = shape});
  Region own = piece.output;
  own.x -= piece.input.x;
  own.y -= piece.input.y;
  if (output.shape.depth > 1) own.z -= piece.input.z;
  if (whole_rows(own, shape) && whole_rows(piece.output, output.shape))
    return executor.download(own, view_of(output, piece.output));
  HostArray made(shape);
  executor.download(made.view());
  copy_region(std::as_const(made).view(), own, output, piece.output);
}

/// Computes layers of a volume from all of the input: as many at a time as fit into the memory of the device.
void run_layers_of(DeviceExecutor& executor, const RunRequest& request, const Region& share, HostIn input,
                   HostOut output, const std::stop_token& stop) {
  const Shape& whole = output.shape;
  MemoryPlan need = plan_memory(request, input.shape);
  need.host_output = 0;
  std::size_t free = executor.device().free_bytes() + executor.bytes_held();
  if (request.memory > 0) free = std::min(free, request.memory);
  std::int64_t at_once = share.depth;
  const auto slab = [&](std::int64_t first) {
    Region layers = share;
    layers.z = first;
    layers.depth = std::min(at_once, share.z + share.depth - first);
    return layers;
  };
  const auto fits = [&] {
    need.device_output = array_bytes(shape_of(whole, slab(share.z)), gpu::row_alignment);
    return need.device_bytes() <= free;
  };
  while (!fits() && at_once > 1)
    at_once = (at_once + 1) / 2;
  executor.require_memory(request.algorithm->name, need);
  if (request.algorithm->input != Kind::none) executor.set_input(input);
  for (std::int64_t first = share.z; first < share.z + share.depth && !stop.stop_requested(); first += at_once) {
    const Region layers = slab(first);
    DeviceOut all = executor.linear_output(shape_of(whole, layers));
    // The run writes these layers alone, at the places that they have in the whole volume.
    all.data -= static_cast<std::size_t>(first * whole.height) * all.pitch;
    all.shape = whole;
    RunRequest own = request;
    own.layers = {static_cast<int>(first), static_cast<int>(first + layers.depth)};
    executor.run(own, {.linear = all, .surface = 0, .shape = whole});
    executor.download(view_of(output, layers));
  }
}

/// Computes rows of a heightfield.
void run_rows_of(DeviceExecutor& executor, const RunRequest& request, const Region& share, HostIn input,
                 HostOut output) {
  RunRequest own = request;
  own.layers = {static_cast<int>(share.y), static_cast<int>(share.y + share.height)};
  MemoryPlan need = plan_memory(request, input.shape);
  need.host_output = 0;
  executor.require_memory(request.algorithm->name, need);
  if (request.algorithm->input != Kind::none) executor.set_input(input);
  executor.run(own, {.linear = executor.linear_output(output.shape), .surface = 0, .shape = output.shape});
  executor.download(share, view_of(output, share));
}

bool makes_layers(const RunRequest& request) {
  return request.algorithm->makes_layers != nullptr && request.algorithm->makes_layers(request.params);
}

}  // namespace

struct DeviceGroup::Shared {
  std::stop_token stop;
  Progress* progress = nullptr;
  std::mutex mutex = {};
  std::exception_ptr error = {};  ///< The first one.
  std::atomic<bool> failed = false;
  std::size_t done = 0, all = 0;

  [[nodiscard]] bool stopped() const { return failed || stop.stop_requested(); }
  void fail() {
    const std::lock_guard lock(mutex);
    if (!error) error = std::current_exception();
    failed = true;
  }
  void finish_piece() {
    const std::lock_guard lock(mutex);
    ++done;
    if (progress != nullptr) progress->report(static_cast<double>(done) / static_cast<double>(all));
  }
};

void DeviceGroup::run_side_by_side(const std::vector<std::function<void()>>& tasks, Shared& shared) {
  std::vector<std::jthread> threads;
  for (const std::function<void()>& task : tasks)
    threads.emplace_back([&] {
      try {
        task();
      } catch (...) {
        shared.fail();
      }
    });
}

std::string why_not_divisible(const RunRequest& request) {
  const AlgorithmInfo& algorithm = *request.algorithm;
  const std::string name = "devices: " + std::string(algorithm.name);
  if (request.backend != Backend::cuda)
    return "devices: " + std::string(name_of(request.backend)) + " runs on the CPU; several devices take backend cuda";
  if (makes_layers(request)) return "";
  if (algorithm.join) {
    const std::string why = algorithm.join->why_not(request.params);
    return why.empty() ? "" : name + " " + why + ", and is not divided among several";
  }
  if (!algorithm.halo || algorithm.input == Kind::none)
    return name + " needs all of its input for every part of the result, and is not divided among several";
  if (needs_preparation(request) || request.preparation)
    return name + " is prepared for the whole picture with these parameters, and is not divided among several";
  return "";
}

void require_divisible(const RunRequest& request) {
  if (const std::string why = why_not_divisible(request); !why.empty()) throw UsageError(why);
}

DeviceGroup::DeviceGroup(std::vector<gpu::Device*> devices) : devices_(std::move(devices)) {
  for (std::size_t worker = 0; worker < workers_per_device; ++worker)
    for (std::size_t device = 0; device < devices_.size(); ++device)
      workers_.push_back({device, std::make_unique<DeviceExecutor>(*devices_[device])});
}

bool DeviceGroup::usable() const {
  return std::ranges::all_of(devices_, [](gpu::Device* device) { return device->usable(); });
}

StageTimes DeviceGroup::run(const RunRequest& request, HostIn input, HostOut output, const std::stop_token& stop,
                            Progress* progress) {
  const trace::Span span(std::string(request.algorithm->name) + " on " + std::to_string(devices_.size()) + " devices",
                         "run");
  const auto start = std::chrono::steady_clock::now();
  Shared shared{.stop = stop, .progress = progress};
  if (makes_layers(request))
    run_layers(request, input, output, shared);
  else if (request.algorithm->join)
    run_joined(request, input, output, shared);
  else
    run_pieces(request, input, output, shared);
  if (shared.error) std::rethrow_exception(shared.error);
  if (stop.stop_requested()) throw Cancelled();
  return {.compute_ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count()};
}

void DeviceGroup::run_layers(const RunRequest& request, HostIn input, HostOut output, Shared& shared) {
  Region all = whole_of(output.shape);
  const bool volume = output.shape.kind == Kind::volume;
  const Axis axis = volume ? Axis{&Region::z, &Region::depth} : Axis{&Region::y, &Region::height};
  all.*axis.from = request.layers.first;
  all.*axis.size = std::min<std::int64_t>(request.layers.end, all.*axis.size) - request.layers.first;
  shared.all = std::min(devices_.size(), static_cast<std::size_t>(all.*axis.size));
  std::vector<std::function<void()>> tasks;
  for (std::size_t i = 0; i < shared.all; ++i)
    tasks.emplace_back([&, i] {
      const Region share = part_of(all, axis, static_cast<std::int64_t>(i), static_cast<std::int64_t>(shared.all));
      if (volume)
        run_layers_of(*workers_[i].executor, request, share, input, output, shared.stop);
      else
        run_rows_of(*workers_[i].executor, request, share, input, output);
      shared.finish_piece();
    });
  run_side_by_side(tasks, shared);
}

std::vector<std::size_t> DeviceGroup::bytes_held() const {
  std::vector<std::size_t> held(devices_.size());
  for (const Worker& worker : workers_)
    held[worker.device] += worker.executor->bytes_held();
  return held;
}

void DeviceGroup::run_joined(const RunRequest& request, HostIn input, HostOut output, Shared& shared) {
  const std::vector<SequencePart> parts = parts_of(request, input.shape, devices_, bytes_held());
  std::vector<HostArray> results(parts.size());
  shared.all = parts.size();
  // Each worker begins with a part of its own, so that all devices compute; whoever is ready first takes the next.
  std::atomic<std::size_t> next = std::min(workers_.size(), parts.size());
  std::vector<std::function<void()>> tasks;
  for (std::size_t worker = 0; worker < std::min(workers_.size(), parts.size()); ++worker)
    tasks.emplace_back([&, worker] {
      for (std::size_t i = worker; i < parts.size() && !shared.stopped(); i = next++) {
        const trace::Span part("part on device " + std::to_string(workers_[worker].device), "run");
        results[i] = run_part(*workers_[worker].executor, request, parts[i], input);
        shared.finish_piece();
      }
    });
  run_side_by_side(tasks, shared);
  if (shared.stopped()) return;
  std::vector<JoinPart> joined;
  for (std::size_t i = 0; i < parts.size(); ++i)
    joined.push_back({parts[i].first, std::as_const(results[i]).view()});
  const trace::Span join("join", "run");
  request.algorithm->join->run(
      request.params, {.in = input, .parts = joined, .out = output, .threads = max_threads(), .stop = shared.stop});
}

void DeviceGroup::run_pieces(const RunRequest& request, HostIn input, HostOut output, Shared& shared) {
  const std::vector<std::vector<Slab>> pieces = pieces_of(request, input.shape, output.shape, devices_, bytes_held());
  for (const std::vector<Slab>& own : pieces)
    shared.all += own.size();
  std::vector<std::atomic<std::size_t>> next(devices_.size());
  std::vector<std::function<void()>> tasks;
  for (const Worker& worker : workers_)
    tasks.emplace_back([&, device = worker.device, executor = worker.executor.get()] {
      const std::vector<Slab>& own = pieces[device];
      for (std::size_t i = next[device]++; i < own.size() && !shared.stopped(); i = next[device]++) {
        const trace::Span piece("piece on device " + std::to_string(device), "run");
        run_piece(*executor, request, own[i], input, output);
        shared.finish_piece();
      }
    });
  run_side_by_side(tasks, shared);
}

}  // namespace threadscape
