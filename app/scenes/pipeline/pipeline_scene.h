#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "app/scenes/picture_navigator.h"
#include "app/scenes/pipeline/pipeline_frame.h"
#include "app/scenes/pipeline/stage_costs.h"
#include "app/scenes/playback.h"
#include "app/scenes/scene.h"
#include "app/ui/colour_bar.h"
#include "app/ui/view_canvas.h"
#include "compute/algorithms/graphics/rasterize/rasterize_regions.h"
#include "compute/core/params.h"
#include "compute/registry/diagram.h"
#include "render/passes/image_pass.h"
#include "render/passes/mesh_pass.h"
#include "render/passes/orbit_camera.h"

namespace threadscape::app {

/// The stages of the graphics pipeline in their order. opengl is the picture beside that of OpenGL, difference their
/// difference.
enum class PipelineShow : std::uint8_t {
  object,
  world,
  camera,
  clip,
  screen,
  coverage,
  fragments,
  depth,
  overdraw,
  lighting,
  blending,
  picture,
  opengl,
  difference
};
inline constexpr std::array<std::string_view, 14> pipeline_show_names{
    "object", "world",    "camera",   "clip",     "screen",  "coverage", "fragments",
    "depth",  "overdraw", "lighting", "blending", "picture", "opengl",   "difference"};

/// The terms of the lighting, in the order of PipelinePicture.
enum class LightTerm : int { emission, ambient, diffuse, specular, refraction, reflection };
inline constexpr std::array<std::string_view, 6> light_term_names{"emission", "ambient",    "diffuse",
                                                                  "specular", "refraction", "reflection"};

/// The matrices that can be edited in the panel.
enum class PipelineMatrix : std::uint8_t { model, view, projection };

/// The parts of the panel, of which one is seen.
enum class PipelinePanel : int { vertex, pixel, cost, matrices };
inline constexpr std::array<std::string_view, 4> pipeline_panel_names{"vertex", "pixel", "cost", "matrices"};

/// What is followed through the stages, set with `--view NAME=VALUE`.
struct PipelineView {
  int triangle = 0, corner = 0;
  int drawn = -1;
  LightTerm term = LightTerm::diffuse;
  int layers = -1;
  int pixel_x = -1, pixel_y = -1;
  float pace = 20.0f;
  float azimuth = 30.0f, elevation = 20.0f, zoom = 1.0f;
  bool faces = true;
  bool regions = true;
  PipelinePanel panel = PipelinePanel::vertex;
  bool measure = false;
  static constexpr float slowest = 1.0f, fastest = 2000.0f;

