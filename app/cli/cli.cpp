#include "app/cli/cli.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <iostream>
#include <new>

#include "app/cli/commands/bench.h"
#include "app/cli/commands/info.h"
#include "app/cli/commands/list.h"
#include "app/cli/commands/run.h"
#include "app/cli/commands/verify.h"
#include "app/cli/commands/view.h"
#include "app/cli/option_values.h"
#include "app/scenes/scene_set.h"
#include "app/window/theme.h"
#include "compute/registry/registry.h"
#include "generated/build_info.h"
#include "render/interop/route.h"

namespace threadscape::app {

namespace {

using Command = std::function<int()>;

Theme parse_theme(const std::string& name) {
  if (name == "dark") return Theme::dark;
  if (name == "light") return Theme::light;
  throw UsageError("--theme '" + name + "': dark or light");
}

/// Help of one algorithm below the options: `threadscape run convolution --help`.
std::string algorithm_help(const std::string& name) {
  std::string text;
  if (!name.empty()) {
    const auto known = std::ranges::find(algorithms(), std::string_view(name), &AlgorithmInfo::name);
    if (known != algorithms().end()) return describe_parameters(*known);
    text = "There is no algorithm '" + name + "'. ";
  }
  text += "Algorithms:\n";
  for (const AlgorithmInfo& info : algorithms())
    text += "  " + std::string(info.name) + ": " + std::string(info.summary) + "\n";
  return text + "Parameters of one: add its name before --help.\n";
}

/// What `render` can show: of every scene, or of those that can show what the algorithm makes.
std::string scene_help(const std::string& algorithm) {
  const auto known = std::ranges::find(algorithms(), std::string_view(algorithm), &AlgorithmInfo::name);
  std::string text = "\nScenes (--scene) and what each can show (--show):\n";
  for (const SceneType& type : scene_types()) {
    if (known != algorithms().end() && !type.can_show(*known)) continue;
    text += "  " + std::string(type.name) + ":";
    for (const std::string_view show : type.shows)
      text += " " + std::string(show);
    text += "\n";
    if (type.settings == nullptr) continue;
    text += "Settings of " + std::string(type.name) + " (--view NAME=VALUE):\n" + describe_fields(type.settings());
  }
  return text;
}

Element parse_depth(const std::string& text) {
  if (text == "8") return Element::u8;
  if (text == "16") return Element::u16;
  if (text == "float") return Element::f32;
  throw UsageError("--depth " + text + ": accepted are 8 | 16 | float");
}

void add_load_options(CLI::App& app, io::LoadOptions& load) {
  app.add_option("--max-pixels", load.max_pixels, "Refuse pictures with more pixels")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  add_parsed(app, "--depth", "Numbers of the picture: 8, 16 or float (default: as in the file)",
             [&](const std::string& text) { load.element = parse_depth(text); })
      ->type_name("NAME");
}

void add_sets(CLI::App& app, const char* name, std::vector<std::pair<std::string, std::string>>& sets,
              const char* help) {
  app.add_option_function<std::vector<std::string>>(
         name,
         [&sets, name](const std::vector<std::string>& texts) {
           for (const std::string& text : texts)
             sets.push_back(parse_set(name, text));
         },
         help)
      ->allow_extra_args(false)
      ->type_name("NAME=VALUE");
}

void add_algorithm_options(CLI::App& app, AlgorithmOptions& options) {
  add_parsed(app, "--backend", "serial, openmp or cuda", [&](const std::string& name) {
    options.backend = parse_backend(name);
  })->type_name("NAME");
  app.add_option("--variant", options.variant, "A way to compute the same; see `threadscape list`")->type_name("NAME");
  app.add_option("--threads", options.threads, "Threads of openmp; 0 = all")->type_name("N");
  add_sets(app, "--set", options.sets, "A parameter; may be given again");
  app.add_option("--preset", options.preset, "JSON file of parameters; --set goes on top")->type_name("FILE");
  add_parsed(app, "--seed", "Of everything random", [&](const std::string& text) {
    options.seed = parse_seed(text);
  })->type_name("N");
}

void add_display_options(CLI::App& app, DisplayOptions& options) {
  add_algorithm_options(app, options.run);
  add_load_options(app, options.load);
  add_parsed(app, "--route", "interop, staged or host; chosen by a probe otherwise", [&](const std::string& name) {
    options.route = interop::parse_route(name);
  })->type_name("NAME");
  add_parsed(app, "--theme", "dark or light", [&](const std::string& name) {
    options.theme = parse_theme(name);
  })->type_name("NAME");
  app.add_option("--ui-scale", options.ui_scale, "Pixels per point of the interface; 0 = from the monitor")
      ->check(CLI::Range(0.0f, 8.0f))
      ->type_name("X");
}

void set_footer(CLI::App& app, const std::string& algorithm, const std::string& examples) {
  app.footer([&algorithm, examples] { return algorithm_help(algorithm) + "\nExamples:\n" + examples; });
}

/// All commands with the options that they fill. Callbacks refer to the members: it does not move.
class CommandLine {
 public:
  CommandLine() {
    app_.require_subcommand(0, 1);
    app_.set_version_flag("--version", "threadscape " + std::string(build_info::version) + " (" +
                                           std::string(build_info::git_hash) + ")");
    app_.footer(
        "Without a command the window opens, with PICTURE if one is given.\n"
        "Exit codes: 0 done, 1 a check failed, 2 wrong usage, 3 the machine cannot do it, 77 the backend is absent.\n\n"
        "Examples:\n"
        "  threadscape photo.jpg\n"
        "  threadscape run sobel photo.jpg -o edges.png --backend openmp\n"
        "  threadscape run convolution --help");
    add_view(app_);
    app_.add_option("picture", view_.display.input, "Shown at first")->type_name("PICTURE");
    add_view(*app_.add_subcommand("view", "Open the window (the default)"));
    add_run();
    add_render();
    add_list_and_info();
    add_bench_options(*add("bench", "Measure backends, variants, sizes and threads", [this] { return bench(bench_); }),
                      bench_);
    add_verify();
  }
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  int execute(int argc, const char* const* argv) {
    try {
      app_.parse(argc, argv);
    } catch (const CLI::Success& help) {
      return app_.exit(help, std::cout, std::cerr);  // --help, --version
    } catch (const CLI::ParseError& error) {
      const auto chosen = app_.get_subcommands();
      const std::string command = chosen.empty() ? "" : " " + chosen.front()->get_name();
      throw UsageError(std::string(error.what()) + " (see threadscape" + command + " --help)");
    }
    if (!app_.get_subcommands().empty()) {
      require_nothing_before_the_command();
      return command_();
    }
    require_file_or_command();
    return view(view_);
  }

