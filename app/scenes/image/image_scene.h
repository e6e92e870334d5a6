#pragma once

#include <array>
#include <glm/vec3.hpp>
#include <optional>
#include <string>
#include <utility>

#include "app/scenes/image/crop_tool.h"
#include "app/scenes/image/difference_count.h"
#include "app/scenes/image/fragment_twin.h"
#include "app/scenes/image/image_look.h"
#include "app/scenes/image/measure_tool.h"
#include "app/scenes/image/pixel_values.h"
#include "app/scenes/image/shown_range.h"
#include "app/scenes/image/value_copy.h"
#include "app/scenes/map_ramp.h"
#include "app/scenes/picture_navigator.h"
#include "app/scenes/scene.h"
#include "render/gl/clip_picture.h"
#include "render/interop/readback.h"
#include "render/passes/image_pass.h"
#include "render/passes/terrain_bounds.h"

namespace threadscape::app {

/// The pictures that are shown: input, result, serial result or combinations of them.
enum class ImageShow : std::uint8_t { result, input, split, side_by_side, difference };
inline constexpr std::array<std::string_view, 5> image_show_names{"result", "input", "split", "side-by-side",
                                                                  "difference"};

/// Shows pictures, and heightfields as pictures: input and result side by side or split, their exact values, and the
/// difference to the serial result.
class ImageScene final : public Scene {
 public:
  explicit ImageScene(const gl::ShaderLibrary& shaders)
      : pass_(shaders), bounds_(shaders), fragment_twin_(shaders), look_(ParamBox::of(ImageLook{})) {}

  void show(int index) override { show_ = static_cast<ImageShow>(index); }
  [[nodiscard]] int shown() const override { return static_cast<int>(show_); }
  [[nodiscard]] ParamBox* settings() override { return &look_; }
  void note_place() override;
  [[nodiscard]] bool edits_settings() const override { return true; }
  [[nodiscard]] bool wants_reference() const override {
    return show_ == ImageShow::difference || (compares_b_ && combines());
  }
  /// A preview is not compared with anything, and its range is not that of the result.
  [[nodiscard]] bool wants_preview() const override {
    return show_ == ImageShow::result && !look_.as<ImageLook>().auto_exposure;
  }
  void draw(const LiveView& live, const gl::Framebuffer& target) override;
  void toolbar(const Workspace& workspace) override;
  void interact(const LiveView& live, ImVec2 origin, ImVec2 size, bool hovered) override;
  void menu() override;
  /// Tells the log what was copied.
  [[nodiscard]] std::span<const KeyHelp> help() const override;
  void panel(const Workspace& workspace, const LiveView& live, const Fonts& fonts) override;
  [[nodiscard]] float panel_lines() const override { return measure_.kind() == MeasureKind::none ? 8.5f : 13.0f; }
  [[nodiscard]] bool animating() const override;
  /// What is measured with the mouse.
  [[nodiscard]] MeasureTool& measure() { return measure_; }
  /// The thread that has computed the pixel under the mouse; "" where none is known.
  [[nodiscard]] const std::string& thread() const { return thread_; }
  /// The value under the mouse of the input (0), the result (1) or the serial result (2); none where it has no such
  /// pixel.
  [[nodiscard]] const std::optional<interop::ProbeResult>& value_of(std::size_t picture) const {
    return spots_[picture].result;
  }
  /// How the result differs from the serial one, while that is shown; none until it is known.
  [[nodiscard]] const std::optional<PictureDifference>& difference() const { return differences_.found(); }

