#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>

#include "app/scenes/scene.h"
#include "render/gl/timer.h"
#include "render/passes/terrain_pass.h"

namespace threadscape::app {

/// Which heightfield is on show.
enum class TerrainShow : std::uint8_t { result, input };
inline constexpr std::array<std::string_view, 2> terrain_show_names{"result", "input"};

/// Heightfields as landscapes, with a camera that orbits or flies.
class TerrainScene final : public Scene {
 public:
  explicit TerrainScene(const gl::ShaderLibrary& shaders)
      : pass_(shaders), box_(ParamBox::of(render::TerrainSettings{})) {}

  void show(int index) override { show_ = static_cast<TerrainShow>(index); }
  [[nodiscard]] ParamBox* settings() override { return &box_; }
  void draw(const LiveView& live, const gl::Framebuffer& target) override;
  bool show_frame(int frame, int frames) override;
  void toolbar(const Workspace& workspace) override;
  void menu() override;
  void interact(const LiveView& live, ImVec2 origin, ImVec2 size, bool hovered) override;
  [[nodiscard]] std::span<const KeyHelp> help() const override;
  void panel(const Workspace& workspace, const LiveView& live, const Fonts& fonts) override;
  [[nodiscard]] std::vector<std::pair<std::string, double>> figures() const override;
  [[nodiscard]] bool animating() const override { return pass_.unfinished() || moving_; }
  void prefer_speed() override;
  void use_fixture_times() override { fixture_ = true; }
  [[nodiscard]] std::string take_error() override { return std::exchange(error_, {}); }

 private:
  /// A picture over the terrain, read again when another file is named.
  struct Picture {
    std::string path;
    gl::Texture texture;
  };
  [[nodiscard]] render::TerrainSettings& view() { return box_.as<render::TerrainSettings>(); }
  [[nodiscard]] const render::TerrainSettings& view() const { return box_.as<render::TerrainSettings>(); }
  const gl::Texture* load(Picture& picture, const std::string& path);
  void keys();
  void fly(float seconds);
  void drag(ImVec2 size);

  render::TerrainPass pass_;
  ParamBox box_;
  TerrainShow show_ = TerrainShow::result;
  Picture drape_, detail_;
  gl::GpuTimer timer_;
  double frame_ms_ = 0.0;
  std::string error_;
  std::optional<float> turn_from_;
  int button_ = -1;  ///< that was pressed over the view and is held
  glm::ivec2 points_{0, 0};
  float aspect_ = 1.0f;
  bool moving_ = false;
  bool fixture_ = false;
};

}  // namespace threadscape::app
