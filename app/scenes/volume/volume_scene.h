#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <tuple>
#include <utility>

#include "app/live/stopwatch.h"
#include "app/scenes/flat_pane.h"
#include "app/scenes/scene.h"
#include "app/scenes/volume/ray_pace.h"
#include "compute/core/params.h"
#include "compute/registry/diagram.h"
#include "render/interop/readback.h"
#include "render/passes/slice_pass.h"
#include "render/passes/volume_pass.h"

namespace threadscape::app {

/// The contents of the view: the scanner and the object in space, the projection at one angle, the sinogram of one
/// detector row over all angles, or three cuts through the object.
enum class VolumeShow : std::uint8_t { scene, view, sinogram, slices };
inline constexpr std::array<std::string_view, 4> volume_show_names{"scene", "view", "sinogram", "slices"};

/// Settings of how volumes and projections are drawn: `--view NAME=VALUE`. Windows and levels are in units of the range
/// of the values: window 1 at level 0.5 shows all of it.
struct VolumeView {
  int view = -1;
  int row = -1;
  int ray_column = -1, ray_row = -1;
  float window = 1.0f, level = 0.5f;
  bool inverted = false;
  render::ColourMap map = render::ColourMap::grey;
  render::VolumeStyle volume = render::VolumeStyle::shaded;
  float object_window = 1.0f, object_level = 0.5f;
  render::ColourMap object_map = render::ColourMap::grey;
  float density = 0.6f, surfaces = 0.15f, quality = 1.0f;
  float slice_x = -1.0f, slice_y = -1.0f, slice_z = -1.0f;
  int rays = 3;
  bool insets = true, profile = true, smooth = true;
  float azimuth = 38.0f, elevation = 24.0f, distance = 0.0f;
  float target_x = 0.0f, target_y = 0.0f, target_z = 0.0f;
  float fov = 48.0f;
  int samples = 4;

  static auto fields() {
    using V = VolumeView;
    return std::tuple{
        Field{"view", &V::view, -1, 65535, "",
              "number of the projection, from 0; -1 = the middle one, or the one being computed"},
        Field{"row", &V::row, -1, 8191, "", "of the detector, from below; -1 = the middle"},
        Field{"ray_column", &V::ray_column, -1, 8191, "", "the detector's pixel whose ray is looked at; -1 = none"},
        Field{"ray_row", &V::ray_row, -1, 8191, "", "its row; -1 = the chosen row"},
        Field{"window", &V::window, 0.001f, 4.0f, "", "of projections: from black to white, in ranges of the values"},
        Field{"level", &V::level, -1.0f, 2.0f, "", "its middle"},
        BoolField{"inverted", &V::inverted, "black for much, as on film"},
        EnumField{"map", &V::map, render::colour_map_names, "colours of projections"},
        EnumField{"volume", &V::volume, render::volume_style_names, "how the object is drawn in space"},
        Field{"object_window", &V::object_window, 0.001f, 4.0f, "", "of the object's values"},
        Field{"object_level", &V::object_level, -1.0f, 2.0f, "", "its middle"},
        EnumField{"object_map", &V::object_map, render::colour_map_names, "colours of the object"},
        Field{"density", &V::density, 0.0f, 50.0f, "", "how dense the object is; with `sum`, how bright"},
        Field{"surfaces", &V::surfaces, 0.0f, 4.0f, "", "how solid its surfaces are"},
        Field{"quality", &V::quality, 0.1f, 4.0f, "", "steps per voxel on the way through the object"},
        Field{"slice_x", &V::slice_x, -1.0f, 1.0f, "",
              "where the cut across x lies, 0 to 1; below 0 in the middle of what there is to see"},
        Field{"slice_y", &V::slice_y, -1.0f, 1.0f, "", "across y"},
        Field{"slice_z", &V::slice_z, -1.0f, 1.0f, "", "across z"},
        Field{"rays", &V::rays, 0, 32, "", "drawn along each side of the detector"},
        BoolField{"insets", &V::insets, "view and sinogram beside the scene"},
        BoolField{"profile", &V::profile, "the values along the row, as a curve"},
        BoolField{"smooth", &V::smooth, "enlarged pictures are interpolated"},
        Field{"azimuth", &V::azimuth, 0.0f, 360.0f, "deg", "where the camera stands: 0 at -y, 90 at +x"},
        Field{"elevation", &V::elevation, -89.0f, 89.0f, "deg", "how high"},
        zero_as("everything is in sight", Field{"distance", &V::distance, 0.0f, 100.0f, "", "in sides of the object"}),
        Field{"target_x", &V::target_x, -20.0f, 20.0f, "", "what it looks at, in sides of the object"},
        Field{"target_y", &V::target_y, -20.0f, 20.0f, "", ""},
        Field{"target_z", &V::target_z, -20.0f, 20.0f, "", ""},
        titled("Field of view", Field{"fov", &V::fov, 5.0f, 100.0f, "deg", "vertical angle of view"}),
        Field{"samples", &V::samples, 1, 8, "", "per pixel against jagged edges"}};
  }
  bool operator==(const VolumeView&) const = default;
};

/// Shows volumes and their projections, in space and as flat pictures.
class VolumeScene final : public Scene {
 public:
  explicit VolumeScene(const gl::ShaderLibrary& shaders);

