#pragma once

#include <cstdint>
#include <glm/vec3.hpp>
#include <optional>

#include "render/gl/texture.h"
#include "render/passes/tiled_program.h"

namespace threadscape::render {

/// How much sun and how much sky reach each place of a terrain, for shadows and dark valleys. A band of the map per
/// frame, so that no frame takes long; until all are done, the map of before is in use.
class TerrainLightMap {
 public:
  /// What a map depends on; two that are equal have the same light.
  struct Cause {
    std::uint64_t version = 0;  ///< of the heights
    glm::vec3 sun{0.0f, 1.0f, 0.0f};
    float relief = 0.0f;
    int width = 0, height = 0;
    friend bool operator==(const Cause&, const Cause&) = default;
  };

  explicit TerrainLightMap(const gl::ShaderLibrary& library) : program_(library, "terrain_light.comp") {}

  /// Texels along the longer side of large terrains, in maps that are begun from now on.
  void set_extent(int texels) { most_ = texels; }

  /// Works on. `set_common` sets the uniforms of terrain.glsl. A map that was begun is finished first.
  template <class SetCommon>
  void step(const gl::Texture& heights, const Cause& cause, SetCommon set_common) {
    if (row_ == 0 && done_ == cause) return;
    if (row_ == 0) begin(cause);
    gl::Program& program = program_.use(heights);
    set_common(program);
    work(program, heights);
  }
  /// Whether the map is what `cause` asks for.
  [[nodiscard]] bool ready(const Cause& cause) const { return done_ == cause && row_ == 0; }
  /// Null until the first one is done.
  [[nodiscard]] const gl::Texture* map() const { return shown_.empty() ? nullptr : &shown_; }

 private:
  void begin(const Cause& cause);
  void work(gl::Program& program, const gl::Texture& heights);

  TiledProgram program_;
  gl::Texture shown_, next_;
  std::optional<Cause> done_;
  Cause working_;
  int most_ = 768;
  int row_ = 0;  ///< first one of next_ to do; 0: nothing is begun
};

}  // namespace threadscape::render
