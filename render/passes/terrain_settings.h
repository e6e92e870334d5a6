#pragma once
// The settings of the terrain view. The View panel, `--view key=value`, its help and the settings file are generated
// from fields(). Lengths are in units of the longer side of the terrain, which is centred at the origin; y is up, and
// the first row of the heightmap is in the north (-z). Angles are in degrees.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>

#include "compute/core/params.h"
#include "render/colour_bars.h"

namespace threadscape::render {

enum class Shading : std::uint8_t { flat, gouraud, phong, blinn_phong };
inline constexpr std::array<std::string_view, 4> shading_names{"flat", "gouraud", "phong", "blinn-phong"};

/// plain: ambient + diffuse * cos + specular in white light, without tone mapping, as in textbooks. outdoor: a warm sun
/// and a blue sky, with the response curve of a film.
enum class Light : std::uint8_t { outdoor, plain };
inline constexpr std::array<std::string_view, 2> light_names{"outdoor", "plain"};

enum class Surface : std::uint8_t { natural, hypsometric, white, slope, aspect, normals, levels };
inline constexpr std::array<std::string_view, 7> surface_names{"natural", "hypsometric", "white", "slope",
                                                               "aspect",  "normals",     "levels"};

enum class DrapeFilter : std::uint8_t { nearest, bilinear, mipmapped };
inline constexpr std::array<std::string_view, 3> drape_filter_names{"nearest", "bilinear", "mip-mapped"};

enum class Wireframe : std::uint8_t { off, overlay, only };
inline constexpr std::array<std::string_view, 3> wireframe_names{"off", "overlay", "only"};

enum class Projection : std::uint8_t { perspective, orthographic };
inline constexpr std::array<std::string_view, 2> projection_names{"perspective", "orthographic"};

enum class CameraMode : std::uint8_t { orbit, fly };
inline constexpr std::array<std::string_view, 2> camera_mode_names{"orbit", "fly"};

struct TerrainSettings {
  Shading shading = Shading::blinn_phong;
  Light light = Light::outdoor;
  float ambient = 0.3f, diffuse = 1.0f, specular = 0.12f;
  float shininess = 24.0f;
  float sun_azimuth = 305.0f, sun_elevation = 32.0f;
  bool shadows = true;

  Surface surface = Surface::natural;
  float exaggeration = 1.0f;
  float sea_level = 0.3f;
  float contours = 0.0f;
  float fog = 0.1f;
  bool walls = true;

  std::string drape;
  DrapeFilter drape_filter = DrapeFilter::mipmapped;
  std::string detail;
  float detail_repeat = 24.0f;

  Wireframe wireframe = Wireframe::off;
  bool cull = true;
  float pixel_error = 1.0f;
  int budget = 2000;
  int samples = 4;
  ColourBars colour_bars = ColourBars::window;

  CameraMode camera = CameraMode::orbit;
  Projection projection = Projection::perspective;
  float fov = 38.0f;
  float azimuth = 205.0f, elevation = 30.0f, distance = 0.0f;
  float target_x = 0.0f, target_y = 0.04f, target_z = 0.0f;

  static constexpr int max_samples = 8;

  static auto fields() {
    using S = TerrainSettings;
    return std::tuple{
        EnumField{"shading", &S::shading, shading_names,
                  "where the light is worked out: once a triangle, at vertices, or at every pixel"},
        EnumField{"light", &S::light, light_names, "a sun under a sky, or the textbook's white light"},
        Field{"ambient", &S::ambient, 0.0f, 2.0f, "", "light from everywhere"},
        Field{"diffuse", &S::diffuse, 0.0f, 2.0f, "", "of the sun, with the cosine of its angle to the ground"},
        Field{"specular", &S::specular, 0.0f, 2.0f, "", "highlight of the sun"},
        Field{"shininess", &S::shininess, 1.0f, 256.0f, "", "exponent of the highlight: the larger, the smaller it is"},
        Field{"sun_azimuth", &S::sun_azimuth, 0.0f, 360.0f, "deg", "direction of the sun: 0 north, 90 east"},
        Field{"sun_elevation", &S::sun_elevation, 0.0f, 90.0f, "deg", "height of the sun above the horizon"},
        BoolField{"shadows", &S::shadows, "cast shadows, and less sky in valleys"},
        EnumField{"surface", &S::surface, surface_names,
                  "colour of the ground: by height and slope, by height alone, or what is to be seen of the geometry"},
        Field{"exaggeration", &S::exaggeration, 0.0f, 10.0f, "x", "vertical; at 1 the relief is 0.16 of the side"},
        zero_as("no sea", Field{"sea_level", &S::sea_level, 0.0f, 1.0f, "", "of the range of heights"}),
        Field{"contours", &S::contours, 0.0f, 0.5f, "", "distance of contour lines in the range of heights; 0 = none"},
        Field{"fog", &S::fog, 0.0f, 4.0f, "", "haze with the distance"},
        BoolField{"walls", &S::walls, "the rim goes down to a floor"},
        TextField{"drape", &S::drape, true, "a picture over the whole terrain instead of colours"},
        EnumField{"drape_filter", &S::drape_filter, drape_filter_names, "how it is sampled"},
        TextField{"detail", &S::detail, true, "a picture repeated over the terrain; 2 x its colours are multiplied in"},
        titled("Detail repeats",
               Field{"detail_repeat", &S::detail_repeat, 1.0f, 400.0f, "x", "how often along a side"}),
        EnumField{"wireframe", &S::wireframe, wireframe_names, "the triangles' edges"},
        BoolField{"cull", &S::cull,
                  "leave out triangles seen from their back; without walls one then looks through below a high rim"},
        titled("Error in pixels", Field{"pixel_error", &S::pixel_error, 0.0f, 64.0f, "px",
                                        "how far the drawn surface may be from the full one; 0 = draw every cell"}),
        Field{"budget", &S::budget, 16, 32000, "k", "triangles, in thousands; the error grows when it is reached", 1},
        Field{"samples", &S::samples, 1, max_samples, "", "per pixel against jagged edges"},
        EnumField{"colour_bars", &S::colour_bars, colour_bars_names, "the heights, slopes or levels that colours show"},
        EnumField{"camera", &S::camera, camera_mode_names,
                  "turn around the terrain, or fly with W A S D and the mouse"},
        EnumField{"projection", &S::projection, projection_names, "the far is smaller, or as large as the near"},
        Field{"fov", &S::fov, 5.0f, 120.0f, "deg", "vertical angle of view"},
        Field{"azimuth", &S::azimuth, 0.0f, 360.0f, "deg", "where the camera stands: 0 north, 90 east, 180 south"},
        Field{"elevation", &S::elevation, -89.0f, 89.0f, "deg", "height of the camera above the horizon"},
        Field{"distance", &S::distance, 0.0f, 20.0f, "", "from the point that it looks at; 0 = everything is in sight"},
        Field{"target_x", &S::target_x, -4.0f, 4.0f, "", "the point that it looks at: east of the centre"},
        Field{"target_y", &S::target_y, -4.0f, 4.0f, "", "the point that it looks at: above the minimum height"},
        Field{"target_z", &S::target_z, -4.0f, 4.0f, "", "the point that it looks at: south of the centre"}};
  }
  bool operator==(const TerrainSettings&) const = default;
};

/// Difference between the maximum and the minimum height at exaggeration 1, in sides of the terrain.
inline constexpr float base_relief = 0.16f;
/// Depth of the walls below the minimum height, in sides of the terrain.
inline constexpr float wall_depth = 0.02f;

}  // namespace threadscape::render