  void show(int index) override { show_ = static_cast<VolumeShow>(index); }
  [[nodiscard]] int shown() const override { return static_cast<int>(show_); }
  [[nodiscard]] ParamBox* settings() override { return &box_; }
  [[nodiscard]] std::string shader_kinds(const LiveView& live, glm::ivec2 size) override;
  void draw(const LiveView& live, const gl::Framebuffer& target) override;
  void release_targets() override {
    space_.release_targets();
    space_target_ = {};
  }
  /// Shows all views one after another; without views, a turn around the object.
  bool show_frame(int frame, int frames) override;
  void toolbar(const Workspace& workspace) override;
  void menu() override;
  void interact(const LiveView& live, ImVec2 origin, ImVec2 size, bool hovered) override;
  [[nodiscard]] std::span<const KeyHelp> help() const override;
  void panel(const Workspace& workspace, const LiveView& live, const Fonts& fonts) override;
  /// "views" is the number of views; "view", "row" and "angle" are those that are shown; "low" and "high" the minimum
  /// and maximum of the projections; "ray" and "ray_voxels" the value of the chosen ray and the number of voxels that
  /// it crosses.
  [[nodiscard]] std::vector<std::pair<std::string, double>> figures() const override;
  [[nodiscard]] bool animating() const override;
  /// The method of the rays, where there is a scanner.
  [[nodiscard]] std::optional<DrawnCode> drawn_code(const Work& work) const override {
    if (!scanner_ || show_ == VolumeShow::slices) return {};
    return DrawnCode{work.backend, work.variant, value_text(work.params, "method")};
  }
  void prefer_speed() override;
  /// Measures by `clock_ms`, which returns milliseconds, how long pictures take whose resolution prefer_speed() adapts.
  /// With invented times tests do not depend on the machine.
  void set_clock(std::function<double()> clock_ms) { clock_ms_ = std::move(clock_ms); }

 private:
  /// A volume of the live view, and the range of its values.
  struct Body {
    const gl::VolumeTexture* texture = nullptr;
    GLuint id = 0;
    std::uint64_t version = 0;
    render::VolumeRange range;
    glm::vec2 values{0.0f, 1.0f};  ///< Minimum and maximum of the values, as they arrived last from the GPU.
  };
  enum class PaneKind : std::uint8_t { space, view, sinogram, across_z, across_y, across_x };
  static constexpr std::size_t pane_kinds = 6;
  struct Pane : FlatPane {
    PaneKind kind = PaneKind::space;
  };

  /// What the time of drawing the scene in space depends on.
  struct PacedBy {
    GLuint texture = 0;
    std::uint64_t version = 0;
    glm::ivec2 size{0};
    VolumeShow show = VolumeShow::scene;
    VolumeView view;
    bool operator==(const PacedBy&) const = default;
  };

  // volume_scene.cpp
  void refresh(const LiveView& live);
  void refresh_scanner(const LiveView& live);
  /// What the live view has of the object or of the views of the scanner, null if that is nothing, and whether it is
  /// the output of the algorithm.
  [[nodiscard]] std::pair<const gl::Resource*, bool> resource_with(ScannerDiagram::Holds holds,
                                                                   const LiveView& live) const;
  void refresh_body(Body& body, const gl::Resource* resource, std::uint64_t version, std::pair<int, int> changed);
  void refresh_ray(const LiveView& live);
  [[nodiscard]] VolumeView& look() { return box_.as<VolumeView>(); }
  [[nodiscard]] const VolumeView& look() const { return box_.as<VolumeView>(); }
  [[nodiscard]] int view_count() const { return views_.texture != nullptr ? views_.texture->size().z : 0; }
  [[nodiscard]] int rows() const { return views_.texture != nullptr ? std::max(views_.texture->size().y, 1) : 1; }
  [[nodiscard]] int columns() const { return views_.texture != nullptr ? std::max(views_.texture->size().x, 1) : 1; }
  [[nodiscard]] int view() const;
  [[nodiscard]] int row() const;
  [[nodiscard]] std::optional<double> angle(int view) const;
  /// Position in [0, 1] of a cut through the object.
  [[nodiscard]] float place_of(Cut cut) const;
  [[nodiscard]] render::VolumeTone views_tone() const;
  [[nodiscard]] render::VolumeTone object_tone() const;
  /// Minimum and maximum of the object's values. The minimum is at most 0, so that an object with equal voxels is not
  /// shown in black.
  [[nodiscard]] glm::vec2 object_values() const { return {std::min(object_.values.x, 0.0f), object_.values.y}; }
  /// The contents to show: those that were chosen, or slices if views were chosen and there are none.
  [[nodiscard]] VolumeShow displayed() const;

