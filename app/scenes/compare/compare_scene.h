#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "app/scenes/compare/truth_volume.h"
#include "app/scenes/flat_pane.h"
#include "app/scenes/scene.h"
#include "compute/core/params.h"
#include "compute/registry/diagram.h"
#include "render/interop/readback.h"
#include "render/passes/volume_error.h"
#include "render/passes/volume_range.h"

namespace threadscape::app {

/// The cuts that are shown: across all three axes, or across one of them.
enum class CompareShow : std::uint8_t { all, z, y, x };
inline constexpr std::array<std::string_view, 4> compare_show_names{"all", "z", "y", "x"};
/// The axis along which the profile runs.
enum class ProfileAxis : std::uint8_t { x, y, z };
inline constexpr std::array<std::string_view, 3> profile_axis_names{"x", "y", "z"};

/// Settings of the comparison: `--view NAME=VALUE`. Windows and levels are in units of the range of the phantom's
/// values: window 1 at level 0.5 shows all of it.
struct CompareView {
  float slice_x = -1.0f, slice_y = -1.0f, slice_z = -1.0f;
  ProfileAxis line = ProfileAxis::x;
  float window = 1.0f, level = 0.5f;
  render::ColourMap map = render::ColourMap::grey;
  float difference = 0.25f;
  int view = -1, row = -1;
  bool profile = true, figures = true, input = true, smooth = true;

  static auto fields() {
    using V = CompareView;
    return std::tuple{
        Field{"slice_x", &V::slice_x, -1.0f, 1.0f, "",
              "where the cut across x lies, 0 to 1; below 0 in the middle of what there is to see"},
        Field{"slice_y", &V::slice_y, -1.0f, 1.0f, "", "across y"},
        Field{"slice_z", &V::slice_z, -1.0f, 1.0f, "", "across z"},
        EnumField{"line", &V::line, profile_axis_names,
                  "the axis along which the profile runs, through all three cuts"},
        Field{"window", &V::window, 0.001f, 4.0f, "", "from black to white, in ranges of the phantom's values"},
        Field{"level", &V::level, -1.0f, 2.0f, "", "its middle"},
        EnumField{"map", &V::map, render::colour_map_names, "colours"},
        Field{"difference", &V::difference, 0.001f, 4.0f, "",
              "the difference that has the strongest colour, in ranges of the phantom's values"},
        Field{"view", &V::view, -1, 65535, "", "of the input, from 0; -1 = the middle one"},
        Field{"row", &V::row, -1, 8191, "", "of the input's sinogram, from below; -1 = the middle"},
        BoolField{"profile", &V::profile, "the values along a line, as curves"},
        BoolField{"figures", &V::figures, "how far the result is off"},
        BoolField{"input", &V::input, "a view and a sinogram of what was reconstructed from"},
        BoolField{"smooth", &V::smooth, "enlarged pictures are interpolated"}};
  }
  bool operator==(const CompareView&) const = default;
};

/// Shows a volume beside the one that it should be equal to: cuts through both and their difference, a profile, and
/// figures of the error.
class CompareScene final : public Scene {
 public:
  explicit CompareScene(const gl::ShaderLibrary& shaders) : ranges_(shaders), errors_(shaders), slices_(shaders) {}
  /// True for algorithms that make volumes and know what they should be equal to.
  static bool can_show(const AlgorithmInfo& algorithm);

  void show(int index) override;
  [[nodiscard]] int shown() const override { return static_cast<int>(show_); }
  [[nodiscard]] ParamBox* settings() override { return &box_; }
  void draw(const LiveView& live, const gl::Framebuffer& target) override;
  /// Shows the slices of the cut that was used last, one after another.
  bool show_frame(int frame, int frames) override;
  void toolbar(const Workspace& workspace) override;
  void menu() override;
  void interact(const LiveView& live, ImVec2 origin, ImVec2 size, bool hovered) override;
  [[nodiscard]] std::span<const KeyHelp> help() const override;
  void panel(const Workspace& workspace, const LiveView& live, const Fonts& fonts) override;
  /// "rmse", "relative" and "largest" are the errors of the volume; "rmse_z", "rmse_y" and "rmse_x" those of the cuts;
  /// "slice_z", "slice_y" and "slice_x" the indices of the cuts; "low" and "high" the values of black and white.
  [[nodiscard]] std::vector<std::pair<std::string, double>> figures() const override;
  [[nodiscard]] bool animating() const override;
  void use_fixture_times() override { truth_.wait_always(); }

 private:
  enum class Picture : std::uint8_t { truth, result, difference, view, sinogram };
  struct Pane : FlatPane {
    Picture picture = Picture::result;
    Cut cut = Cut::z;  ///< The cut that is shown, for panes of truth, result and difference.
    [[nodiscard]] bool of_input() const { return picture == Picture::view || picture == Picture::sinogram; }
    /// Index of the pane's zoom. The panes of truth, result and difference share one for each cut.
    [[nodiscard]] std::size_t zoom() const {
      return of_input() ? static_cast<std::size_t>(picture) : static_cast<std::size_t>(cut);
    }
  };
  /// The data from which figures of the error were computed.
  struct Counted {
    GLuint result = 0;
    std::uint64_t version = 0, truth = 0;
    glm::ivec3 slices{0};
    friend bool operator==(const Counted&, const Counted&) = default;
  };

