#pragma once
// Convolution as it was computed on graphics cards before they had kernels: the picture is a texture, a rectangle is
// drawn into another texture of its size, and the fragment program makes one pixel of the result for each fragment of
// the rectangle. Fragments whose window leaves the picture have a program of their own and are drawn as strips along
// the edges, so that those in the interior have no branches. A loop is drawn again and again, each time from the
// texture that was drawn before.

#include <array>
#include <memory>
#include <optional>
#include <string>

#include "compute/algorithms/filters/convolution/convolution_math.h"
#include "render/gl/resource.h"
#include "render/gl/timer.h"
#include "render/passes/tiled_program.h"

namespace threadscape::render {

class FragmentConvolution {
 public:
  /// The library must outlive the pass.
  explicit FragmentConvolution(const gl::ShaderLibrary& library);
  ~FragmentConvolution();
  FragmentConvolution(const FragmentConvolution&) = delete;
  FragmentConvolution& operator=(const FragmentConvolution&) = delete;

  /// Why a picture of this shape is not convolved by this plan; "" if it is. The values of what is convolved are those
  /// of the algorithm, but for divisions, which OpenGL rounds as the driver likes; 8-bit results are the same for the
  /// presets.
  [[nodiscard]] static std::string problem(const convolution::Plan& plan, const Shape& picture);

  /// Queues `passes` convolutions without a problem(), of the picture and of each other's results. Leaves the current
  /// framebuffer, and its viewport, changed. The first one of a mask and a format takes longer, since drivers finish
  /// the translation of a program at its first use.
  void run(const gl::Texture& picture, const convolution::Plan& plan, int passes = 1);
  /// The result of the last run().
  [[nodiscard]] const gl::Resource& result() const { return results_[last_]; }
  /// Milliseconds that the GPU took for the last run(); 0 until they have arrived.
  [[nodiscard]] double run_ms();
  /// The message of a reloaded shader that does not compile; "" if all do.
  [[nodiscard]] std::string error() const { return program_ ? program_->error() : std::string{}; }

 private:
  /// Makes the texture with this index, 0 or 1, the target of drawing.
  void set_target(std::size_t index, const Shape& shape);
  void convolve(const gl::Texture& picture, const convolution::Plan& plan);
  /// Draws the pixels x0 .. x1 - 1 of the rows y0 .. y1 - 1.
  void draw(gl::Program& program, const gl::Texture& picture, const convolution::Plan& plan, int x0, int y0, int x1,
            int y1);

  const gl::ShaderLibrary& library_;
  std::unique_ptr<TiledProgram> program_;  ///< Made for the first mask.
  std::array<gl::Resource, 2> results_;    ///< A pass reads the one and draws the other.
  std::size_t last_ = 0;
  GLuint framebuffer_ = 0, vertex_array_ = 0;
  std::optional<gl::GpuTimer> timer_;  ///< Measures the last run.
  double run_ms_ = 0.0;
};

}  // namespace threadscape::render
