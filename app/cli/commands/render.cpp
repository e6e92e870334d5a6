#include "app/cli/commands/render.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>
#include <utility>

#include "app/cli/option_values.h"
#include "app/cli/play_frames.h"
#include "app/cli/render_animation.h"
#include "app/cli/render_fixture.h"
#include "app/cli/render_session.h"
#include "app/cli/render_timings.h"
#include "app/lab/lab_tab.h"
#include "app/live/stopwatch.h"
#include "app/report/long_task.h"
#include "app/report/text.h"
#include "app/scenes/scene_set.h"
#include "app/session/moving_file.h"
#include "app/session/sketch_file.h"
#include "app/shell/window.h"
#include "compute/core/clip.h"
#include "compute/core/printable.h"
#include "compute/io/file_writer.h"
#include "compute/io/pictures/image_format.h"
#include "compute/io/standard_stream.h"
#include "compute/io/video/frame_source.h"
#include "compute/io/video/frame_writer.h"
#include "compute/registry/registry.h"
#include "compute/sketch/sketch_algorithm.h"
#include "render/capture.h"
#include "render/interop/route.h"

namespace threadscape::app {

namespace {

/// The file for the frame with index `frame`: "out.png" becomes "out-0003.png" for index 2. If there is only one frame,
/// the path is not changed.
std::filesystem::path numbered(const std::filesystem::path& path, int frame, int frames) {
  if (frames <= 1) return path;
  std::array<char, 16> number{};
  std::snprintf(number.data(), number.size(), "-%04d", frame + 1);
  return path.parent_path() / (path.stem().string() + number.data() + path.extension().string());
}

/// Chooses an intermediate result by its number, from 1 on; 0 chooses the result. Throws UsageError if there are fewer.
void show_intermediate(Workspace& workspace, int number) {
  if (number == 0) return;
  const auto count = static_cast<int>(workspace.intermediates().size());
  if (number > count)
    throw UsageError("--intermediate " + std::to_string(number) + ": " + std::string(workspace.algorithm().name) +
                     " has " +
                     (count < 2 ? "no intermediate results" : std::to_string(count) + " intermediate results") +
                     " with these parameters");
  workspace.show_intermediate(number - 1);
}

/// Size of the PNG in pixels.
glm::ivec2 frame_size(const RenderOptions& options, const Workspace& workspace, const SceneType& scene) {
  if (options.width > 0) return {options.width, options.height};
  if (options.ui) return {1920, 1080};
  return scene.natural_size(workspace.algorithm().output_shape(workspace.wanted().params, workspace.input_shape()));
}

/// Applies --show and --view to the scene. Throws UsageError.
void apply_view(Scene& scene, const SceneType& type, const RenderOptions& options) {
  scene.show(find_show(type, options.scene.show));
  ParamBox* settings = scene.settings();
  if (settings != nullptr && !options.scene_settings.empty()) assign_json(*settings, options.scene_settings);
  assign_view(settings, type, options.scene);
}

/// Sets the parameters, reads or makes the input, and chooses the intermediate result to show. Throws Error.
void prepare_work(Workspace& workspace, const RenderOptions& options) {
  const DisplayOptions& display = options.display;
  if (!display.input.empty() || !workspace.algorithm().own_input) {
    io::Loaded input = is_moving_render(options, workspace.algorithm())
                           ? first_frame(display.input, display.load)
                           : load_input(workspace.work().request(), display.input, display.load);
    print_note(input.note, options.quiet);
    workspace.set_parameters(make_params(workspace.algorithm(), display.run, input.settings));
    if (workspace.algorithm().input != Kind::none) workspace.set_source(display.input, std::move(input));
  }
  workspace.make_input();  // The input is made before GL is set up, because the parameters may be refused.
  if (const std::string problem = workspace.problem(); !problem.empty()) throw UsageError(problem);
  show_intermediate(workspace, options.intermediate);
}

/// ": " and the warning that was logged last; "" if there is none.
std::string last_warning(const Workspace& workspace) {
  std::string text;
  for (const LogBook::Entry& entry : workspace.log.entries())
    if (entry.level == LogBook::Level::warning) text = ": " + entry.text;
  return text;
}

/// Returns whether options are about the lab.
bool draws_lab(const RenderOptions& options) {
  return !options.sweep.empty() || !options.reports.empty() || !options.plot.empty() || options.peers;
}

/// Draws the pictures: a context without a display, the live view, and either the whole window or one scene with the
/// fonts and draw lists that it writes text with.
class HeadlessView {
 public:
  HeadlessView(const RenderOptions& options, Workspace& workspace, const SceneType& type, LongTask& task)
      : options_(options),
        workspace_(workspace),
        task_(task),
        size_(frame_size(options, workspace, type)),
        platform_(make_headless(size_.x, size_.y, preferred_device(workspace), 1.0f)),
        route_(interop::probe_route(platform_->context(), workspace.device(), options.display.route)),
        live_(route_, {}),
        frame_(size_.x, size_.y) {
    if (options.ui)
      make_window_of(type);
    else
      make_scene_of(type);
    apply_view(scene(), type, options);
    if (options.fixture) scene().use_fixture_times();
    live_.want_reference(scene().wants_reference());
    std::optional<ParamBox> computed = scene().params_to_compute(workspace);
    workspace.compute_instead(std::move(computed), scene().params_of_run());
  }