  // compare_scene.cpp
  void refresh(const LiveView& live);
  void refresh_errors(const LiveView& live);
  [[nodiscard]] CompareView& look() { return box_.as<CompareView>(); }
  [[nodiscard]] const CompareView& look() const { return box_.as<CompareView>(); }
  [[nodiscard]] const gl::VolumeTexture* truth() const;
  /// Position of the cut in [0, 1]: the middle of a slice, so that linear interpolation does not mix two slices.
  [[nodiscard]] float place_of(Cut cut) const { return middle_of(index_of(cut), count_of(cut)); }
  [[nodiscard]] int count_of(Cut cut) const { return result_ != nullptr ? slices_of(cut, result_->size()) : 1; }
  [[nodiscard]] int index_of(Cut cut) const;
  /// Minimum and maximum of the displayed values, where the minimum is at most 0.
  [[nodiscard]] glm::vec2 values() const;
  [[nodiscard]] render::VolumeTone tone() const;
  [[nodiscard]] render::VolumeTone difference_tone() const;
  [[nodiscard]] int view_count() const { return views_ != nullptr ? views_->size().z : 0; }
  [[nodiscard]] int rows() const { return views_ != nullptr ? views_->size().y : 0; }
  [[nodiscard]] int view() const;
  [[nodiscard]] int row() const;
  /// Lengths of the object along x, y and z.
  [[nodiscard]] glm::vec3 sides() const;
  [[nodiscard]] render::VolumeSlice slice_of(const Pane& pane) const;
  [[nodiscard]] const gl::VolumeTexture* texture_of(const Pane& pane) const;

  // compare_panes.cpp
  void lay_out(float unit);
  void lay_out_beside(glm::ivec2 corner, glm::ivec2 size, float unit);
  void lay_out_below(glm::ivec2 corner, glm::ivec2 size, float unit);
  void add_pane(Picture picture, Cut cut, glm::ivec2 corner, glm::ivec2 size, float unit);
  void draw_pane(const Pane& pane, const gl::Framebuffer& target, ViewCanvas& canvas, float unit);
  void draw_marks(const Pane& pane, ViewCanvas& canvas, float unit);
  void draw_scales(const gl::Framebuffer& target, ViewCanvas& canvas, float unit);
  void draw_figures(ViewCanvas& canvas, float unit) const;
  void draw_profile(const gl::Framebuffer& target, ViewCanvas& canvas, float unit);
  void draw_history(ViewCanvas& canvas, float unit) const;

  // compare_controls.cpp
  void keys();
  void drag(const Pane& pane, glm::vec2 mouse, glm::vec2 by);
  /// Chooses the cuts, or the view or row of the input, at the mouse.
  void pick(const Pane& pane, glm::vec2 mouse);
  /// Requests the voxel under the mouse, and takes the one that has arrived.
  void request_voxel(glm::vec2 mouse, bool hovered);
  void fit() { zooms_ = {}; }
  void play();
  void choose_slice(Cut cut, int index);
  [[nodiscard]] const Pane* pane_at(glm::vec2 mouse) const;

  render::VolumeRangePass ranges_;
  render::VolumeErrorPass errors_;
  render::SlicePass slices_;
  ToneScale scale_;
  ParamBox box_ = ParamBox::of(CompareView{});
  CompareShow show_ = CompareShow::all;
  Cut focus_ = Cut::z;  ///< The cut that was used last.

  const gl::VolumeTexture *result_ = nullptr, *views_ = nullptr;
  std::uint64_t version_ = 0;  ///< Version of the result.
  render::VolumeRange result_range_, views_range_;
  glm::vec2 result_values_{0.0f, 1.0f}, views_values_{0.0f, 1.0f};
  std::pair<GLuint, std::uint64_t> result_ranged_, views_ranged_;
  TruthVolume truth_;
  std::optional<Work> scanner_of_;
  Shape scanner_input_;
  std::optional<ScannerDiagram> scanner_;

  std::vector<render::VolumeError> errors_found_;  ///< Errors of the volume, then of the cuts across z, y and x.
  std::optional<Counted> counted_;                 ///< The data for which errors were requested last.
  double counted_at_ = 0.0;                        ///< Time in seconds at which errors were requested last.
  double progress_ = 1.0;  ///< Fraction of the result, 0 to 1, that was computed when errors were requested last.
  /// Pairs of progress and RMSE for a result that was shown while it was computed.
  std::vector<glm::dvec2> history_;
  std::optional<Work> history_of_;

  glm::ivec2 size_{0};
  std::vector<Pane> panes_;
  /// Areas of the profile, the table of errors, and the history of the error.
  std::optional<render::ViewRect> profile_, table_, course_;
  std::array<render::ViewRect, 2> scales_;  ///< Areas of the scales of the values and of the difference.
  std::array<PaneZoom, 5> zooms_;
  std::optional<std::pair<Picture, Cut>> held_;  ///< The pane in which a button is held.
  int button_ = -1;
  interop::PixelProbe probe_;
  std::optional<glm::ivec3> voxel_;  ///< The voxel under the mouse as texel indices; none if the mouse is elsewhere.
  bool voxel_of_input_ = false;
  std::optional<double> value_;
  std::tuple<std::optional<glm::ivec3>, bool, std::uint64_t> asked_;
  bool playing_ = false;
  double since_ = 0.0;
};

}  // namespace threadscape::app
