#include "app/cli/play_frames.h"

#include <glad/gl.h>

#include <chrono>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>
#include <vector>

#include "app/live/moving_input.h"
#include "app/platform/platform.h"
#include "app/report/text.h"
#include "app/ui/theme.h"
#include "app/ui/ui_context.h"
#include "compute/core/printable.h"
#include "compute/io/file_writer.h"
#include "compute/io/pictures/image_file.h"
#include "compute/io/standard_stream.h"
#include "compute/registry/registry.h"
#include "render/capture.h"
#include "render/gl/framebuffer.h"
#include "render/gl/timer.h"
#include "render/interop/route.h"

namespace threadscape::app {

namespace {

/// Medians over the frames that were played, in milliseconds per frame, and rates.
struct PlayFigures {
  std::int64_t frames = 0;
  double seconds = 0;
  double decode = 0, upload = 0, kernels = 0, present = 0, draw = 0, latency = 0;
  double source_rate = 0;

  [[nodiscard]] double per_second() const { return seconds > 0 ? static_cast<double>(frames) / seconds : 0; }
  /// Milliseconds of the GPU for a frame: its upload and conversion, the kernels, and drawing.
  [[nodiscard]] double gpu_ms(bool cuda) const { return draw + (cuda ? upload + kernels : 0); }
};

class Playback {
 public:
  Playback(const RenderOptions& options, Workspace& workspace, const SceneType& type, int width, int height)
      : options_(options),
        workspace_(workspace),
        platform_(make_headless(width, height, preferred_device(workspace), 1.0f)),
        route_(interop::probe_route(platform_->context(), workspace.device(), options.display.route)),
        live_(route_, {}),
        frame_(width, height),
        ui_(*platform_, FontChoice::system, std::string{}) {
    apply_theme(options.display.theme.value_or(Theme::dark), 1.0f);
    scene_ = type.make(shaders_);
    scene_->work_at(scene_desk_);
    workspace.compute_instead(scene_->params_to_compute(workspace));
  }

  PlayFigures play() {
    FramePlayer& player = moving_.player();
    player.show_every_frame(true);
    player.set_loop(false);
    // What is done once for all frames, such as allocating memory and starting the device, is not measured.
    constexpr std::int64_t warm_up = 3;
    show(warm_up);
    player.set_speed(options_.speed, FramePlayer::Clock::now());
    workspace_.timings.clear();
    draw_ms_.clear();
    const std::int64_t before = player.kept();
    const auto start = FramePlayer::Clock::now();
    show(before + options_.play);
    glFinish();
    PlayFigures figures{.frames = player.kept() - before,
                        .seconds = std::chrono::duration<double>(FramePlayer::Clock::now() - start).count()};
    take_draw_times();
    live_.finish(workspace_);
    const TimingHistory& history = workspace_.timings.statistics(workspace_.work().backend);
    figures.decode = player.decode_ms();
    figures.latency = player.latency_ms();
    figures.upload = history.summary(&StageTimes::upload_ms).median;
    figures.kernels = history.summary(&StageTimes::compute_ms).median;
    figures.present = history.summary(&StageTimes::present_ms).median;
    figures.draw = draw_ms_.empty() ? 0 : summarize(draw_ms_).median;
    if (const auto known = player.info()) figures.source_rate = known->frames_per_second;
    return figures;
  }

  [[nodiscard]] HostArray capture() const { return render::capture(frame_); }
  [[nodiscard]] std::string_view route() const {
    const bool cuda = workspace_.work().backend == Backend::cuda;
    return interop::name_of(cuda ? live_.route().cuda_route : interop::Route::host);
  }

