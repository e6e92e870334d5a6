#pragma once

#include <array>
#include <chrono>
#include <optional>
#include <tuple>
#include <variant>
#include <vector>

#include "app/scenes/map_ramp.h"
#include "app/scenes/picture_navigator.h"
#include "app/scenes/playback.h"
#include "app/scenes/scene.h"
#include "app/scenes/seams/mask_painter.h"
#include "app/ui/colour_bar.h"
#include "compute/core/params.h"
#include "compute/registry/diagram.h"
#include "render/colour_bars.h"
#include "render/gl/timer.h"
#include "render/passes/seams_pass.h"
#include "render/passes/terrain_bounds.h"

namespace threadscape::app {

/// What the scene shows. picture: the picture after the seams so far; when, often: the input with its seams; compare:
/// the input, the picture, and the scaled and the cropped input; energy, cost: of the picture after the seams so far;
/// paint: the input with its masks; phases: how the next seam is found, SeamsPhase by SeamsPhase.
enum class SeamsShow : std::uint8_t { picture, when, often, compare, energy, cost, phases, paint };
inline constexpr std::array<std::string_view, 8> seams_show_names{"picture", "when", "often",  "compare",
                                                                  "energy",  "cost", "phases", "paint"};

/// The phases in which a seam is removed: the grey picture, its energy, all seams that could be next, the cheapest of
/// them, and the picture without it.
enum class SeamsPhase : std::uint8_t { grey, energy, candidates, cheapest, removal };
inline constexpr std::array<std::string_view, 5> seams_phase_names{"grey", "energy", "candidates", "cheapest",
                                                                   "removal"};

/// How seams are shown, set with `--view NAME=VALUE`.
struct SeamsView {
  int step = -1;
  int highlight = 1;
  float pace = 30.0f;
  render::ColourMap colours = render::ColourMap::turbo;
  float brush = 40.0f;
  SeamsPhase phase = SeamsPhase::grey;
  render::ColourBars colour_bars = render::ColourBars::window;
  static constexpr float slowest = 1.0f, fastest = 1000.0f;
  static constexpr float min_brush = 1.0f, max_brush = 1000.0f;

  static auto fields() {
    return std::tuple{
        Field{"step", &SeamsView::step, -1, 131070, "seams", "the picture behind so many of them; -1 = behind all"},
        Field{"highlight", &SeamsView::highlight, 0, 64, "seams", "so many of the next ones are coloured"},
        Field{"pace", &SeamsView::pace, slowest, fastest, "seams/s", "while it plays"},
        EnumField{"colours", &SeamsView::colours, render::colour_map_names, "of energies, costs and seams"},
        Field{"brush", &SeamsView::brush, min_brush, max_brush, "pixels", "across, that paints masks"},
        EnumField{"phase", &SeamsView::phase, seams_phase_names, "of the removal of the next seam, for phases"},
        EnumField{"colour_bars", &SeamsView::colour_bars, render::colour_bars_names, "of energies, costs and seams"}};
  }
  bool operator==(const SeamsView&) const = default;
};

/// A picture that becomes smaller or larger seam by seam. The backend computes the map of which seam takes each pixel;
/// every intermediate size is then a replay on the GPU, so a slider resizes live. While the backend is searching, the
/// seams found so far can be shown already. The mouse sets parameters of these names where the algorithm has them:
/// `width` and `height` by dragging an edge of the picture, `protect` and `remove` by painting.
class SeamsScene final : public Scene {
 public:
  explicit SeamsScene(const gl::ShaderLibrary& shaders) : pass_(shaders), image_(shaders), bounds_(shaders) {}
  /// Returns whether the algorithm has a diagram with its seams.
  [[nodiscard]] static bool can_show(const AlgorithmInfo& algorithm);

