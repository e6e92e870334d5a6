#include "app/python/arrays.h"

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "compute/core/kind_info.h"
#include "compute/core/machine.h"

namespace threadscape::python {

namespace {

struct ElementName {
  Element element;
  std::uint8_t code, bits;
  const char* dtype;
};

constexpr auto code_of(nb::dlpack::dtype_code code) {
  return static_cast<std::uint8_t>(code);
}

constexpr std::array<ElementName, 7> element_names{{
    {Element::u8, code_of(nb::dlpack::dtype_code::UInt), 8, "uint8"},
    {Element::u16, code_of(nb::dlpack::dtype_code::UInt), 16, "uint16"},
    {Element::u32, code_of(nb::dlpack::dtype_code::UInt), 32, "uint32"},
    {Element::i32, code_of(nb::dlpack::dtype_code::Int), 32, "int32"},
    {Element::i64, code_of(nb::dlpack::dtype_code::Int), 64, "int64"},
    {Element::f32, code_of(nb::dlpack::dtype_code::Float), 32, "float32"},
    {Element::f64, code_of(nb::dlpack::dtype_code::Float), 64, "float64"},
}};

const ElementName& name_of_element(Element element) {
  for (const ElementName& name : element_names)
    if (name.element == element) return name;
  throw std::logic_error("an element type without a dtype");
}

std::optional<Element> element_of(nb::dlpack::dtype type) {
  for (const ElementName& name : element_names)
    if (name.code == type.code && name.bits == type.bits && type.lanes == 1) return name.element;
  return std::nullopt;
}

/// The extents of an array of this shape, outermost first, as NumPy counts them.
std::vector<std::int64_t> extents_of(const Shape& shape) {
  std::vector<std::int64_t> extents;
  const int dimensions = info_of(shape.kind).dimensions;
  if (dimensions > 2) extents.push_back(shape.depth);
  if (dimensions > 1 || shape.height > 1) extents.push_back(shape.height);
  if (dimensions > 0) extents.push_back(shape.width);
  if (shape.channels > 1) extents.push_back(shape.channels);
  return extents;
}

template <class... Config>
std::string shape_text(const nb::ndarray<Config...>& array) {
  std::string text = "(";
  for (std::size_t i = 0; i < array.ndim(); ++i)
    text += (i == 0 ? "" : ", ") + std::to_string(array.shape(i));
  return text + (array.ndim() == 1 ? ",)" : ")");
}

template <class... Config>
std::string dtype_text(const nb::ndarray<Config...>& array) {
  if (const auto element = element_of(array.dtype())) return name_of_element(*element).dtype;
  constexpr std::array<std::string_view, 7> codes{"int", "uint", "float", "handle", "bfloat", "complex", "bool"};
  const auto type = array.dtype();
  return (type.code < codes.size() ? std::string(codes[type.code]) : "type ") + std::to_string(type.bits);
}

/// pitch_of() for arrays that may be written, too.
template <class... Config>
std::optional<std::size_t> row_distance(const Shape& shape, const nb::ndarray<Config...>& array) {
  const std::vector<std::int64_t> extents = extents_of(shape);
  const auto pixel = static_cast<std::int64_t>(shape.pixel_bytes());
  const auto item = static_cast<std::int64_t>(size_of(shape.element));
  const std::int64_t alignment = shape.channels == 1 ? item : pixel;
  if (reinterpret_cast<std::uintptr_t>(array.data()) % static_cast<std::uintptr_t>(alignment) != 0) return std::nullopt;
  std::int64_t expected = item, pitch = shape.width * pixel;
  const std::size_t innermost = extents.size() - (shape.channels > 1 ? 2 : 1);
  for (std::size_t i = extents.size(); i-- > 0;) {
    const std::int64_t stride = array.stride(i) * item;
    const bool row = info_of(shape.kind).dimensions == 2 && i + 1 == innermost;
    if (extents[i] > 1 && stride != expected) {
      if (!row || stride < expected || stride % pixel != 0) return std::nullopt;
      expected = pitch = stride;
    }
    expected *= extents[i];
  }
  return static_cast<std::size_t>(pitch);
}

[[noreturn]] void refuse(std::string_view what, Kind kind, const nb::ndarray<nb::ro>& array) {
  throw UsageError(std::string(what) + " takes one " + std::string(info_of(kind).user_name) + ", an array " +
                   std::string(dimensions_of(kind)) + ", not one of shape " + shape_text(array));
}

}  // namespace

Shape shape_of(std::string_view what, Kind kind, const nb::ndarray<nb::ro>& array) {
  const auto element = element_of(array.dtype());
  if (!element)
    throw UsageError(std::string(what) + " takes no arrays of " + dtype_text(array) +
                     "; accepted are uint8, uint16, uint32, int32, int64, float32 and float64 in the machine's byte "
                     "order, as far as the algorithm takes them");
  const KindInfo& info = info_of(kind);
  const auto dimensions = static_cast<std::size_t>(info.dimensions);
  Shape shape{.kind = kind, .element = *element, .channels = 1, .width = 1, .height = 1, .depth = 1};
  const bool coloured = info.coloured && array.ndim() == dimensions + 1;
  if (coloured) {
    const std::size_t channels = array.shape(dimensions);
    if (channels != 3 && channels != 4) refuse(what, kind, array);
    shape.channels = static_cast<int>(channels);
  } else if (array.ndim() != dimensions) {
    refuse(what, kind, array);
  }
  const std::array<std::int64_t*, 3> extents{&shape.width, &shape.height, &shape.depth};
  for (std::size_t i = 0; i < dimensions; ++i) {
    *extents[i] = static_cast<std::int64_t>(array.shape(dimensions - 1 - i));
    if (kind != Kind::sequence && kind != Kind::mesh && *extents[i] > std::numeric_limits<int>::max())
      throw UsageError(std::string(what) + ": no extent may be above 2147483647, and the array has shape " +
                       shape_text(array));
  }
  return shape;
}

std::optional<std::size_t> pitch_of(const Shape& shape, const nb::ndarray<nb::ro>& array) {
  return row_distance(shape, array);
}

nb::dlpack::dtype dlpack_type_of(Element element) {
  const ElementName& name = name_of_element(element);
  return {name.code, name.bits, 1};
}

namespace {

std::optional<nb::ndarray<nb::ro>> imported(nb::handle object) {
  nb::ndarray<nb::ro> array;
  if (nb::try_cast(object, array)) return array;
  return std::nullopt;
}

nb::ndarray<nb::ro> by_numpy(std::string_view what, nb::handle object) {
  auto array = imported(nb::module_::import_("numpy").attr("ascontiguousarray")(object));
  if (!array) throw UsageError(std::string(what) + ": the argument is no array of numbers");
  return *array;
}

/// Adds an opaque alpha to pixels of three values that lie one after another.
template <class T>
void add_alpha(const void* from, HostOut to, T opaque) {
  const T* source = static_cast<const T*>(from);
  for (std::int64_t y = 0; y < to.shape.height * to.shape.depth; ++y) {
    T* row = reinterpret_cast<T*>(to.data + static_cast<std::size_t>(y) * to.pitch);
    for (std::int64_t x = 0; x < to.shape.width; ++x, source += 3) {
      for (int i = 0; i < 3; ++i)
        row[4 * x + i] = source[i];
      row[4 * x + 3] = opaque;
    }
  }
}

void expand(std::string_view what, nb::handle object, Input& input, Shape shape) {
  input.rgb = true;
  input.array = by_numpy(what, object);
  shape.channels = 4;
  input.copy = HostArray(shape);
  const void* from = input.array.data();
  switch (shape.element) {
    case Element::u8:
      add_alpha<std::uint8_t>(from, input.copy.view(), 0xff);
      break;
    case Element::u16:
      add_alpha<std::uint16_t>(from, input.copy.view(), 0xffff);
      break;
    case Element::f32:
      add_alpha<float>(from, input.copy.view(), 1.0f);
      break;
    default:
      throw UsageError(std::string(what) + " takes colours of uint8, uint16 or float32, not of " +
                       dtype_text(input.array));
  }
  input.view = std::as_const(input.copy).view();
}

}  // namespace

std::string_view dimensions_of(Kind kind) {
  switch (kind) {
    case Kind::image:
      return "(rows, columns), (rows, columns, 3) or (rows, columns, 4)";
    case Kind::heightfield:
      return "(rows, columns)";
    case Kind::volume:
      return "(slices, rows, columns)";
    case Kind::clip:
      return "(frames, rows, columns), (frames, rows, columns, 3) or (frames, rows, columns, 4)";
    case Kind::sequence:
    case Kind::mesh:
      return "(values,)";
    case Kind::none:
    case Kind::scalar:
      return "()";
  }
  return "";
}

Described described(const Shape& shape) {
  const std::vector<std::int64_t> extents = extents_of(shape);
  Described made{nb::steal<nb::tuple>(PyTuple_New(static_cast<Py_ssize_t>(extents.size()))),
                 name_of_element(shape.element).dtype};
  for (std::size_t i = 0; i < extents.size(); ++i)
    PyTuple_SetItem(made.extents.ptr(), static_cast<Py_ssize_t>(i), PyLong_FromLongLong(extents[i]));
  return made;
}

Shape read_shape(std::string_view what, Kind kind, nb::handle object) {
  const auto array = imported(object);
  if (!array) throw UsageError(std::string(what) + ": the argument is no array of numbers");
  Shape shape = shape_of(what, kind, *array);
  if (shape.channels == 3) shape.channels = 4;
  return shape;
}

std::string wanted_for(const Shape& shape) {
  return "out: the result is " + to_string(shape) + ", for which ";
}

Input read_array(std::string_view what, Kind kind, nb::handle object) {
  Input input;
  auto array = imported(object);
  if (array && array->device_type() != nb::device::cpu::value)
    throw UsageError(std::string(what) +
                     ": the array lies in the memory of a device; accepted are arrays in host memory");
  input.array = array ? *array : by_numpy(what, object);
  const Shape shape = shape_of(what, kind, input.array);
  if (shape.channels == 3) {
    expand(what, object, input, shape);
    return input;
  }
  std::optional<std::size_t> pitch = pitch_of(shape, input.array);
  if (!pitch) {
    input.array = by_numpy(what, object);
    pitch = pitch_of(shape, input.array);
  }
  const HostIn view{static_cast<const std::byte*>(input.array.data()), shape,
                    pitch ? *pitch : static_cast<std::size_t>(shape.width) * shape.pixel_bytes()};
  input.view = view;
  if (!pitch) {
    // NumPy takes pixels of four values for ordered whatever their alignment, which code for whole pixels relies on.
    input.copy = HostArray(shape);
    copy(view, input.copy.view());
    input.view = std::as_const(input.copy).view();
  }
  return input;
}

std::size_t fitting_pitch(const Shape& shape, const nb::ndarray<nb::ro>& array) {
  const std::vector<std::int64_t> extents = extents_of(shape);
  bool fits = element_of(array.dtype()) == shape.element && array.ndim() == extents.size();
  for (std::size_t i = 0; fits && i < extents.size(); ++i)
    fits = static_cast<std::int64_t>(array.shape(i)) == extents[i];
  if (!fits)
    throw UsageError(wanted_for(shape) + "an array of " + name_of_element(shape.element).dtype +
                     " is needed, not one of " + dtype_text(array) + " and shape " + shape_text(array));
  const auto pitch = pitch_of(shape, array);
  if (!pitch) throw UsageError(wanted_for(shape) + "the pixels of a row must lie side by side, in aligned memory");
  return *pitch;
}

Output given_output(const Shape& shape, nb::handle object) {
  Output output;
  if (!nb::try_cast(object, output.holds) || output.holds.device_type() != nb::device::cpu::value)
    throw UsageError(wanted_for(shape) + "a writable array in host memory is needed");
  output.array = nb::borrow(object);
  output.view = {static_cast<std::byte*>(output.holds.data()), shape,
                 fitting_pitch(shape, nb::ndarray<nb::ro>(output.holds))};
  return output;
}

Output new_output(const Shape& shape) {
  // NumPy would take memory that the system does not have.
  if (const auto free = free_host_bytes_below(shape.bytes()))
    throw EnvironmentError("out of memory: " + to_string(shape) + " takes " + std::to_string(shape.bytes()) +
                           " bytes, " + std::to_string(*free) + " are free");
  // They live as long as the process, because looking for them takes longer than filtering a small picture.
  static const auto* const empty = new nb::object(nb::module_::import_("numpy").attr("empty"));
  static const auto* const types = [] {
    auto* const all = new std::array<nb::object, element_names.size()>;
    for (std::size_t i = 0; i < all->size(); ++i)
      (*all)[i] = nb::module_::import_("numpy").attr("dtype")(element_names[i].dtype);
    return all;
  }();
  const auto type = static_cast<std::size_t>(&name_of_element(shape.element) - element_names.data());
  Output output;
  output.array = (*empty)(described(shape).extents, (*types)[type]);
  output.holds = nb::cast<nb::ndarray<>>(output.array);
  output.view = {static_cast<std::byte*>(output.holds.data()), shape,
                 static_cast<std::size_t>(shape.width) * shape.pixel_bytes()};
  return output;
}

bool overlap(const HostIn& input, const HostOut& output) {
  const auto end = [](const auto& view) {
    return reinterpret_cast<std::uintptr_t>(view.data) +
           view.pitch * static_cast<std::size_t>(view.shape.height * view.shape.depth);
  };
  return reinterpret_cast<std::uintptr_t>(input.data) < end(output) &&
         reinterpret_cast<std::uintptr_t>(output.data) < end(input);
}

}  // namespace threadscape::python
