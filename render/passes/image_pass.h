#pragma once
// Pictures on the screen: zoom, pan, compare, false colour. Everything is a uniform over the raw texture; changing a
// setting recomputes nothing.

#include <array>
#include <cstdint>
#include <glm/vec2.hpp>
#include <glm/vec4.hpp>
#include <string_view>

#include "render/gl/texture.h"
#include "render/passes/tiled_program.h"

namespace threadscape::render {

enum class ViewMode : std::uint8_t {
  single,        ///< a
  split,         ///< a left of the divider, b right of it
  difference,    ///< |a - b| * difference_gain; equal pixels are black
  side_by_side,  ///< a in the left half, b in the right half, the same detail in both
};
inline constexpr std::array<std::string_view, 4> view_mode_names{"single", "split", "difference", "side by side"};

enum class ColourMap : std::uint8_t { none, grey, viridis, magma, turbo, coolwarm };
inline constexpr std::array<std::string_view, 6> colour_map_names{"none",  "grey",  "viridis",
                                                                  "magma", "turbo", "coolwarm"};

/// How pixels look above zoom 1. nearest: as squares; at whole zooms every view pixel has the exact value of one image
/// pixel, between them only edges are blended. Below zoom 1 a view pixel is the mean over its area (of up to 15 x 15
/// image pixels; further out, of 256 of them); in difference mode, the maximum (of up to 16 x 16).
enum class Magnify : std::uint8_t { nearest, smooth };

/// View coordinates are pixels of the view, from its top left corner, y down. Image coordinates are pixels of the
/// image, from its top left corner: the first pixel covers 0..1.
struct ImageViewSettings {
  float zoom = 1.0f;             ///< view pixels per image pixel, min_zoom..max_zoom
  glm::vec2 centre{0.0f, 0.0f};  ///< image coordinates in the middle of the view
  ViewMode mode = ViewMode::single;
  float split = 0.5f;  ///< divider of ViewMode::split, 0..1 of the view's width

  // value -> (value * 2^exposure + offset) ^ (1 / gamma), then clamped to 0..1. Not applied to differences.
  float exposure = 0.0f;  ///< stops
  float offset = 0.0f;
  float gamma = 1.0f;
  /// Of one-channel textures directly, of colour textures through their luma (0.299, 0.587, 0.114).
  ColourMap colour_map = ColourMap::none;

  float difference_gain = 1.0f;
  /// Of the largest difference among the channels; `none` shows the difference of each channel.
  ColourMap difference_map = ColourMap::magma;

  /// Blends over a checkerboard; otherwise alpha is ignored and colours show as they are stored.
  bool show_alpha_checker = false;
  bool pixel_grid = false;  ///< thin lines between pixels from grid_zoom on
  Magnify filter = Magnify::nearest;
  glm::vec4 background{0.10f, 0.10f, 0.11f, 1.0f};  ///< outside of the image
  glm::ivec2 extent{0, 0};  ///< so much of a single texture is the image, from its top left corner; 0, 0 = all of it

  static constexpr float min_zoom = 1.0f / 256.0f;
  static constexpr float max_zoom = 256.0f;
  static constexpr float grid_zoom = 8.0f;
};

/// Image coordinates under a point of the view: what draw() puts there, to the pixel. In side by side mode both halves
/// give the same coordinates.
[[nodiscard]] glm::vec2 view_to_image(const ImageViewSettings& settings, glm::ivec2 view, glm::vec2 point);
[[nodiscard]] glm::vec2 image_to_view(const ImageViewSettings& settings, glm::ivec2 view, glm::vec2 point);
/// Sets zoom and centre so that the whole image shows, centred.
void fit(ImageViewSettings& settings, glm::ivec2 view, glm::ivec2 image);
/// Changes the zoom and keeps the image point under `point` (view coordinates) where it is.
void zoom_about(ImageViewSettings& settings, glm::ivec2 view, glm::vec2 point, float zoom);

class ImagePass {
 public:
  /// The library must outlive the pass.
  explicit ImagePass(const gl::ShaderLibrary& library);
  ~ImagePass();
  ImagePass(const ImagePass&) = delete;
  ImagePass& operator=(const ImagePass&) = delete;

  /// Fills view_width x view_height pixels of the current framebuffer, from its lower left corner, opaque. Without `b`
  /// the mode is single. Where both are given and one is tiled, both have the same size. NaN is magenta. Leaves
  /// blending, depth, scissor test and culling off.
  void draw(const gl::Texture& a, const gl::Texture* b, const ImageViewSettings& settings, int view_width,
            int view_height);
  /// Message of a reloaded shader that does not compile, else "".
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
  GLuint sampler_ = 0;  ///< bilinear; the textures keep their own state
};

}  // namespace threadscape::render
