#include "render/passes/volume_pass.h"

#include <algorithm>
#include <glm/geometric.hpp>
#include <glm/gtc/type_ptr.hpp>

namespace threadscape::render {

namespace {

struct LineData {
  glm::vec4 from, to, colour;
};

bool marched(const SpaceVolume& volume) {
  return volume.voxels != nullptr && volume.range != nullptr && volume.style != VolumeStyle::slices &&
         volume.style != VolumeStyle::off;
}

/// Number of parts in which planes and lines are drawn: behind and before the volume, or 0 without a volume; see
/// space_line.frag.
int parts_of(const SpaceScenery& scenery) {
  return marched(scenery.volume) ? 2 : 0;
}

}  // namespace

VolumePass::VolumePass(const gl::ShaderLibrary& library)
    : march_{gl::Program(library, "screen.vert", "volume_march.frag", "#define MARCH_STYLE 0\n"),
             gl::Program(library, "screen.vert", "volume_march.frag", "#define MARCH_STYLE 1\n"),
             gl::Program(library, "screen.vert", "volume_march.frag", "#define MARCH_STYLE 2\n")},
      line_(library, "space_line.vert", "space_line.frag"),
      plane_(library, "space_plane.vert", "space_plane.frag") {
  glCreateVertexArrays(1, &empty_array_);
  glCreateVertexArrays(1, &line_array_);
  for (GLuint attribute = 0; attribute < 3; ++attribute) {
    glEnableVertexArrayAttrib(line_array_, attribute);
    glVertexArrayAttribFormat(line_array_, attribute, 4, GL_FLOAT, GL_FALSE,
                              attribute * static_cast<GLuint>(sizeof(glm::vec4)));
    glVertexArrayAttribBinding(line_array_, attribute, 0);
  }
  glVertexArrayBindingDivisor(line_array_, 0, 1);
  glCreateSamplers(1, &linear_);
  glSamplerParameteri(linear_, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glSamplerParameteri(linear_, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  for (const GLenum axis : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T, GL_TEXTURE_WRAP_R})
    glSamplerParameteri(linear_, axis, GL_CLAMP_TO_EDGE);
}

VolumePass::~VolumePass() {
  glDeleteSamplers(1, &linear_);
  glDeleteVertexArrays(1, &line_array_);
  glDeleteVertexArrays(1, &empty_array_);
}

void VolumePass::set_march(gl::Program& program, const SpaceScenery& scenery) {
  const SpaceVolume& volume = scenery.volume;
  const OrbitCamera& camera = scenery.camera;
  volume.tone.set(program);
  program.set("eye", camera.eye());
  program.set("box_low", volume.low);
  program.set("box_high", volume.high);
  if (!marched(volume)) return;
  const glm::vec3 size{volume.voxels->size()};
  const glm::vec3 sides = (volume.high - volume.low) / glm::vec3(size.x, size.z, size.y);
  const float voxel = std::min({sides.x, sides.y, sides.z});
  program.set("brick_count", volume.range->brick_count());
  program.set("density", volume.density);
  program.set("surfaces", volume.surfaces);
  program.set("voxel", voxel);
  program.set("step_length", voxel / std::max(volume.quality, 0.05f));
  // The light comes from above and from the left of the camera.
  program.set("light", glm::normalize(-camera.forward() + 0.7f * camera.upward() - 0.6f * camera.right()));
  volume.voxels->bind(0);
  glBindSampler(0, linear_);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, volume.range->bricks().id());
}

void VolumePass::draw_planes(const SpaceScenery& scenery, int part) {
  if (scenery.planes.empty()) return;
  plane_.use();
  plane_.set("clip", scenery.camera.clip(view_));
  plane_.set("eye", scenery.camera.eye());
  plane_.set("box_low", scenery.volume.low);
  plane_.set("box_high", scenery.volume.high);
  plane_.set("background", scenery.background);
  plane_.set("part", part);
  glBindSampler(1, linear_);
  glBindVertexArray(empty_array_);
  for (const SpacePlane& plane : scenery.planes) {
    plane.tone.set(plane_);
    plane_.set("corner", plane.corner);
    plane_.set("across", plane.across);
    plane_.set("up", plane.up);
    plane_.set("origin", plane.slice.origin);
    plane_.set("across_texture", plane.slice.across);
    plane_.set("up_texture", plane.slice.down);
    plane_.set("opacity", plane.opacity);
    plane.picture->bind(1);
    glDepthMask(plane.opacity >= 1.0f ? GL_TRUE : GL_FALSE);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
  }
  glDepthMask(GL_TRUE);
}

void VolumePass::draw_lines(const SpaceScenery& scenery, int part) {
  if (scenery.lines.empty()) return;
  line_.use();
  set_march(line_, scenery);
  line_.set("clip", scenery.camera.clip(view_));
  line_.set("view", glm::vec2(view_));
  line_.set("near", scenery.camera.near());
  line_.set("part", part);
  glBindVertexArray(line_array_);
  glDepthMask(GL_FALSE);
  glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(scenery.lines.size()));
  glDepthMask(GL_TRUE);
}

void VolumePass::draw_volume(const SpaceScenery& scenery) {
  const OrbitCamera& camera = scenery.camera;
  gl::Program& program = march_[static_cast<std::size_t>(scenery.volume.style)];
  program.use();
  set_march(program, scenery);
  const float half = camera.half_height();
  program.set("view", view_);
  program.set("ahead", camera.forward());
  program.set("right", camera.right() * half * static_cast<float>(view_.x) / static_cast<float>(view_.y));
  program.set("upward", camera.upward() * half);
  glDisable(GL_DEPTH_TEST);
  glBindVertexArray(empty_array_);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glEnable(GL_DEPTH_TEST);
}

void VolumePass::draw(const SpaceScenery& scenery, const gl::Framebuffer& target) {
  view_ = {target.width(), target.height()};
  if (!surface_.fits(view_.x, view_.y, scenery.samples))
    surface_ = gl::MultisampleTarget(view_.x, view_.y, scenery.samples);
  std::vector<LineData> lines;
  lines.reserve(scenery.lines.size());
  for (const SpaceLine& line : scenery.lines)
    lines.push_back({glm::vec4(line.a, line.width), glm::vec4(line.b, line.glow ? 1.0f : 0.0f), line.colour});
  if (!lines.empty()) {
    // Every picture gets a new buffer, since the GPU may still be reading the previous one.
    line_data_ = gl::Buffer(gl::BufferUse::device, lines.size() * sizeof(LineData), lines.data());
    glVertexArrayVertexBuffer(line_array_, 0, line_data_.id(), 0, sizeof(LineData));
  }

  surface_.bind();
  glDisable(GL_SCISSOR_TEST);
  glDisable(GL_CULL_FACE);
  const glm::vec4& backdrop = scenery.background;
  glClearColor(backdrop.r, backdrop.g, backdrop.b, 1.0f);
  glClearDepth(1.0);
  glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
  glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_LEQUAL);
  glEnable(GL_BLEND);
  glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  const int parts = parts_of(scenery);
  for (int part = std::min(parts, 1); part <= parts; ++part) {
    draw_planes(scenery, part);
    draw_lines(scenery, part);
    if (part == 1) draw_volume(scenery);
  }
  glBindVertexArray(0);
  glBindSampler(0, 0);
  glBindSampler(1, 0);
  glDisable(GL_BLEND);
  glDisable(GL_DEPTH_TEST);
  surface_.resolve(target);
}

}  // namespace threadscape::render
