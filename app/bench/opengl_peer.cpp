#include "app/bench/opengl_peer.h"

#include <glad/gl.h>

#include <memory>
#include <vector>

#include "app/platform/platform.h"
#include "compute/algorithms/graphics/rasterize/rasterize.h"
#include "compute/algorithms/graphics/rasterize/rasterize_environment_map.h"
#include "compute/core/errors.h"
#include "render/gl/context.h"
#include "render/gl/program.h"
#include "render/passes/mesh_pass.h"

namespace threadscape::app {

namespace {

class OpenGlRasterizer {
 public:
  OpenGlRasterizer()
      : platform_(make_headless(16, 16)), shaders_(gl::ShaderLibrary::source_folder()), pass_(shaders_) {}

  [[nodiscard]] bool software() const { return platform_->context().software(); }

  /// Draws a picture and waits until it is complete. A mesh other than the last one is uploaded first.
  void draw(HostIn mesh, const ParamBox& params) {
    platform_->context().make_current();
    if (mesh.data != uploaded_ || mesh.shape != shape_) {
      pass_.set_mesh(mesh);
      uploaded_ = mesh.data;
      shape_ = mesh.shape;
    }
    const auto& wanted = params.as<Rasterize::Params>();
    const auto environment = rasterize::environment_map(wanted);
    pass_.draw_colours(Rasterize::plan(wanted, mesh, environment.get()));
    glFinish();
  }

 private:
  std::unique_ptr<Platform> platform_;
  gl::ShaderLibrary shaders_;
  render::MeshPass pass_;
  const std::byte* uploaded_ = nullptr;
  Shape shape_;
};

/// Null where OpenGL 4.5 is absent.
OpenGlRasterizer* rasterizer() {
  static OpenGlRasterizer* const only = []() -> OpenGlRasterizer* {
    try {
      // It is never destroyed: at the end of the program the driver may have freed its own state already.
      return std::make_unique<OpenGlRasterizer>().release();
    } catch (const EnvironmentError&) {
      return nullptr;
    }
  }();
  return only;
}

void draw(HostIn mesh, HostOut, int, const ParamBox& params) {
  rasterizer()->draw(mesh, params);
}

/// Returns true if OpenGL draws the picture that `rasterize` draws, but for rounding.
bool is_drawn(const ParamBox& params, const Shape&) {
  const auto& p = params.as<Rasterize::Params>();
  return p.output == rasterize::Output::picture && p.visibility == rasterize::Visibility::z_buffer && !p.wireframe &&
         p.depth_bits <= rasterize::DepthBits::fixed16 && p.order != rasterize::Order::front_to_back &&
         p.blend_factor == 1.0f && p.min_opacity == 0.0f && p.min_area == 0.0f;
}

}  // namespace

std::span<const Peer> opengl_peers() {
  static const std::vector<Peer> all = [] {
    std::vector<Peer> found;
    if (const OpenGlRasterizer* const by = rasterizer())
      found.push_back({.algorithm = opengl_algorithm,
                       .name = by->software() ? "OpenGL (llvmpipe)" : "OpenGL",
                       .run = draw,
                       .supports = is_drawn,
                       .backend = by->software() ? Backend::openmp : Backend::cuda});
    return found;
  }();
  return all;
}

}  // namespace threadscape::app