 private:
  /// Plays until this many frames were shown, or the source has ended.
  void show(std::int64_t frames) {
    FramePlayer& player = moving_.player();
    while (player.kept() < frames) {
      (void)moving_.update(workspace_, live_);
      live_.update(workspace_);
      check();
      const bool there = player.awaits() && live_.shows_wanted(workspace_);
      if (there) draw();
      moving_.drawn(workspace_, live_);
      if (!there && player.active() && !player.playing() && !player.awaits()) return;
      if (!there) std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
  }

  void draw() {
    (void)platform_->poll(false);
    const bool timed = timer_.begin();
    ui_.begin_frame();
    scene_->draw(live_, frame_);
    ui_.drop_frame();
    if (timed) timer_.end();
    glFlush();
    take_draw_times();
  }

  void take_draw_times() {
    while (const auto ms = timer_.poll_ms())
      draw_ms_.push_back(*ms);
  }

  /// Throws EnvironmentError if an error was logged.
  void check() {
    for (const LogBook::Entry& entry : workspace_.log.entries())
      if (entry.level == LogBook::Level::error) throw EnvironmentError(entry.text);
  }

  const RenderOptions& options_;
  Workspace& workspace_;
  std::unique_ptr<Platform> platform_;
  interop::RouteReport route_;
  gl::ShaderLibrary shaders_;
  LiveView live_;
  gl::Framebuffer frame_;
  gl::GpuTimer timer_;
  UiContext ui_;
  std::unique_ptr<Scene> scene_;
  BareDesk scene_desk_{workspace_};
  MovingInput moving_{workspace_.log, [] {}};
  std::vector<double> draw_ms_;
};

void print_figures(const RenderOptions& options, const Workspace& workspace, const PlayFigures& figures,
                   std::string_view route) {
  const bool cuda = workspace.work().backend == Backend::cuda;
  const double gpu_ms = figures.gpu_ms(cuda);
  const double share = gpu_ms * figures.per_second() / 1e3, at_rate = gpu_ms * figures.source_rate / 1e3;
  if (!options.timings.empty()) {
    const nlohmann::json root{{"algorithm", workspace.algorithm().name},
                              {"backend", name_of(workspace.work().backend)},
                              {"input", options.display.input.string()},
                              {"route", route},
                              {"device", workspace.device().info().name},
                              {"frames", figures.frames},
                              {"seconds", figures.seconds},
                              {"frames_per_second", figures.per_second()},
                              {"source_frames_per_second", figures.source_rate},
                              {"frame_ms",
                               {{"decode", figures.decode},
                                {"upload", figures.upload},
                                {"kernels", figures.kernels},
                                {"present", figures.present},
                                {"draw_gpu", figures.draw},
                                {"latency", figures.latency},
                                {"gpu", gpu_ms}}},
                              {"gpu_share", share},
                              {"gpu_share_at_source_rate", at_rate}};
    io::save_bytes(options.timings, root.dump(2) + "\n");
  }
  if (options.quiet) return;
  const bool stdout_taken = io::is_standard_stream(options.output) || io::is_standard_stream(options.timings);
  const auto ms = [](double value) { return format_number(value) + " ms"; };
  std::fprintf(stdout_taken ? stderr : stdout,
               "%s: %s with %s, route %s\n"
               "%lld frames in %s s: %s frames/s (the source states %s)\n"
               "a frame takes: decoding %s on a thread of its own, upload and conversion %s, kernels %s, drawing %s of "
               "the GPU; %s from decoded to drawn\n"
               "time of the GPU: %s a frame, %s %% at the rate that was reached, %s %% at the rate of the source\n",
               printable(options.display.input.string()).c_str(), std::string(workspace.algorithm().name).c_str(),
               std::string(name_of(workspace.work().backend)).c_str(), std::string(route).c_str(),
               static_cast<long long>(figures.frames), format_number(figures.seconds).c_str(),
               format_number(figures.per_second()).c_str(), format_number(figures.source_rate).c_str(),
               ms(figures.decode).c_str(), ms(figures.upload).c_str(), ms(figures.kernels).c_str(),
               ms(figures.draw).c_str(), ms(figures.latency).c_str(), ms(gpu_ms).c_str(),
               format_number(100 * share).c_str(), format_number(100 * at_rate).c_str());
}

}  // namespace

int play_frames(const RenderOptions& options, Workspace& workspace, const SceneType& type, int width, int height) {
  Playback playback(options, workspace, type, width, height);
  const PlayFigures figures = playback.play();
  if (figures.frames == 0)
    throw EnvironmentError("'" + options.display.input.string() +
                           "' has too few frames to play: the first three are not measured");
  io::save_picture(options.output, playback.capture().view(), io::FileColour::rgb, options.quality);
  print_figures(options, workspace, figures, playback.route());
  return static_cast<int>(ExitCode::done);
}

}  // namespace threadscape::app