  void show(int index) override { show_ = static_cast<SeamsShow>(index); }
  [[nodiscard]] int shown() const override { return static_cast<int>(show_); }
  [[nodiscard]] ParamBox* settings() override { return &view_; }
  [[nodiscard]] std::optional<ParamBox> params_to_compute(const Workspace& workspace) override;
  [[nodiscard]] std::optional<ParamBox> params_of_run() const override;
  [[nodiscard]] bool shows_result(const LiveView& live) const override {
    return seams_ ? is_complete(live) || is_partial(live) : Scene::shows_result(live);
  }
  [[nodiscard]] std::optional<SceneResult> result(const LiveView& live) override;
  void draw(const LiveView& live, const gl::Framebuffer& target) override;
  void release_targets() override;
  [[nodiscard]] std::optional<DrawnCode> drawn_code(const Work& work) const override;
  bool show_frame(int frame, int frames) override;
  void toolbar(const Workspace& workspace) override;
  void menu() override;
  void interact(const LiveView& live, ImVec2 origin, ImVec2 size, bool hovered) override;
  void update_edits(Workspace& workspace) override;
  bool take_back_edit() override;
  [[nodiscard]] bool edit_pending() const override { return masks_.pending() || masks_.painting(); }
  /// Narrows the picture to 75 % of its width and plays the seams.
  bool welcome(Workspace& workspace) override;
  void finish_edit(Workspace& workspace) override;
  [[nodiscard]] std::span<const KeyHelp> help() const override;
  void panel(const Workspace& workspace, const LiveView& live, const Fonts& fonts) override;
  /// Figures for tests: step, total and found count seams; width and height are those of the picture shown.
  [[nodiscard]] std::vector<std::pair<std::string, double>> figures() const override;
  [[nodiscard]] bool animating() const override {
    return !playback_.resting() || needs_redraw_ || bounds_.pending() || masks_.pending() ||
           std::holds_alternative<gl::PendingRead>(map_runs_);
  }

 private:
  using Clock = std::chrono::steady_clock;
  /// An edge or a corner of the picture that is being dragged.
  struct Drag {
    bool right = false, bottom = false, moved = false;
    glm::ivec2 target{0, 0};
  };
  /// A stroke of the brush that is being painted: its last position in the picture, and the button that is held.
  struct Stroke {
    glm::vec2 place{0.0f};
    ImGuiMouseButton button = ImGuiMouseButton_Left;
  };

  /// What a replay depends on.
  struct Replay {
    SeamsShow show = SeamsShow::picture;
    int step = 0, highlighted = 0;
    render::ColourMap colours = render::ColourMap::none;
    std::uint64_t version = 0;  ///< Version of the input and the map.
    std::uint64_t input = 0;    ///< Version of the input.
    float background = 0.0f;    ///< Colour of the theme between the pictures of a comparison.
    bool operator==(const Replay&) const = default;
  };
  /// What a drawn picture depends on.
  struct Drawn {
    SeamsShow show = SeamsShow::picture;
    GLuint texture = 0;
    std::uint64_t contents = 0;
    std::array<int, 4> extents{};
    std::array<float, 8> view{};
    render::ColourMap colours = render::ColourMap::none;
    bool operator==(const Drawn&) const = default;
  };

  [[nodiscard]] SeamsView view_settings() const { return view_.as<SeamsView>(); }
  /// The chosen step, limited to the seams found so far.
  [[nodiscard]] int step() const;
  void choose_step(int step);
  /// Lets the parameters ask for a result of this size, all seams of which are shown.
  void resize(Workspace& workspace, glm::ivec2 size);
  void play(bool on);
  void advance(const LiveView& live);
  void keys();
  void play_bar();
  void phase_bar();
  void paint_bar(const Workspace& workspace);
  void paint_mouse(glm::vec2 at, bool hovered);
  void edge_mouse(glm::vec2 at, bool hovered);
  /// The edge at a place of the view, if there is one.
  [[nodiscard]] std::optional<Drag> edge_at(glm::vec2 at) const;
  /// Ends the stroke that is being painted, if one is.
  void end_stroke();
  void preview_drag(glm::ivec2 target);
  /// Returns whether the output holds all of what params_to_compute() asked for (is_complete), or a part of it
  /// (is_partial).
  [[nodiscard]] bool is_complete(const LiveView& live) const;
  [[nodiscard]] bool is_partial(const LiveView& live) const;
  /// The state of the picture that is shown; none where seams are replayed.
  [[nodiscard]] std::optional<SeamState> shown_state() const;
  [[nodiscard]] bool shows_state() const { return shown_state().has_value(); }
  [[nodiscard]] bool shows_phases() const { return show_ == SeamsShow::phases; }
  /// The seam whose phases are shown, counted from 0.
  [[nodiscard]] int phase_seam() const;
  /// Goes on by a phase, or back. After the last phase of a seam comes the first one of the next seam.
  void step_phase(int direction);
  [[nodiscard]] bool is_painting() const { return show_ == SeamsShow::paint; }
  /// Reads the order of rows and columns from a complete map, where only the map tells it (order=optimal). Returns
  /// whether the map is still on its way from the GPU; `wait` waits for it.
  bool reads_runs_of_map(const LiveView& live, bool wait);
  void draw_state(const LiveView& live, const gl::Texture& input, const gl::Texture& state);
  void draw_energy(const LiveView& live, const gl::Texture& energy);
  void draw_seams(const LiveView& live, const gl::Texture& input, const gl::Texture& map);
  void draw_replay();
  void draw_waiting(const LiveView& live, const gl::Texture& input, const gl::Texture* output);
  [[nodiscard]] bool may_replay(const LiveView& live);
  void replay(const gl::Texture& input, const gl::Texture& map, const Replay& wanted);
  /// Draws a texture; `contents` is a version number of its contents.
  void draw_picture(const gl::Texture& texture, glm::ivec2 extent, std::uint64_t contents);
  void draw_marks(const LiveView& live, const gl::Framebuffer& target);
  /// What the colours of the displayed picture stand for; none if it has no false colours.
  [[nodiscard]] std::optional<ColourBar> colour_bar(const LiveView& live) const;

