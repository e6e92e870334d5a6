#include "compute/algorithms/graphics/rasterize/rasterize_environment_map.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numbers>

#include "compute/core/convert.h"
#include "compute/core/errors.h"
#include "compute/core/file_cache.h"
#include "compute/core/parameter_file.h"

namespace threadscape::rasterize {

namespace {

/// Texels a side of a face. A picture of four times as many columns has as many in each direction of the horizon.
constexpr int builtin_side = 256, file_side = 512;

/// Red, green and blue, 0..1.
struct Rgb {
  double r = 0, g = 0, b = 0;
};
Rgb operator+(Rgb p, Rgb q) {
  return {p.r + q.r, p.g + q.g, p.b + q.b};
}
Rgb operator*(Rgb p, double s) {
  return {p.r * s, p.g * s, p.b * s};
}
Rgb between(Rgb p, Rgb q, double t) {
  return p * (1.0 - t) + q * t;
}

struct Direction {
  double x = 0, y = 0, z = 0;
};

/// Returns true on every other square of a checkered plane.
bool checkered(double x, double y) {
  return (static_cast<std::int64_t>(std::floor(x)) + static_cast<std::int64_t>(std::floor(y))) % 2 != 0;
}

/// A blue sky with the sun in the south-west, over a checkered plain that fades away towards the horizon.
Rgb sky_colour(Direction d) {
  const double length = std::sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
  d = {d.x / length, d.y / length, d.z / length};
  constexpr Rgb horizon{0.86, 0.91, 0.97}, zenith{0.14, 0.34, 0.70}, light{0.62, 0.55, 0.44}, dark{0.36, 0.31, 0.25};
  if (d.y <= 0.0) {
    const double far = std::hypot(d.x, d.z) / std::max(-d.y, 1e-6);
    const double haze = 1.0 - std::exp(-far / 10.0);
    if (haze > 0.999) return horizon;
    return between(checkered(d.x / -d.y, d.z / -d.y) ? light : dark, horizon, haze);
  }
  const Rgb blue = between(horizon, zenith, std::sqrt(d.y));
  // Azimuth 235 and elevation 50 degrees, where the light is unless the parameters say otherwise.
  const double sun = -0.5265 * d.x + 0.7660 * d.y + 0.3687 * d.z;
  if (sun > 0.998) return {1.0, 1.0, 0.98};
  return between(blue, {1.0, 0.97, 0.88}, 0.8 * std::pow(std::max(sun, 0.0), 120.0));
}

/// A room seen from its middle: a checkered floor, a lamp on the ceiling, a window in the north, a door in the south, a
/// green wall in the east and a red one in the west.
Rgb room_colour(Direction d) {
  const double ax = std::abs(d.x), ay = std::abs(d.y), az = std::abs(d.z), most = std::max({ax, ay, az});
  const double x = d.x / most, y = d.y / most, z = d.z / most;
  const auto in = [](double v, double low, double high) { return v >= low && v < high; };
  Rgb wall{0.85, 0.83, 0.78};
  double u = x, v = z;
  if (most == ay && d.y > 0) {
    if (std::abs(x) < 0.4 && std::abs(z) < 0.4) return {1.0, 1.0, 0.96};
  } else if (most == ay) {
    wall = checkered(4.0 * x, 4.0 * z) ? Rgb{0.72, 0.62, 0.48} : Rgb{0.38, 0.30, 0.22};
  } else if (most == ax) {
    wall = d.x > 0 ? Rgb{0.25, 0.55, 0.28} : Rgb{0.70, 0.22, 0.18};
    u = y;
  } else if (d.z < 0) {
    v = y;
    const bool pane = (in(x, -0.6, -0.04) || in(x, 0.04, 0.6)) && in(y, -0.25, 0.65);
    if (pane) return between({0.80, 0.90, 1.0}, {0.45, 0.66, 0.95}, (y + 0.25) / 0.9);
  } else {
    v = y;
    if (in(x, -0.25, 0.25) && y < 0.45) wall = {0.45, 0.30, 0.18};
  }
  // Corners get less light.
  const double edge = std::max(u * u * u * u, v * v * v * v);
  return wall * (1.0 - 0.35 * edge);
}

/// The mean of four colours within a texel, as a word.
template <class ColourOf>
std::uint32_t texel_of(int face, int column, int row, int side, const ColourOf& colour_of) {
  Rgb sum;
  for (const double down : {-0.25, 0.25})
    for (const double across : {-0.25, 0.25}) {
      const auto place = [&](int index, double offset) {
        return static_cast<float>((index - 0.5 + offset) / side * 2.0 - 1.0);
      };
      const Float3 d = environment_direction(face, place(column, across), place(row, down));
      sum = sum + colour_of({static_cast<double>(d.x), static_cast<double>(d.y), static_cast<double>(d.z)});
    }
  const auto byte = [](double v) { return static_cast<std::uint32_t>(std::clamp(v * 0.25, 0.0, 1.0) * 255.0 + 0.5); };
  return byte(sum.r) | byte(sum.g) << 8 | byte(sum.b) << 16 | 0xff000000u;
}

/// A map whose colours colour_of() states for any direction.
template <class ColourOf>
std::shared_ptr<const EnvironmentMap> make_map(int side, const ColourOf& colour_of) {
  static std::atomic<std::uint64_t> made{0};
  auto map = std::make_shared<EnvironmentMap>();
  map->side = side;
  map->version = ++made;
  const int pitch = side + 2;
  map->texels.resize(std::size_t{6} * static_cast<std::size_t>(pitch) * static_cast<std::size_t>(pitch));
  auto texel = map->texels.begin();
  for (int face = 0; face < 6; ++face)
    for (int row = 0; row < pitch; ++row)
      for (int column = 0; column < pitch; ++column)
        *texel++ = texel_of(face, column, row, side, colour_of);
  return map;
}

/// Half as many columns and rows, each the mean of two.
HostArray halved(const HostArray& picture) {
  const auto from = picture.image<Rgba8>();
  HostArray result(Shape::image(Element::u8, 4, from.width / 2, from.height / 2));
  const auto to = result.image<Rgba8>();
  for (int y = 0; y < to.height; ++y)
    for (int x = 0; x < to.width; ++x) {
      const auto mean = [&](auto channel) {
        const int sum = from(2 * x, 2 * y).*channel + from(2 * x + 1, 2 * y).*channel +
                        from(2 * x, 2 * y + 1).*channel + from(2 * x + 1, 2 * y + 1).*channel;
        return static_cast<std::uint8_t>((sum + 2) / 4);
      };
      to(x, y) = {mean(&Rgba8::r), mean(&Rgba8::g), mean(&Rgba8::b), 255};
    }
  return result;
}

/// An RGBA picture, whatever the file has.
HostArray coloured(HostArray pixels) {
  if (pixels.shape().channels == 4) return pixels;
  HostArray result(Shape::image(Element::u8, 4, pixels.shape().width, pixels.shape().height));
  const auto from = pixels.image<std::uint8_t>();
  const auto to = result.image<Rgba8>();
  for (int y = 0; y < to.height; ++y)
    for (int x = 0; x < to.width; ++x)
      to(x, y) = {from(x, y), from(x, y), from(x, y), 255};
  return result;
}

/// The colour of an equirectangular picture in a direction: the weighted mean of four pixels. Its rows are closed.
Rgb panorama_colour(const HostArray& picture, Direction d) {
  const auto pixels = picture.image<Rgba8>();
  const double azimuth = std::atan2(d.x, -d.z), elevation = std::atan2(d.y, std::hypot(d.x, d.z));
  const double x = (0.5 + azimuth / (2.0 * std::numbers::pi)) * pixels.width - 0.5;
  const double y = std::clamp((0.5 - elevation / std::numbers::pi) * pixels.height - 0.5, 0.0, pixels.height - 1.0);
  const int left = static_cast<int>(std::floor(x)), above = static_cast<int>(y);
  const double fx = x - left, fy = y - above;
  const auto pixel = [&](int column, int row) -> Rgb {
    const Rgba8 p = pixels((column + pixels.width) % pixels.width, std::min(row, pixels.height - 1));
    return {p.r / 255.0, p.g / 255.0, p.b / 255.0};
  };
  return between(between(pixel(left, above), pixel(left + 1, above), fx),
                 between(pixel(left, above + 1), pixel(left + 1, above + 1), fx), fy);
}

std::shared_ptr<const EnvironmentMap> read_map(const std::filesystem::path& path) {
  const HostArray pixels = read_parameter_file(ParameterFile::picture, path);
  HostArray picture = coloured(convert_picture(pixels.view(), Element::u8));
  const Shape shape = picture.shape();
  if (shape.width != 2 * shape.height)
    throw UsageError("rasterize: environment_map '" + path.string() + "' has " + std::to_string(shape.width) + "x" +
                     std::to_string(shape.height) +
                     " pixels: an equirectangular picture is twice as wide as high; crop or scale it");
  while (picture.shape().width > 4 * file_side)
    picture = halved(picture);
  return make_map(file_side, [&](Direction d) { return panorama_colour(picture, d); });
}

}  // namespace

Float3 environment_direction(int face, float u, float v) {
  switch (face) {
    case 0:
      return {1.0f, -v, -u};
    case 1:
      return {-1.0f, -v, u};
    case 2:
      return {u, 1.0f, v};
    case 3:
      return {u, -1.0f, -v};
    case 4:
      return {u, -v, 1.0f};
    default:
      return {-u, -v, -1.0f};
  }
}

std::shared_ptr<const EnvironmentMap> environment_map(const Rasterize::Params& params) {
  if (!params.environment_map.empty()) {
    static FileCache<EnvironmentMap, 2> cache(read_map);
    return cache.get(params.environment_map);
  }
  if (params.environment == Surroundings::sky) {
    static const std::shared_ptr<const EnvironmentMap> sky = make_map(builtin_side, sky_colour);
    return sky;
  }
  if (params.environment == Surroundings::room) {
    static const std::shared_ptr<const EnvironmentMap> room = make_map(builtin_side, room_colour);
    return room;
  }
  return nullptr;
}

std::size_t environment_texels(const Rasterize::Params& params) {
  if (!params.surrounded()) return 0;
  const auto pitch = static_cast<std::size_t>(params.environment_map.empty() ? builtin_side : file_side) + 2;
  return 6 * pitch * pitch;
}

Environment environment_of(const Rasterize::Params& params, const EnvironmentMap* map) {
  Environment environment;
  if (map == nullptr) return environment;
  environment.texels = map->texels.data();
  environment.side = map->side;
  environment.version = map->version;
  environment.reflection = params.reflection;
  environment.refraction = params.refraction;
  environment.eta = 1.0f / params.refractive_index;
  const float straight = (1.0f - params.refractive_index) / (1.0f + params.refractive_index);
  environment.straight = straight * straight;
  environment.fresnel = params.fresnel;
  return environment;
}

}  // namespace threadscape::rasterize
