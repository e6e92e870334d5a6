#include "compute/core/kind_conversion.h"

#include <string>

#include "compute/core/border.h"
#include "compute/core/clip.h"
#include "compute/core/kind_info.h"
#include "compute/core/mesh.h"
#include "compute/core/mesh_shapes.h"

namespace threadscape {

namespace {

bool is_surface(Kind kind) {
  return kind == Kind::image || kind == Kind::heightfield;
}

template <class Colour, class Grey>
HostArray lumas(HostIn picture) {
  const auto from = picture.image<Colour>();
  HostArray heights({Kind::heightfield, PixelTraits<Grey>::element, 1, from.width, from.height, 1});
  const auto to = heights.image<Grey>();
  for (int y = 0; y < from.height; ++y)
    for (int x = 0; x < from.width; ++x)
      to(x, y) = luma(from(x, y));
  return heights;
}

/// The data as heights; colours become their luma.
HostArray heights_of(HostIn data) {
  if (holds<Rgba8>(data.shape)) return lumas<Rgba8, std::uint8_t>(data);
  if (holds<Rgba16>(data.shape)) return lumas<Rgba16, std::uint16_t>(data);
  if (holds<Rgba32f>(data.shape)) return lumas<Rgba32f, float>(data);
  Shape shape = data.shape;
  shape.kind = Kind::heightfield;
  HostArray heights(shape);
  copy({data.data, shape, data.pitch}, heights.view());
  return heights;
}

}  // namespace

bool is_convertible(Kind from, Kind to) {
  if (from == Kind::none) return false;
  if (from == Kind::clip && to == Kind::image) return true;
  return from == to || (is_surface(from) && (is_surface(to) || to == Kind::mesh));
}

Shape converted_shape(const Shape& shape, Kind to) {
  if (!is_convertible(shape.kind, to))
    throw UsageError("a " + std::string(info_of(shape.kind).user_name) + " cannot become a " +
                     std::string(info_of(to).user_name));
  if (shape.kind == to) return shape;
  if (shape.kind == Kind::clip) return frame_shape(shape);
  if (to == Kind::mesh) return mesh_shape_of_heights(shape);
  return {to, shape.element, 1, shape.width, shape.height, 1};
}

HostArray convert_kind(HostIn data, Kind to) {
  const Shape shape = converted_shape(data.shape, to);
  if (to == Kind::mesh && data.shape.kind != to) return mesh_of_heights(heights_of(data).view());
  if (to == Kind::heightfield && data.shape.kind != to) return heights_of(data);
  HostArray converted(shape);
  if (data.shape.kind == Kind::clip && to != Kind::clip)
    copy(frame_of(data, data.shape.depth - 1), converted.view());
  else
    copy({data.data, shape, data.pitch}, converted.view());
  return converted;
}

}  // namespace threadscape
