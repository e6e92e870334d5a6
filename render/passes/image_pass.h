#pragma once
// Draws pictures: zoom, pan, comparison, false colour. All settings are uniforms of shaders that read the texture of
// the result, so changing a setting recomputes nothing.

#include <array>
#include <cstdint>
#include <glm/vec2.hpp>
#include <glm/vec4.hpp>
#include <optional>
#include <string_view>

#include "render/gl/texture.h"
#include "render/passes/tiled_program.h"

namespace threadscape::render {

/// What is drawn of two pictures a and b.
enum class ViewMode : std::uint8_t {
  single,        ///< Picture a.
  split,         ///< Picture a to the left of the divider, picture b to the right of it.
  difference,    ///< |a - b| * difference_gain; equal pixels are black.
  side_by_side,  ///< Picture a in the left half, b in the right half, both showing the same part.
};
inline constexpr std::array<std::string_view, 4> view_mode_names{"single", "split", "difference", "side by side"};

enum class ColourMap : std::uint8_t { none, grey, viridis, magma, turbo, coolwarm };
inline constexpr std::array<std::string_view, 6> colour_map_names{"none",  "grey",  "viridis",
                                                                  "magma", "turbo", "coolwarm"};

/// How pixels are magnified above zoom 1. nearest: as squares; at integral zooms every view pixel has the exact value
/// of one image pixel, at other zooms only the edges between pixels are blended. smooth: by linear interpolation. Below
/// zoom 1 a view pixel is the mean over its area (of up to 15 x 15 image pixels, beyond that of 256 samples); in
/// difference mode it is the maximum (of up to 16 x 16).
enum class Magnify : std::uint8_t { nearest, smooth };

/// What is done to the values of a picture before the gamma: they are multiplied by 2^exposure, and then `offset` is
/// added.
struct ImageTone {
  float exposure = 0.0f, offset = 0.0f;
  bool operator==(const ImageTone&) const = default;
};

/// How pictures are shown. View coordinates are pixels of the view from its top left corner, y down. Image coordinates
/// are pixels of the image from its top left corner; the first pixel covers 0..1.
struct ImageViewSettings {
  float zoom = 1.0f;             ///< View pixels per image pixel, min_zoom..max_zoom.
  glm::vec2 centre{0.0f, 0.0f};  ///< Image coordinates at the centre of the view.
  ViewMode mode = ViewMode::single;
  float split = 0.5f;  ///< Divider of ViewMode::split, 0..1 of the width of the view.

  // A value is shown as (value * 2^exposure + offset) ^ (1 / gamma), clamped to 0..1. Differences are shown without it.
  float exposure = 0.0f;  ///< Exposure in stops.
  float offset = 0.0f;
  /// Exposure and offset of picture b in ViewMode::split and ViewMode::side_by_side; those of picture a if empty.
  std::optional<ImageTone> second_tone = {};
  float gamma = 1.0f;
  /// The false colours of one-channel textures, and of the luma (0.299, 0.587, 0.114) of colour textures.
  ColourMap colour_map = ColourMap::none;

  float difference_gain = 1.0f;
  /// The false colours of the maximum difference among the channels; `none` shows the difference of each channel.
  ColourMap difference_map = ColourMap::magma;

  /// If true, pictures are blended over a checkerboard. Otherwise alpha is ignored.
  bool show_alpha_checker = false;
  bool pixel_grid = false;  ///< If true, thin lines separate pixels at grid_zoom and above.
  Magnify filter = Magnify::nearest;
  glm::vec4 background{0.10f, 0.10f, 0.11f, 1.0f};  ///< Colour outside of the image.
  glm::ivec2 extent{0, 0};  ///< Size of the image within a single texture, from its top left corner; 0, 0 = all of it.

  static constexpr float min_zoom = 1.0f / 256.0f;
  static constexpr float max_zoom = 256.0f;
  static constexpr float grid_zoom = 8.0f;
};

/// Image coordinates that draw() shows at a point of the view. In ViewMode::side_by_side both halves give the same
/// coordinates.
[[nodiscard]] glm::vec2 view_to_image(const ImageViewSettings& settings, glm::ivec2 view, glm::vec2 point);
/// View coordinates of a point of the image, in ViewMode::side_by_side those in the left half.
[[nodiscard]] glm::vec2 image_to_view(const ImageViewSettings& settings, glm::ivec2 view, glm::vec2 point);
/// The first column of the view that shows the second of two pictures, in ViewMode::split and ViewMode::side_by_side.
[[nodiscard]] int divider(const ImageViewSettings& settings, glm::ivec2 view);
/// Sets zoom and centre so that the whole image is shown, centred.
void fit(ImageViewSettings& settings, glm::ivec2 view, glm::ivec2 image);
/// Changes the zoom; the image point at `point`, in view coordinates, stays there.
void zoom_about(ImageViewSettings& settings, glm::ivec2 view, glm::vec2 point, float zoom);

/// Draws one picture, or compares two.
class ImagePass {
 public:
  /// The library must outlive the pass.
  explicit ImagePass(const gl::ShaderLibrary& library);
  ~ImagePass();
  ImagePass(const ImagePass&) = delete;
  ImagePass& operator=(const ImagePass&) = delete;

  /// Fills view_width x view_height pixels of the current framebuffer from its lower left corner. All of them are
  /// opaque, and NaN is magenta. If `b` is null the mode is ViewMode::single. If one of two pictures is tiled, both
  /// must have the same size. Leaves blending, depth test, scissor test and culling disabled.
  void draw(const gl::Texture& a, const gl::Texture* b, const ImageViewSettings& settings, int view_width,
            int view_height);
  /// The message of a reloaded shader that does not compile; empty if all do.
  [[nodiscard]] const std::string& error() const {
    return image_.error().empty() ? difference_.error() : image_.error();
  }

 private:
  static void set_view(gl::Program& program, const ImageViewSettings& settings, glm::ivec2 view);
  static void draw_image(gl::Program& program, const gl::Texture& texture, glm::ivec2 extent = {0, 0});
  void draw_images(const gl::Texture& a, const gl::Texture* b, const ImageViewSettings& settings, glm::ivec2 view);
  void draw_difference(const gl::Texture& a, const gl::Texture& b, const ImageViewSettings& settings, glm::ivec2 view);

  TiledProgram image_, difference_;
  GLuint vertex_array_ = 0;
  GLuint sampler_ = 0;  ///< Bilinear filtering for all pictures, whatever the state of their textures.
};

}  // namespace threadscape::render
