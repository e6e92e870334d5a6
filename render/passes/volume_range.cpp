#include "render/passes/volume_range.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "render/passes/dispatch.h"

namespace threadscape::render {

namespace {

constexpr int entries = 256;  // as in shaders/volume_bricks.comp
constexpr int range_group_threads = 64;

}  // namespace

const std::optional<glm::vec2>& VolumeRange::range() {
  if (awaited_ && fence_.passed()) wait();
  return range_;
}

void VolumeRange::wait() {
  if (!awaited_) return;
  fence_.wait();
  awaited_ = false;
  glm::vec2 span{0.0f};
  std::memcpy(&span, arriving_.data(), sizeof(span));
  range_ = span.x <= span.y ? std::optional(span) : std::nullopt;
}

void VolumeRangePass::begin(VolumeRange& range, const gl::VolumeTexture& volume, int first, int count) {
  const glm::ivec3 bricks = (volume.size() + (brick_side - 1)) / brick_side;
  std::vector<int> levels{bricks.x * bricks.y * bricks.z};
  while (levels.back() > 1)
    levels.push_back((levels.back() + entries - 1) / entries);
  if (range.size_ != volume.size()) {
    std::size_t all = 0;
    for (const int level : levels)
      all += static_cast<std::size_t>(level);
    range.size_ = volume.size();
    range.bricks_ = bricks;
    range.spans_ = gl::Buffer(gl::BufferUse::device, all * sizeof(glm::vec2));
    range.arriving_ = gl::Buffer(gl::BufferUse::download, sizeof(glm::vec2));
    range.range_.reset();
    first = 0;
    count = volume.size().z;
  }
  // The range of a brick includes the slices next to it.
  const int low = std::max(first - 1, 0) / brick_side;
  const int high = std::min((first + count) / brick_side, bricks.z - 1);
  const int layer = bricks.x * bricks.y;

  program_.use();
  volume.bind(0);
  glBindSampler(0, 0);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, range.spans_.id());
  program_.set("brick_count", bricks);
  program_.set("leaves", true);
  program_.set("first", low * layer);
  program_.set("count", (high - low + 1) * layer);
  dispatch_row((high - low + 1) * layer, range_group_threads);
  program_.set("leaves", false);
  int source = 0;
  for (std::size_t level = 1; level < levels.size(); ++level) {
    program_.set("count", levels[level - 1]);
    program_.set("source_first", source);
    source += levels[level - 1];
    program_.set("target_first", source);
    dispatch_row(levels[level], range_group_threads);
  }
  glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT | GL_CLIENT_MAPPED_BUFFER_BARRIER_BIT);
  constexpr auto one = static_cast<GLsizeiptr>(sizeof(glm::vec2));
  glCopyNamedBufferSubData(range.spans_.id(), range.arriving_.id(), source * one, 0, one);
  range.fence_.place();
  range.awaited_ = true;
}

}  // namespace threadscape::render
