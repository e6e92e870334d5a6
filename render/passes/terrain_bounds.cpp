#include "render/passes/terrain_bounds.h"

#include <algorithm>
#include <cstring>

#include "render/passes/dispatch.h"

namespace threadscape::render {

namespace {

constexpr int bounds_group = 8;  // invocations of a work group along each axis
/// Number of levels between a patch and the surface that it is compared with. The patches of a higher level than this
/// look at 1/4 as many points as those of the level below.
constexpr int compared_depth = 3;

}  // namespace

TerrainBoundsPass::TerrainBoundsPass(const gl::ShaderLibrary& library)
    : program_(library, "terrain_bounds.comp"), range_(gl::BufferUse::device, sizeof(TerrainBounds)) {}

void TerrainBoundsPass::begin(const gl::Texture& heights) {
  const glm::ivec2 size{heights.width(), heights.height()};
  if (size != layout_.size()) {
    layout_ = TerrainLayout(size);
    fence_ = {};
    nodes_ = gl::Buffer(gl::BufferUse::device, layout_.count() * sizeof(TerrainBounds));
    arriving_ = gl::Buffer(gl::BufferUse::download, layout_.count() * sizeof(TerrainBounds));
  }
  gl::Program& program = program_.use(heights);
  program.set("points", size);
  heights.bind(0);
  glBindSampler(0, 0);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, nodes_.id());
  for (int level = 0; level < layout_.levels(); ++level) {
    program.set("level", level);
    program.set("first", static_cast<int>(layout_.first(level)));
    program.set("count", layout_.nodes(level));
    const int depth = std::min(level, compared_depth);
    program.set("depth", depth);
    program.set("below_first", static_cast<int>(layout_.first(level - depth)));
    program.set("below_count", layout_.nodes(level - depth));
    const glm::ivec2 nodes = layout_.nodes(level);
    glDispatchCompute(static_cast<GLuint>(groups_for(nodes.x, bounds_group)),
                      static_cast<GLuint>(groups_for(nodes.y, bounds_group)), 1);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
  }
  glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
  constexpr auto one = static_cast<GLsizeiptr>(sizeof(TerrainBounds));
  const auto count = static_cast<GLsizeiptr>(layout_.count());
  glCopyNamedBufferSubData(nodes_.id(), range_.id(), (count - 1) * one, 0, one);
  glCopyNamedBufferSubData(nodes_.id(), arriving_.id(), 0, 0, count * one);
  glMemoryBarrier(GL_CLIENT_MAPPED_BUFFER_BARRIER_BIT);
  fence_.place();
  pending_ = true;
}

std::optional<TerrainTree> TerrainBoundsPass::take(bool wait) {
  if (!pending_) return {};
  if (wait) fence_.wait();
  if (!fence_.passed()) return {};
  pending_ = false;
  std::vector<TerrainBounds> bounds(layout_.count());
  std::memcpy(bounds.data(), arriving_.data(), bounds.size() * sizeof(TerrainBounds));
  return TerrainTree(layout_, std::move(bounds));
}

}  // namespace threadscape::render
