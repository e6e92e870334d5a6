#pragma once
// The map of shadows and skylight of a terrain.

#include <cstdint>
#include <glm/vec3.hpp>
#include <optional>

#include "render/gl/texture.h"
#include "render/passes/tiled_program.h"

namespace threadscape::render {

/// A map of the sunlight and skylight that reach each place of a terrain, for shadows and dark valleys. Each frame
/// computes a band of the map, so that no frame takes long; until the map is complete, the previous one is in use.
class TerrainLightMap {
 public:
  /// The inputs of a map. Equal inputs give the same light.
  struct Cause {
    std::uint64_t version = 0;  ///< Version of the heights.
    glm::vec3 sun{0.0f, 1.0f, 0.0f};
    float relief = 0.0f;
    int width = 0, height = 0;
    friend bool operator==(const Cause&, const Cause&) = default;
  };

  explicit TerrainLightMap(const gl::ShaderLibrary& library);

  /// Sets the maximum number of texels along the longer side, for maps that are started from now on.
  void set_extent(int texels) { max_texels_ = texels; }

  /// Computes the next band. A map that was started for another cause is completed first. `set_common` sets the
  /// uniforms of terrain.glsl.
  template <class SetCommon>
  void step(const gl::Texture& heights, const Cause& cause, SetCommon set_common) {
    if (row_ == 0 && done_ == cause) return;
    if (row_ == 0) begin(cause);
    gl::Program& program = program_.use(heights);
    set_common(program);
    work(program, heights);
  }
  /// Returns whether the map in use is that of `cause`.
  [[nodiscard]] bool ready(const Cause& cause) const { return done_ == cause && row_ == 0; }
  /// The map in use. Until the first one is complete, all light reaches every place.
  [[nodiscard]] const gl::Texture& map() const { return shown_; }

 private:
  void begin(const Cause& cause);
  void work(gl::Program& program, const gl::Texture& heights);

  TiledProgram program_;
  gl::Texture shown_, next_;
  std::optional<Cause> done_;
  Cause working_;
  int max_texels_ = 768;
  int row_ = 0;  ///< First row of next_ that is not computed; 0 if no map is started.
};

}  // namespace threadscape::render
