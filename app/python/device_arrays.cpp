#include "app/python/device_arrays.h"

#include <nanobind/stl/string.h>

#include <string>
#include <vector>

#include "app/python/arrays.h"
#include "compute/gpu/device.h"

namespace threadscape::python {

namespace {

constexpr const char* interface_name = "__cuda_array_interface__";

/// An attribute, or an invalid handle if there is none. Other errors than that are thrown.
nb::object attribute(nb::handle object, const char* name) {
  PyObject* const found = PyObject_GetAttrString(object.ptr(), name);
  if (found != nullptr) return nb::steal(found);
  if (!PyErr_ExceptionMatches(PyExc_AttributeError)) nb::raise_python_error();
  PyErr_Clear();
  return {};
}

/// The type that a text such as "<f4" names, in the byte order of the machine.
nb::dlpack::dtype type_named(std::string_view what, const std::string& text) {
  const char kind = text.size() == 3 && (text[0] == '<' || text[0] == '|') ? text[1] : '\0';
  const auto code = kind == 'u'   ? nb::dlpack::dtype_code::UInt
                    : kind == 'i' ? nb::dlpack::dtype_code::Int
                    : kind == 'f' ? nb::dlpack::dtype_code::Float
                                  : nb::dlpack::dtype_code::Complex;
  if (code == nb::dlpack::dtype_code::Complex)
    throw UsageError(std::string(what) + " takes no arrays of type '" + text +
                     "'; accepted are whole and real numbers in the machine's byte order");
  return {static_cast<std::uint8_t>(code), static_cast<std::uint8_t>((text[2] - '0') * 8), 1};
}

Offered from_interface(std::string_view what, nb::handle object, const nb::dict& facts) {
  if (facts.contains("mask") && !facts["mask"].is_none())
    throw UsageError(std::string(what) + " takes no masked arrays");
  const auto type = type_named(what, nb::cast<std::string>(facts["typestr"]));
  std::vector<std::size_t> extents;
  for (const nb::handle extent : facts["shape"])
    extents.push_back(nb::cast<std::size_t>(extent));
  std::vector<std::int64_t> strides;
  if (facts.contains("strides") && !facts["strides"].is_none())
    for (const nb::handle stride : facts["strides"]) {
      const auto bytes = nb::cast<std::int64_t>(stride);
      if (bytes % (type.bits / 8) != 0)
        throw UsageError(std::string(what) + " takes no arrays whose values lie at parts of their size");
      strides.push_back(bytes / (type.bits / 8));
    }
  const nb::tuple data = nb::cast<nb::tuple>(facts["data"]);
  Offered made;
  made.writable = !nb::cast<bool>(data[1]);
  const auto address = nb::cast<std::uintptr_t>(data[0]);
  made.array = nb::ndarray<nb::ro>(reinterpret_cast<const void*>(address), extents.size(), extents.data(), object,
                                   strides.empty() ? nullptr : strides.data(), type, nb::device::cuda::value, 0);
  if (facts.contains("stream") && !facts["stream"].is_none())
    made.stream = reinterpret_cast<CUstream_st*>(nb::cast<std::uintptr_t>(facts["stream"]));
  return made;
}

}  // namespace

bool is_on_device(nb::handle object) {
  if (!object.is_valid()) return false;
  // CuPy's arrays are buffers, too, which refuse to be read where their memory is the GPU's.
  if (attribute(object, interface_name).is_valid()) return true;
  if (PyObject_CheckBuffer(object.ptr()) != 0) return false;
  const nb::object device = attribute(object, "__dlpack_device__");
  if (!device.is_valid()) return false;
  const int type = nb::cast<int>(device()[0]);
  return type == nb::device::cuda::value || type == nb::device::cuda_managed::value;
}

Offered offered(std::string_view what, nb::handle object, CUstream_st* stream) {
  if (const nb::object facts = attribute(object, interface_name); facts.is_valid())
    return from_interface(what, object, nb::cast<nb::dict>(facts));
  // The library lets the stream wait for its values. That of all is called 1 here.
  const auto handle = reinterpret_cast<std::uintptr_t>(stream);
  const nb::object capsule = object.attr("__dlpack__")(nb::arg("stream") = handle == 0 ? 1 : handle);
  Offered made;
  nb::ndarray<> writable;
  made.writable = nb::try_cast(capsule, writable);
  made.array = made.writable ? nb::ndarray<nb::ro>(writable) : nb::cast<nb::ndarray<nb::ro>>(capsule);
  return made;
}

DeviceArray::DeviceArray(gpu::Device& device, const Shape& shape) : device_(device), shape_(shape) {
  const gpu::CallersDevice callers;
  memory_ = static_cast<std::byte*>(device.allocate(shape.bytes() > 0 ? shape.bytes() : 1));
}

DeviceArray::~DeviceArray() {
  const gpu::CallersDevice callers;
  device_.release(memory_);
}

DeviceOut DeviceArray::view() const {
  return {memory_, shape_, static_cast<std::size_t>(shape_.width) * shape_.pixel_bytes()};
}

nb::dict DeviceArray::interface() const {
  const Described what = described(shape_);
  nb::dict facts;
  facts["shape"] = what.extents;
  facts["typestr"] = nb::module_::import_("numpy").attr("dtype")(what.dtype).attr("str");
  facts["data"] = nb::make_tuple(reinterpret_cast<std::uintptr_t>(memory_), false);
  facts["strides"] = nb::none();
  facts["version"] = 3;
  return facts;
}

nb::object DeviceArray::capsule(nb::handle owner) const {
  const nb::tuple extents = described(shape_).extents;
  std::vector<std::size_t> sizes;
  for (const nb::handle extent : extents)
    sizes.push_back(nb::cast<std::size_t>(extent));
  const nb::ndarray<> array(memory_, sizes.size(), sizes.data(), owner, nullptr, dlpack_type_of(shape_.element),
                            nb::device::cuda::value, ordinal(), 'C');
  return nb::cast(array);
}

int DeviceArray::ordinal() const {
  return device_.info().ordinal > 0 ? device_.info().ordinal : 0;
}

}  // namespace threadscape::python
