// Environment maps of the rasteriser against the laws of reflection and refraction.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>

#include "compute/algorithms/graphics/rasterize/rasterize_environment.h"
#include "compute/algorithms/graphics/rasterize/rasterize_environment_map.h"
#include "compute/core/errors.h"
#include "compute/io/pictures/image_file.h"
#include "tests/support/compute/neighbourhood_testing.h"
#include "tests/support/compute/rasterize_testing.h"
#include "tests/support/compute/test_files.h"

namespace threadscape {
namespace {

using namespace rasterize_testing;
using Vector = std::array<double, 3>;

/// a times p plus b times q.
Vector sum_of(double a, const Vector& p, double b, const Vector& q) {
  return {a * p[0] + b * q[0], a * p[1] + b * q[1], a * p[2] + b * q[2]};
}

/// Folder tests with an equirectangular picture of surroundings whose colours state the direction: red, green and blue
/// are (x + 1) / 2, (y + 1) / 2 and (z + 1) / 2 of the unit vector.
class RasterizeEnvironmentTest : public TestFolder {
 protected:
  /// The path of the picture.
  [[nodiscard]] std::string directions() const {
    constexpr int width = 1024, height = 512;
    HostArray picture(Shape::image(Element::u8, 4, width, height));
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        const double azimuth = ((x + 0.5) / width - 0.5) * 2.0 * std::numbers::pi;
        const double elevation = (0.5 - (y + 0.5) / height) * std::numbers::pi;
        const Vector d{std::sin(azimuth) * std::cos(elevation), std::sin(elevation),
                       -std::cos(azimuth) * std::cos(elevation)};
        const auto byte = [](double v) { return static_cast<std::uint8_t>((v + 1.0) * 127.5 + 0.5); };
        picture.image<Rgba8>()(x, y) = {byte(d[0]), byte(d[1]), byte(d[2]), 255};
      }
    const auto file = path("directions.png");
    io::save_picture(file, picture.view(), io::FileColour::rgb);
    return file;
  }
  /// A picture of one grey level.
  [[nodiscard]] std::string grey(std::uint8_t level) const {
    HostArray picture(Shape::image(Element::u8, 1, 8, 4));
    for (int y = 0; y < 4; ++y)
      for (int x = 0; x < 8; ++x)
        picture.image<std::uint8_t>()(x, y) = level;
    const auto file = path("grey.png");
    io::save_picture(file, picture.view(), io::FileColour::grey);
    return file;
  }
  /// A sphere seen from the south without perspective, of which only the surroundings are seen.
  [[nodiscard]] static Params only_surroundings(const std::string& map) {
    Params params = front_view(160, 160);
    params.mesh = MeshShape::sphere;
    params.subdivision = 48;
    params.emission = params.ambient = params.diffuse = params.specular = false;
    params.environment_map = map;
    params.reflection = params.refraction = 0.0f;
    params.fresnel = false;
    params.textures = false;  // The sphere has a map of colours, which would tint what it refracts.
    return params;
  }
};

/// Calls use(pixel, normal) for the pixels of a unit sphere whose normals are less than 70 degrees away from the eye,
/// and returns their number.
template <class Use>
int for_each_normal(const Params& params, const HostArray& picture, const Use& use) {
  const HostArray mesh = Rasterize::make_input(params, 0);
  const rasterize::Plan plan = Rasterize::plan(params, mesh.view());
  const float* const m = plan.camera.clip.m;
  int count = 0;
  for (int row = 0; row < params.height; ++row)
    for (int column = 0; column < params.width; ++column) {
      const double x =
          ((column + 0.5) * 2.0 / params.width - 1.0 - static_cast<double>(m[3])) / static_cast<double>(m[0]);
      const double y =
          (1.0 - (row + 0.5) * 2.0 / params.height - static_cast<double>(m[7])) / static_cast<double>(m[5]);
      const double z2 = 1.0 - x * x - y * y;
      if (z2 < std::pow(std::cos(70.0 * std::numbers::pi / 180.0), 2)) continue;
      use(picture.image<Rgba8>()(column, row), Vector{x, y, std::sqrt(z2)});
      ++count;
    }
  return count;
}

/// The largest difference between the colours of a pixel and those that state a direction, in steps of 1/255.
double error_of(Rgba8 pixel, const Vector& direction) {
  const std::array<double, 3> colour{static_cast<double>(pixel.r), static_cast<double>(pixel.g),
                                     static_cast<double>(pixel.b)};
  double largest = 0.0;
  for (std::size_t i = 0; i < 3; ++i)
    largest = std::max(largest, std::abs(colour[i] - (direction[i] + 1.0) * 127.5));
  return largest;
}

const Vector to_eye{0.0, 0.0, 1.0};

// The picture, the faces of the cube and the result are each rounded to bytes, which makes up to 1.5 steps. The normals
// between the vertices of the sphere, 3.75 degrees apart, are those of chords, and make less than 1 step.
constexpr double tolerance = 2.5;

TEST_F(RasterizeEnvironmentTest, AMirrorShowsTheDirectionOfTheReflectedRay) {
  Params params = only_surroundings(directions());
  params.reflection = 1.0f;
  for (const auto shading : {rasterize::Shading::constant, rasterize::Shading::gouraud, rasterize::Shading::phong}) {
    params.shading = shading;
    const HostArray picture = run(params, Rasterize::make_input(params, 0));
    double largest = 0.0;
    const int count = for_each_normal(params, picture, [&](Rgba8 pixel, const Vector& n) {
      largest = std::max(largest, error_of(pixel, sum_of(2.0 * n[2], n, -1.0, to_eye)));
    });
    EXPECT_GT(count, 10000);
    EXPECT_LT(largest, tolerance) << Rasterize::shading_names[static_cast<std::size_t>(shading)];
  }
}

TEST_F(RasterizeEnvironmentTest, ATransparentBodyShowsTheDirectionOfSnellsLaw) {
  Params params = only_surroundings(directions());
  params.refraction = 1.0f;
  for (const float index : {1.0f, 1.33f, 1.5f, 2.42f, 0.7f}) {
    params.refractive_index = index;
    const HostArray picture = run(params, Rasterize::make_input(params, 0));
    double largest = 0.0;
    for_each_normal(params, picture, [&](Rgba8 pixel, const Vector& n) {
      // The ray stays in the plane of the normal and the ray before, and has another angle to the normal there.
      const double sine = std::sqrt(1.0 - n[2] * n[2]), inside = sine / static_cast<double>(index);
      // Next to the critical angle of total reflection, a small change of the normal turns the ray far.
      if (std::abs(inside - 1.0) < 0.02) return;
      const Vector tangent = sine > 0.0 ? sum_of(-1.0 / sine, to_eye, n[2] / sine, n) : Vector{};
      const Vector ray = inside > 1.0 ? sum_of(2.0 * n[2], n, -1.0, to_eye)
                                      : sum_of(-std::sqrt(1.0 - inside * inside), n, inside, tangent);
      largest = std::max(largest, error_of(pixel, ray));
    });
    // From a denser medium, rays are turned up to five times as far as normals within 0.02 of the critical angle.
    EXPECT_LT(largest, index < 1.0f ? 3.0 * tolerance : tolerance) << index;
  }
}

TEST_F(RasterizeEnvironmentTest, TheShareOfReflectedLightIsThatOfFresnelsFormulas) {
  // White surroundings on a black body. Schlick's formula is within 0.02 of the mean of both polarisations for glass,
  // and the result is rounded to 1/255.
  Params params = only_surroundings(grey(255));
  params.reflection = 1.0f;
  params.fresnel = true;
  for (const double index : {1.33, 1.5}) {
    params.refractive_index = static_cast<float>(index);
    const HostArray picture = run(params, Rasterize::make_input(params, 0));
    double largest = 0.0;
    for_each_normal(params, picture, [&](Rgba8 pixel, const Vector& n) {
      const double in = n[2], out = std::sqrt(1.0 - (1.0 - in * in) / (index * index));
      const double s = (in - index * out) / (in + index * out), p = (index * in - out) / (index * in + out);
      largest = std::max(largest, std::abs(pixel.r / 255.0 - (s * s + p * p) / 2.0));
    });
    EXPECT_LT(largest, 0.022) << index;
  }
}

TEST_F(RasterizeEnvironmentTest, ReflectionIsMixedWithRefractionAndRefractionWithTheSurface) {
  // Surroundings of level 200 on a body whose own light is 102: 0.5 of the refraction makes 151, and 0.25 of the
  // reflection of that makes 163.25.
  Params params = only_surroundings(grey(200));
  params.reflection = 0.25f;
  params.refraction = 0.5f;
  params.emission = true;
  MeshBuilder builder;
  MeshMaterial material;
  material.emission = {0.4f, 0.4f, 0.4f};
  add_square(builder, 0.0f, builder.add_material(material));
  const HostArray picture = run(params, builder.build());
  const Rgba8 middle = picture.image<Rgba8>()(params.width / 2, params.height / 2);
  EXPECT_EQ(middle.r, 163);
}

TEST_F(RasterizeEnvironmentTest, MapsOfTheMaterialTintRefractionAndWeakenReflection) {
  // The left texel of the map is red (255, 0, 0), the right one grey (128, 128, 128), in white surroundings.
  Params params = only_surroundings(grey(255));
  params.textures = true;
  params.filter = rasterize::Filter::nearest;
  for (const bool reflects : {true, false}) {
    MeshBuilder builder;
    MeshMaterial material;
    const std::uint32_t map = builder.add_texture(2, 1, {0xff0000ffu, 0xff808080u});
    (reflects ? material.specular_map : material.colour_map) = map;
    add_square(builder, 0.0f, builder.add_material(material));
    params.reflection = reflects ? 1.0f : 0.0f;
    params.refraction = reflects ? 0.0f : 1.0f;
    const HostArray picture = run(params, builder.build());
    const auto pixels = picture.image<Rgba8>();
    const Rgba8 left = pixels(params.width / 2 - 20, params.height / 2), right = pixels(params.width / 2 + 20, 80);
    EXPECT_EQ(left, (Rgba8{255, 0, 0, 255})) << reflects;
    EXPECT_EQ(right, (Rgba8{128, 128, 128, 255})) << reflects;
  }
}

TEST_F(RasterizeEnvironmentTest, VectorsOfPixelsHaveTheColoursOfSinglePixels) {
  for (const MeshShape shape : {MeshShape::cube, MeshShape::torus, MeshShape::teapot, MeshShape::glass}) {
    Params params = picture_of(shape, 2, 90, 70);
    const HostArray mesh = Rasterize::make_input(params, 0);
    for (std::size_t i = 0; i < 12; ++i) {
      params.environment = i % 2 == 0 ? rasterize::Surroundings::sky : rasterize::Surroundings::room;
      params.shading = static_cast<rasterize::Shading>(i % 4);
      params.lighting = static_cast<rasterize::Lighting>(i / 4 % 2);
      params.reflection = i % 3 == 0 ? 0.0f : 0.7f;
      params.refraction = i % 3 == 1 ? 0.0f : 0.9f;
      params.refractive_index = i % 4 == 0 ? 0.6f : 1.5f;
      params.fresnel = i / 5 % 2 == 0;
      params.specular = i / 3 % 2 == 0;
      params.projection = static_cast<rasterize::Projection>(i / 10 % 2);
      params.interpolation = static_cast<rasterize::Interpolation>(i / 5 % 2);
      params.distance = i % 7 == 0 ? 0.4f : 0.0f;
      const HostArray expected = run(params, mesh);
      testing::for_each_simd_target([&] {
        EXPECT_TRUE(same(expected, run(params, mesh, Backend::openmp))) << static_cast<int>(shape) << " " << i;
      });
    }
  }
}

TEST_F(RasterizeEnvironmentTest, BuiltInSurroundingsHaveNoSeamsBetweenTheFaces) {
  // Just inside of an edge of the cube, both faces show the same colours. Their texels have other centres, so that
  // colours differ by the change within a texel, which is small but where a checkered floor changes its colour.
  for (const auto surroundings : {rasterize::Surroundings::sky, rasterize::Surroundings::room}) {
    Params params;
    params.environment = surroundings;
    const auto map = rasterize::environment_map(params);
    const rasterize::Environment environment = rasterize::environment_of(params, map.get());
    double sum = 0.0;
    int count = 0;
    for (int step = -99; step < 100; ++step) {
      const float along = static_cast<float>(step) / 100.0f;
      const Float3 a = rasterize::environment_at(environment, {1.0f, along, 0.9999f});
      const Float3 b = rasterize::environment_at(environment, {0.9999f, along, 1.0f});
      sum += std::abs(static_cast<double>(a.x - b.x)) + std::abs(static_cast<double>(a.y - b.y)) +
             std::abs(static_cast<double>(a.z - b.z));
      count += 3;
    }
    EXPECT_LT(sum / count, 0.01) << static_cast<int>(surroundings);
  }
}

TEST_F(RasterizeEnvironmentTest, PicturesOfAnotherShapeAreRefusedWithTheShapeThatIsAccepted) {
  HostArray picture(Shape::image(Element::u8, 1, 9, 4));
  io::save_picture(path("odd.png"), picture.view(), io::FileColour::grey);
  Params params = only_surroundings(path("odd.png"));
  try {
    (void)run(params, Rasterize::make_input(params, 0));
    FAIL() << "the picture was accepted";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("9x4 pixels: an equirectangular picture is twice as wide as high"),
              std::string::npos)
        << error.what();
  }
  params.environment_map = path("missing.png");
  EXPECT_THROW((void)run(params, Rasterize::make_input(params, 0)), EnvironmentError);
}

TEST_F(RasterizeEnvironmentTest, StepsShowRefractionAndReflectionOneByOne) {
  Params params;
  const auto titles = [&] {
    std::string all;
    for (const auto& [title, changed] : Rasterize::intermediates(params))
      all += title + ", ";
    return all;
  };
  EXPECT_EQ(titles(), "edges, overdraw, depth, emission, ambient light, diffuse light, highlights, picture, ");
  params.environment = rasterize::Surroundings::room;
  EXPECT_EQ(titles(),
            "edges, overdraw, depth, emission, ambient light, diffuse light, highlights, refraction, reflection, "
            "picture, ");
  const auto steps = Rasterize::intermediates(params);
  EXPECT_EQ(steps[7].second.reflection, 0.0f);
  EXPECT_EQ(steps[7].second.refraction, params.refraction);
  EXPECT_EQ(steps[8].second.refraction, 0.0f);
}

}  // namespace
}  // namespace threadscape
