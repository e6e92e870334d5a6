#pragma once
// Arrays of Python as data of the program, and back. NumPy arrays and whatever offers the buffer protocol or DLPack are
// read and written in place where their strides allow that.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <optional>
#include <string>
#include <string_view>

#include "compute/core/data.h"

namespace threadscape::python {

namespace nb = nanobind;

/// An array as an input. It keeps what its memory belongs to.
struct Input {
  HostIn view;
  bool rgb = false;           ///< Its pixels had three channels, to which an opaque alpha was added.
  nb::ndarray<nb::ro> array;  ///< The array that the view refers to, unless `copy` has the data.
  HostArray copy;
};

/// Memory for a result.
struct Output {
  HostOut view;
  nb::object array;     ///< The NumPy array or, with `out`, the object of the caller.
  nb::ndarray<> holds;  ///< Keeps the memory of the array alive.
};

/// Reads an array as data of this kind. `what` begins the messages of errors, for example with the name of an
/// algorithm. Rows of pictures and heightfields may lie apart; an array with other gaps is copied by NumPy, and so are
/// pixels with three channels. Throws UsageError for element types and numbers of dimensions that do not fit, and for
/// memory of a GPU.
[[nodiscard]] Input read_array(std::string_view what, Kind kind, nb::handle object);
/// The shape that read_array() returns, of an array whose memory need not hold its values.
[[nodiscard]] Shape read_shape(std::string_view what, Kind kind, nb::handle object);
/// The shape of an array as data of a kind; three channels are returned as such. Throws what read_array() throws.
[[nodiscard]] Shape shape_of(std::string_view what, Kind kind, const nb::ndarray<nb::ro>& array);
/// The distance between rows in bytes, if the array can be used where it lies: pixels of a row side by side, and rows
/// of pictures and heightfields at any distance that is a multiple of a pixel.
[[nodiscard]] std::optional<std::size_t> pitch_of(const Shape& shape, const nb::ndarray<nb::ro>& array);
[[nodiscard]] nb::dlpack::dtype dlpack_type_of(Element element);
/// A shape as NumPy states it: extents, outermost first, and the name of the dtype.
struct Described {
  nb::tuple extents;
  const char* dtype;
};
[[nodiscard]] Described described(const Shape& shape);
/// The beginning of messages about an array of the caller for a result of this shape.
[[nodiscard]] std::string wanted_for(const Shape& shape);
/// The distance between the rows of such an array. Throws UsageError unless dtype, shape and strides fit.
[[nodiscard]] std::size_t fitting_pitch(const Shape& shape, const nb::ndarray<nb::ro>& array);
/// An array of the caller for a result of this shape. Throws UsageError unless dtype, shape and strides fit and it can
/// be written.
[[nodiscard]] Output given_output(const Shape& shape, nb::handle object);
/// A new NumPy array for a result of this shape.
[[nodiscard]] Output new_output(const Shape& shape);
/// Returns whether the two share memory. If so, a result would overwrite values of the input that are still to be read.
[[nodiscard]] bool overlap(const HostIn& input, const HostOut& output);
/// The dimensions that an array of this kind has, for people: "(rows, columns) or (rows, columns, 4)".
[[nodiscard]] std::string_view dimensions_of(Kind kind);

}  // namespace threadscape::python
