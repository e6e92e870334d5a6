#pragma once
// Arrays of Python in the memory of a device: what has `__cuda_array_interface__`, as those of CuPy, PyTorch and Numba,
// or DLPack of a GPU, as those of JAX. Nothing of them passes through the host.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <optional>
#include <string_view>

#include "compute/core/data.h"
#include "compute/core/device_run.h"

namespace threadscape::python {

namespace nb = nanobind;

/// Returns whether the object is an array in the memory of a device. Throws what its attributes throw, such as the
/// error of a tensor that records gradients.
[[nodiscard]] bool is_on_device(nb::handle object);

/// An array as its library offers it.
struct Offered {
  nb::ndarray<nb::ro> array;
  std::optional<CUstream_st*> stream;  ///< The stream after whose work the values are there, if it is named.
  bool writable = true;
};
/// Takes what is_on_device(), for work on `stream`. `what` begins the messages of errors.
[[nodiscard]] Offered offered(std::string_view what, nb::handle object, CUstream_st* stream);

/// Memory of a device that belongs to Python: a result for libraries of which no array can be made. It has
/// `__cuda_array_interface__` and DLPack. Its values are there when a call returns it.
class DeviceArray {
 public:
  DeviceArray(gpu::Device& device, const Shape& shape);
  ~DeviceArray();
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  [[nodiscard]] DeviceOut view() const;
  [[nodiscard]] nb::dict interface() const;
  /// The capsule of DLPack. `owner` is the object of Python that this is.
  [[nodiscard]] nb::object capsule(nb::handle owner) const;
  [[nodiscard]] int ordinal() const;
  [[nodiscard]] const Shape& shape() const { return shape_; }

 private:
  gpu::Device& device_;
  Shape shape_;
  std::byte* memory_;
};

}  // namespace threadscape::python