 private:
  /// A pixel of one of the pictures that is read back from the GPU.
  struct Spot {
    interop::PixelProbe probe;
    glm::ivec2 place{0};  ///< The pixel whose value is wanted.
    std::optional<interop::ProbeResult> result;
  };
  /// Returns true if two pictures are shown, each in a part of the view.
  [[nodiscard]] bool combines() const { return show_ == ImageShow::split || show_ == ImageShow::side_by_side; }
  [[nodiscard]] ImageLook& look() { return look_.as<ImageLook>(); }
  void keys();
  /// Drops the answers of the GPU that are on their way, for frames without a picture.
  void rest();
  /// Puts the values of the displayed pictures into the clipboard once they have arrived from the GPU.
  void copy_values(const std::array<const gl::Texture*, 2>& pictures);
  /// Transfers the look into the settings that pictures are drawn with.
  void apply_look();
  /// Shows the part of the picture that the look states, when it states another one than before.
  void apply_place();
  /// Writes the values of pixels over the two pictures, the second of which may be null.
  void annotate(const LiveView& live, const std::array<const gl::Texture*, 2>& pictures,
                const render::ImageViewSettings& toned, const gl::Framebuffer& target);
  /// Draws over the pictures, the second of which may be null, which values their colours stand for.
  void draw_bars(const LiveView& live, const std::array<const gl::Texture*, 2>& pictures,
                 const render::ImageViewSettings& toned, const gl::Framebuffer& target);
  /// The texture that holds the data; null if there are none, or if they are held otherwise.
  [[nodiscard]] static const gl::Texture* texture_of(const gl::Resource* resource) {
    return resource != nullptr ? resource->texture() : nullptr;
  }
  /// The texture that shows the input, which of a clip is its newest frame; null if there is none.
  [[nodiscard]] const gl::Texture* input_of(const LiveView& live) {
    return input_picture_.of(live.input(), live.input_version());
  }
  /// Draws a preview where the result of this size will be, and what it is.
  void draw_preview(const gl::Texture& preview, glm::ivec2 whole, const gl::Framebuffer& target);
  /// Counts the pixels that differ from what the result is compared with while the difference is shown.
  void count_differences(const LiveView& live, const gl::Resource* against);
  /// Draws the popup with exposure, colour maps and the like, while it is open.
  void draw_settings(const Workspace& workspace);
  /// Lets the mouse draw the rectangle that the chosen algorithm cuts out. Returns whether the mouse is taken.
  bool crop(glm::vec2 place, bool hovered);
  /// Returns whether the chosen algorithm cuts out a rectangle, which the mouse can draw in what is shown.
  [[nodiscard]] bool can_crop();
  /// Draws the buttons that choose what the mouse measures.
  void measure_buttons();
  /// Draws the button of automatic exposure, and the range that it shows.
  void exposure_button();
  /// Draws how many pixels differ, with a button that goes to the largest difference.
  void difference_bar();
  /// The settings to draw these pictures with, the second of which may be null. Heights in floats have no fixed white,
  /// so they are mapped from their own range.
  [[nodiscard]] render::ImageViewSettings settings_for(const LiveView& live,
                                                       const std::array<const gl::Texture*, 2>& shown);
  /// Maps the range of the values of each picture, or the largest difference, to the range from black to white.
  void expose(const LiveView& live, const std::array<const gl::Texture*, 2>& shown,
              render::ImageViewSettings& settings);
  /// The ranges of the values that automatic exposure shows, as text: "0 to 12.5"; "" while they are not known.
  [[nodiscard]] std::string range_text() const;
  /// Requests the values of input, result and serial result at this pixel, and takes those that have arrived. What a
  /// rectangle was cut out of is read at the same place of the scene; another picture of another size is left out.
  void request_values(const LiveView& live, glm::ivec2 pixel);
  /// Looks for the thread that has computed this pixel of the result, if its kernels were observed.
  void look_for_thread(const LiveView& live, glm::ivec2 pixel);

  gl::ClipPicture input_picture_;
  render::ImagePass pass_;
  render::TerrainBoundsPass bounds_;
  std::pair<GLuint, std::uint64_t> bounds_of_{};  ///< Texture and version whose bounds were asked for.
  glm::vec2 heights_{0.0f, 1.0f};                 ///< Minimum and maximum height, as they arrived last from the GPU.
  DifferenceCount differences_;
  FragmentTwin fragment_twin_;
  std::array<ShownRange, 2> ranges_;  ///< For automatic exposure, of the pictures as in values_.
  ParamBox look_;
  render::ImageViewSettings settings_;
  glm::vec3 placed_{0.0f};  ///< Zoom, column and row of the look that were applied last.
  MapRamp ramp_;
  std::array<PixelValues, 2> values_;  ///< Of the picture that is drawn, or of the two that are compared.
  ValueCopy copy_;
  MeasureTool measure_;
  CropTool crop_;
  glm::ivec2 corner_{0};     ///< Where the picture that the mouse is over lies in the input.
  bool copy_asked_ = false;  ///< The values of the next picture that is drawn are to be copied.
  ImageShow show_ = ImageShow::result;
  PictureNavigator navigator_;
  bool dragging_split_ = false;
  bool in_window_ = false;       ///< There is a toolbar.
  bool compares_b_ = false;      ///< A second setting B takes the place of the input and the serial result.
  bool sizes_differ_ = false;    ///< The result has another size than the picture that it is compared with.
  std::array<Spot, 3> spots_;    ///< In the order input, result, serial result.
  std::string thread_;           ///< The thread that has computed the pixel under the mouse; "" where none is known.
  bool awaits_threads_ = false;  ///< The threads of the result are being looked for.
};

}  // namespace threadscape::app
