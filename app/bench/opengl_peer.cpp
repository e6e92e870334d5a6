#include "app/bench/opengl_peer.h"

#include <glad/gl.h>

#include <memory>
#include <vector>

#include "app/platform/platform.h"
#include "compute/algorithms/filters/convolution/convolution.h"
#include "compute/algorithms/graphics/rasterize/rasterize.h"
#include "compute/algorithms/graphics/rasterize/rasterize_environment_map.h"
#include "compute/core/errors.h"
#include "render/gl/context.h"
#include "render/gl/program.h"
#include "render/passes/fragment_convolution.h"
#include "render/passes/mesh_pass.h"

namespace threadscape::app {

namespace {

class OpenGlPrograms {
 public:
  OpenGlPrograms()
      : platform_(make_headless(16, 16)),
        shaders_(gl::ShaderLibrary::source_folder()),
        pass_(shaders_),
        convolution_(shaders_) {}

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

  /// Convolves a picture into a texture and waits until that is complete. A picture other than the last one is uploaded
  /// first.
  void convolve(HostIn picture, const ParamBox& params) {
    platform_->context().make_current();
    if (picture.data != picture_data_ || !picture_.fits(picture.shape)) {
      picture_ = {};
      picture_ = gl::Texture(picture.shape);
      picture_.write(picture);
      picture_data_ = picture.data;
    }
    convolution_.run(picture_, Convolution::plan(params.as<Convolution::Params>()));
    glFinish();
  }

 private:
  std::unique_ptr<Platform> platform_;
  gl::ShaderLibrary shaders_;
  render::MeshPass pass_;
  const std::byte* uploaded_ = nullptr;
  Shape shape_;
  render::FragmentConvolution convolution_;
  gl::Texture picture_;
  const std::byte* picture_data_ = nullptr;
};

/// Null where OpenGL 4.5 is absent.
OpenGlPrograms* programs() {
  static OpenGlPrograms* const only = []() -> OpenGlPrograms* {
    try {
      // It is never destroyed: at the end of the program the driver may have freed its own state already.
      return std::make_unique<OpenGlPrograms>().release();
    } catch (const EnvironmentError&) {
      return nullptr;
    }
  }();
  return only;
}

void draw(HostIn mesh, HostOut, int, const ParamBox& params) {
  programs()->draw(mesh, params);
}

void convolve(HostIn picture, HostOut, int, const ParamBox& params) {
  programs()->convolve(picture, params);
}

/// Returns true if OpenGL draws the picture that `rasterize` draws, but for rounding.
bool is_drawn(const ParamBox& params, const Shape&) {
  const auto& p = params.as<Rasterize::Params>();
  return p.output == rasterize::Output::picture && p.visibility == rasterize::Visibility::z_buffer && !p.wireframe &&
         p.depth_bits <= rasterize::DepthBits::fixed16 && p.order != rasterize::Order::front_to_back &&
         p.blend_factor == 1.0f && p.min_opacity == 0.0f && p.min_area == 0.0f;
}

bool is_convolved(const ParamBox& params, const Shape& shape) {
  const auto& p = params.as<Convolution::Params>();
  return (p.alpha == Alpha::ignored || shape.channels == 1) &&
         render::FragmentConvolution::problem(Convolution::plan(p), shape).empty();
}

}  // namespace

std::span<const Peer> opengl_peers() {
  static const std::vector<Peer> all = [] {
    std::vector<Peer> found;
    if (const OpenGlPrograms* const by = programs()) {
      const Backend beside = by->software() ? Backend::openmp : Backend::cuda;
      found.push_back({.algorithm = "rasterize",
                       .name = by->software() ? "OpenGL (llvmpipe)" : "OpenGL",
                       .run = draw,
                       .supports = is_drawn,
                       .backend = beside});
      found.push_back({.algorithm = "convolution",
                       .name = by->software() ? "OpenGL fragment program (llvmpipe)" : "OpenGL fragment program",
                       .run = convolve,
                       .supports = is_convolved,
                       .backend = beside});
    }
    return found;
  }();
  return all;
}

}  // namespace threadscape::app
