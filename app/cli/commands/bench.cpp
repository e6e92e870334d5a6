#include "app/cli/commands/bench.h"

#include <tuple>

#include "app/cli/option_values.h"
#include "compute/core/errors.h"

namespace threadscape::app {

namespace {

/// By hand: CLI11's excludes() would fill the help with its lists.
void refuse_beside(const CLI::Option& option, const std::vector<CLI::Option*>& others) {
  if (option.count() == 0) return;
  for (const CLI::Option* other : others)
    if (other->count() > 0) throw UsageError("'" + other->get_name() + "' does not go with " + option.get_name());
}

/// Tables and plots of documents; what a suite states itself cannot be said again.
void add_suite_options(CLI::App& app, BenchOptions& options, const std::vector<CLI::Option*>& not_for_suites) {
  CLI::Option* suite = app.add_option("--suite", options.suite,
                                      "Measure a document's table or plots again, or those of a .json file; "
                                      "--backends, --sizes and --threads leave parts of it out")
                           ->type_name("NAME");
  CLI::Option* from = app.add_option("--from", options.from,
                                     "Measure nothing: take what --suite --json wrote, here or on other machines")
                          ->type_name("FILE");
  app.add_flag("--list-suites", options.list_suites, "Print the suites that come with the program");
  std::vector<CLI::Option*> not_for_reports = not_for_suites;
  for (const char* name :
       {"--json", "--csv", "--reps", "--min-time", "--max-time", "--backends", "--sizes", "--threads"})
    not_for_reports.push_back(app.get_option(name));
  app.parse_complete_callback([=] {
    refuse_beside(*suite, not_for_suites);
    refuse_beside(*from, not_for_reports);
  });
  app.add_option("--plot", options.plot, "Draw the plots of the suite into a PNG")->type_name("FILE");
  add_parsed(app, "--size", "Of each plot in it (default 960x640)", [&options](const std::string& text) {
    std::tie(options.plot_width, options.plot_height) = parse_size(text);
    if (options.plot_width < 800 || options.plot_height < 600)
      throw UsageError("--size '" + text + "': a plot has at least 800x600 pixels");
  })->type_name("WxH");
}

}  // namespace

void add_bench_options(CLI::App& app, BenchOptions& options) {
  std::vector<CLI::Option*> not_for_suites{app.add_option("algorithms", options.algorithms, "Which; all otherwise")};
  app.add_option_function<std::vector<std::string>>(
         "--backends",
         [&options](const std::vector<std::string>& names) {
           for (const std::string& name : names)
             options.backends.push_back(parse_backend(name));
         },
         "For example openmp,cuda; those that are here otherwise")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("A,B");
  not_for_suites.push_back(app.add_option("--variants", options.variants, "default, all, or names")
                               ->delimiter(',')
                               ->allow_extra_args(false)
                               ->type_name("A,B"));
  app.add_option("--sizes", options.sizes, "N or WxH (default 1024,4096)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("A,B");
  app.add_option("--threads", options.threads, "Of openmp (default: all)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("A,B");
  not_for_suites.push_back(app.add_option("--channels", options.channels, "1 = grey, 4 = RGBA (default 1)")
                               ->delimiter(',')
                               ->allow_extra_args(false)
                               ->check(CLI::IsMember({1, 4}))
                               ->type_name("A,B"));
  not_for_suites.push_back(app.add_option_function<std::vector<std::string>>(
                                  "--set",
                                  [&options](const std::vector<std::string>& texts) {
                                    for (const std::string& text : texts)
                                      options.sets.push_back(parse_set("--set", text));
                                  },
                                  "A parameter of every algorithm that has it; may be given again")
                               ->allow_extra_args(false)
                               ->type_name("NAME=VALUE"));
  not_for_suites.push_back(app.add_option("--preset", options.preset, "JSON file of parameters")->type_name("FILE"));
  app.add_option("--reps", options.repetitions, "Samples of each figure, at least (default 15, or as the suite says)")
      ->check(CLI::Range(1, 1000000))
      ->type_name("N");
  app.add_option("--min-time", options.min_seconds, "Seconds spent on each figure, at least (default 0.3)")
      ->check(CLI::Range(0.0, 3600.0))
      ->type_name("S");
  app.add_option("--max-time", options.max_seconds, "Seconds after which three samples are enough (default 20)")
      ->check(CLI::Range(0.0, 36000.0))
      ->type_name("S");
  not_for_suites.push_back(app.add_flag("--peers", options.peers, "Compare with other libraries, in turns"));
  add_parsed(app, "--seed", "Of the synthetic picture", [&options](const std::string& text) {
    options.seed = parse_seed(text);
  })->type_name("N");
  app.add_option("--json", options.json, "Write environment, limits and all samples")->type_name("FILE");
  app.add_option("--csv", options.csv, "Write the table")->type_name("FILE");
  app.add_flag("-q,--quiet", options.quiet, "No table, no progress");
  add_suite_options(app, options, not_for_suites);
  app.footer(
      "Examples:\n"
      "  threadscape bench\n"
      "  threadscape bench convolution --sizes 4096 --threads 1,2,4,8 --set size=9 --peers\n"
      "  threadscape bench sobel --backends cuda --variants all --sizes 1024,8192 --channels 1,4 --json sobel.json\n"
      "  threadscape bench --list-suites\n"
      "  threadscape bench --suite filters --json here.json --plot filters.png\n"
      "  threadscape bench --from here.json gpu.json --plot both.png");
}

}  // namespace threadscape::app
