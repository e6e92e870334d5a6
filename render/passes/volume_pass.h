#pragma once
// Draws a volume in space with lines and pictures around it, by ray marching. No sorting is needed: lines and pictures
// behind the volume are drawn first, then the volume, and then the rest; lines inside of the volume are dimmed by the
// part of it in front of them.

#include <array>
#include <cstdint>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "render/gl/framebuffer.h"
#include "render/gl/program.h"
#include "render/passes/orbit_camera.h"
#include "render/passes/slice_pass.h"
#include "render/passes/volume_range.h"

namespace threadscape::render {

/// shaded: lit surfaces and translucent matter. sum: the line integral behind each pixel, as in an X-ray image.
/// maximum: the maximum value behind each pixel. slices and off: no rays are marched.
enum class VolumeStyle : std::uint8_t { shaded, sum, maximum, slices, off };
inline constexpr std::array<std::string_view, 5> volume_style_names{"shaded", "sum", "maximum", "slices", "off"};

/// A volume in the box from `low` to `high`. The axes of the texture are x, z and y of space.
struct SpaceVolume {
  const gl::VolumeTexture* voxels = nullptr;
  const VolumeRange* range = nullptr;  ///< The range of these voxels.
  glm::vec3 low{-0.5f}, high{0.5f};
  VolumeTone tone;
  VolumeStyle style = VolumeStyle::shaded;
  float density = 1.0f;   ///< Opacity of the maximum value per length (shaded), or brightness per length (sum).
  float surfaces = 1.0f;  ///< Opacity of surfaces at which the value steps from the minimum to the maximum.
  float quality = 1.0f;   ///< Steps of a ray per voxel.
};

/// A line from a to b, `width` pixels wide; a point if both are equal.
struct SpaceLine {
  glm::vec3 a{0.0f}, b{0.0f};
  glm::vec4 colour{1.0f};
  float width = 1.0f;
  bool glow = false;  ///< If true, it fades from its middle to its edges.
};

/// A slice of a volume as a picture in space.
struct SpacePlane {
  const gl::VolumeTexture* picture = nullptr;
  glm::vec3 corner{0.0f}, across{1.0f, 0.0f, 0.0f}, up{0.0f, 0.0f, 1.0f};
  VolumeSlice slice;  ///< Its origin is at `corner`, its `across` along `across`, and its `down` along `up`.
  VolumeTone tone;
  float opacity = 1.0f;  ///< Below 1 the picture is translucent, more so where it is dark.
};

/// Everything that is drawn in one picture.
struct SpaceScenery {
  SpaceVolume volume;
  std::vector<SpacePlane> planes;
  std::vector<SpaceLine> lines;
  OrbitCamera camera;
  glm::vec4 background{0.1f, 0.1f, 0.11f, 1.0f};
  int samples = 4;  ///< Samples per pixel, for smooth edges.
};

/// Draws a SpaceScenery.
class VolumePass {
 public:
  /// The library must outlive the pass.
  explicit VolumePass(const gl::ShaderLibrary& library);
  ~VolumePass();
  VolumePass(const VolumePass&) = delete;
  VolumePass& operator=(const VolumePass&) = delete;

  /// Fills all of `target`. Leaves blending and the depth test disabled.
  void draw(const SpaceScenery& scenery, const gl::Framebuffer& target);
  /// Frees the memory that only draw() needs and that depends on the size of the picture. The next draw() allocates it
  /// again.
  void release_targets() { surface_ = {}; }

 private:
  void set_march(gl::Program& program, const SpaceScenery& scenery);
  void draw_planes(const SpaceScenery& scenery, int part);
  void draw_lines(const SpaceScenery& scenery, int part);
  void draw_volume(const SpaceScenery& scenery);

  std::array<gl::Program, 3> march_;  ///< The programs of the styles shaded, sum and maximum.
  gl::Program line_, plane_;
  gl::MultisampleTarget surface_;
  gl::Buffer line_data_;
  GLuint line_array_ = 0, empty_array_ = 0, linear_ = 0;
  glm::ivec2 view_{0};
};

}  // namespace threadscape::render
