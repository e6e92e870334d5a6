#pragma once
// A heightmap as a lit landscape. The vertex shader reads the heightmap's own texture, the one that CUDA filled;
// nothing is copied. terrain_tree.h says what is drawn how finely, terrain_settings.h how it looks.

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

/// What one draw() did.
struct TerrainFigures {
  std::int64_t triangles = 0;
  std::int64_t patches = 0;
  float pixel_error = 0.0f;  ///< what the surface was refined to: larger than asked for when the budget was reached
};

/// Pictures over the terrain; null where there is none.
struct TerrainTextures {
  const gl::Texture* drape = nullptr;   ///< with all its mip levels
  const gl::Texture* detail = nullptr;  ///< the same
};

class TerrainPass {
 public:
  /// The library must outlive the pass.
  explicit TerrainPass(const gl::ShaderLibrary& library);
  ~TerrainPass();
  TerrainPass(const TerrainPass&) = delete;
  TerrainPass& operator=(const TerrainPass&) = delete;

  /// Fills all of `target`. `version` changes whenever the heights do. `backdrop` is behind terrains in plain light.
  /// Where the budget allows, nothing but `settings` and the heights decides what is drawn. Leaves blending, depth and
  /// scissor test and culling off.
  void draw(const gl::Texture& heights, std::uint64_t version, const TerrainTextures& textures,
            const TerrainSettings& settings, const glm::vec3& backdrop, const gl::Framebuffer& target);
  /// Another draw() of the same would look better: bounds or light were still under way.
  [[nodiscard]] bool unfinished() const { return unfinished_; }
  [[nodiscard]] const TerrainFigures& figures() const { return figures_; }
  /// Coarser shadows, for renderers without a GPU.
  void prefer_speed() { light_.set_extent(256); }
  /// For tests: draw patches that are out of sight, too.
  void set_culling(bool on) { cull_patches_ = on; }

 private:
  struct Frame;
  void update(const gl::Texture& heights, std::uint64_t version, const TerrainSettings& settings);
  void set_common(gl::Program& program, const gl::Texture& heights, const TerrainSettings& settings) const;
  void set_light(gl::Program& program, const Frame& frame) const;
  void draw_sky(const Frame& frame);
  void draw_ground(const Frame& frame);
  void draw_water(const Frame& frame);
  /// wall: 0 the surface, 1 the rim down to the floor, 2 the sea's sides. wire: see terrain.frag.
  void draw_surface(const Frame& frame, int wall, float wire);
  /// The program for these settings, current and with the light's uniforms.
  gl::Program& variant(const char* vertex, const char* fragment, const Frame& frame, int wall);
  [[nodiscard]] const gl::Texture* light_map(const TerrainSettings& settings) const {
    return settings.shadows ? light_.map() : nullptr;
  }
  void draw_patches(const std::vector<TerrainPatch>& patches, int first_index, int indices);

  const gl::ShaderLibrary& library_;
  std::map<std::string, gl::Program> programs_;  ///< by fragment shader and definitions
  TerrainBoundsPass bounds_;
  TerrainLightMap light_;
  TerrainTree tree_;
  TerrainFigures figures_;
  gl::MultisampleTarget surface_;
  gl::Buffer indices_, instances_;
  GLuint vertex_array_ = 0, empty_array_ = 0;
  GLuint linear_ = 0, nearest_ = 0, mipmapped_ = 0, clamped_ = 0;  ///< samplers
  std::uint64_t version_ = 0;
  bool known_ = false;  ///< version_ is of what bounds_ was begun with
  bool unfinished_ = false;
  bool cull_patches_ = true;
};

}  // namespace threadscape::render
