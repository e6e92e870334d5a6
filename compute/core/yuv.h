#pragma once
// Frames of videos in YUV 4:2:0 with 8 bits as pictures in RGB: the arithmetic, which all backends share, and the
// conversion on the CPU. The conversion on the GPU is in compute/engines/yuv/yuv_cuda.h.
//
// Y is brightness, U and V are colour differences, as ITU-R BT.601 and BT.709 define them. The values of the limited
// range are 16..235 for Y and 16..240 for U and V; those of the full range are 0..255. A sample of U and V is used for
// the two columns and two rows of pixels that it was made from, without interpolation, as swscale converts by default:
//
//   Y Y Y Y      U   U
//   Y Y Y Y            (and V alike)
//   Y Y Y Y      U   U
//
// A pixel is computed with integers of 16 bits, in 1/32 of a grey level. Products have 32 bits, of which the upper 16
// are kept. So a colour differs by at most one level from that of the exact formula, and every backend gives the same
// bits.

#include <cstddef>
#include <cstdint>

#include "compute/core/border.h"
#include "compute/core/data.h"

namespace threadscape {

/// A decoded frame as three or two planes of bytes, as most video codecs keep it: brightness Y at full resolution, and
/// the colour differences U and V at half the resolution in both directions, rounded up.
struct YuvPlanes {
  int width = 0, height = 0;
  const std::uint8_t* y = nullptr;
  const std::uint8_t* u = nullptr;  ///< With `v` null, U and V in turns (NV12).
  const std::uint8_t* v = nullptr;  ///< Null for NV12.
  std::ptrdiff_t y_pitch = 0;       ///< Bytes from one row of Y to the next.
  std::ptrdiff_t u_pitch = 0;       ///< Bytes from one row of U, or of U and V in turns, to the next.
  std::ptrdiff_t v_pitch = 0;       ///< Bytes from one row of V to the next; 0 for NV12.
  bool full_range = false;          ///< If true, Y is 0..255, not 16..235.
  bool bt709 = false;               ///< If true, the colours are those of ITU-R BT.709, not BT.601.
};

/// The factors of a conversion: that of Y in units of 1/16384, those of U and V in units of 1/8192.
struct YuvFactors {
  std::int16_t black;  ///< The Y of black.
  std::int16_t y, red_v, green_u, green_v, blue_u;
};

/// The factors for a range and a standard. With the shares r, g and b of the colours in Y, which a standard defines:
/// red = Y + 2 (1 - r) V, blue = Y + 2 (1 - b) U, and green is what remains of Y. The limited range is stretched by
/// 255/219 for Y and by 255/224 for U and V.
[[nodiscard]] constexpr YuvFactors yuv_factors(bool full_range, bool bt709) {
  const double r = bt709 ? 0.2126 : 0.299, b = bt709 ? 0.0722 : 0.114, g = 1 - r - b;
  const double stretch_y = full_range ? 1.0 : 255.0 / 219, stretch = full_range ? 1.0 : 255.0 / 224;
  const auto fixed = [](double factor, int one) {
    return static_cast<std::int16_t>(factor * one + (factor < 0 ? -0.5 : 0.5));
  };
  return {static_cast<std::int16_t>(full_range ? 0 : 16),
          fixed(stretch_y, 16384),
          fixed(stretch * 2 * (1 - r), 8192),
          fixed(-stretch * 2 * (1 - b) * b / g, 8192),
          fixed(-stretch * 2 * (1 - r) * r / g, 8192),
          fixed(stretch * 2 * (1 - b), 8192)};
}

/// Half a level for rounding to nearest, and the mean of what products lose in their lower 16 bits.
inline constexpr int yuv_rounding = 16 + 1;

/// What a sample of U and V adds to the colours of its pixels, with rounding, in 1/32 of a level.
struct YuvColour {
  int red, green, blue;
};

/// The upper 16 bits of the product of two integers of 16 bits, rounded down.
TS_HD constexpr int upper_product(int a, int b) {
  return (a * b) >> 16;
}

TS_HD constexpr YuvColour yuv_colour(const YuvFactors& by, int u, int v) {
  const int from_u = (u - 128) * 256, from_v = (v - 128) * 256;
  return {upper_product(from_v, by.red_v) + yuv_rounding,
          upper_product(from_u, by.green_u) + upper_product(from_v, by.green_v) + yuv_rounding,
          upper_product(from_u, by.blue_u) + yuv_rounding};
}

TS_HD constexpr std::uint8_t yuv_level(int level_in_32nds) {
  const int level = level_in_32nds >> 5;
  return static_cast<std::uint8_t>(level < 0 ? 0 : level > 255 ? 255 : level);
}

/// The pixel of a value of Y with the colour of its sample of U and V. It is opaque.
TS_HD constexpr Rgba8 yuv_pixel(const YuvFactors& by, const YuvColour& colour, int y) {
  const int grey = upper_product((y - by.black) * 128, by.y);
  return {yuv_level(grey + colour.red), yuv_level(grey + colour.green), yuv_level(grey + colour.blue), 255};
}

/// Converts planes in host memory to a picture of RGBA bytes of their size: the readable reference, pixel by pixel.
/// Throws UsageError for a picture of another shape.
void yuv_to_rgba_serial(const YuvPlanes& planes, HostOut picture);
/// The same bits with SIMD, on `threads` threads.
void yuv_to_rgba(const YuvPlanes& planes, HostOut picture, int threads = 1);

/// Throws UsageError unless the picture has RGBA bytes and the size of the planes.
void require_yuv_picture(const YuvPlanes& planes, const Shape& picture);

}  // namespace threadscape
