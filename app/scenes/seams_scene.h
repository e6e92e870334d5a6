#pragma once

#include <array>
#include <optional>
#include <tuple>
#include <vector>

#include "app/scenes/picture_navigator.h"
#include "app/scenes/scene.h"
#include "compute/core/diagram.h"
#include "compute/core/params.h"
#include "render/passes/seams_pass.h"
#include "render/passes/terrain_bounds.h"

namespace threadscape::app {

/// picture: behind the seams so far; when, often: the input with its seams; compare: beside scaling and cropping.
enum class SeamsShow : std::uint8_t { picture, when, often, compare, energy, cost };
inline constexpr std::array<std::string_view, 6> seams_show_names{"picture", "when",   "often",
                                                                  "compare", "energy", "cost"};

/// How seams are shown: `--view NAME=VALUE`.
struct SeamsView {
  int step = -1;
  int highlight = 1;
  float pace = 30.0f;
  render::ColourMap colours = render::ColourMap::turbo;
  static constexpr float slowest = 1.0f, fastest = 1000.0f;

  static auto fields() {
    return std::tuple{
        Field{"step", &SeamsView::step, -1, 131070, "seams", "the picture behind so many of them; -1 = behind all"},
        Field{"highlight", &SeamsView::highlight, 0, 64, "seams", "so many of the next ones are coloured"},
        Field{"pace", &SeamsView::pace, slowest, fastest, "seams/s", "while it plays"},
        EnumField{"colours", &SeamsView::colours, render::colour_map_names, "of energies, costs and seams"}};
  }
  bool operator==(const SeamsView&) const = default;
};

/// A picture that gets smaller or larger seam by seam. The backend makes the map of which seam takes each pixel; every
/// size on the way is then a replay on the GPU, so a slider resizes live.
class SeamsScene final : public Scene {
 public:
  explicit SeamsScene(const gl::ShaderLibrary& shaders) : pass_(shaders), image_(shaders), bounds_(shaders) {}
  /// Whether the algorithm tells its seams.
  [[nodiscard]] static bool can_show(const AlgorithmInfo& algorithm);

  void show(int index) override { show_ = static_cast<SeamsShow>(index); }
  [[nodiscard]] ParamBox* settings() override { return &view_; }
  [[nodiscard]] std::optional<ParamBox> computed(const Workspace& workspace) override;
  [[nodiscard]] std::optional<HostArray> result(const LiveView& live) override;
  void draw(const LiveView& live, const gl::Framebuffer& target) override;
  bool turn(int frame, int frames) override;
  void toolbar(const Workspace& workspace) override;
  void menu() override;
  void interact(const LiveView& live, ImVec2 origin, ImVec2 size, bool hovered) override;
  [[nodiscard]] std::span<const KeyHelp> help() const override;
  void panel(const Workspace& workspace, const LiveView& live, const Fonts& fonts) override;
  /// step, total: seams; width, height: of the picture on show.
  [[nodiscard]] std::vector<std::pair<std::string, double>> figures() const override;
  [[nodiscard]] bool animating() const override { return playing_ || bounds_.pending(); }

 private:
  [[nodiscard]] SeamsView look() const { return view_.as<SeamsView>(); }
  [[nodiscard]] int step() const;
  void choose_step(int step);
  void play(bool on);
  void advance(const LiveView& live);
  void keys();
  void play_bar();
  /// Whether the output holds what computed() asked for.
  [[nodiscard]] bool arrived(const LiveView& live) const;
  [[nodiscard]] bool shows_energy() const { return show_ == SeamsShow::energy || show_ == SeamsShow::cost; }
  void draw_energy(const LiveView& live, const gl::Texture& energy);
  void draw_seams(const LiveView& live, const gl::Texture& input, const gl::Texture& map);
  void draw_picture(const gl::Texture& texture, glm::ivec2 extent);
  void draw_titles(const gl::Framebuffer& target);

  render::SeamsPass pass_;
  render::ImagePass image_;
  render::TerrainBoundsPass bounds_;  // least and largest energy
  std::pair<GLuint, std::uint64_t> bounds_of_{};
  glm::vec2 range_{0.0f, 1.0f};
  ParamBox view_ = ParamBox::of(SeamsView{});
  SeamsShow show_ = SeamsShow::picture;
  render::ImageViewSettings settings_;
  PictureNavigator navigator_;
  std::optional<SeamDiagram> seams_;  ///< of what is wanted
  std::optional<ParamBox> wanted_;
  int total_ = 0;
  glm::ivec2 size_{0, 0};  ///< of the picture behind the seams
  bool colour_ = false;    ///< of the input: the replay's pictures always are
  bool playing_ = false;
  double since_ = 0.0, passed_ = 0.0;  ///< time of the last frame; seams that are due but not yet whole
};

}  // namespace threadscape::app
