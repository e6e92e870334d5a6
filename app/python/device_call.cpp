#include "app/python/device_call.h"

#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "app/python/arrays.h"
#include "compute/gpu/device.h"
#include "compute/run/device_executor.h"

namespace threadscape::python {

namespace {

/// Executors that no call uses now, with the memory that they keep.
class IdleExecutors {
 public:
  std::unique_ptr<DeviceExecutor> take(gpu::Device& device) {
    {
      const std::scoped_lock lock(mutex_);
      std::erase_if(idle_, [](const auto& executor) { return !executor->device().usable(); });
      for (std::size_t i = idle_.size(); i-- > 0;)
        if (&idle_[i]->device() == &device) {
          std::unique_ptr<DeviceExecutor> found = std::move(idle_[i]);
          idle_.erase(idle_.begin() + static_cast<std::ptrdiff_t>(i));
          return found;
        }
    }
    return std::make_unique<DeviceExecutor>(device);
  }
  void give_back(std::unique_ptr<DeviceExecutor> executor) {
    const std::scoped_lock lock(mutex_);
    idle_.push_back(std::move(executor));
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<DeviceExecutor>> idle_;
};

IdleExecutors& idle() {
  // They are never destroyed, because at the end of the process the driver of a device may be gone already.
  static auto* const executors = new IdleExecutors;
  return *executors;
}

/// An executor that queues on a stream of the caller for one call.
class Lease {
 public:
  Lease(gpu::Device& device, CUstream_st* stream) : executor_(idle().take(device)) { executor_->queue_on(stream); }
  ~Lease() {
    try {
      executor_->queue_on(std::nullopt);
      idle().give_back(std::move(executor_));
    } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): the device is lost, and this executor with it.
    }
  }
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;
  DeviceExecutor& operator*() { return *executor_; }

