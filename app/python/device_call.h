#pragma once
// A call whose arrays lie in the memory of a device, where the result is made as well.

#include <nanobind/nanobind.h>

#include <optional>

#include "app/python/device_arrays.h"
#include "compute/core/timings.h"
#include "compute/run/run_request.h"

namespace threadscape::python {

struct DeviceCall {
  CUstream_st* stream = nullptr;
  std::optional<CUstream_st*> source;  ///< Another stream, after whose work the input is there.
  DeviceIn input;
  HostArray made;  ///< The input of an algorithm that makes its own.
  DeviceOut output;
  bool rgb = false;    ///< The pixels of the input had three channels.
  bool waits = false;  ///< The result has no stream, so that it is there when the call returns.
  nb::object result, like;
  nb::object input_object, output_object;
  nb::ndarray<nb::ro> input_holds, output_holds;
};

/// What the options of a call say of its arrays; handles that are not valid stand for what is not said.
struct DeviceWishes {
  nb::handle device, stream, out;
};

/// Reads the arguments of a call: `array` is in the memory of a device, or there is none, and `out` is in one. Sets the
/// device of the request: that of the array, unless the options name it. Throws UsageError for what does not fit.
[[nodiscard]] DeviceCall prepare_on_device(RunRequest& request, nb::handle array, const DeviceWishes& wishes);

/// Queues the run on the stream of the call. With `timed` it waits for the result and returns the times. Called without
/// the lock of Python; throws what DeviceExecutor throws.
StageTimes run_on_device(const RunRequest& request, DeviceCall& call, bool timed);

/// The result as an array of the library of the input, or the array `out`.
[[nodiscard]] nb::object made_by(const DeviceCall& call);

}  // namespace threadscape::python
