#pragma once
// A volume in space, with lines and pictures around it: what scenes with a third dimension are made of. Nothing needs
// to be sorted: what lies behind the volume is drawn first, the volume over it, and the rest over that, lines inside of
// the volume dimmed by what is in front of them.

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

/// shaded: surfaces in light, and veils. sum: what an X-ray would see, of parallel or diverging eyes. maximum: the
/// largest value behind each pixel. slices and off: no rays are marched.
enum class VolumeStyle : std::uint8_t { shaded, sum, maximum, slices, off };
inline constexpr std::array<std::string_view, 5> volume_style_names{"shaded", "sum", "maximum", "slices", "off"};

/// A volume in its box; the texture's axes are x, z, y of space.
struct SpaceVolume {
  const gl::VolumeTexture* voxels = nullptr;
  const VolumeRange* range = nullptr;  ///< of these voxels
  glm::vec3 low{-0.5f}, high{0.5f};
  VolumeTone tone;
  VolumeStyle style = VolumeStyle::shaded;
  float density = 1.0f;   ///< shaded: opacity of the largest value per length; sum: brightness per length
  float surfaces = 1.0f;  ///< opacity of surfaces, where the value steps from least to largest
  float quality = 1.0f;   ///< steps per voxel
};

/// From a to b, `width` pixels; a point where both are the same.
struct SpaceLine {
  glm::vec3 a{0.0f}, b{0.0f};
  glm::vec4 colour{1.0f};
  float width = 1.0f;
  bool glow = false;  ///< fades from the middle
};

/// A slice of a volume as a picture in space.
struct SpacePlane {
  const gl::VolumeTexture* picture = nullptr;
  glm::vec3 corner{0.0f}, across{1.0f, 0.0f, 0.0f}, up{0.0f, 0.0f, 1.0f};
  VolumeSlice slice;  ///< at `corner`, and along `across` and `up` (VolumeSlice::down)
  VolumeTone tone;
  float opacity = 1.0f;  ///< below 1 a pane of glass, clearer where the picture is dark
};

struct SpaceScenery {
  SpaceVolume volume;
  std::vector<SpacePlane> planes;
  std::vector<SpaceLine> lines;
  OrbitCamera camera;
  glm::vec4 background{0.1f, 0.1f, 0.11f, 1.0f};
  int samples = 4;  ///< per pixel, for edges
};

class VolumePass {
 public:
  /// The library must outlive the pass.
  explicit VolumePass(const gl::ShaderLibrary& library);
  ~VolumePass();
  VolumePass(const VolumePass&) = delete;
  VolumePass& operator=(const VolumePass&) = delete;

  /// Fills all of `target`. Leaves blending and depth test off.
  void draw(const SpaceScenery& scenery, const gl::Framebuffer& target);

 private:
  void set_march(gl::Program& program, const SpaceScenery& scenery);
  void draw_planes(const SpaceScenery& scenery, int part);
  void draw_lines(const SpaceScenery& scenery, int part);
  void draw_volume(const SpaceScenery& scenery);

  std::array<gl::Program, 3> march_;  ///< shaded, sum, maximum
  gl::Program line_, plane_;
  gl::MultisampleTarget surface_;
  gl::Buffer line_data_;
  GLuint line_array_ = 0, empty_array_ = 0, linear_ = 0;
  glm::ivec2 view_{0};
};

}  // namespace threadscape::render