  static auto fields() {
    using V = PipelineView;
    constexpr int most = static_cast<int>(PipelineFrame::max_triangles);
    return std::tuple{
        Field{"triangle", &V::triangle, 0, most, "", "the triangle that is followed"},
        Field{"corner", &V::corner, 0, 2, "", "the corner of it whose coordinates are listed"},
        titled("Triangles",
               Field{"drawn", &V::drawn, -1, most, "triangles", "so many are drawn in stage fragments; -1 = all"}),
        titled("Lighting term", EnumField{"term", &V::term, light_term_names, "of the lighting, in stage lighting"}),
        titled("Blended layers",
               Field{"layers", &V::layers, -1, 1000, "layers", "so many are blended in stage blending; -1 = all"}),
        Field{"pixel_x", &V::pixel_x, -1, 16383, "pixels", "the pixel whose fragments are listed; -1 = none"},
        Field{"pixel_y", &V::pixel_y, -1, 16383, "pixels", "the pixel whose fragments are listed; -1 = none"},
        Field{"pace", &V::pace, slowest, fastest, "steps/s", "while it plays"},
        Field{"azimuth", &V::azimuth, 0.0f, 360.0f, "deg", "from where the stages in space are seen"},
        Field{"elevation", &V::elevation, -89.0f, 89.0f, "deg", "from where the stages in space are seen"},
        Field{"zoom", &V::zoom, 0.1f, 20.0f, "", "of the stages in space"},
        BoolField{"faces", &V::faces, "fill the triangles in space, not only their edges"},
        BoolField{"regions", &V::regions, "of Warnock's algorithm, in stage screen with visibility=warnock"},
        EnumField{"panel", &V::panel, pipeline_panel_names,
                  "what the panel lists: a vertex, the fragments of a pixel, what stages cost, or matrices"},
        BoolField{"measure", &V::measure, "measure the time of each stage on each backend once, as the button does"}};
  }
  bool operator==(const PipelineView&) const = default;
};

/// The graphics pipeline, stage by stage: what an algorithm with a PipelineFacet does with every vertex, triangle and
/// fragment, and the same picture drawn by OpenGL. Depth, overdraw and lighting are computed by the chosen backend; the
/// stages that are followed triangle by triangle are recorded on the host, for meshes and pictures up to the limits of
/// PipelineFrame.
class PipelineScene final : public Scene {
 public:
  explicit PipelineScene(const gl::ShaderLibrary& shaders) : image_(shaders), hardware_(shaders) {}
  [[nodiscard]] static bool can_show(const AlgorithmInfo& algorithm) {
    return diagrams_of(algorithm).pipeline.has_value();
  }
  /// The most triangles that are drawn by OpenGL. The upload of a mesh takes place within one frame of the window.
  static constexpr std::uint32_t max_hardware_triangles = 4000000;
  /// Why a mesh of so many triangles is not drawn by OpenGL; "" if it is.
  [[nodiscard]] static std::string hardware_problem(std::uint32_t triangles);

  void show(int index) override { show_ = static_cast<PipelineShow>(index); }
  [[nodiscard]] int shown() const override { return static_cast<int>(show_); }
  [[nodiscard]] ParamBox* settings() override { return &view_; }
  [[nodiscard]] std::optional<ParamBox> params_to_compute(const Workspace& workspace) override;
  void draw(const LiveView& live, const gl::Framebuffer& target) override;
  bool show_frame(int frame, int frames) override;
  void toolbar(const Workspace& workspace) override;
  void menu() override;
  void interact(const LiveView& live, ImVec2 origin, ImVec2 size, bool hovered) override;
  [[nodiscard]] std::span<const KeyHelp> help() const override;
  void panel(const Workspace& workspace, const LiveView& live, const Fonts& fonts) override;
  [[nodiscard]] float panel_lines() const override { return 22.0f; }
  [[nodiscard]] bool has_stages() const override { return true; }
  [[nodiscard]] std::optional<DrawnCode> drawn_code(const Work& work) const override {
    if (show_ > PipelineShow::picture) return {};
    return DrawnCode{work.backend, work.variant, std::string(pipeline_show_names[static_cast<std::size_t>(show_)])};
  }
  [[nodiscard]] std::vector<std::pair<std::string, double>> figures() const override;
  /// The parameters with another matrix; without one, with that of the other parameters. Throws UsageError with the
  /// reason why it is refused.
  [[nodiscard]] static Rasterize::Params with_matrix(Rasterize::Params params, PipelineMatrix which,
                                                     const std::optional<rasterize::Matrix>& matrix);
  /// Does that with the parameters of the workspace, or shows the reason why not.
  void change_matrix(PipelineMatrix which, const std::optional<rasterize::Matrix>& matrix);
  /// Changes the parameters of the workspace, if they are those of an algorithm that the scene shows.
  void change(const std::function<void(Rasterize::Params&)>& f);
  [[nodiscard]] bool animating() const override {
    return playback_.playing() || (look().measure && params_ && source_ && !costs_complete_);
  }

