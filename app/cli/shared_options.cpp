#include "app/cli/shared_options.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>

#include "app/cli/commands/list.h"
#include "app/cli/option_values.h"
#include "app/session/sketch_file.h"
#include "compute/core/errors.h"
#include "compute/core/printable.h"
#include "compute/gpu/device.h"
#include "compute/io/limits.h"
#include "compute/io/video/video_reader.h"
#include "compute/registry/registry.h"
#include "render/interop/route.h"

namespace threadscape::app {

CLI::Option* add_limits(CLI::App& app) {
  std::vector<std::string_view> names;
  for (const io::LimitRow& row : io::limit_rows())
    names.push_back(row.name);
  return app
      .add_option_function<std::vector<std::string>>(
          "--limit",
          [](const std::vector<std::string>& texts) {
            for (const std::string& text : texts) {
              const auto [name, value] = parse_set("--limit", text);
              io::set_limit(name, value);
            }
          },
          "Raise or lower a limit for files that are read, and for the memory of the program: " +
              io::enumerated(names) + "; may be given again")
      ->allow_extra_args(false)
      ->type_name("NAME=N");
}

namespace {

io::VideoDecoder parse_decoder(const std::string& text) {
  if (text == "software") return io::VideoDecoder::software;
  if (text == "auto") return io::VideoDecoder::automatic;
  if (text == "hardware") return io::VideoDecoder::hardware;
  throw UsageError("--decoder " + text + ": auto, software or hardware");
}

}  // namespace

void add_load_options(CLI::App& app, io::LoadOptions& load) {
  add_limits(app);
  add_parsed(app, "--max-pixels", "The same as --limit pixels=N", [](const std::string& text) {
    io::set_limit("pixels", text);
  })->type_name("N");
  app.add_flag("--allow-outside", load.allow_outside,
               "Read data, materials and textures that a file names outside of its folder");
  add_parsed(app, "--depth", "Bit depth of the picture: 8, 16 or float (default: as in the file)",
             [&](const std::string& text) { load.element = parse_depth(text); })
      ->type_name("NAME");
  add_parsed(app, "--decoder",
             "Who decodes videos: software = the CPU (default), hardware = a device of VA-API or NVDEC, auto = such a "
             "device, or the CPU with a line that says so",
             [](const std::string& text) { io::choose_video_decoder(parse_decoder(text)); })
      ->type_name("auto|software|hardware");
  add_parsed(app, "--normals",
             "How to compute normals that a mesh lacks: face = flat triangles, or the largest angle at which an edge "
             "looks smooth (default 60)",
             [&](const std::string& text) { load.normals = parse_normals(text); })
      ->type_name("face|DEGREES");
  add_parsed(app, "--axis",
             "The axis of a volume's file that a scanner turns about: 2 (default), 1 = the one that varies fastest, 3 "
             "= from slice to slice, or auto = that of the patient, as DICOM and NIfTI state it",
             [&](const std::string& text) { load.volume.axis = parse_axis(text); })
      ->type_name("1|2|3|auto");
  add_parsed(app, "--water",
             "The attenuation of water per unit of length: voxels in Hounsfield units become attenuation, which "
             "projection adds up (0.0206 per mm at 60 keV)",
             [&](const std::string& text) { load.volume.water = parse_water(text); })
      ->type_name("MU");
  add_parsed(app, "--energy",
             "As --water with the attenuation of water for photons of 20 to 150 keV, per mm; the effective energy of a "
             "tube is about half of its voltage",
             [&](const std::string& text) { load.volume.water = parse_energy(text); })
      ->type_name("KEV")
      ->excludes("--water");
}

void add_quality(CLI::App& app, int& quality) {
  app.add_option("--quality", quality,
                 "Quality of JPEG (default 92) and WebP (default lossless, animations 90), 1 to 100")
      ->check(CLI::Range(1, 100))
      ->type_name("N");
}

CLI::Option* add_sets(CLI::App& app, const char* name, std::vector<std::pair<std::string, std::string>>& sets,
                      const char* help) {
  return app
      .add_option_function<std::vector<std::string>>(
          name,
          [&sets, name](const std::vector<std::string>& texts) {
            for (const std::string& text : texts)
              sets.push_back(parse_set(name, text));
          },
          help)
      ->allow_extra_args(false)
      ->type_name("NAME=VALUE");
}

CLI::Option* add_device(CLI::App& app, FindDevices find_devices, gpu::Device*& device) {
  return add_parsed(
             app, "--device",
             "Device of cuda, by its number in `threadscape info`, or emulated = the CPU executes the kernels warp by "
             "warp; the first GPU otherwise",
             [find_devices, &device](const std::string& text) { device = &find_devices().at(parse_device(text)); })
      ->type_name("N");
}

CLI::Option* add_devices(CLI::App& app, FindDevices find_devices, gpu::Device*& device,
                         std::vector<gpu::Device*>& devices) {
  return add_parsed(
             app, "--devices",
             "Several devices of cuda, as 0,1, among which each run is divided, with the bits of a run on one of them",
             [find_devices, &device, &devices](const std::string& text) {
               devices.clear();
               for (const std::string& number : CLI::detail::split(text, ',')) {
                 devices.push_back(&find_devices().at(parse_device(number)));
                 if (std::ranges::count(devices, devices.back()) > 1)
                   throw UsageError("--devices " + text + ": a device is named twice");
               }
               device = devices.front();
               if (devices.size() == 1) devices.clear();
             })
      ->excludes("--device")
      ->type_name("N,N");
}

void add_algorithm_options(CLI::App& app, FindDevices find_devices, AlgorithmOptions& options) {
  add_parsed(app, "--backend", "serial, openmp or cuda", [&](const std::string& name) {
    options.backend = parse_backend(name);
  })->type_name("NAME");
  add_device(app, find_devices, options.device);
  add_devices(app, find_devices, options.device, options.devices);
  app.add_option("--variant", options.variant, "A way to compute the same; see `threadscape list`")->type_name("NAME");
  app.add_option("--threads", options.threads, "Threads of openmp; 0 = all")->type_name("N");
  add_sets(app, "--set", options.sets, "A parameter; may be given again");
  app.add_option("--preset", options.preset, "JSON file of parameters; --set goes on top")->type_name("FILE");
  add_parsed(app, "--seed", "Of everything random", [&](const std::string& text) {
    options.seed = parse_seed(text);
  })->type_name("N");
}

void add_backends(CLI::App& app, std::vector<Backend>& backends, const char* help) {
  app.add_option_function<std::vector<std::string>>(
         "--backends",
         [&backends](const std::vector<std::string>& names) {
           for (const std::string& name : names)
             backends.push_back(parse_backend(name));
         },
         help)
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("A,B");
}

void add_display_options(CLI::App& app, FindDevices find_devices, DisplayOptions& options) {
  add_algorithm_options(app, find_devices, options.run);
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

void print_note(const std::string& note, bool quiet) {
  if (!note.empty() && !quiet) print(stderr, "threadscape: " + note + "\n");
}

void add_session(DisplayOptions& options, const Session& session) {
  AlgorithmOptions& run = options.run;
  if (run.threads == 0) run.threads = session.threads;
  if (run.seed == 0) run.seed = session.seed;
  if (run.algorithm.empty()) run.algorithm = session.algorithm->name;
  if (run.algorithm != session.algorithm->name) return;
  run.session_algorithm = session.algorithm;
  run.session_params = session.params;
  if (run.backend || !why_absent(session.backend, run.device).empty()) return;
  run.backend = session.backend;
  if (run.variant.empty())
    run.variant = session.algorithm->variants_of(session.backend)[static_cast<std::size_t>(session.variant)].name;
}

std::string algorithm_help(const std::string& name) {
  std::string text;
  if (!name.empty()) {
    const auto known = std::ranges::find(algorithms(), std::string_view(name), &AlgorithmInfo::name);
    if (known != algorithms().end()) return describe_parameters(*known);
    if (names_sketch(name)) return describe_parameters(open_sketch(name));
    text = "There is no algorithm '" + name + "'. ";
  }
  text += "Algorithms:\n";
  for (const AlgorithmInfo& info : algorithms())
    text += "  " + std::string(info.name) + ": " + std::string(info.summary) + "\n";
  return text + "Parameters of one: add its name before --help.\n";
}

}  // namespace threadscape::app
