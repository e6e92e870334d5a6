// The conversion of YUV to RGB, the readable reference.

#include "compute/core/yuv.h"

#include "compute/core/errors.h"

namespace threadscape {

void require_yuv_picture(const YuvPlanes& planes, const Shape& picture) {
  if (const Shape wanted = Shape::image(Element::u8, 4, planes.width, planes.height); picture != wanted)
    throw UsageError("a frame in YUV becomes a " + to_string(wanted) + ", not a " + to_string(picture));
}

void yuv_to_rgba_serial(const YuvPlanes& planes, HostOut picture) {
  require_yuv_picture(planes, picture.shape);
  const YuvFactors by = yuv_factors(planes.full_range, planes.bt709);
  const auto to = picture.image<Rgba8>();
  for (int y = 0; y < planes.height; ++y)
    for (int x = 0; x < planes.width; ++x) {
      const std::uint8_t* const u = planes.u + planes.u_pitch * (y / 2);
      const YuvColour colour = planes.v == nullptr
                                   ? yuv_colour(by, u[x / 2 * 2], u[x / 2 * 2 + 1])
                                   : yuv_colour(by, u[x / 2], (planes.v + planes.v_pitch * (y / 2))[x / 2]);
      to(x, y) = yuv_pixel(by, colour, (planes.y + planes.y_pitch * y)[x]);
    }
}

}  // namespace threadscape
