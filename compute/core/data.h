#pragma once
// An array that owns host memory for data whose element type and extents are known at run time.

#include <cstddef>
#include <memory>

#include "compute/core/data_view.h"
#include "compute/core/errors.h"

namespace threadscape {

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
