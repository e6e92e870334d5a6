#pragma once
// Views of data whose element type and extents are known at run time.

#include <cstddef>
#include <type_traits>

#include "compute/core/shape.h"
#include "compute/kernel/views.h"

namespace threadscape {

class HostArray;  // compute/core/data.h

/// Throws UsageError: pixels of this shape were asked for as those of another type.
[[noreturn]] void refuse_pixel_type(const Shape& shape);

/// A non-owning view of data of any kind. `Byte` is std::byte or const std::byte; `pitch` is in bytes.
template <class Byte, Space S>
struct DataView {
  Byte* data = nullptr;
  Shape shape;
  std::size_t pitch = 0;

  DataView() = default;
  DataView(Byte* data_, const Shape& shape_, std::size_t pitch_) : data(data_), shape(shape_), pitch(pitch_) {}
  template <class Other>
  requires(std::is_const_v<Byte>&& std::is_same_v<const Other, Byte>) DataView(const DataView<Other, S>& other)
      : data(other.data), shape(other.shape), pitch(other.pitch) {}

  template <class T>
  using Qualified = std::conditional_t<std::is_const_v<Byte>, const T, T>;

  /// A typed view of the same pixels. Throws UsageError if T is not the pixel type of the shape; so do the two below.
  template <class T>
  [[nodiscard]] ImageView<Qualified<T>, S> image() const {
    require<T>();
    return {reinterpret_cast<Qualified<T>*>(data), static_cast<int>(shape.width), static_cast<int>(shape.height),
            static_cast<std::ptrdiff_t>(pitch / sizeof(T))};
  }
  template <class T>
  [[nodiscard]] SequenceView<Qualified<T>, S> sequence() const {
    require<T>();
    return {reinterpret_cast<Qualified<T>*>(data), shape.width};
  }
  template <class T>
  [[nodiscard]] VolumeView<Qualified<T>, S> volume() const {
    require<T>();
    const auto row = static_cast<std::ptrdiff_t>(pitch / sizeof(T));
    return {reinterpret_cast<Qualified<T>*>(data),
            static_cast<int>(shape.width),
            static_cast<int>(shape.height),
            static_cast<int>(shape.depth),
            row,
            row * static_cast<std::ptrdiff_t>(shape.height)};
  }

 private:
  template <class T>
  void require() const {
    if (!holds<T>(shape)) refuse_pixel_type(shape);
  }
};

/// Bytes from the start of one row to the start of the next. Rows of images and heightfields are padded to a multiple
/// of `alignment` bytes; rows of sequences and volumes are not padded.
[[nodiscard]] std::size_t row_bytes(const Shape& shape, std::size_t alignment);
/// Bytes of all rows, with their padding. Throws EnvironmentError for shapes that no memory can hold.
[[nodiscard]] std::size_t array_bytes(const Shape& shape, std::size_t alignment);

using HostIn = DataView<const std::byte, Space::host>;
using HostOut = DataView<std::byte, Space::host>;
using DeviceIn = DataView<const std::byte, Space::device>;
using DeviceOut = DataView<std::byte, Space::device>;

}  // namespace threadscape
