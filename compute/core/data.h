#pragma once
// Type-erased data: views that hold element type and extents at run time, and an array that owns host memory.

#include <cstddef>
#include <memory>
#include <type_traits>

#include "compute/core/errors.h"
#include "compute/core/shape.h"
#include "compute/kernel/views.h"

namespace threadscape {

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
    if (!holds<T>(shape)) throw UsageError("pixel type does not match " + to_string(shape));
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

/// Owns host memory for data of one shape, uninitialised at first. The memory is aligned to 64 bytes (a cache line, an
/// AVX-512 vector). Rows of images and heightfields are padded to a multiple of that; sequences and volumes are
/// contiguous.
class HostArray {
 public:
  HostArray() = default;
  /// Throws EnvironmentError if the memory cannot be allocated.
  explicit HostArray(const Shape& shape);
  HostArray(HostArray&&) noexcept = default;
  HostArray& operator=(HostArray&&) noexcept = default;

  /// An array of memory that belongs to `owner`, which lives as long as the array does. The memory holds the rows of
  /// the shape at the pitch that HostArray(shape) has, and is not written through the array.
  [[nodiscard]] static HostArray lent(std::shared_ptr<const void> owner, const std::byte* data, const Shape& shape);

  /// Bytes that an array of this shape allocates.
  [[nodiscard]] static std::size_t bytes_for(const Shape& shape);
  [[nodiscard]] HostArray clone() const;
  [[nodiscard]] const Shape& shape() const { return shape_; }
  [[nodiscard]] std::size_t pitch() const { return pitch_; }
  [[nodiscard]] bool empty() const { return data_ == nullptr; }
  [[nodiscard]] std::byte* data() { return data_.get(); }
  [[nodiscard]] const std::byte* data() const { return data_.get(); }

  [[nodiscard]] HostIn view() const { return {data_.get(), shape_, pitch_}; }
  [[nodiscard]] HostOut view() { return {data_.get(), shape_, pitch_}; }
  template <class T>
  [[nodiscard]] ImageView<const T> image() const {
    return view().template image<T>();
  }
  template <class T>
  [[nodiscard]] ImageView<T> image() {
    return view().template image<T>();
  }

 private:
  struct Free {
    std::shared_ptr<const void> owner;  ///< What the memory belongs to; null if it belongs to the array.
    void operator()(std::byte* p) const;
  };
  std::unique_ptr<std::byte[], Free> data_;
  Shape shape_;
  std::size_t pitch_ = 0;
};

/// Copies row by row between two views of the same shape, whose pitches may differ.
void copy(HostIn from, HostOut to);

}  // namespace threadscape
