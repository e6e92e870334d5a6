#pragma once
// Non-owning views of pixels and voxels. The memory space is part of the type, so that a host view cannot be passed to
// a CUDA function by mistake. Views are trivially copyable, and kernels take them by value.

#include "compute/kernel/std.h"

namespace threadscape {

enum class Space : std::uint8_t { host, device };

/// A pixel with four channels. Algorithms copy alpha unchanged unless their description says otherwise.
struct alignas(4) Rgba8 {
  std::uint8_t r, g, b, a;
  friend bool operator==(const Rgba8&, const Rgba8&) = default;
};
struct alignas(8) Rgba16 {
  std::uint16_t r, g, b, a;
  friend bool operator==(const Rgba16&, const Rgba16&) = default;
};
struct alignas(16) Rgba32f {
  float r, g, b, a;
  friend bool operator==(const Rgba32f&, const Rgba32f&) = default;
};

/// A picture of width x height pixels of type T (std::uint8_t, Rgba8, float, ...). `pitch` is the distance between the
/// starts of two rows in pixels, at least `width`.
template <class T, Space S = Space::host>
struct ImageView {
  T* data = nullptr;
  int width = 0;
  int height = 0;
  std::ptrdiff_t pitch = 0;

  ImageView() = default;
  TS_HD constexpr ImageView(T* data_, int width_, int height_, std::ptrdiff_t pitch_)
      : data(data_), width(width_), height(height_), pitch(pitch_) {}
  /// Converts a view of mutable pixels to one of const pixels.
  template <class U>
  requires(std::is_const_v<T>&& std::is_same_v<const U, T>) TS_HD constexpr ImageView(const ImageView<U, S>& other)
      : data(other.data), width(other.width), height(other.height), pitch(other.pitch) {}

  TS_HD constexpr T& operator()(int x, int y) const { return data[y * pitch + x]; }
  TS_HD constexpr T* row(int y) const { return data + y * pitch; }
};

/// A volume of width x height x depth voxels. `pitch` and `slice_pitch` are the distances between the starts of two
/// rows and of two slices in voxels.
template <class T, Space S = Space::host>
struct VolumeView {
  T* data = nullptr;
  int width = 0;
  int height = 0;
  int depth = 0;
  std::ptrdiff_t pitch = 0;
  std::ptrdiff_t slice_pitch = 0;

  TS_HD constexpr T& operator()(int x, int y, int z) const { return data[z * slice_pitch + y * pitch + x]; }
};

/// A sequence of `size` contiguous values.
template <class T, Space S = Space::host>
struct SequenceView {
  T* data = nullptr;
  std::int64_t size = 0;

  TS_HD constexpr T& operator[](std::int64_t i) const { return data[i]; }
};

}  // namespace threadscape
