#include "compute/io/pictures/tiff_colours.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace threadscape::io {

namespace {

/// The linear sRGB of L* from 0 to 100 and a* and b*. The white of ICC profiles (D50) becomes that of the screen (D65)
/// by the method of Bradford, which the matrix contains.
std::array<double, 3> linear_rgb(double lightness, double a, double b) {
  const auto inverse = [](double t) { return t > 6.0 / 29 ? t * t * t : (t - 4.0 / 29) * 108 / 841; };
  const double fy = (lightness + 16) / 116;
  const double x = 0.9642 * inverse(fy + a / 500), y = inverse(fy), z = 0.8249 * inverse(fy - b / 200);
  return {3.1338561 * x - 1.6168667 * y - 0.4906146 * z, -0.9787684 * x + 1.9161415 * y + 0.0334540 * z,
          0.0719453 * x - 0.2289914 * y + 1.4052427 * z};
}

double encoded(double linear) {
  const double light = std::clamp(linear, 0.0, 1.0);
  return light <= 0.0031308 ? 12.92 * light : 1.055 * std::pow(light, 1 / 2.4) - 0.055;
}

template <class T>
void convert(ImageView<RgbaOf<T>> pixels, LabStorage storage) {
  constexpr double full = std::numeric_limits<T>::max(), unit = sizeof(T) == 1 ? 1 : 256;
  constexpr double middle = full - full / 2 + 0.5;  // What stands for 0 in ICC's form: 128 or 32768.
  const auto chroma = [&](T stored) {
    return storage == LabStorage::icc ? (stored - std::floor(middle)) / unit
                                      : static_cast<std::make_signed_t<T>>(stored) / unit;
  };
  for (int y = 0; y < pixels.height; ++y)
    for (int x = 0; x < pixels.width; ++x) {
      auto& pixel = pixels(x, y);
      const auto rgb = linear_rgb(100 * pixel.r / full, chroma(pixel.g), chroma(pixel.b));
      std::array<T*, 3> to{&pixel.r, &pixel.g, &pixel.b};
      for (std::size_t i = 0; i < 3; ++i)
        *to[i] = static_cast<T>(full * encoded(rgb[i]) + 0.5);
    }
}

}  // namespace

void apply_palette(Loaded& picture, const std::array<std::span<const std::uint16_t>, 3>& palette) {
  const auto small = [](std::span<const std::uint16_t> channel) {
    return std::ranges::all_of(channel, [](std::uint16_t value) { return value < 256; });
  };
  const bool bytes = std::ranges::all_of(palette, small);
  const auto indices = std::as_const(picture.pixels).image<std::uint16_t>();
  HostArray colours(Shape::image(Element::u8, 4, indices.width, indices.height));
  const auto to = colours.image<Rgba8>();
  for (int y = 0; y < indices.height; ++y)
    for (int x = 0; x < indices.width; ++x) {
      const std::size_t index = indices(x, y);
      const auto part = [&](std::size_t channel) {
        const unsigned value = palette[channel][index];
        return static_cast<std::uint8_t>(bytes ? value : value >> 8);
      };
      to(x, y) = {part(0), part(1), part(2), 255};
    }
  picture.pixels = std::move(colours);
  picture.colour = FileColour::rgb;
}

void lab_to_rgb(Loaded& picture, LabStorage storage) {
  if (picture.pixels.shape().element == Element::u8)
    convert<std::uint8_t>(picture.pixels.image<Rgba8>(), storage);
  else
    convert<std::uint16_t>(picture.pixels.image<Rgba16>(), storage);
}

}  // namespace threadscape::io
