#include "render/passes/terrain_light_map.h"

#include <algorithm>

#include "render/passes/dispatch.h"

namespace threadscape::render {

namespace {

constexpr int bands = 12;
constexpr int light_group = 8;
constexpr int min_texels = 16;

/// Number of texels for an axis with `points` points of a terrain with `longer` points on its longer side. Light is
/// smoother than heights, so the map may be coarser than the terrain.
int extent_for(int points, int longer, int max_extent) {
  return std::clamp(
      longer > max_extent ? static_cast<int>(static_cast<std::int64_t>(points) * max_extent / longer) : points,
      min_texels, max_extent);
}

}  // namespace

TerrainLightMap::TerrainLightMap(const gl::ShaderLibrary& library)
    : program_(library, "terrain_light.comp"), shown_(gl::Format::rgba8, 1, 1) {
  shown_.clear(1.0f, 1.0f, 1.0f, 1.0f);
}

void TerrainLightMap::begin(const Cause& cause) {
  working_ = cause;
  const int longer = std::max(cause.width, cause.height);
  const int width = extent_for(cause.width, longer, max_texels_),
            height = extent_for(cause.height, longer, max_texels_);
  if (next_.empty() || next_.width() != width || next_.height() != height) {
    next_ = gl::Texture(gl::Format::rgba8, width, height);
    next_.set_filter(gl::Filter::linear);
  }
}

void TerrainLightMap::work(gl::Program& program, const gl::Texture& heights) {
  const int rows = std::max((next_.height() + bands - 1) / bands, light_group);
  program.set("map_size", glm::ivec2(next_.width(), next_.height()));
  program.set("first_row", row_);
  program.set("rows", rows);
  program.set("sun", working_.sun);
  heights.bind(0);
  glBindImageTexture(0, next_.id(), 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RGBA8);
  glDispatchCompute(static_cast<GLuint>(groups_for(next_.width(), light_group)),
                    static_cast<GLuint>(groups_for(rows, light_group)), 1);
  glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT);
  row_ += rows;
  if (row_ < next_.height()) return;
  row_ = 0;
  std::swap(shown_, next_);
  done_ = working_;
}

}  // namespace threadscape::render