 private:
  std::unique_ptr<DeviceExecutor> executor_;
};

/// The functions of gpu_arrays.py.
nb::object library() {
  return nb::module_::import_("threadscape.gpu_arrays");
}

CUstream_st* stream_from(nb::handle handle) {
  return reinterpret_cast<CUstream_st*>(nb::cast<std::uintptr_t>(handle));
}

std::uintptr_t number_of(CUstream_st* stream) {
  return reinterpret_cast<std::uintptr_t>(stream);
}

/// Returns whether the device can copy from and to memory of the caller.
bool reaches(gpu::Device& device, const void* memory) {
  return device.info().ordinal == gpu::emulated_ordinal || device.holds(memory);
}

/// The device on which a call works: the one that the options name, or the one that has the memory.
gpu::Device& device_for(std::string_view what, const void* memory, nb::handle wish) {
  const gpu::CallersDevice callers;
  gpu::Devices& devices = gpu::devices();
  if (!wish.is_valid())
    for (const auto& device : devices.all())
      if (device->holds(memory)) return *device;
  int ordinal = 0;
  if (wish.is_valid() && !nb::try_cast(wish, ordinal))
    throw UsageError("device: " + std::string(nb::repr(wish).c_str()) + " is no whole number of its range");
  gpu::Device& device = wish.is_valid() ? devices.at(ordinal) : devices.first();
  device.require();
  if (!reaches(device, memory))
    throw UsageError(std::string(what) + ": the array does not lie in the memory of " + device.info().name);
  return device;
}

/// Returns whether kernels may work on an array of the caller in place. They load and store several pixels at once
/// where rows are aligned, and use the padding of rows, which an array of the caller lacks.
template <class View>
bool in_place(const View& view, gpu::Device& device) {
  if (!device.holds(view.data)) return false;  // Kernels of the emulated device reach its own memory alone.
  if (reinterpret_cast<std::uintptr_t>(view.data) % gpu::row_alignment != 0) return false;
  const std::size_t row = static_cast<std::size_t>(view.shape.width) * view.shape.pixel_bytes();
  return view.pitch == row && row_bytes(view.shape, gpu::row_alignment) == row;
}

template <class In, class Out>
bool overlapping(const In& in, const Out& out) {
  const auto begin = [](const auto& view) { return reinterpret_cast<std::uintptr_t>(view.data); };
  const auto end = [&](const auto& view) {
    return begin(view) + view.pitch * static_cast<std::size_t>(view.shape.height * view.shape.depth);
  };
  return begin(in) < end(out) && begin(out) < end(in);
}

void copy_within(DeviceExecutor& executor, const DeviceIn& from, const DeviceOut& to) {
  executor.guarded([&] {
    executor.device().copy({.from = from.data,
                            .from_pitch = from.pitch,
                            .to = to.data,
                            .to_pitch = to.pitch,
                            .row_bytes = static_cast<std::size_t>(from.shape.width) * from.shape.pixel_bytes(),
                            .rows = static_cast<std::size_t>(from.shape.height * from.shape.depth)},
                           gpu::CopyKind::within_device, executor.stream());
  });
}

void read_input(DeviceCall& call, const AlgorithmInfo& algorithm, nb::handle array) {
  const std::string what(algorithm.name);
  if (algorithm.input == Kind::mesh)
    throw UsageError(what + ": meshes are checked on the host before they are drawn; give an array in host memory");
  call.input_object = nb::borrow(array);
  Offered found = offered(what, array, call.stream);
  Shape shape = shape_of(what, algorithm.input, found.array);
  if (shape.channels == 3) {
    call.rgb = true;
    shape.channels = 4;
    call.input_object = library().attr("opaque")(array, number_of(call.stream));
    if (call.input_object.is_none())
      throw UsageError(what + ": arrays of three channels are taken from CuPy and PyTorch; add a fourth channel");
    found = offered(what, call.input_object, call.stream);
  }
  std::optional<std::size_t> pitch = pitch_of(shape, found.array);
  if (!pitch) {
    call.input_object = library().attr("contiguous")(array, number_of(call.stream));
    if (call.input_object.is_none())
      throw UsageError(what + ": the pixels of a row must lie side by side, in aligned memory of the device");
    found = offered(what, call.input_object, call.stream);
    pitch = pitch_of(shape, found.array);
    if (!pitch) throw UsageError(what + ": the memory of the array is not aligned to its pixels");
  }
  if (found.stream && *found.stream != call.stream) call.source = found.stream;
  call.input_holds = found.array;
  call.input = {static_cast<const std::byte*>(found.array.data()), shape, *pitch};
}

void make_output(DeviceCall& call, const Shape& shape, gpu::Device& device, nb::handle out) {
  if (out.is_valid()) {
    if (!is_on_device(out)) throw UsageError(wanted_for(shape) + "an array in the memory of the device is needed");
    call.result = nb::borrow(out);
  } else {
    const Described what = described(shape);
    call.result = library().attr("empty")(call.like, what.extents, what.dtype, number_of(call.stream));
    if (call.result.is_none()) {
      auto made = std::make_unique<DeviceArray>(device, shape);
      call.output = made->view();
      call.output_object = nb::cast(made.release(), nb::rv_policy::take_ownership);
      call.waits = true;
      call.result = call.output_object;
      return;
    }
  }
  call.output_object = call.result;
  const Offered found = offered("out", call.result, call.stream);
  if (!found.writable) throw UsageError("out: the array is read-only");
  const std::size_t pitch = fitting_pitch(shape, found.array);
  const gpu::CallersDevice callers;
  if (!reaches(device, found.array.data()))
    throw UsageError("out: the array does not lie in the memory of the device that computes, " + device.info().name);
  call.output_holds = found.array;
  call.output = {static_cast<std::byte*>(const_cast<void*>(found.array.data())), shape, pitch};  // NOLINT: writable.
}

/// The preparation of a run, which is made on the host.
std::shared_ptr<const Preparation> prepared(const RunRequest& request, const DeviceCall& call,
                                            DeviceExecutor& executor) {
  if (call.made.shape().items() > 0) return make_preparation(request, call.made.view(), {}, nullptr);
  HostArray input(call.input.shape);
  executor.guarded([&] { gpu::download(call.input, input.view(), executor.stream()); });
  executor.wait();
  return make_preparation(request, std::as_const(input).view(), {}, nullptr);
}

}  // namespace