  [[nodiscard]] Scene& scene() { return window_ ? window_->scene() : *bare_scene_; }
  [[nodiscard]] const LiveView& live() const { return live_; }
  /// What the frames of the window have cost; null without the interface.
  [[nodiscard]] const FrameCosts* costs() { return window_ ? &window_->costs() : nullptr; }
  [[nodiscard]] gl::Context& context() { return platform_->context(); }
  [[nodiscard]] HostArray capture() const { return render::capture(frame_); }

  /// Computes the result. With the interface, also runs all backends whose times its panels show.
  void compute() {
    while (window_ && window_->sketch().compiling())
      window_->frame(platform_->poll(false), frame_);
    finish();
    check();
    if (options_.fixture) return use_fixture_timings(workspace_);
    if (!options_.ui) return;
    if (!options_.lesson.empty()) compute_page();
    if (!options_.sweep.empty()) return sweep();
    live_.compare_backends(workspace_, 8);
    finish();
    if (options_.panel != variants_panel_name) return;
    window_->compare_variants();
    while (window_->measuring_copy())
      window_->frame(platform_->poll(false), frame_);
    finish();
  }

  /// Draws frames until another frame would not change the picture.
  void draw() {
    if (!window_) {
      do {
        (void)platform_->poll(false);
        bare_ui_->begin_frame();
        scene().draw(live_, frame_);
        bare_ui_->drop_frame();
      } while (scene().animating());
      return;
    }
    // Docked panels reach their places only after several frames.
    for (int i = 0; i < 4; ++i)
      window_->frame(platform_->poll(false), frame_);
    while (window_->counting() || window_->sketch().studying() || window_->scene_animating())
      window_->frame(platform_->poll(false), frame_);
  }

  /// Shows the next frame of the moving input, whose first frame is shown at first, and draws it. Returns false if
  /// there is none.
  bool draw_next_frame() {
    if (window_) {
      if (!await_player(moving_frame_ + 1)) return false;
    } else {
      io::Frame frame;
      if (!moving().next(frame) || (moving_frame_ == 0 && !moving().next(frame))) return false;
      auto source = std::make_shared<Source>();
      source->path = options_.display.input;
      source->frame = static_cast<std::uint64_t>(moving_frame_ + 1);
      source->picture.colour = frame.pixels.shape().channels == 1 ? io::FileColour::grey : io::FileColour::rgb;
      source->picture.pixels = std::move(frame.pixels);
      moving_seconds_ = frame.seconds;
      workspace_.show_frame(std::move(source));
    }
    ++moving_frame_;
    finish();
    draw();
    glFinish();
    return true;
  }
  /// Starts the window's player of the moving input, which stands still at the first frame. Does nothing without the
  /// interface.
  void start_player() {
    if (window_) (void)await_player(0);
  }
  /// The moving input, opened for drawing its frames.
  io::FrameSource& moving() {
    if (!moving_) moving_ = io::open_frames(options_.display.input);
    return *moving_;
  }

