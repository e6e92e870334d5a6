// The module threadscape._core: the rows of the registry as objects that are called. The package threadscape makes
// functions of them.

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <vector>

#include "app/python/arrays.h"
#include "app/python/call.h"
#include "app/python/description.h"
#include "app/python/device_arrays.h"
#include "app/python/scan.h"
#include "app/python/split.h"
#include "compute/gpu/device.h"
#include "compute/registry/registry.h"
#include "compute/run/similarity.h"
#include "compute/run/verify.h"

namespace threadscape::python {

namespace {

/// The exceptions of the program as those of Python. Sentences that name options of the command line name functions of
/// NumPy instead.
void translate(const std::exception_ptr& thrown, void*) {
  const auto says = [](const Error& error, std::string_view text) {
    return std::string_view(error.what()).find(text) != std::string_view::npos;
  };
  try {
    std::rethrow_exception(thrown);
  } catch (const UsageError& error) {
    std::string text = error.what();
    for (const auto& [option, dtype] :
         {std::pair{"--depth 8", ".astype(numpy.uint8)"}, std::pair{"--depth 16", ".astype(numpy.uint16)"},
          std::pair{"--depth float", ".astype(numpy.float32)"}})
      if (const std::size_t at = text.find(option); at != std::string::npos)
        text.replace(at, std::string_view(option).size(), dtype);
    PyErr_SetString(PyExc_ValueError, text.c_str());
  } catch (const DeviceError& error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  } catch (const DeviceLost& error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  } catch (const EnvironmentError& error) {
    const bool memory =
        says(error, "out of memory") || says(error, " bytes of host memory") || says(error, " bytes of device memory");
    PyErr_SetString(memory ? PyExc_MemoryError : PyExc_OSError, error.what());
  } catch (const Error& error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
}

/// The result of a comparison as a row of a table.
nb::dict compare_arrays(const nb::object& a, const nb::object& b) {
  const Kind kind = [&] {
    nb::ndarray<nb::ro> array;
    if (!nb::try_cast(a, array)) return Kind::image;
    return array.ndim() == 1 ? Kind::sequence : array.ndim() == 3 && array.shape(2) > 4 ? Kind::volume : Kind::image;
  }();
  const Input first = read_array("compare", kind, a), second = read_array("compare", kind, b);
  const Similarity found = [&] {
    const nb::gil_scoped_release released;
    return measure_similarity(first.view, second.view);
  }();
  nb::dict row;
  row["values"] = found.values;
  row["different"] = found.different;
  row["largest"] = found.largest.value;
  row["rmse"] = found.rmse;
  row["psnr_db"] = found.psnr_db;
  row["ssim"] = found.ssim;
  return row;
}

nb::list verify_algorithm(const AlgorithmInfo& algorithm, const std::vector<std::string>& backend_list,
                          std::uint64_t every) {
  VerifyOptions options;
  options.every = every;
  options.backends.clear();
  for (const std::string& name : backend_list)
    options.backends.push_back(parse_backend(name));
  std::vector<VerifyRow> found;
  {
    const nb::gil_scoped_release released;
    found = verify(algorithm, options);
  }
  nb::list rows;
  for (const VerifyRow& found_row : found) {
    nb::dict row;
    row["algorithm"] = algorithm.name;
    row["backend"] = name_of(found_row.backend);
    row["variant"] = algorithm.variants_of(found_row.backend)[static_cast<std::size_t>(found_row.variant)].name;
    row["compared"] = found_row.compared;
    row["skipped"] = found_row.skipped;
    row["failure"] = found_row.failure;
    rows.append(row);
  }
  return rows;
}

nb::list devices() {
  nb::list names;
  for (const auto& device : gpu::devices().all())
    names.append(nb::str(device->info().name.c_str()));
  return names;
}

}  // namespace

}  // namespace threadscape::python

NB_MODULE(_core, module) {
  namespace ts = threadscape;
  namespace py = threadscape::python;
  namespace nb = nanobind;
  nb::register_exception_translator(py::translate);
  nb::class_<ts::AlgorithmInfo>(module, "Algorithm")
      .def("__call__", [](const ts::AlgorithmInfo& algorithm, const nb::args& arrays,
                          const nb::kwargs& options) { return py::call(algorithm, arrays, options); })
      .def("describe", &py::describe)
      .def("result_of", &py::result_of, nb::arg("array"), nb::arg("options"))
      .def("inputs_of", &py::inputs_of, nb::arg("array"), nb::arg("regions"), nb::arg("options"))
      .def("has_regions", [](const ts::AlgorithmInfo& algorithm) { return algorithm.halo.has_value(); })
      .def("require_layers", &py::require_layers, nb::arg("options"))
      .def("make_layers", &py::make_layers, nb::arg("array"), nb::arg("first"), nb::arg("count"), nb::arg("options"))
      .def("spacing_of", &py::spacing_of, nb::arg("array"), nb::arg("options"))
      .def("takes_views", &py::takes_views)
      .def("measure", &py::measure, nb::arg("runs"), nb::arg("arrays"), nb::arg("options"))
      .def("verify", &py::verify_algorithm, nb::arg("backends"), nb::arg("every"));
  nb::list all;
  for (const ts::AlgorithmInfo& algorithm : ts::algorithms())
    all.append(nb::cast(&algorithm, nb::rv_policy::reference));
  module.attr("algorithms") = all;
  nb::class_<py::DeviceArray>(module, "DeviceArray")
      .def_prop_ro("__cuda_array_interface__", &py::DeviceArray::interface)
      .def("__dlpack_device__",
           [](const py::DeviceArray& array) { return nb::make_tuple(nb::device::cuda::value, array.ordinal()); })
      .def("__dlpack__",
           [](nb::handle self, const nb::kwargs& wishes) {
             if (wishes.contains("copy") && wishes["copy"].is(nb::handle(Py_True)))
               throw nb::buffer_error("a DeviceArray makes no copies");
             return nb::cast<const py::DeviceArray&>(self).capsule(self);
           })
      .def_prop_ro("shape", [](const py::DeviceArray& array) { return py::described(array.shape()).extents; })
      .def_prop_ro("dtype", [](const py::DeviceArray& array) { return py::described(array.shape()).dtype; });
  module.def("compare", &py::compare_arrays);
  module.def("devices", &py::devices);
}
