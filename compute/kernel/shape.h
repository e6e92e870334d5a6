#pragma once
// The description of data at run time: the kind of data, the element type and the extents.

#include "compute/kernel/views.h"

namespace threadscape {

enum class Kind : std::uint8_t { none, image, heightfield, volume, sequence, scalar, mesh, clip };
enum class Element : std::uint8_t { u8, u16, u32, i32, i64, f32, f64 };

[[nodiscard]] std::size_t size_of(Element element);

/// Kind, element type, and extents in pixels, voxels or values. Pictures have 1 (grey) or 4 (RGBA) channels, because
/// OpenGL has no writable format with three channels, and four keep every pixel aligned.
struct Shape {
  Kind kind = Kind::none;
  Element element = Element::u8;
  int channels = 1;
  std::int64_t width = 0;
  std::int64_t height = 1;
  std::int64_t depth = 1;

  [[nodiscard]] static Shape image(Element element, int channels, std::int64_t width, std::int64_t height) {
    return {Kind::image, element, channels, width, height, 1};
  }
  [[nodiscard]] std::size_t pixel_bytes() const { return size_of(element) * static_cast<std::size_t>(channels); }
  [[nodiscard]] std::int64_t items() const { return kind == Kind::none ? 0 : width * height * depth; }
  /// Bytes of all elements, without padding of rows.
  [[nodiscard]] std::size_t bytes() const { return static_cast<std::size_t>(items()) * pixel_bytes(); }
  friend bool operator==(const Shape&, const Shape&) = default;
};

/// The element type and the number of channels of a C++ pixel type.
template <class T>
struct PixelTraits;
template <>
struct PixelTraits<std::uint8_t> {
  static constexpr Element element = Element::u8;
  static constexpr int channels = 1;
};
template <>
struct PixelTraits<std::uint16_t> {
  static constexpr Element element = Element::u16;
  static constexpr int channels = 1;
};
template <>
struct PixelTraits<std::uint32_t> {
  static constexpr Element element = Element::u32;
  static constexpr int channels = 1;
};
template <>
struct PixelTraits<std::int32_t> {
  static constexpr Element element = Element::i32;
  static constexpr int channels = 1;
};
template <>
struct PixelTraits<std::int64_t> {
  static constexpr Element element = Element::i64;
  static constexpr int channels = 1;
};
template <>
struct PixelTraits<float> {
  static constexpr Element element = Element::f32;
  static constexpr int channels = 1;
};
template <>
struct PixelTraits<double> {
  static constexpr Element element = Element::f64;
  static constexpr int channels = 1;
};
template <>
struct PixelTraits<Rgba8> {
  static constexpr Element element = Element::u8;
  static constexpr int channels = 4;
};
template <>
struct PixelTraits<Rgba16> {
  static constexpr Element element = Element::u16;
  static constexpr int channels = 4;
};
template <>
struct PixelTraits<Rgba32f> {
  static constexpr Element element = Element::f32;
  static constexpr int channels = 4;
};

/// The pixel type with four channels of type T: RgbaOf<float> is Rgba32f.
template <class T>
struct RgbaType;
template <>
struct RgbaType<std::uint8_t> {
  using type = Rgba8;
};
template <>
struct RgbaType<std::uint16_t> {
  using type = Rgba16;
};
template <>
struct RgbaType<float> {
  using type = Rgba32f;
};
template <class T>
using RgbaOf = typename RgbaType<T>::type;

template <class T>
[[nodiscard]] constexpr bool holds(const Shape& shape) {
  using Traits = PixelTraits<std::remove_const_t<T>>;
  return shape.element == Traits::element && shape.channels == Traits::channels;
}

}  // namespace threadscape
