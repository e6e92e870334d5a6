#include "render/passes/slice_pass.h"

#include <cmath>

namespace threadscape::render {

namespace {

GLuint make_clamped_sampler(GLint filter) {
  GLuint sampler = 0;
  glCreateSamplers(1, &sampler);
  glSamplerParameteri(sampler, GL_TEXTURE_MIN_FILTER, filter);
  glSamplerParameteri(sampler, GL_TEXTURE_MAG_FILTER, filter);
  for (const GLenum axis : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T, GL_TEXTURE_WRAP_R})
    glSamplerParameteri(sampler, axis, GL_CLAMP_TO_EDGE);
  return sampler;
}

}  // namespace

void VolumeTone::set(gl::Program& program) const {
  const float span = high - low;
  program.set("window", glm::vec2(low, std::abs(span) > 1e-30f ? 1.0f / span : 1e30f));
  program.set("map", static_cast<int>(map));
  program.set("inverted", inverted);
}

SlicePass::SlicePass(const gl::ShaderLibrary& library)
    : picture_(library, "screen.vert", "volume_slice.frag"),
      profile_(library, "screen.vert", "volume_profile.frag"),
      nearest_(make_clamped_sampler(GL_NEAREST)),
      linear_(make_clamped_sampler(GL_LINEAR)) {
  glCreateVertexArrays(1, &vertex_array_);
}

SlicePass::~SlicePass() {
  glDeleteSamplers(1, &nearest_);
  glDeleteSamplers(1, &linear_);
  glDeleteVertexArrays(1, &vertex_array_);
}

void SlicePass::begin(gl::Program& program, const gl::VolumeTexture& volume, const VolumeSlice& slice,
                      const VolumeTone& tone, Magnify magnify, const ViewRect& rect, int target_height) {
  const glm::ivec2 viewport{rect.corner.x, target_height - rect.corner.y - rect.size.y};
  glViewport(viewport.x, viewport.y, rect.size.x, rect.size.y);
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_CULL_FACE);
  glDisable(GL_SCISSOR_TEST);
  program.use();
  tone.set(program);
  program.set("viewport", viewport);
  program.set("viewport_size", rect.size);
  program.set("origin", slice.origin);
  program.set("across", slice.across);
  program.set("down", slice.down);
  volume.bind(0);
  glBindSampler(0, magnify == Magnify::smooth ? linear_ : nearest_);
  glBindVertexArray(vertex_array_);
}

void SlicePass::end() const {
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glBindVertexArray(0);
  glBindSampler(0, 0);
  glDisable(GL_BLEND);
}

void SlicePass::draw_difference(const gl::VolumeTexture& volume, const gl::VolumeTexture* subtracted,
                                const VolumeSlice& slice, const VolumeTone& tone, Magnify magnify, const ViewRect& rect,
                                glm::vec2 corner, glm::vec2 extent, const glm::vec4& background, int target_height) {
  if (rect.size.x < 1 || rect.size.y < 1) return;
  begin(picture_, volume, slice, tone, magnify, rect, target_height);
  picture_.set("corner", corner);
  picture_.set("extent", extent);
  picture_.set("background", background);
  picture_.set("difference", subtracted != nullptr);
  // Without a difference the second texture is not read. Something is bound all the same, because software OpenGL
  // compiles a shader for each combination of the kinds of all its textures, and would do so for whatever another pass
  // has bound last.
  (subtracted != nullptr ? *subtracted : volume).bind(1);
  glBindSampler(1, magnify == Magnify::smooth ? linear_ : nearest_);
  glDisable(GL_BLEND);
  end();
  glBindSampler(1, 0);
}

void SlicePass::draw_profile(const gl::VolumeTexture& volume, const VolumeSlice& slice, const VolumeTone& tone,
                             const ViewRect& rect, float left, float width, float weight, const glm::vec4& ink,
                             int target_height) {
  if (rect.size.x < 1 || rect.size.y < 1 || width <= 0.0f) return;
  begin(profile_, volume, slice, tone, Magnify::smooth, rect, target_height);
  profile_.set("first", -left / width);
  profile_.set("per_pixel", 1.0f / width);
  profile_.set("weight", weight);
  profile_.set("ink", ink);
  glEnable(GL_BLEND);
  glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  end();
}

}  // namespace threadscape::render
