#include "app/cli/shared_options.h"

#include <CLI/CLI.hpp>

#include <algorithm>

#include "app/cli/commands/list.h"
#include "app/cli/option_values.h"
#include "compute/registry/registry.h"
#include "render/interop/route.h"

namespace threadscape::app {

void add_load_options(CLI::App& app, io::LoadOptions& load) {
  app.add_option("--max-pixels", load.max_pixels, "Refuse pictures with more pixels")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  add_parsed(app, "--depth", "Numbers of the picture: 8, 16 or float (default: as in the file)",
             [&](const std::string& text) { load.element = parse_depth(text); })
      ->type_name("NAME");
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

}  // namespace threadscape::app