  // volume_panes.cpp
  /// Returns whether pictures beside the scene in space have room in a view of `size` pixels.
  [[nodiscard]] static bool has_room_for_insets(glm::ivec2 size) { return size.x * 10 > size.y * 13; }
  void lay_out(float unit);
  void add_pane(PaneKind kind, glm::ivec2 corner, glm::ivec2 size, float unit);
  void draw_pane(Pane& pane, const gl::Framebuffer& target, ViewCanvas& canvas, float unit);
  void draw_marks(const Pane& pane, ViewCanvas& canvas, float unit);
  void draw_profile(const gl::Framebuffer& target, ViewCanvas& canvas, float unit);
  void draw_scale(const render::ViewRect& rect, const render::VolumeTone& tone, const gl::Framebuffer& target,
                  ViewCanvas& canvas, float unit);
  [[nodiscard]] const Body& body_of(PaneKind kind) const;
  [[nodiscard]] render::VolumeSlice slice_of(PaneKind kind) const;
  /// Width and height of a picture in lengths of the object or pixels of the detector; only their ratio counts.
  [[nodiscard]] glm::vec2 sides_of(PaneKind kind) const;

  // volume_space.cpp
  void draw_space(const Pane& pane, const gl::Framebuffer& target, ViewCanvas& canvas, float unit);
  /// The scene in space for a picture of `size` pixels: those of the view divided by `divisor`. `unit` is the height of
  /// letters in pixels of the view.
  [[nodiscard]] render::SpaceScenery scenery(glm::ivec2 size, float unit, int divisor);
  void add_scanner(render::SpaceScenery& scenery, float unit) const;
  void add_ray(render::SpaceScenery& scenery, float unit) const;
  void add_slices(render::SpaceScenery& scenery) const;
  [[nodiscard]] render::OrbitCamera camera(glm::ivec2 size) const;
  /// The detector's column and row at a position in the view; none beside the detector.
  [[nodiscard]] std::optional<glm::ivec2> detector_pixel(const Pane& pane, glm::vec2 mouse) const;
  [[nodiscard]] glm::vec3 in_space(const ScannerDiagram::Point& point) const;
  [[nodiscard]] glm::vec3 half_sides() const;
  /// By how much the sides of the scene in space are divided before it is drawn: 1 unless speed is preferred.
  [[nodiscard]] int divisor_of(glm::ivec2 size);

  // volume_controls.cpp
  void keys();
  void drag(glm::vec2 mouse, glm::vec2 by);
  void pick(const Pane& pane, glm::vec2 mouse);
  void click(const Pane& pane, glm::vec2 mouse);
  /// Requests the voxel under the mouse, and takes the one that has arrived.
  void request_voxel(glm::vec2 mouse, bool hovered);
  void choose_view(int view);
  void choose_row(int row);
  void slice_sliders();
  void view_sliders();
  void fit();
  void play();
  /// Changes window and level of what the pane shows by a movement of the mouse.
  void change_window(PaneKind kind, glm::vec2 by);
  [[nodiscard]] Pane* pane_at(glm::vec2 mouse);

  render::VolumeRangePass ranges_;
  render::SlicePass slices_;
  render::VolumePass space_;
  ToneScale scale_;
  gl::Framebuffer space_target_;
  ParamBox box_ = ParamBox::of(VolumeView{});
  VolumeShow show_ = VolumeShow::scene;

  Body object_, views_;
  glm::vec3 object_middle_{0.5f};   ///< centre_of_edges() of the input.
  std::uint64_t middle_of_ = 0;     ///< Id of the source that object_middle_ belongs to.
  std::optional<Work> scanner_of_;  ///< The work that scanner_ belongs to.
  Shape scanner_input_;
  std::optional<ScannerDiagram> scanner_;
  std::optional<RayDiagram> ray_;
  std::optional<std::tuple<Work, int, int, int>> ray_of_;
  HostArray found_;  ///< The result in host memory, for rays through it.
  std::uint64_t found_version_ = 0;
  bool has_rays_ = false;  ///< If true, the algorithm can trace rays, and there are views to choose them in.

  glm::ivec2 size_{0, 0};
  std::vector<Pane> panes_;
  std::optional<render::ViewRect> profile_;
  std::array<PaneZoom, pane_kinds> zooms_;
  std::optional<PaneKind> held_;  ///< The pane in which a button is held.
  int button_ = -1;
  interop::PixelProbe probe_;
  std::optional<glm::ivec3> voxel_;  ///< The voxel under the mouse as texel indices; none if the mouse is elsewhere.
  PaneKind voxel_pane_ = PaneKind::view;
  std::optional<double> value_;
  std::pair<std::optional<glm::ivec3>, std::uint64_t> asked_;  ///< The voxel and version of probe_'s request.
  glm::vec2 pressed_{0.0f};    ///< Position in the view at which the button was pressed.
  std::optional<int> newest_;  ///< The view to show while views are being computed.
  bool playing_ = false;       ///< If true, the views are shown one after another.
  bool quick_ = false;         ///< If true, the scene in space is drawn at the resolution that pace_ chooses.
  RayPace pace_;
  std::function<double()> clock_ms_ = [watch = Stopwatch()] { return watch.ms(); };
  std::optional<PacedBy> paced_by_;  ///< What the scene in space showed when it was drawn last.
  double since_ = 0.0;
};

}  // namespace threadscape::app