DeviceCall prepare_on_device(RunRequest& request, nb::handle array, const DeviceWishes& wishes) {
  const AlgorithmInfo& algorithm = *request.algorithm;
  const std::string what(algorithm.name);
  if (request.backend != Backend::cuda)
    throw UsageError(what + ": the array lies in the memory of a device, where backend=\"cuda\" computes; copy it to " +
                     "the host for " + std::string(name_of(request.backend)));
  if (is_divided(request))
    throw UsageError("devices: " + what + " divides arrays in host memory; this one is on a device");
  DeviceCall call;
  call.like = nb::borrow(array.is_valid() ? array : wishes.out);
  call.stream = stream_from(wishes.stream.is_valid() ? library().attr("handle_of")(wishes.stream)
                                                     : library().attr("stream_of")(call.like));
  Shape shape;
  if (array.is_valid()) {
    read_input(call, algorithm, array);
    shape = call.input.shape;
  } else if (algorithm.own_input) {
    const nb::gil_scoped_release released;
    call.made = algorithm.own_input->make(request.params, request.seed);
    shape = call.made.shape();
  } else if (algorithm.input != Kind::none) {
    throw UsageError(what + " takes an array " + std::string(dimensions_of(algorithm.input)));
  }
  const void* const memory = array.is_valid() ? call.input.data : offered("out", wishes.out, call.stream).array.data();
  request.device = &device_for(what, memory, wishes.device);
  make_output(call, algorithm.output_shape(request.params, input_of(request, shape)), *request.device, wishes.out);
  return call;
}

StageTimes run_on_device(const RunRequest& request, DeviceCall& call, bool timed) {
  const gpu::CallersDevice callers;
  gpu::Device& device = device_of(request);
  Lease lease(device, call.stream);
  DeviceExecutor& executor = *lease;
  if (call.source)
    executor.guarded([&] {
      gpu::OrderEvent written(device);
      written.record({*call.source, &device});
      written.hold(executor.stream());
    });
  const bool takes_array = call.input.data != nullptr, takes_made = call.made.shape().items() > 0;
  const bool direct_input = takes_array && in_place(call.input, device) && !overlapping(call.input, call.output);
  const bool direct_output = in_place(call.output, device);
  MemoryPlan need = plan_memory(request, takes_made ? call.made.shape() : call.input.shape);
  need.host_output = 0;
  if (direct_input) need.device_input = 0;
  if (direct_output) need.device_output = 0;
  executor.require_memory(request.algorithm->name, need);
  RunRequest ready = request;
  if (needs_preparation(request)) ready.preparation = prepared(request, call, executor);
  if (takes_made)
    executor.set_input(std::as_const(call.made).view());
  else if (direct_input)
    executor.set_input(call.input);
  else if (takes_array)
    copy_within(executor, call.input, executor.input_memory(call.input.shape));
  const DeviceOut output = direct_output ? call.output : executor.linear_output(call.output.shape);
  executor.run(ready, {.linear = output, .surface = 0, .shape = output.shape});
  if (!direct_output) copy_within(executor, output, call.output);
  StageTimes times;
  if (timed || call.waits || takes_made || ready.preparation) executor.wait();
  if (timed) times = executor.poll().value_or(StageTimes{});
  return times;
}

nb::object made_by(const DeviceCall& call) {
  if (call.waits) return library().attr("handed_over")(call.like, call.result);
  if (call.rgb && call.output.shape.channels == 4)
    return call.result[nb::make_tuple(nb::ellipsis(), nb::slice(nb::none(), nb::int_(3), nb::none()))];
  return call.result;
}

}  // namespace threadscape::python
