#pragma once

#include <array>
#include <optional>

#include "app/scenes/scene.h"
#include "render/interop/readback.h"
#include "render/passes/image_pass.h"

namespace threadscape::app {

/// What of input, result and serial result is on show.
enum class ImageShow : std::uint8_t { input, result, split, side_by_side, difference };
inline constexpr std::array<std::string_view, 5> image_show_names{"input", "result", "split", "side by side",
                                                                  "difference"};

/// Pictures: zoom, pan, before/after, difference to the serial result, exact pixel values.
class ImageScene final : public Scene {
 public:
  explicit ImageScene(const gl::ShaderLibrary& shaders) : pass_(shaders) {}

  [[nodiscard]] bool shows(Kind output) const override { return output == Kind::image; }
  [[nodiscard]] bool wants_reference() const override { return show_ == ImageShow::difference; }
  void draw(const LiveView& live, const gl::Framebuffer& target) override;
  void toolbar(const Workspace& workspace) override;
  void interact(const LiveView& live, ImVec2 origin, ImVec2 size, bool hovered) override;
  void probe(const LiveView& live, const Fonts& fonts) override;
  [[nodiscard]] bool animating() const override;

  void set_show(ImageShow show) { show_ = show; }
  [[nodiscard]] ImageShow show() const { return show_; }
  /// Everything visible, now and after every change of size, until the user zooms or pans.
  void fit() { fitted_ = true; }
  /// One view pixel per picture pixel.
  void actual_size();
  [[nodiscard]] render::ImageViewSettings& settings() { return settings_; }

 private:
  struct Spot {
    interop::PixelProbe probe;
    std::optional<interop::ProbeResult> result;
  };
  void keys();
  void ask(const LiveView& live, glm::ivec2 pixel);

  render::ImagePass pass_;
  render::ImageViewSettings settings_;
  ImageShow show_ = ImageShow::result;
  bool fitted_ = true;
  bool dragging_split_ = false;
  bool panning_ = false;
  glm::ivec2 view_{0, 0};
  glm::ivec2 image_{0, 0};
  std::optional<glm::ivec2> pixel_;  ///< under the mouse
  std::array<Spot, 3> spots_;        ///< input, result, serial
};

}  // namespace threadscape::app