 private:
  using Params = Rasterize::Params;
  /// What a picture is drawn of.
  struct Subject {
    Params params;
    std::shared_ptr<const Source> mesh;
    bool operator==(const Subject&) const = default;
  };
  /// A picture that can be followed step by step, and what was asked about it.
  struct Recording {
    std::shared_ptr<const rasterize::EnvironmentMap> environment;  ///< What the plan of the frame points to.
    PipelineFrame frame;
    std::optional<std::uint64_t> host_version;  ///< Version of the frame that host_picture_ holds.
    std::optional<rasterize::Counters> counters;
    std::optional<glm::ivec2> history_of;
    std::vector<rasterize::FragmentRecord> history;  ///< Fragments of the pixel history_of.
    std::optional<std::uint32_t> counted_triangle;
    PipelineFrame::FragmentCounts fragment_counts;          ///< Counts of counted_triangle.
    std::optional<std::vector<rasterize::Region>> regions;  ///< Regions of Warnock's algorithm.
  };
  /// How both pictures differ.
  struct Comparison {
    std::int64_t coverage = 0;   ///< Pixels that only one of them has drawn.
    std::int64_t triangles = 0;  ///< Pixels that show different triangles.
    std::int64_t colours = 0;    ///< Pixels with a channel that differs by more than 2 of 255.
    int largest = 0;             ///< Largest difference of a channel, of 255.
  };

  [[nodiscard]] PipelineView& look() { return view_.as<PipelineView>(); }
  [[nodiscard]] const PipelineView& look() const { return view_.as<PipelineView>(); }
  [[nodiscard]] bool in_space() const { return show_ <= PipelineShow::clip; }
  /// Takes what has changed since the last frame. Returns followed().
  bool refresh();
  /// The mesh and the parameters of the picture; none while there are no parameters.
  [[nodiscard]] std::optional<Subject> subject() const;
  /// Returns whether there is a recording that can be followed.
  [[nodiscard]] bool followed() const { return std::holds_alternative<Recording>(state_); }
  [[nodiscard]] Recording& recording() { return std::get<Recording>(state_); }
  [[nodiscard]] PipelineFrame& frame() { return recording().frame; }
  [[nodiscard]] const PipelineFrame& frame() const { return std::get<Recording>(state_).frame; }
  [[nodiscard]] const rasterize::Plan& plan() const { return frame().plan(); }
  [[nodiscard]] std::uint32_t triangle() const;

  // Stages in space (pipeline_space.cpp).
  void draw_space(ViewCanvas& canvas, glm::ivec2 size);
  [[nodiscard]] glm::vec3 in_stage(const rasterize::PolygonVertex& corner, std::uint32_t vertex) const;
  [[nodiscard]] std::optional<glm::vec3> vertex_in_stage(std::uint32_t vertex) const;
  [[nodiscard]] render::OrbitCamera spectator(glm::ivec2 size) const;
  void draw_triangles(ViewCanvas& canvas, const render::OrbitCamera& camera, glm::ivec2 size);
  void draw_cut_away(ViewCanvas& canvas, const render::OrbitCamera& camera, glm::ivec2 size) const;
  /// The corners of the view volume in the coordinates of the stage.
  [[nodiscard]] std::array<glm::vec3, 8> view_volume() const;
  /// How long the axes of the coordinates are drawn.
  [[nodiscard]] float axis_length() const;
  void draw_frustum(ViewCanvas& canvas, const render::OrbitCamera& camera, glm::ivec2 size) const;
  void draw_axes(ViewCanvas& canvas, const render::OrbitCamera& camera, glm::ivec2 size, float unit) const;
  void draw_vertex(ViewCanvas& canvas, const render::OrbitCamera& camera, glm::ivec2 size, float unit) const;
  void pick_vertex(glm::vec2 at);

