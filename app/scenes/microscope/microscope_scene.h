#pragma once

#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "app/live/observed_run.h"
#include "app/scenes/microscope/code_page.h"
#include "app/scenes/microscope/listing.h"
#include "app/scenes/playback.h"
#include "app/scenes/scene.h"
#include "app/session/source_lines.h"
#include "app/ui/view_canvas.h"
#include "compute/core/resources.h"
#include "compute/warp/stepper.h"
#include "render/gl/program.h"

namespace threadscape::app {

/// Shows a kernel of the chosen algorithm while a warp executes it on the emulated device: its lines with their counts,
/// the lanes of the warp with their values, and where they access memory.
class MicroscopeScene final : public Scene {
 public:
  explicit MicroscopeScene(const gl::ShaderLibrary&) {}
  ~MicroscopeScene() override { stop_assembling_.request_stop(); }
  MicroscopeScene(const MicroscopeScene&) = delete;
  MicroscopeScene& operator=(const MicroscopeScene&) = delete;
  /// Returns whether the algorithm has kernels.
  [[nodiscard]] static bool can_show(const AlgorithmInfo& algorithm);

  void show(int index) override { show_ = static_cast<MicroscopeShow>(index); }
  [[nodiscard]] int shown() const override { return static_cast<int>(show_); }
  [[nodiscard]] ParamBox* settings() override { return &view_; }
  [[nodiscard]] bool edits_settings() const override { return true; }
  void draw(const LiveView& live, const gl::Framebuffer& target) override;
  void toolbar(const Workspace& workspace) override;
  void interact(const LiveView& live, ImVec2 origin, ImVec2 size, bool hovered) override;
  [[nodiscard]] std::span<const KeyHelp> help() const override;
  void panel(const Workspace& workspace, const LiveView& live, const Fonts& fonts) override;
  [[nodiscard]] float panel_lines() const override { return 10.0f; }
  /// "kernels" is their number; "instructions" are those of the shown warp, "line" is the line of the shown one,
  /// "lanes" execute it. Of the page with source, PTX and machine code, "columns" are its columns, and "marked source",
  /// "marked ptx" and "marked sass" the marked rows.
  [[nodiscard]] std::vector<std::pair<std::string, double>> figures() const override;
  [[nodiscard]] bool animating() const override { return observing_ || assembling_.valid() || playback_.playing(); }
  void prefer_completeness() override { waits_ = true; }
  /// The rows of the page of the source, or of PTX, as they were drawn last.
  [[nodiscard]] const std::vector<Listing::Row>& listed() const { return listing_.rows; }

 private:
  using Box = ViewBox;

  [[nodiscard]] MicroscopeView& view() { return view_.as<MicroscopeView>(); }
  [[nodiscard]] const ObservedKernel* kernel() const;
  /// Lets the settings and the stepper agree with what was observed.
  void follow(const LiveView& live);
  /// Makes the stepper of the chosen kernel and block, unless it is there.
  void place_stepper();
  /// Looks for the thread that has computed the chosen pixel, and shows its store when it is found.
  void seek(const LiveView& live);
  /// Goes to where the warp executes the wanted line first, if one is wanted.
  void seek_line();
  /// Shows the instruction of that number of the shown warp, or the nearest that there is.
  void go_to(std::int64_t step);
  [[nodiscard]] warp::Location place_of(const warp::WarpStep& step) const;
  /// Shows the next instruction of the warp that `wanted` takes, behind the shown one or else from the beginning.
  void go_to_next(const std::function<bool(const warp::Stepper::Executed&)>& wanted);
  void play(bool on);
  void advance();

  // The listing (microscope_listing.cpp).
  /// The rows of the file of the shown instruction, or of its function in PTX.
  void list_rows();
  /// Draws source, PTX and machine code beside each other.
  void draw_code(ViewCanvas& canvas, const Box& box, float unit);
  /// Makes the machine code of the shown kernel for the lines of that file, unless it is there or being made.
  void assemble(const std::string& file);
  void click(ImVec2 at);

  // What the warp does (microscope_lanes.cpp).
  void draw_step(ViewCanvas& canvas, const Box& box, float unit) const;
  /// Draws 32 cells for each register, and returns where they end.
  [[nodiscard]] float draw_lanes(ViewCanvas& canvas, const Box& box, float unit) const;
  void draw_sectors(ViewCanvas& canvas, const Box& box, float unit) const;
  void draw_banks(ViewCanvas& canvas, const Box& box, float unit) const;

  ParamBox view_ = ParamBox::of(MicroscopeView{});
  MicroscopeShow show_ = MicroscopeShow::source;
  std::shared_ptr<const ObservedRun> run_;  ///< What was observed; null before.
  bool is_sketch_ = false;                  ///< The run is one of a sketch.
  bool observing_ = false;                  ///< Something is being observed or looked for.
  bool waits_ = false;                      ///< Nobody looks on: frames wait for what is observed.
  std::unique_ptr<warp::Stepper> stepper_;
  std::optional<warp::WarpStep> step_;
  warp::Location place_;       ///< The line that the step belongs to.
  std::string problem_;        ///< Why no instruction is shown.
  glm::ivec2 sought_{-1, -1};  ///< The pixel whose thread was looked for last.
  std::string note_;           ///< What was found of it.
  SourceLines sources_{asset_folder().parent_path()};
  Playback playback_;

  Listing listing_;
  CodePage page_;
  /// The kernel and the file that machine code was made of last.
  std::pair<const ObservedKernel*, std::string> assembled_{};
  std::stop_source stop_assembling_;
  std::future<std::shared_ptr<const MachineCode>> assembling_;
  std::shared_ptr<const MachineCode> machine_;
};

}  // namespace threadscape::app