  render::SeamsPass pass_;
  MapRamp ramp_;
  render::ImagePass image_;
  render::TerrainBoundsPass bounds_;  // Finds the minimum and maximum energy.
  std::pair<GLuint, std::uint64_t> bounds_of_{};
  glm::vec2 range_{0.0f, 1.0f};
  ParamBox view_ = ParamBox::of(SeamsView{});
  SeamsShow show_ = SeamsShow::picture;
  render::ImageViewSettings settings_;
  PictureNavigator navigator_;
  std::optional<SeamDiagram> seams_;  ///< The seams of the picture that is wanted.
  std::optional<ParamBox> requested_;
  std::optional<SeamState> requested_state_;  ///< The state that requested_ computes; empty for the map.
  /// The runs that are or were read from a map, whose output version is map_runs_version_.
  std::variant<std::vector<SeamRun>, gl::PendingRead> map_runs_;
  std::uint64_t map_runs_version_ = 0;
  int total_ = 0;
  int found_ = 0;                ///< How many of the seams the output holds.
  bool searching_ = false;       ///< If true, the backend is finding more seams.
  glm::ivec2 input_size_{0, 0};  ///< Size of the input in pixels.
  glm::ivec2 size_{0, 0};        ///< Size of the picture after the seams so far, in pixels.
  bool resizable_ = false;       ///< If true, there is a picture, and parameters for its size.
  bool paintable_ = false;       ///< If true, there is a picture, and parameters for its masks.
  bool colour_ = false;          ///< If true, the input has colours; the pictures of a replay always have.
  Playback playback_;

  bool interactive_ = false;  ///< If true, there is a toolbar, so that notes can invite the user to act.

  std::optional<Replay> replay_;  ///< The last replay, see may_replay().
  glm::ivec2 replay_size_{0, 0};
  std::uint64_t replays_ = 0;
  /// What the pass has drawn candidates of: the output's version, whether all of them, and the colours.
  std::optional<std::tuple<std::uint64_t, bool, render::ColourMap>> candidates_;
  std::optional<Drawn> drawn_;
  gl::Framebuffer picture_;  ///< The drawn picture, without notes and marks.
  Clock::time_point replay_end_;
  double replay_cost_ = 0.0;  ///< Duration of the last replay in milliseconds.
  gl::GpuTimer replay_timer_;
  bool needs_redraw_ = false;  ///< If true, what is shown is out of date.

  MaskPainter masks_;
  const AlgorithmInfo* mask_algorithm_ = nullptr;  ///< The algorithm that the masks belong to.
  Brush brush_ = Brush::remove;
  std::optional<glm::vec2> mouse_;                      ///< Position in pixels of the view, while the mouse is over it.
  std::variant<std::monostate, Drag, Stroke> gesture_;  ///< What the mouse does while a button is held.
};

}  // namespace threadscape::app
