#pragma once
// Draws a heightmap as a lit landscape. The vertex shader reads the texture that the backend wrote, without a copy.
// terrain_tree.h selects the level of detail, terrain_settings.h has the settings.

#include <cstdint>
#include <glm/vec2.hpp>
#include <map>
#include <string>
#include <vector>

#include "render/gl/framebuffer.h"
#include "render/gl/program.h"
#include "render/gl/texture.h"
#include "render/passes/terrain_bounds.h"
#include "render/passes/terrain_light_map.h"
#include "render/passes/terrain_settings.h"

namespace threadscape::render {

/// Statistics of one draw().
struct TerrainFigures {
  std::int64_t triangles = 0;
  std::int64_t patches = 0;
  float pixel_error = 0.0f;  ///< Error of the drawn surface in pixels; above the setting if the budget was reached.
};

/// Pictures that are drawn over the terrain, with all mip levels; null if there is none.
struct TerrainTextures {
  const gl::Texture* drape = nullptr;   ///< A picture over the whole terrain, instead of colours.
  const gl::Texture* detail = nullptr;  ///< A picture that is repeated over the terrain.
};

/// Draws a heightmap.
class TerrainPass {
 public:
  /// The library must outlive the pass.
  explicit TerrainPass(const gl::ShaderLibrary& library);
  ~TerrainPass();
  TerrainPass(const TerrainPass&) = delete;
  TerrainPass& operator=(const TerrainPass&) = delete;

  /// Fills all of `target`. `version` has to change whenever the heights do. `backdrop` is the background in plain
  /// light. Unless the budget is reached, the picture depends on `settings` and the heights only, and not on earlier
  /// pictures. Leaves blending, depth test, scissor test and culling disabled.
  void draw(const gl::Texture& heights, std::uint64_t version, const TerrainTextures& textures,
            const TerrainSettings& settings, const glm::vec3& backdrop, const gl::Framebuffer& target);
  /// Shows the picture of the last draw() once more in `target`. Returns false, and leaves `target` as it is, if that
  /// picture has another size or was released.
  [[nodiscard]] bool draw_again(const gl::Framebuffer& target) const;
  /// Returns whether another draw() would improve the picture, since the bounds or the light map were not complete.
  [[nodiscard]] bool unfinished() const { return unfinished_; }
  [[nodiscard]] const TerrainFigures& figures() const { return figures_; }
  /// The quadtree of the heights as of the last draw(); empty as long as their bounds are not known.
  [[nodiscard]] const TerrainTree& tree() const { return tree_; }
  /// Makes shadows coarser, for software renderers.
  void prefer_speed() { light_.set_extent(256); }
  /// Makes draw() wait for the bounds and compute all of the light map, so that it leaves nothing unfinished.
  void prefer_completeness() { complete_ = true; }
  /// Frees the memory that only draw() needs and that depends on the size of the picture. The next draw() allocates it
  /// again.
  void release_targets() { surface_ = {}; }
  /// Number of shader programs that were compiled so far, for tests.
  [[nodiscard]] std::size_t programs() const { return programs_.size(); }
  /// Returns whether patches out of view are left out; for tests.
  void set_culling(bool on) { cull_patches_ = on; }

 private:
  struct Frame;
  void update(const gl::Texture& heights, std::uint64_t version, const TerrainSettings& settings);
  void set_common(gl::Program& program, const gl::Texture& heights, const TerrainSettings& settings) const;
  void set_light(gl::Program& program, const Frame& frame) const;
  void draw_sky(const Frame& frame);
  void draw_ground(const Frame& frame);
  void draw_water(const Frame& frame);
  /// Draws the surface (wall = 0), the walls from the rim to the floor (1), or the sides of the sea (2). `wire` is a
  /// uniform of terrain.frag.
  void draw_surface(const Frame& frame, int wall, float wire);
  /// The program for these settings, made current, with the uniforms of the light set.
  gl::Program& variant(const char* vertex, const char* fragment, const Frame& frame, int wall);
  void draw_patches(const std::vector<TerrainPatch>& patches, int first_index, int indices);

  const gl::ShaderLibrary& library_;
  std::map<std::string, gl::Program> programs_;  ///< The key is the fragment shader and the definitions.
  TerrainBoundsPass bounds_;
  TerrainLightMap light_;
  TerrainTree tree_;
  TerrainFigures figures_;
  gl::MultisampleTarget surface_;
  gl::Buffer indices_, instances_;
  GLuint vertex_array_ = 0, empty_array_ = 0;
  GLuint linear_ = 0, nearest_ = 0, mipmapped_ = 0, clamped_ = 0;  ///< Samplers.
  std::uint64_t version_ = 0;
  int samples_ = 0;     ///< Samples per pixel of the last draw().
  bool known_ = false;  ///< If true, bounds_ was started, for heights of version_.
  bool unfinished_ = false;
  bool complete_ = false;  ///< If true, draw() finishes the bounds and the light map.
  bool cull_patches_ = true;
};

}  // namespace threadscape::render
