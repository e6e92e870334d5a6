#include "app/python/call.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "app/python/arrays.h"
#include "app/python/device_call.h"
#include "compute/gpu/device.h"
#include "compute/run/device_group.h"
#include "compute/run/runner.h"

namespace threadscape::python {

namespace {

/// Runners that no call uses now, with the scratch memory that they keep.
class IdleRunners {
 public:
  std::unique_ptr<Runner> take() {
    const std::scoped_lock lock(mutex_);
    if (idle_.empty()) return std::make_unique<Runner>();
    std::unique_ptr<Runner> runner = std::move(idle_.back());
    idle_.pop_back();
    return runner;
  }
  void give_back(std::unique_ptr<Runner> runner) {
    const std::scoped_lock lock(mutex_);
    idle_.push_back(std::move(runner));
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Runner>> idle_;
};

/// A runner for one call.
class RunnerLease {
 public:
  RunnerLease() : runner_(idle().take()) {}
  ~RunnerLease() { idle().give_back(std::move(runner_)); }
  RunnerLease(const RunnerLease&) = delete;
  RunnerLease& operator=(const RunnerLease&) = delete;
  Runner& operator*() { return *runner_; }

 private:
  static IdleRunners& idle() {
    // They are never destroyed, because at the end of the process the driver of a device may be gone already.
    static auto* const runners = new IdleRunners;
    return *runners;
  }
  std::unique_ptr<Runner> runner_;
};

/// The value of a parameter as the text that ParamBox::assign() reads: numbers of any dimensions row by row.
std::string text_of(nb::handle value) {
  if (nb::isinstance<nb::str>(value)) return nb::cast<nb::str>(value).c_str();
  if (PyBool_Check(value.ptr())) return value.is(nb::handle(Py_True)) ? "true" : "false";
  if (PyLong_Check(value.ptr()) || PyFloat_Check(value.ptr())) return nb::str(value).c_str();
  if (nb::hasattr(value, "tolist")) return text_of(value.attr("tolist")());
  if (!PySequence_Check(value.ptr())) return nb::str(value).c_str();
  std::string text;
  for (const nb::handle item : value) {
    if (!text.empty()) text += ',';
    text += text_of(item);
  }
  return text;
}

template <class Integer>
Integer whole(std::string_view name, nb::handle value) {
  Integer number{};
  if (!nb::try_cast(value, number))
    throw UsageError(std::string(name) + ": " + nb::repr(value).c_str() + " is no whole number of its range");
  return number;
}

/// The arguments of a call.
struct Call {
  RunRequest request;
  Input input;
  Output output;
  std::optional<DeviceCall> on_device;  ///< Takes the place of input and output for arrays in the memory of a device.
};

/// Sets what the options say but variant and device, which depend on the backend, and what concerns arrays. Returns
/// those.
struct LateOptions : DeviceWishes {
  nb::handle variant, devices;
};
LateOptions assign_options(RunRequest& request, const nb::dict& options) {
  LateOptions late;
  for (const auto& [key, value] : options) {
    const std::string_view name = nb::cast<nb::str>(key).c_str();
    const auto or_none = [value = nb::handle(value)] { return value.is_none() ? nb::handle() : value; };
    if (name == "backend")
      request.backend = parse_backend(text_of(value));
    else if (name == "variant")
      late.variant = or_none();
    else if (name == "device")
      late.device = or_none();
    else if (name == "devices")
      late.devices = or_none();
    else if (name == "out")
      late.out = or_none();
    else if (name == "stream")
      late.stream = or_none();
    else if (name == "threads")
      request.threads = value.is_none() ? 0 : whole<int>(name, value);
    else if (name == "seed")
      request.seed = whole<std::uint64_t>(name, value);
    else
      request.params.assign(name, text_of(value));
  }
  return late;
}

/// Sets the devices among which a run is divided.
void assign_devices(RunRequest& request, const LateOptions& late) {
  if (late.device.is_valid()) throw UsageError("device: it is one of `devices` already");
  if (!PySequence_Check(late.devices.ptr()) || nb::len(late.devices) == 0)
    throw UsageError("devices: " + std::string(nb::repr(late.devices).c_str()) +
                     " is no list of numbers, such as (0, 1)");
  for (const nb::handle number : late.devices) {
    gpu::Device* const device = &gpu::devices().at(whole<int>("devices", number));
    if (std::ranges::count(request.devices, device) > 0) throw UsageError("devices: a device is named twice");
    request.devices.push_back(device);
  }
  request.device = request.devices.front();
  if (request.devices.size() == 1) request.devices.clear();
  if (is_divided(request)) require_divisible(request);
}

/// Sets all that the options say but what concerns arrays, which it returns.
DeviceWishes assign(RunRequest& request, const nb::dict& options) {
  const AlgorithmInfo& algorithm = *request.algorithm;
  request.params = algorithm.defaults();
  const LateOptions late = assign_options(request, options);
  if (late.variant.is_valid()) request.variant = algorithm.variant_index(request.backend, text_of(late.variant));
  if (request.backend == Backend::cuda && late.device.is_valid() && !gpu::devices().all().empty())
    request.device = &gpu::devices().at(whole<int>("device", late.device));
  if (late.devices.is_valid()) assign_devices(request, late);
  check(request);
  return late;
}

Call prepare(const AlgorithmInfo& algorithm, const nb::tuple& arrays, const nb::dict& options) {
  Call call;
  RunRequest& request = call.request;
  request.algorithm = &algorithm;
  const DeviceWishes wishes = assign(request, options);
  const std::string what(algorithm.name);
  if (arrays.size() > 1)
    throw UsageError(what + " takes one array, not " + std::to_string(arrays.size()) +
                     "; parameters are given by their names");
  const bool given = arrays.size() == 1 && !arrays[0].is_none();
  if (given && algorithm.input == Kind::none) throw UsageError(what + " takes no array");
  const nb::handle array = given ? nb::handle(arrays[0]) : nb::handle(), out = wishes.out;
  if (is_on_device(array) || (!given && is_on_device(out))) {
    call.on_device = prepare_on_device(request, array, wishes);
    return call;
  }
  if (wishes.stream.is_valid()) throw UsageError("stream: " + what + " takes one for arrays in the memory of a device");
  if (given) {
    call.input = read_array(what, algorithm.input, arrays[0]);
  } else if (algorithm.own_input) {
    const nb::gil_scoped_release released;
    call.input.copy = algorithm.own_input->make(request.params, request.seed);
    call.input.view = std::as_const(call.input.copy).view();
  } else if (algorithm.input != Kind::none) {
    throw UsageError(what + " takes an array " + std::string(dimensions_of(algorithm.input)));
  }
  const Shape shape = algorithm.output_shape(request.params, input_of(request, call.input.view.shape));
  if (!out.is_valid()) {
    call.output = new_output(shape);
    return call;
  }
  call.output = given_output(shape, out);
  if (overlap(call.input.view, call.output.view)) {
    call.input.copy = HostArray(call.input.view.shape);
    copy(call.input.view, call.input.copy.view());
    call.input.view = std::as_const(call.input.copy).view();
  }
  return call;
}

/// Runs a call. Without `timed` the result may be there later, in the order of the stream of the caller.
StageTimes run(Call& call, bool timed) {
  const nb::gil_scoped_release released;
  if (call.on_device) return run_on_device(call.request, *call.on_device, timed);
  RunnerLease runner;
  if (call.request.backend != Backend::cuda) return (*runner).run_into(call.request, call.input.view, call.output.view);
  const gpu::CallersDevice callers;
  return (*runner).run_into(call.request, call.input.view, call.output.view);
}

}  // namespace

RunRequest request_of(const AlgorithmInfo& algorithm, const nb::dict& options) {
  RunRequest request;
  request.algorithm = &algorithm;
  (void)assign(request, options);
  return request;
}

nb::object call(const AlgorithmInfo& algorithm, const nb::tuple& arrays, const nb::dict& options) {
  Call call = prepare(algorithm, arrays, options);
  run(call, false);
  if (call.on_device) return made_by(*call.on_device);
  if (algorithm.output == Kind::scalar) return call.output.array[nb::tuple()];
  if (call.input.rgb && call.output.view.shape.channels == 4)
    return call.output.array[nb::make_tuple(nb::ellipsis(), nb::slice(nb::none(), nb::int_(3), nb::none()))];
  return call.output.array;
}

nb::object make_layers(const AlgorithmInfo& algorithm, const nb::object& array, std::int64_t first, std::int64_t count,
                       const nb::dict& options) {
  const RunRequest request = request_of(algorithm, options);
  const Input input = read_array(algorithm.name, algorithm.input, array);
  Shape shape = algorithm.output_shape(request.params, input_of(request, input.view.shape));
  if (count < 1 || count > shape.depth)
    throw UsageError(std::string(algorithm.name) + ": " + std::to_string(count) + " of " + std::to_string(shape.depth) +
                     " layers");
  shape.depth = count;
  const Output output = new_output(shape);
  const nb::gil_scoped_release released;
  const gpu::CallersDevice callers;
  RunnerLease runner;
  (*runner).run_part_into(request, input.view, first, output.view);
  return output.array;
}

nb::list measure(const AlgorithmInfo& algorithm, int runs, const nb::tuple& arrays, const nb::dict& options) {
  if (runs < 1) throw UsageError("runs: " + std::to_string(runs) + ", accepted are whole numbers from 1 on");
  Call call = prepare(algorithm, arrays, options);
  run(call, true);
  nb::list times;
  for (int i = 0; i < runs; ++i)
    times.append(run(call, true).total_ms());
  return times;
}

}  // namespace threadscape::python
