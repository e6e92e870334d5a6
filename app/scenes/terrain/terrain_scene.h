#pragma once

#include <array>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "app/live/stopwatch.h"
#include "app/scenes/scene.h"
#include "app/scenes/terrain/terrain_pace.h"
#include "render/gl/timer.h"
#include "render/passes/terrain_pass.h"

namespace threadscape::app {

/// The heightfield that is shown.
enum class TerrainShow : std::uint8_t { result, input };
inline constexpr std::array<std::string_view, 2> terrain_show_names{"result", "input"};

/// Shows heightfields as landscapes, with a camera that orbits or flies.
class TerrainScene final : public Scene {
 public:
  explicit TerrainScene(const gl::ShaderLibrary& shaders)
      : pass_(shaders), box_(ParamBox::of(render::TerrainSettings{})) {}

  void show(int index) override { show_ = static_cast<TerrainShow>(index); }
  [[nodiscard]] int shown() const override { return static_cast<int>(show_); }
  [[nodiscard]] ParamBox* settings() override { return &box_; }
  void draw(const LiveView& live, const gl::Framebuffer& target) override;
  void release_targets() override {
    pass_.release_targets();
    coarse_target_ = {};
  }
  bool show_frame(int frame, int frames) override;
  void toolbar(const Workspace& workspace) override;
  void menu() override;
  void interact(const LiveView& live, ImVec2 origin, ImVec2 size, bool hovered) override;
  [[nodiscard]] std::span<const KeyHelp> help() const override;
  void panel(const Workspace& workspace, const LiveView& live, const Fonts& fonts) override;
  [[nodiscard]] std::vector<std::pair<std::string, double>> figures() const override;
  [[nodiscard]] bool animating() const override { return pass_.unfinished() || moving_ || pace_.coarse(); }
  void prefer_speed() override;
  void finish(const LiveView& live, const gl::Framebuffer& target) override;
  /// Measures by `clock_ms`, which returns milliseconds, how long pictures take whose triangles prefer_speed() adapts.
  /// With invented times tests do not depend on the machine.
  void set_clock(std::function<double()> clock_ms) { clock_ms_ = std::move(clock_ms); }
  void prefer_completeness() override { pass_.prefer_completeness(); }
  void use_fixture_times() override { fixture_ = true; }

 private:
  /// A picture that is laid over the terrain, with the file that it was read from.
  struct Picture {
    std::string path;
    gl::Texture texture;
  };
  /// What a picture depends on.
  struct PacedBy {
    GLuint heights = 0;
    std::uint64_t version = 0;
    glm::ivec2 size{0};
    glm::vec3 backdrop{0.0f};
    render::TerrainSettings view;
    bool operator==(const PacedBy&) const = default;
  };
  /// What draw() was called with.
  struct Shown {
    const gl::Texture& heights;
    std::uint64_t version;
    glm::vec3 backdrop;
    const gl::Framebuffer& target;
  };
  /// The heights that are shown, if there are any.
  [[nodiscard]] std::optional<Shown> shown_of(const LiveView& live, const gl::Framebuffer& target) const;
  void draw_terrain(const Shown& shown, const render::TerrainSettings& settings);
  /// Draws in the time that the pace allows, or shows the picture before once more.
  void draw_paced(const Shown& shown);
  /// Shows the picture of the last draw() once more. Returns false if it was released.
  [[nodiscard]] bool draw_again(const gl::Framebuffer& target);
  /// As draw_terrain(); returns the milliseconds until the picture is drawn.
  double draw_measured(const Shown& shown, const render::TerrainSettings& settings);
  [[nodiscard]] render::TerrainSettings& view() { return box_.as<render::TerrainSettings>(); }
  [[nodiscard]] const render::TerrainSettings& view() const { return box_.as<render::TerrainSettings>(); }
  /// The texture of the picture at `path`, which is read if it is another one than before; null for "" and if it cannot
  /// be read.
  const gl::Texture* load(Picture& picture, const std::string& path);
  /// Draws over the terrain what the colours of its ground stand for.
  void draw_bar(const gl::Texture& heights, const gl::Framebuffer& target);
  void keys();
  /// Moves the camera by the keys that are held, at a speed per second.
  void fly(float seconds);
  /// Turns or moves the camera by the mouse; `size` is the view's size in units.
  void drag(ImVec2 size);

  render::TerrainPass pass_;
  ParamBox box_;
  TerrainShow show_ = TerrainShow::result;
  Picture drape_, detail_;
  gl::GpuTimer timer_;
  bool quick_ = false;  ///< If true, pace_ chooses the number of triangles.
  TerrainPace pace_;
  std::optional<PacedBy> paced_by_;
  gl::Framebuffer coarse_target_;  ///< The last picture if it is smaller than the view, otherwise empty.
  std::function<double()> clock_ms_ = [watch = Stopwatch()] { return watch.ms(); };
  /// Duration in milliseconds of the last frame on the CPU or the GPU, whichever took longer.
  double frame_ms_ = 0.0;
  std::optional<float> turn_from_;  ///< Azimuth at which a full turn began.
  int button_ = -1;                 ///< Mouse button that was pressed over the view and is held; -1 = none.
  glm::ivec2 points_{0, 0};         ///< Size of the displayed heightfield in points.
  float aspect_ = 1.0f;             ///< Width by height of the view.
  bool in_window_ = false;          ///< There is a toolbar.
  bool moving_ = false;             ///< If true, the camera flies in this frame.
  bool fixture_ = false;            ///< If true, fixed times are shown.
};

}  // namespace threadscape::app