 private:
  /// The options of the window exist without a command too; before another command they would go unnoticed.
  void require_nothing_before_the_command() const {
    for (const CLI::Option* option : app_.get_options())
      if (option->count() > 0)
        throw UsageError("'" + option->get_name() + "' stands before the command: its options go behind it");
  }

  /// `threadscape lst` means a command, not a picture.
  void require_file_or_command() const {
    const std::string name = view_.display.input.string();
    std::error_code error;
    if (name.empty() || name.find_first_of("./") != std::string::npos || std::filesystem::exists(name, error)) return;
    throw UsageError("'" + name + "' is neither a command nor a file: view, run, render, list, info, bench or verify");
  }

  CLI::App* add(const std::string& name, const std::string& help, Command command) {
    CLI::App* app = app_.add_subcommand(name, help);
    app->callback([this, command = std::move(command)] { command_ = command; });
    return app;
  }

  void add_view(CLI::App& app) {
    const bool is_command = &app != &app_;
    if (is_command) {
      app.add_option("picture", view_.display.input, "Shown at first")->type_name("PICTURE");
      app.callback([this] { command_ = [this] { return view(view_); }; });
    }
    app.add_option("--algorithm", view_.display.run.algorithm, "Chosen at first")->type_name("NAME");
    add_parsed(app, "--size", "Of the window", [this](const std::string& text) {
      view_.size = parse_size(text);
    })->type_name("WxH");
    add_display_options(app, view_.display);
  }

  void add_run() {
    CLI::App* app = add("run", "Run an algorithm: file in, file out", [this] { return run(run_); });
    app->add_option("algorithm", run_.run.algorithm, "What to run")->required();
    app->add_option("input", run_.input, "Picture: PNG, JPEG, BMP, TGA, PGM, PPM or PFM; numbers: raw, little endian");
    app->add_option("-o,--output", run_.output, "Result: .png, .pgm or .ppm; floats .pfm")->type_name("FILE");
    add_algorithm_options(*app, run_.run);
    app->add_option("--timings", run_.timings, "Write stages, environment and parameters as JSON")->type_name("FILE");
    add_load_options(*app, run_.load);
    app->add_flag("-q,--quiet", run_.quiet, "Print errors only");
    set_footer(
        *app, run_.run.algorithm,
        "  threadscape run sobel photo.jpg -o edges.png\n"
        "  threadscape run convolution photo.png -o sharp.png --set mask=0,-1,0,-1,5,-1,0,-1,0 --backend cuda\n"
        "  threadscape run convolution photo.png -o soft.png --set size=9 --set preset=gaussian --timings t.json\n");
  }