  // Stages on the screen (pipeline_screen.cpp).
  void draw_screen(const LiveView& live, const gl::Framebuffer& target, ViewCanvas& canvas);
  void draw_texture(const gl::Texture& texture, const gl::Texture* second, const render::ImageViewSettings& settings);
  void draw_host_picture(glm::ivec2 size);
  /// Draws the stage fragments or blending up to the chosen step.
  void draw_steps(ViewCanvas& canvas, glm::ivec2 picture, float unit);
  void draw_edges(ViewCanvas& canvas);
  /// Draws the regions of Warnock's algorithm, with the numbers of their triangles where there is room.
  void draw_regions(ViewCanvas& canvas, float unit);
  void draw_coverage(ViewCanvas& canvas, float unit);
  /// The pixels of the picture that are in the view at least in part.
  [[nodiscard]] rasterize::PixelRange pixels_in_view() const;
  /// Fills the covered pixels of a piece where pixels are shown too small for anything else.
  void fill_piece(ViewCanvas& canvas, const rasterize::Piece& piece, ImU32 colour) const;
  void draw_piece(ViewCanvas& canvas, const rasterize::Piece& piece, ImU32 colour, float weight) const;
  static void draw_scale(ViewCanvas& canvas, const ColourBar& bar);
  void draw_hardware();
  void draw_probe(ViewCanvas& canvas) const;
  /// Zooms to the chosen triangle when another one is chosen, and when the size of the view changes before the user has
  /// zoomed or panned.
  void fit_triangle();
  [[nodiscard]] glm::vec2 on_screen(glm::vec2 pixel) const;
  void compare(const LiveView& live);

  // Controls and panel (pipeline_controls.cpp, pipeline_panel.cpp).
  [[nodiscard]] int steps();
  [[nodiscard]] int step();
  void choose_step(int step);
  /// Begins to play the steps of the stage, from the first if the last is shown, or stops.
  void play_or_stop();
  void advance();
  /// Fits what the stage shows: the picture, the space, or in stage coverage the triangle.
  void fit();
  /// Turns the camera of the picture while the right button of the mouse is down.
  void turn_camera(bool hovered);
  void stage_caption(ViewCanvas& canvas, float unit);
  void vertex_table(const Fonts& fonts);
  void fragment_table(const Fonts& fonts);
  void editable_matrix(PipelineMatrix which, const rasterize::Matrix& matrix, const Fonts& fonts);
  void matrix_tables(const Fonts& fonts);
  void history_table(const Fonts& fonts);

  // What stages cost (pipeline_costs.cpp).
  void cost_panel(const Workspace& workspace, const Fonts& fonts);
  void count_table(const Fonts& fonts);
  void time_table(const Workspace& workspace, const Fonts& fonts);
  void measure_stage_costs();
  /// Does what the view setting `measure` asks for.
  void measure_as_set();
  /// The times of the stages of the present picture, as far as they are measured. Those of another picture are dropped.
  [[nodiscard]] StageMeasurement::Results stage_costs();
  void add_stage_figures(std::vector<std::pair<std::string, double>>& figures) const;

  render::ImagePass image_;
  render::MeshPass hardware_;
  ParamBox view_ = ParamBox::of(PipelineView{});
  PipelineShow show_ = PipelineShow::picture;
  render::ImageViewSettings settings_;
  PictureNavigator navigator_;
  glm::ivec2 size_{0, 0};

  // What is followed, and what it depends on.
  std::optional<Params> params_;
  std::shared_ptr<const Source> source_;
  std::optional<Subject> subject_;              ///< What state_ is of.
  std::variant<std::string, Recording> state_;  ///< Why nothing can be followed, or what is followed.
  gl::Texture host_picture_;
  std::optional<Subject> drawn_by_hardware_;
  std::string hardware_error_;  ///< Why OpenGL cannot draw the mesh; "" if it can.
  std::optional<Comparison> comparison_;
  std::uint64_t compared_version_ = 0;
  /// The triangle that the view was zoomed to, in a view of this size.
  struct TriangleFit {
    std::uint32_t triangle = 0;
    glm::ivec2 view{0, 0};
    float zoom = 0.0f;
    glm::vec2 centre{0.0f};
  };
  std::optional<TriangleFit> fitted_triangle_;

  StageMeasurement measurement_;
  RunRequest request_;               ///< A run on the chosen backend with other parameters.
  std::optional<Subject> measured_;  ///< What the times are of; none before the first measurement.
  bool costs_complete_ = false;      ///< The measurement that the view setting `measure` asks for has ended.

  Playback playback_;
  std::optional<glm::vec2> pressed_;
  bool turning_ = false;        ///< The mouse turns the camera of the picture.
  std::string matrix_problem_;  ///< Why the last edit of a matrix was refused; "" if it was not.
};

}  // namespace threadscape::app