  /// When the frame of the moving input that is drawn is shown, in seconds after its first one.
  [[nodiscard]] double moving_seconds() const { return moving_seconds_; }

  /// Draws again, after a new run if `recompute` is set. Returns the milliseconds until the GPU has finished.
  double measure(bool recompute) {
    glFinish();
    const Stopwatch watch;
    if (recompute) {
      live_.rerun();
      live_.finish(workspace_);
    }
    draw();
    glFinish();
    return watch.ms();
  }

  /// Counts a frame as done. Throws Cancelled if the user has interrupted the program.
  void count_frame() {
    ++frames_done_;
    report(0.0);
  }
  /// Throws EnvironmentError if an error was logged.
  void check() {
    for (const LogBook::Entry& entry : workspace_.log.entries())
      if (entry.level == LogBook::Level::error) throw EnvironmentError(entry.text);
  }

 private:
  /// Computes what is due, with progress. Throws Cancelled if the user has interrupted the program.
  void finish() {
    live_.finish(workspace_, [this](double done) { report(done); });
  }
  /// `done` is the share of the present frame that is done.
  void report(double done) {
    task_.check();
    task_.progress().report((frames_done_ + done) / options_.frames);
  }

  /// Lets the window's player show this frame, and waits for it. Returns false if there is no such frame.
  bool await_player(std::int64_t index) {
    FramePlayer& player = window_->moving().player();
    player.show_every_frame(true);
    const auto is_shown = [&] { return player.active() && player.kept() > 0 && !player.awaits(); };
    for (bool asked = index == 0;; std::this_thread::sleep_for(std::chrono::milliseconds(1))) {
      (void)window_->advance();
      player.pause();
      live_.finish(workspace_);
      window_->note_shown();
      check();
      if (is_shown() && player.index() == index) {
        moving_seconds_ = player.seconds();
        return true;
      }
      if (is_shown() && !asked) {
        if (const auto known = player.info(); known && known->seekable && known->frames <= index) return false;
        player.step(1);
        asked = true;
      }
    }
  }

  void make_window_of(const SceneType& type) {
    const DisplayOptions& display = options_.display;
    const WindowLook look{.theme = display.theme.value_or(Theme::dark),
                          .scale = display.ui_scale > 0 ? display.ui_scale : 1.0f,
                          .fonts = options_.fixture ? FontChoice::built_in : FontChoice::system};
    MachineFacts facts = machine_facts(platform_->context(), route_);
    if (options_.fixture) use_fixture_machine(workspace_, facts);
    window_ = std::make_unique<Window>(*platform_, shaders_, workspace_, live_, std::move(facts), look, std::string{});
    window_->load_everything();
    // The pictures that tests compare have only the tabs of the window itself.
    if (!options_.fixture) add_lab();
    if (!options_.lesson.empty()) {
      window_->lesson().keep_in({});
      window_->open_lesson(options_.lesson);
      window_->lesson().go_to(static_cast<std::size_t>(options_.page - 1));
    } else if (const auto live = sketch::sketch_of(workspace_.algorithm()); live != nullptr) {
      window_->sketch().open(live->sketch().file, &workspace_.algorithm());
      window_->sketch().run();
    }
    window_->scenes().choose(type);
    const std::string panel = !options_.lesson.empty()                        ? "lesson"
                              : options_.panel.empty() && draws_lab(options_) ? "lab"
                                                                              : options_.panel;
    if (!panel.empty()) window_->show_panel(panel);
    // The list of algorithms shows only the chosen one, so that pictures do not depend on which others exist.
    if (options_.fixture) window_->search(std::string(workspace_.algorithm().name));
  }

