#pragma once
// Histograms of pictures and the similarity of two pictures, computed by compute shaders on the displayed textures, so
// that no pixels have to be read back to the CPU.

#include <array>
#include <cstdint>
#include <optional>

#include "render/gl/buffer.h"
#include "render/gl/texture.h"
#include "render/passes/tiled_program.h"

namespace threadscape::render {

/// The number of pixels at each of 256 levels. For 16-bit and float pictures the levels are equal steps from 0 to
/// white, values beyond count as the first or the last level, and NaN is left out. Float heights have no white: their
/// levels go from the minimum to the maximum.
struct Histogram {
  bool ranged = false;                                     ///< If true, the levels go from the minimum to the maximum.
  double low = 0.0, high = 1.0;                            ///< Values of the first and the last level.
  std::array<std::array<std::uint32_t, 256>, 4> counts{};  ///< Red, green, blue and luma; equal for one channel.
};

/// How similar two pictures are.
struct Similarity {
  double mean_squared_error = 0.0;  ///< Mean over red, green and blue, in units of white squared.
  /// Structural similarity of the luma (Wang et al. 2004), with a Gaussian window of 11 x 11 pixels and sigma 1.5: the
  /// mean over all windows inside of the picture. Empty for pictures smaller than a window.
  std::optional<double> ssim;
  /// 10 log10(1 / mean_squared_error), in decibels; infinite for equal pictures.
  [[nodiscard]] double psnr() const;
};

/// The statistics of up to two pictures.
struct PictureStatistics {
  std::optional<Histogram> first, second;
  std::optional<Similarity> similarity;  ///< Set if there are two pictures of the same size.
};

/// Computes the statistics of pictures in bands of rows, one band per step(), so that no frame takes long.
class StatisticsPass {
 public:
  /// The library must outlive the pass.
  explicit StatisticsPass(const gl::ShaderLibrary& library);

  /// Starts anew with these textures, either of which may be null. They must stay valid until done() or the next
  /// begin(). If their contents change meanwhile, the result is a mixture; if a texture is created anew, the pass
  /// starts again. An empty texture, which a result has until its memory is allocated, counts as none. `ranged` says
  /// that floats are heights.
  void begin(const gl::Texture* first, const gl::Texture* second, bool ranged = false);
  /// Queues the next band of about `pixels` pixels, or takes the counts if the GPU has finished. Never waits.
  void step(std::int64_t pixels = std::int64_t{1} << 21);
  /// Returns whether nothing is left to do: begin() was not called, or result() is complete.
  [[nodiscard]] bool done() const { return stage_ == Stage::idle; }
  /// The statistics of the last begin() that was completed.
  [[nodiscard]] const PictureStatistics& result() const { return result_; }

 private:
  /// OpenGL uses the names of deleted textures again, so that the size belongs to it.
  struct Identity {
    GLuint id = 0;
    int width = 0, height = 0;
    bool operator==(const Identity&) const = default;
  };
  [[nodiscard]] static Identity identity_of(const gl::Texture* texture);
  enum class Stage : std::uint8_t { idle, first_range, first, second_range, second, both, arriving };
  void next_stage();
  /// Queues a band of the range or the histogram of a picture. Returns whether it was the last band.
  bool count(TiledProgram& with, const gl::Texture& texture, std::size_t which, std::int64_t pixels);
  [[nodiscard]] bool comparable() const;
  [[nodiscard]] bool has_range(const gl::Texture& texture) const;
  bool compare(std::int64_t pixels);
  void take();

  TiledProgram histogram_, value_range_, similarity_;
  std::array<gl::Buffer, 2> counts_, ranges_;
  gl::Buffer tiles_;
  gl::Fence fence_;
  std::array<const gl::Texture*, 2> given_{};  ///< The arguments of begin().
  std::array<Identity, 2> identities_{};       ///< What they were when the counting began.
  const gl::Texture* first_ = nullptr;         ///< Null if there is none, or an empty one.
  const gl::Texture* second_ = nullptr;
  bool ranged_ = false;
  Stage stage_ = Stage::idle;
  int row_ = 0;  ///< The first row of pixels, or of tiles of the similarity, that is not queued yet.
  PictureStatistics result_;
};

}  // namespace threadscape::render
