// The options of `threadscape render`.

#include <CLI/CLI.hpp>

#include <memory>
#include <tuple>

#include "app/cli/commands/list.h"
#include "app/cli/commands/render.h"
#include "app/cli/option_values.h"
#include "app/cli/scene_options.h"
#include "app/lab/lab_tab.h"
#include "app/live/frame_player.h"
#include "app/report/text.h"
#include "compute/io/pictures/image_format.h"
#include "compute/io/video/frame_writer.h"
#include "compute/registry/registry.h"

namespace threadscape::app {

CommandAction set_up_render(CLI::App& app, FindDevices find_devices) {
  const auto options = std::make_shared<RenderOptions>();
  app.add_option("algorithm", options->display.run.algorithm,
                 "What to run; or a session, NAME.threadscape.json, or with --ui a lesson, a folder or a name")
      ->required();
  app.add_option("input", options->display.input, "Picture: " + io::format_names(io::FormatUse::read));
  app.add_option("-o,--output", options->output,
                 "Result: 8-bit " + io::format_names(io::FormatUse::written, "or") +
                     ", by the extension; an animation: " + io::enumerated(io::frame_extensions()))
      ->required()
      ->type_name("FILE");
  add_quality(app, options->quality);
  add_parsed(app, "--size", "Size of the picture (default: that of the result; with --ui 1920x1080)",
             [options](const std::string& text) { std::tie(options->width, options->height) = parse_size(text); })
      ->type_name("WxH");
  app.add_option("--frames", options->frames,
                 "Number of pictures (FILE-0001.png, FILE-0002.png, ...) or of frames of an animation: the frames of a "
                 "video, a "
                 "full turn of a 3-D view, otherwise a new computation for each (default: 1, or all frames of a video)")
      ->check(CLI::Range(1, 1000000));
  app.add_option("--fps", options->frames_per_second,
                 "Frames per second of an animation (default: 25, or those of the video)")
      ->check(CLI::Range(0.1, 1000.0));
  CLI::Option* const play =
      app.add_option("--play", options->play,
                     "Play this many frames of a video as the window does, without writing them, and print the frames "
                     "per second, the times of decoding, upload, kernels and drawing, and the share of the GPU's time; "
                     "FILE is the picture of the last one")
          ->check(CLI::Range(1, 1000000));
  app.add_option("--speed", options->speed, "Speed of --play, in times of the video's own")
      ->needs(play)
      ->capture_default_str()
      ->check(CLI::Range(FramePlayer::min_speed, FramePlayer::max_speed));
  app.add_flag("--ui", options->ui, "Draw the whole window instead of the result alone");
  add_scene_options(app, options->scene, "listed below");
  app.add_option("--intermediate,--step", options->intermediate,
                 "An intermediate result by its number: 1 of an opening is the erosion")
      ->check(CLI::Range(1, 1000))
      ->type_name("N");
  app.add_option("--page", options->page, "Of a lesson: its page, with what its blocks compute")
      ->check(CLI::Range(1, 100))
      ->type_name("N");
  app.add_option(
      "--panel", options->panel,
      "timings | statistics | device | log, opened below the picture, source, beside a diagram, or lab, the page in "
      "the picture's place (default: the picture with three figures below it)");
  app.add_option("--report", options->reports, "Report of bench --json that the lab plots; may be given again")
      ->allow_extra_args(false)
      ->type_name("FILE");
  app.add_option("--sweep", options->sweep,
                 "Sweep that the lab measures before the picture is drawn: size=64,128 | threads=1,2 | "
                 "threads-and-size=1,2 | variants=all | backends=all | suite=NAME | params.NAME=3,5")
      ->type_name("WHAT=VALUES");
  app.add_flag("--peers", options->peers, "The sweep measures other libraries in turns, as `bench --peers` does");
  app.add_option("--plot", options->plot, "Plot that the lab shows: " + joined(lab_plot_names, " | "))
      ->type_name("NAME");
  app.add_flag("--fixture", options->fixture, "Fixed times and machine names in the window, to compare pictures");
  add_display_options(app, find_devices, options->display);
  app.add_option("--timings", options->timings, "Write stages and environment as JSON")->type_name("FILE");
  app.add_flag("-q,--quiet", options->quiet, "Print errors only");
  app.footer([options] {
    const std::string& algorithm = options->display.run.algorithm;
    return algorithm_help(algorithm) + scene_help(algorithm) +
           "\nExamples:\n"
           "  threadscape render sobel photo.jpg -o edges.png --size 1280x720\n"
           "  threadscape render convolution photo.jpg -o window.png --ui --theme light\n"
           "  threadscape render sobel test:1280x720@60:600 -o last.png --play 300\n"
           "  threadscape render diamond_square -o turn.gif --frames 60 --size 480x320\n"
           "  threadscape render evening.threadscape.json -o evening.png --ui\n";
  });
  return [options] { return render(*options); };
}

}  // namespace threadscape::app