  /// Computes what the blocks of the page of the lesson show.
  void compute_page() {
    LessonSession& session = window_->lesson();
    const std::vector<LessonBlock>& blocks = session.lesson().pages[session.page()].blocks;
    for (std::size_t i = 0; i < blocks.size(); ++i)
      if (std::holds_alternative<LessonCounts>(blocks[i]) || std::holds_alternative<LessonSweep>(blocks[i]))
        session.compute({session.page(), i});
    for (; session.working(); std::this_thread::sleep_for(std::chrono::milliseconds(5))) {
      task_.check();
      session.update();
    }
  }

  /// Measures the sweep of the options to its end. Throws UsageError for a sweep that cannot be planned, and
  /// EnvironmentError if no point of it could be measured.
  void sweep() {
    const auto [vary, values] = parse_set("--sweep", options_.sweep);
    choose_sweep(lab_->choice(), vary, values);
    lab_->choice().peers = options_.peers;
    (void)lab_points(lab_->choice(), workspace_.work(), workspace_.input_shape());  // Throws what run() would only log.
    lab_->run(workspace_);
    for (LabProgress now = lab_->progress(); now.running; now = lab_->progress()) {
      report(static_cast<double>(now.done) / static_cast<double>(std::max<std::size_t>(now.total, 1)));
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    lab_->wait();
    window_->frame(platform_->poll(false), frame_);  // Takes the results.
    if (lab_->reports().front().rows.empty())
      throw EnvironmentError("--sweep: no point could be measured" + last_warning(workspace_));
    if (!options_.plot.empty()) lab_->show(find_lab_plot(options_.plot));
  }

  void add_lab() {
    auto lab = std::make_unique<LabTab>([] {}, lab_machine());
    for (const std::filesystem::path& report : options_.reports)
      lab->open(report);
    if (!options_.plot.empty()) lab->show(find_lab_plot(options_.plot));
    lab_ = lab.get();
    window_->add_panel(LabTab::type, std::move(lab));
  }

  void make_scene_of(const SceneType& type) {
    bare_ui_ = std::make_unique<UiContext>(*platform_, options_.fixture ? FontChoice::built_in : FontChoice::system,
                                           std::string{});
    apply_theme(options_.display.theme.value_or(Theme::dark), 1.0f);
    bare_scene_ = type.make(shaders_);
    bare_scene_->work_at(bare_desk_);
    bare_scene_->prefer_completeness();
  }

  const RenderOptions& options_;
  Workspace& workspace_;
  LongTask& task_;
  int frames_done_ = 0;  ///< Frames that are written.
  glm::ivec2 size_;
  std::unique_ptr<Platform> platform_;
  interop::RouteReport route_;
  gl::ShaderLibrary shaders_;
  LiveView live_;
  gl::Framebuffer frame_;
  std::unique_ptr<Window> window_;           ///< The whole window; null without the interface.
  std::unique_ptr<io::FrameSource> moving_;  ///< The moving input; null until moving() opens it.
  std::int64_t moving_frame_ = 0;            ///< The number of its frame that is shown.
  double moving_seconds_ = 0;                ///< Its time after the first frame.
  LabTab* lab_ = nullptr;                    ///< A tab of the window; null without it.
  std::unique_ptr<UiContext> bare_ui_;  ///< Fonts and draw lists for bare_scene_; both are null with the interface.
  std::unique_ptr<Scene> bare_scene_;
  BareDesk bare_desk_{workspace_};
};

/// Pictures of the window are opaque, whatever the drawing has left in their alpha.
void make_opaque(HostArray& picture) {
  const auto pixels = picture.image<Rgba8>();
  for (int y = 0; y < pixels.height; ++y)
    for (int x = 0; x < pixels.width; ++x)
      pixels(x, y).a = 255;
}

/// Throws UsageError if an option for the lab is given although the picture has no lab.
void require_lab(const RenderOptions& options) {
  if (options.ui && !options.fixture) return;
  if (draws_lab(options))
    throw UsageError("--sweep, --peers, --report and --plot draw the lab: they need --ui, without --fixture");
}

/// Throws UsageError if --play is given for what does not move, or with options that it does not have.
void require_play(const RenderOptions& options, const AlgorithmInfo& algorithm) {
  if (options.play == 0) return;
  if (!is_moving_render(options, algorithm))
    throw UsageError("--play plays a video: state one, or test:1280x720@60:600, and an algorithm on pictures");
  if (options.ui || options.frames > 1 || wants_animation(options))
    throw UsageError("--play writes one picture, without the window: leave out --ui and --frames, and write a .png");
}

}  // namespace

int preferred_device(const Workspace& workspace) {
  gpu::Device& device = workspace.device();
  return device.available() ? device.info().ordinal : -1;
}

int render(const RenderOptions& asked) {
  RenderOptions options = is_session_path(asked.display.run.algorithm) ? with_session(asked) : asked;
  if (const std::string& name = asked.display.run.algorithm;
      std::ranges::find(algorithms(), name, &AlgorithmInfo::name) == algorithms().end())
    if (const std::filesystem::path lesson = named_lesson(name); !lesson.empty()) options = with_lesson(asked, lesson);
  require_lab(options);
  options.display.run.algorithm = algorithm_of(options.display.run.algorithm);
  Workspace workspace;
  choose_work(workspace, options.display.run);
  set_frames(options, workspace.algorithm());
  require_play(options, workspace.algorithm());
  const bool animated = wants_animation(options);
  if (animated)
    io::require_frame_path(options.output);
  else
    io::require_picture_path(numbered(options.output, 0, options.frames));
  const SceneType& type = scene_of(options.scene, workspace.algorithm());
  (void)find_show(type, options.scene.show);  // Unknown names are refused before time is spent on a run.
  prepare_work(workspace, options);
  if (options.play > 0) {
    const glm::ivec2 size = frame_size(options, workspace, type);
    return play_frames(options, workspace, type, size.x, size.y);
  }
  LongTask task(std::string(workspace.algorithm().name), options.quiet);
  HeadlessView view(options, workspace, type, task);
  const bool moving = is_moving_render(options, workspace.algorithm());
  if (moving) view.start_player();
  view.compute();
  view.draw();

  // Text goes to stderr when the picture or the times go to stdout.
  const bool stdout_taken = io::is_standard_stream(options.output) || io::is_standard_stream(options.timings);
  std::FILE* text = stdout_taken ? stderr : stdout;
  std::vector<double> latencies_ms;
  std::unique_ptr<Animation> animation;
  for (int i = 0; i < options.frames; ++i) {
    if (moving && i > 0 && !view.draw_next_frame()) break;
    const bool turned = !moving && options.frames > 1 && view.scene().show_frame(i, options.frames);
    // The first picture is there already, and is made once more only for its times. With --fixture there are no further
    // runs, so that the fixed times stay.
    const bool drawn = i == 0 && !turned && options.timings.empty();
    if (!options.fixture && !moving && !drawn) latencies_ms.push_back(view.measure(!turned));
    view.check();
    view.context().check("render");
    HostArray picture = view.capture();
    view.count_frame();
    if (animated) {
      if (!animation) animation = std::make_unique<Animation>(options, workspace.algorithm());
      make_opaque(picture);
      animation->add(std::as_const(picture).view(), view.moving_seconds());
      continue;
    }
    const std::filesystem::path path = numbered(options.output, i, options.frames);
    io::save_picture(path, std::as_const(picture).view(), io::FileColour::rgb, options.quality);
    task.erase();
    if (!options.quiet) print(text, path.string() + "\n");
  }
  if (animation) {
    animation->finish();
    task.erase();
    print_note(animation->note(), options.quiet);
    if (!options.quiet) print(text, options.output.string() + "\n");
  }
  if (!options.timings.empty())
    write_timings(options, workspace, view.live(), view.scene(), view.context(), latencies_ms, view.costs());
  return static_cast<int>(ExitCode::done);
}

}  // namespace threadscape::app
