#pragma once
// Draws planes through a volume as flat pictures (a projection, a sinogram, a slice), and lines as curves (a profile).

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include "render/gl/program.h"
#include "render/gl/volume_texture.h"
#include "render/passes/image_pass.h"

namespace threadscape::render {

/// How values are mapped to colours.
struct VolumeTone {
  float low = 0.0f, high = 1.0f;  ///< The values shown as black and as white, the ends of the colour map.
  ColourMap map = ColourMap::none;
  bool inverted = false;
  /// Sets the uniforms of shaders/volume_tone.glsl in the program in use.
  void set(gl::Program& program) const;
};

/// A parallelogram in a volume, in texture coordinates, which are 0..1 from edge to edge.
struct VolumeSlice {
  glm::vec3 origin{0.0f};  ///< Top left corner of the picture.
  glm::vec3 across{1.0f, 0.0f, 0.0f}, down{0.0f, 1.0f, 0.0f};
};

/// A rectangle of the target, in pixels from its top left corner.
struct ViewRect {
  glm::ivec2 corner{0}, size{0};
  [[nodiscard]] bool contains(glm::vec2 at) const {
    return at.x >= static_cast<float>(corner.x) && at.y >= static_cast<float>(corner.y) &&
           at.x < static_cast<float>(corner.x + size.x) && at.y < static_cast<float>(corner.y + size.y);
  }
};

/// Draws slices and profiles of a volume.
class SlicePass {
 public:
  /// The library must outlive the pass.
  explicit SlicePass(const gl::ShaderLibrary& library);
  ~SlicePass();
  SlicePass(const SlicePass&) = delete;
  SlicePass& operator=(const SlicePass&) = delete;

  /// Fills `rect` of the bound framebuffer, which is `target_height` pixels high. The picture has `extent` pixels and
  /// its top left corner at `corner`, in pixels of `rect`; the rest of `rect` is background.
  void draw(const gl::VolumeTexture& volume, const VolumeSlice& slice, const VolumeTone& tone, Magnify magnify,
            const ViewRect& rect, glm::vec2 corner, glm::vec2 extent, const glm::vec4& background, int target_height) {
    draw_difference(volume, nullptr, slice, tone, magnify, rect, corner, extent, background, target_height);
  }
  /// Draws as draw() does, with the values of `subtracted`, a volume of the same size, subtracted unless it is null.
  void draw_difference(const gl::VolumeTexture& volume, const gl::VolumeTexture* subtracted, const VolumeSlice& slice,
                       const VolumeTone& tone, Magnify magnify, const ViewRect& rect, glm::vec2 corner,
                       glm::vec2 extent, const glm::vec4& background, int target_height);
  /// Draws a curve of the values along `slice.across` over the contents of `rect`. The positions 0..1 along it are
  /// mapped to the pixels left .. left + width of `rect`. `weight` is the width of the curve in pixels.
  void draw_profile(const gl::VolumeTexture& volume, const VolumeSlice& slice, const VolumeTone& tone,
                    const ViewRect& rect, float left, float width, float weight, const glm::vec4& ink,
                    int target_height);

 private:
  void begin(gl::Program& program, const gl::VolumeTexture& volume, const VolumeSlice& slice, const VolumeTone& tone,
             Magnify magnify, const ViewRect& rect, int target_height);
  void end() const;

  gl::Program picture_, profile_;
  GLuint vertex_array_ = 0, nearest_ = 0, linear_ = 0;
};

}  // namespace threadscape::render
