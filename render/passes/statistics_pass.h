#pragma once
// What a picture holds, and how far two pictures are apart, counted by compute shaders on the displayed textures: no
// route from a backend to the screen has to bring the pixels back for it.

#include <array>
#include <cstdint>
#include <optional>

#include "render/gl/buffer.h"
#include "render/gl/texture.h"
#include "render/passes/tiled_program.h"

namespace threadscape::render {

/// How often each level occurs. Levels of 16-bit and float pictures are 256 equal steps from 0 to white, what lies
/// beyond counts as the first or last; NaN is left out. All four are equal for pictures with one channel. Heights that
/// are floats have no white: their levels go from the lowest to the highest.
struct Histogram {
  bool ranged = false;
  double low = 0.0, high = 1.0;                            ///< values of the first and the last level
  std::array<std::array<std::uint32_t, 256>, 4> counts{};  ///< red, green, blue, luma
};

struct Similarity {
  double mean_squared_error = 0.0;  ///< over red, green and blue, in units of white squared
  /// Structural similarity of the luma: Wang et al. 2004, Gaussian window of 11 x 11 pixels with sigma 1.5, mean over
  /// all windows inside of the picture. Empty for pictures smaller than that.
  std::optional<double> ssim;
  /// 10 log10(1 / mean_squared_error), in decibels; infinite for equal pictures.
  [[nodiscard]] double psnr() const;
};

struct PictureStatistics {
  std::optional<Histogram> first, second;
  std::optional<Similarity> similarity;  ///< where both are there and have the same size
};

/// Large pictures are worked through in bands, one per step(), so that no frame takes long.
class StatisticsPass {
 public:
  /// The library must outlive the pass.
  explicit StatisticsPass(const gl::ShaderLibrary& library);

  /// Starts over with these textures; either may be null. They must stay until done() or the next begin(); their
  /// contents and sizes may change: then the result is about something else, or is begun again. `ranged`: floats are
  /// heights.
  void begin(const gl::Texture* first, const gl::Texture* second, bool ranged = false);
  /// Queues the next band, or takes the counts when they have arrived. Never waits. `pixels` is about how many to do.
  void step(std::int64_t pixels = std::int64_t{1} << 21);
  /// Nothing to do: not begun, or result() is complete.
  [[nodiscard]] bool done() const { return stage_ == Stage::idle; }
  /// What the last completed begin() was about.
  [[nodiscard]] const PictureStatistics& result() const { return result_; }

 private:
  enum class Stage : std::uint8_t { idle, first_range, first, second_range, second, both, arriving };
  void next_stage();
  /// Works on the range or the histogram. Returns whether the whole picture is done.
  bool count(TiledProgram& with, const gl::Texture& texture, std::size_t which, std::int64_t pixels);
  [[nodiscard]] bool comparable() const;
  [[nodiscard]] bool has_range(const gl::Texture& texture) const;
  bool compare(std::int64_t pixels);
  void take();

  TiledProgram histogram_, value_range_, similarity_;
  std::array<gl::Buffer, 2> counts_, ranges_;
  gl::Buffer tiles_;
  gl::Fence fence_;
  const gl::Texture* first_ = nullptr;
  const gl::Texture* second_ = nullptr;
  std::array<GLuint, 2> ids_{};
  bool ranged_ = false;
  Stage stage_ = Stage::idle;
  int row_ = 0;  ///< first row, or row of tiles, that is still to do
  PictureStatistics result_;
};

}  // namespace threadscape::render
