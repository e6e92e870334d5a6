#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "app/cli/commands/view.h"
#include "app/window/window.h"
#include "compute/cuda/device.h"
#include "compute/io/file_writer.h"
#include "render/capture.h"

namespace threadscape::app {

namespace {

/// out.png -> out-0003.png
std::filesystem::path numbered(const std::filesystem::path& path, int frame, int frames) {
  if (frames <= 1) return path;
  std::array<char, 16> number{};
  std::snprintf(number.data(), number.size(), "-%04d", frame + 1);
  return path.parent_path() / (path.stem().string() + number.data() + path.extension().string());
}

/// Stands in for what the machine says about itself, so that pictures of the interface are the same everywhere.
void use_fixture_machine(Workspace& workspace, MachineFacts& facts) {
  facts.hardware_threads = 8;
  facts.rows = {{"CPU", "fixture"}, {"CUDA", "fixture"}, {"OpenGL", "fixture"}, {"route", "fixture"}};
  workspace.work().threads = 4;
}

/// The same for what was measured.
void use_fixture_timings(Workspace& workspace) {
  workspace.timings.clear();
  constexpr std::array base_ms{42.0, 3.1, 0.21};
  for (int i = 0; i < 36; ++i) {
    const auto b = static_cast<std::size_t>(i / 12);
    const double wobble = 1.0 + 0.04 * ((i * 7) % 5 - 2);
    TimingSample sample{.backend = static_cast<Backend>(b), .times = {}, .items = 1 << 18};
    sample.times.compute_ms = base_ms[b] * wobble;
    sample.times.present_ms = 0.12 * wobble;
    if (sample.backend == Backend::cuda) sample.times.upload_ms = 0.08 * wobble;
    workspace.timings.push(sample);
  }
}

void write_timings(const RenderOptions& options, const Workspace& workspace, const LiveView& live, const Scene& scene,
                   const gl::Context& context, const std::vector<double>& latencies_ms) {
  const Work work = workspace.wanted();
  const TimingHistory& history = workspace.timings.statistics(work.backend);
  const auto median = [&history](double StageTimes::*stage) { return history.summary(stage).median; };
  const Summary latency = summarize(latencies_ms);
  nlohmann::json root{
      {"algorithm", workspace.algorithm().name},
      {"backend", name_of(work.backend)},
      {"variant", work.algorithm->variants_of(work.backend)[static_cast<std::size_t>(work.variant)].name},
      {"params", nlohmann::json::parse(to_json(work.params))},
      {"renderer", context.renderer()},
      {"device", cuda::device_info().name},
      {"route", interop::name_of(work.backend == Backend::cuda ? live.route().cuda_route : interop::Route::host)},
      {"stages_ms",
       {{"upload", median(&StageTimes::upload_ms)},
        {"compute", median(&StageTimes::compute_ms)},
        {"download", median(&StageTimes::download_ms)},
        {"present", median(&StageTimes::present_ms)}}},
      // From a change of the work, or of the view in 3-D, to its drawn picture, GPU finished.
      {"latency_ms",
       {{"count", latency.count},
        {"median", latency.median},
        {"minimum", latency.minimum},
        {"maximum", latency.maximum},
        {"spread", latency.spread},
        {"samples", latencies_ms}}}};
  for (const auto& [name, figure] : scene.figures())
    root["scene"][name] = figure;
  io::save_bytes(options.timings, root.dump(2) + "\n");
}

void show_step(Workspace& workspace, int step) {
  if (step == 0) return;
  const auto count = static_cast<int>(workspace.view_steps().size());
  if (step > count)
    throw UsageError("--step " + std::to_string(step) + ": " + std::string(workspace.algorithm().name) + " has " +
                     (count < 2 ? "no steps to show" : std::to_string(count) + " steps") + " with these parameters");
  workspace.show_step(step - 1);
}

glm::ivec2 frame_size(const RenderOptions& options, const Workspace& workspace, const SceneType& scene) {
  if (options.width > 0) return {options.width, options.height};
  if (options.ui) return {1920, 1080};
  return scene.natural_size(workspace.algorithm().output_shape(workspace.wanted().params, workspace.input_shape()));
}

/// What --show and --view ask of the scene. Throws UsageError.
void set_up(Scene& scene, const SceneType& type, const RenderOptions& options) {
  scene.show(find_show(type, options.show));
  ParamBox* settings = scene.settings();
  if (settings == nullptr && !options.view.empty())
    throw UsageError("--view " + options.view.front().first + ": the scene '" + std::string(type.name) +
                     "' has no such settings");
  for (const auto& [name, value] : options.view)
    settings->assign(name, value);
  if (settings != nullptr) settings->check();
}

}  // namespace

int render(const RenderOptions& options) {
  const auto say = [&options](const std::string& text) {
    if (!options.quiet) std::printf("%s\n", text.c_str());
  };
  const DisplayOptions& display = options.display;
  io::require_writable(numbered(options.output, 0, options.frames));
  Workspace workspace;
  choose_work(workspace, display.run);
  const SceneType& scene_type = find_scene(options.scene, workspace.algorithm());
  (void)find_show(scene_type, options.show);  // before time is spent
  if (!display.input.empty() || !workspace.algorithm().make_input) {
    io::Picture input = load_input(workspace.work().request(), display.input, display.load);
    workspace.work().params = make_params(workspace.algorithm(), display.run, input.settings);
    if (workspace.algorithm().input != Kind::none) workspace.set_source(display.input, std::move(input));
  }
  workspace.make_input();  // now, since it may be refused
  if (const std::string problem = workspace.problem(); !problem.empty()) throw UsageError(problem);
  show_step(workspace, options.step);

  const glm::ivec2 size = frame_size(options, workspace, scene_type);
  const int cuda_device = cuda::device_info().available ? cuda::device_info().index : -1;
  const std::unique_ptr<Platform> platform = make_headless(size.x, size.y, cuda_device, 1.0f);
  const interop::RouteReport route = interop::probe_route(platform->context(), display.route);
  gl::ShaderLibrary shaders;
  LiveView live(route, {});
  gl::Framebuffer frame(size.x, size.y);

  std::unique_ptr<Window> window;
  std::unique_ptr<UiContext> bare_ui;  // fonts and draw lists for what scenes write
  std::unique_ptr<Scene> bare_scene;
  if (options.ui) {
    const WindowLook look{.theme = display.theme.value_or(Theme::dark),
                          .scale = display.ui_scale > 0 ? display.ui_scale : 1.0f,
                          .fonts = options.fixture ? FontChoice::built_in : FontChoice::system};
    MachineFacts facts = machine_facts(platform->context(), route);
    if (options.fixture) use_fixture_machine(workspace, facts);
    window = std::make_unique<Window>(*platform, shaders, workspace, live, std::move(facts), look, std::string{});
    window->load_everything();
    window->scenes().choose(scene_type);
    window->show_panel(options.panel);
    if (options.fixture)
      window->search(std::string(workspace.algorithm().name));  // whatever other algorithms there are
  } else {
    bare_ui = std::make_unique<UiContext>(*platform, options.fixture ? FontChoice::built_in : FontChoice::system,
                                          std::string{});
    apply_theme(display.theme.value_or(Theme::dark), 1.0f);
    bare_scene = scene_type.make(shaders);
  }
  Scene& scene = window ? window->scene() : *bare_scene;
  set_up(scene, scene_type, options);
  if (options.fixture) scene.use_fixture_times();
  live.want_reference(scene.wants_reference());
  workspace.compute_instead(scene.computed(workspace));

  const auto draw = [&] {
    if (!window) {
      do {
        (void)platform->poll(false);
        bare_ui->begin_frame();
        scene.draw(live, frame);
        bare_ui->drop_frame();
      } while (scene.animating());
      return;
    }
    // Docked panels take their places over the first frames.
    for (int i = 0; i < 4; ++i)
      window->frame(platform->poll(false), frame);
    while (window->counting() || scene.animating())
      window->frame(platform->poll(false), frame);
  };
  const auto check = [&] {
    for (const LogBook::Entry& entry : workspace.log.entries())
      if (entry.level == LogBook::Level::error) throw EnvironmentError(entry.text);
    if (const std::string trouble = scene.take_error(); !trouble.empty()) throw EnvironmentError(trouble);
  };

  live.finish(workspace);
  check();
  if (options.fixture) {
    use_fixture_timings(workspace);
  } else if (options.ui) {
    live.compare_backends(workspace, 8);
    live.finish(workspace);
    if (options.panel == variants_panel_name) {
      window->compare_variants();
      while (window->measuring_copy())
        window->frame(platform->poll(false), frame);
      live.finish(workspace);
    }
  }
  draw();

  std::vector<double> latencies_ms;
  for (int i = 0; i < options.frames; ++i) {
    const bool turned = options.frames > 1 && scene.turn(i, options.frames);
    // The fixture's own numbers stay as they are: nothing more is run.
    if (!options.fixture) {
      glFinish();
      const auto start = std::chrono::steady_clock::now();
      if (!turned) {
        live.rerun();
        live.finish(workspace);
      }
      draw();
      glFinish();
      latencies_ms.push_back(
          std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    }
    check();
    platform->context().check("render");
    const std::filesystem::path path = numbered(options.output, i, options.frames);
    io::save_picture(path, render::capture(frame).view(), io::FileColour::rgb);
    say(path.string());
  }
  if (!options.timings.empty()) write_timings(options, workspace, live, scene, platform->context(), latencies_ms);
  return static_cast<int>(ExitCode::done);
}

}  // namespace threadscape::app