  void add_render() {
    CLI::App* app = add("render", "Draw without a display, into a PNG", [this] { return render(render_); });
    app->add_option("algorithm", render_.display.run.algorithm, "What to run")->required();
    app->add_option("input", render_.display.input, "Picture: PNG, JPEG, BMP, TGA, PGM, PPM or PFM");
    app->add_option("-o,--output", render_.output, "Result: .png")->required()->type_name("FILE");
    add_parsed(*app, "--size", "Of the PNG (default: the result's own size; with --ui 1920x1080)",
               [this](const std::string& text) { std::tie(render_.width, render_.height) = parse_size(text); })
        ->type_name("WxH");
    app->add_option(
           "--frames", render_.frames,
           "So many pictures, FILE-0001.png, FILE-0002.png, ...: a full turn of a view in 3-D, else the result "
           "computed and drawn anew each")
        ->check(CLI::Range(1, 100000))
        ->capture_default_str();
    app->add_flag("--ui", render_.ui, "The whole window, not the result alone");
    app->add_option("--scene", render_.scene, "What draws the result, where there is a choice")->type_name("NAME");
    app->add_option("--show", render_.show, "What of it; both are listed below")->type_name("NAME");
    add_sets(*app, "--view", render_.view, "A setting of the view in 3-D; may be given again");
    app->add_option("--step", render_.step,
                    "The picture after this step on the way to the result: 1 of an opening is the erosion")
        ->check(CLI::Range(1, 1000))
        ->type_name("N");
    app->add_option("--panel", render_.panel, "timings | statistics | device | log, in front in the window")
        ->capture_default_str();
    app->add_flag("--fixture", render_.fixture, "Fixed times and machine names in the window, to compare pictures");
    add_display_options(*app, render_.display);
    app->add_option("--timings", render_.timings, "Write stages and environment as JSON")->type_name("FILE");
    app->add_flag("-q,--quiet", render_.quiet, "Print errors only");
    app->footer([this] {
      return algorithm_help(render_.display.run.algorithm) + scene_help(render_.display.run.algorithm) +
             "\nExamples:\n"
             "  threadscape render sobel photo.jpg -o edges.png --size 1280x720\n"
             "  threadscape render convolution photo.jpg -o window.png --ui --theme light\n";
    });
  }

  void add_list_and_info() {
    CLI::App* list_app = add("list", "Algorithms, parameters, backends, variants", [this] { return list(list_); });
    list_app->add_flag("--json", list_.json, "As JSON");
    CLI::App* info_app =
        add("info", "CPU, GPU, OpenGL, and the route from a result to the screen", [this] { return info(info_); });
    info_app->add_flag("--json", info_.json, "As JSON");
  }

  void add_verify() {
    CLI::App* app = add("verify", "Check every backend and variant against serial", [this] { return verify(verify_); });
    app->add_option("algorithms", verify_.algorithms, "Which; all otherwise");
    app->add_option_function<std::vector<std::string>>(
           "--backends",
           [this](const std::vector<std::string>& names) {
             for (const std::string& name : names)
               verify_.backends.push_back(parse_backend(name));
           },
           "For example openmp,cuda; all otherwise")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->type_name("A,B");
    app->add_option("--threads", verify_.threads, "Of openmp (default 1,2,7)")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->check(CLI::Range(1, max_threads()))
        ->type_name("A,B");
    app->add_option("--seeds", verify_.seeds, "Inputs of each size")->check(CLI::Range(1, 1000))->capture_default_str();
    app->add_flag("-q,--quiet", verify_.quiet, "Print failures only");
    app->footer("Examples:\n  threadscape verify\n  threadscape verify convolution --backends cuda");
  }

  ViewOptions view_;
  RunOptions run_;
  RenderOptions render_;
  ListOptions list_;
  InfoOptions info_;
  BenchOptions bench_;
  VerifyOptions verify_;
  Command command_;
  CLI::App app_{"Threadscape: parallel image and volume algorithms on CPU and GPU, live", "threadscape"};
};

int report(const char* what, ExitCode code) {
  std::string line = what;
  std::ranges::replace_if(
      line, [](unsigned char c) { return c < ' '; }, ' ');
  std::fprintf(stderr, "threadscape: %s\n", line.c_str());
  return static_cast<int>(code);
}

}  // namespace

int run_command_line(int argc, const char* const* argv) try {
  CommandLine command_line;
  return command_line.execute(argc, argv);
} catch (const Error& error) {
  return report(error.what(), error.code());
} catch (const std::bad_alloc&) {
  return report("out of memory: a smaller input may fit", ExitCode::environment);
} catch (const std::exception& error) {
  return report(error.what(), ExitCode::environment);
}

}  // namespace threadscape::app
