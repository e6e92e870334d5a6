#pragma once
// Planes and lines through a volume as flat pictures and curves: a projection, a sinogram, a slice, a profile.

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include "render/gl/program.h"
#include "render/gl/volume_texture.h"
#include "render/passes/image_pass.h"

namespace threadscape::render {

/// Which values are shown from black to white, and in which colours.
struct VolumeTone {
  float low = 0.0f, high = 1.0f;
  ColourMap map = ColourMap::none;
  bool inverted = false;
  /// For shaders/volume_tone.glsl, of the program in use.
  void set(gl::Program& program) const;
};

/// A parallelogram within a volume, in texture coordinates: 0..1 from edge to edge.
struct VolumeSlice {
  glm::vec3 origin{0.0f};  ///< top left corner of the picture
  glm::vec3 across{1.0f, 0.0f, 0.0f}, down{0.0f, 1.0f, 0.0f};
};

/// A rectangle of the target in pixels, from its top left corner.
struct ViewRect {
  glm::ivec2 corner{0}, size{0};
  [[nodiscard]] bool contains(glm::vec2 at) const {
    return at.x >= static_cast<float>(corner.x) && at.y >= static_cast<float>(corner.y) &&
           at.x < static_cast<float>(corner.x + size.x) && at.y < static_cast<float>(corner.y + size.y);
  }
};

class SlicePass {
 public:
  /// The library must outlive the pass.
  explicit SlicePass(const gl::ShaderLibrary& library);
  ~SlicePass();
  SlicePass(const SlicePass&) = delete;
  SlicePass& operator=(const SlicePass&) = delete;

  /// Fills `rect` of the bound framebuffer, which is `target_height` pixels high. The picture covers `extent` pixels
  /// from `corner` on, in pixels of `rect`; what it leaves free is background.
  void draw(const gl::VolumeTexture& volume, const VolumeSlice& slice, const VolumeTone& tone, Magnify magnify,
            const ViewRect& rect, glm::vec2 corner, glm::vec2 extent, const glm::vec4& background, int target_height) {
    draw_difference(volume, nullptr, slice, tone, magnify, rect, corner, extent, background, target_height);
  }
  /// The same of the volume's values less those of another volume of its size; null: less nothing.
  void draw_difference(const gl::VolumeTexture& volume, const gl::VolumeTexture* subtracted, const VolumeSlice& slice,
                       const VolumeTone& tone, Magnify magnify, const ViewRect& rect, glm::vec2 corner,
                       glm::vec2 extent, const glm::vec4& background, int target_height);
  /// A curve of the values along `slice.across`, over what is drawn. Its places 0..1 lie from pixel `left` of `rect` on
  /// `width` pixels.
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
