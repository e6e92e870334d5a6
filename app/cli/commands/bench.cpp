#include "app/cli/commands/bench.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <functional>
#include <memory>
#include <sstream>
#include <tuple>

#include "app/bench/bench.h"
#include "app/cli/option_values.h"
#include "app/cli/shared_options.h"
#include "app/cli/sketch_commands.h"
#include "app/report/trace_file.h"
#include "app/session/sketch_file.h"
#include "compute/core/errors.h"

namespace threadscape::app {

namespace {

/// Throws UsageError if `option` is given together with one of `others`. CLI11's excludes() would list all of them in
/// the help.
void refuse_beside(const CLI::Option& option, const std::vector<CLI::Option*>& others) {
  if (option.count() == 0) return;
  for (const CLI::Option* other : others)
    if (other->count() > 0) throw UsageError("'" + other->get_name() + "' does not go with " + option.get_name());
}

/// Adds --suite, --from, --list-suites, --plot and --size. A suite states itself what the options in `not_for_suites`
/// would say, so they are refused together with it. Returns the check of combinations to make after parsing.
std::function<void()> add_suite_options(CLI::App& app, BenchOptions& options,
                                        const std::vector<CLI::Option*>& not_for_suites) {
  CLI::Option* suite = app.add_option("--suite", options.suite,
                                      "Measure a document's table or plots again, those of a .json file, or all of "
                                      "them; --backends, --sizes and --threads leave parts out")
                           ->type_name("NAME");
  CLI::Option* from =
      app.add_option("--from", options.from, "Measure nothing: show what --json wrote, here or on other machines")
          ->type_name("FILE");
  CLI::Option* budget =
      add_parsed(
          app, "--budget",
          "Time that the suite may take: takes fewer samples of slow points, and leaves out those that do not fit "
          "(default with all: 20m)",
          [&options](const std::string& text) { options.budget = parse_duration("--budget", text); })
          ->type_name("20m");
  app.add_flag("--list-suites", options.list_suites, "Print the suites that come with the program");
  std::vector<CLI::Option*> not_for_reports = not_for_suites;
  for (const char* name : {"--json", "--csv", "--reps", "--min-time", "--max-time", "--backends", "--sizes",
                           "--threads", "--budget", "--peers"})
    not_for_reports.push_back(app.get_option(name));
  app.add_option("--plot", options.plot,
                 "Draw the plots into a .png, or a .svg, which needs no OpenGL: those of the suite, or of what varies")
      ->type_name("FILE");
  add_parsed(app, "--size", "Of each plot in a .png (default 960x640)", [&options](const std::string& text) {
    std::tie(options.plot_width, options.plot_height) = parse_size(text);
    if (options.plot_width < 800 || options.plot_height < 600)
      throw UsageError("--size '" + text + "': a plot has at least 800x600 pixels");
  })->type_name("WxH");
  return [=, &options] {
    refuse_beside(*suite, not_for_suites);
    if (budget->count() > 0 && suite->count() == 0) throw UsageError("'--budget' goes with --suite");
    // A budget is planned from estimates of the program's own times, and `all` has one.
    if (options.peers && (budget->count() > 0 || options.suite == "all"))
      throw UsageError("'--peers' goes with one suite at a time, and without --budget");
    refuse_beside(*from, not_for_reports);
  };
}

/// Makes `option` take a list of values that are separated by commas.
CLI::Option* as_list(CLI::Option* option) {
  return option->delimiter(',')->allow_extra_args(false)->type_name("A,B");
}

/// Parses "size=3,5,7". Throws UsageError.
std::pair<std::string, std::vector<std::string>> parse_sweep(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == 0 || equals == std::string::npos || equals + 1 == text.size())
    throw UsageError("--sweep '" + text + "': a name and values, for example size=3,5,7");
  std::vector<std::string> values;
  std::istringstream list(text.substr(equals + 1));
  for (std::string value; std::getline(list, value, ',');)
    values.push_back(value);
  return {text.substr(0, equals), values};
}

/// Adds the options that say what is measured. Returns those that a suite states itself.
std::vector<CLI::Option*> add_selection(CLI::App& app, BenchOptions& options) {
  std::vector<CLI::Option*> not_for_suites{
      app.add_option("algorithms", options.algorithms,
                     "Which; all otherwise. Of a file with a kernel (a sketch, .cu) the counts of a run are printed")};
  add_backends(app, options.backends, "For example openmp,cuda; those that are here otherwise");
  not_for_suites.push_back(as_list(app.add_option("--variants", options.variants, "default, all, or names")));
  as_list(app.add_option("--sizes", options.sizes, "N or WxH (default 1024,4096, or as the file of --input)"));
  not_for_suites.push_back(app.add_option("--input", options.input,
                                          "Measure the named algorithms on this file, resampled to --sizes if given")
                               ->type_name("FILE"));
  as_list(app.add_option("--threads", options.threads, "Of openmp (default: all)"));
  not_for_suites.push_back(as_list(app.add_option("--channels", options.channels, "1 = grey, 4 = RGBA (default 1)"))
                               ->check(CLI::IsMember({1, 4})));
  not_for_suites.push_back(
      add_sets(app, "--set", options.sets, "A parameter of every algorithm that has it; may be given again"));
  not_for_suites.push_back(add_parsed(app, "--sweep", "A parameter that takes each of these values in turn",
                                      [&options](const std::string& text) {
                                        std::tie(options.sweep_name, options.sweep_values) = parse_sweep(text);
                                      })
                               ->type_name("NAME=A,B"));
  not_for_suites.push_back(app.add_flag("--routes", options.routes,
                                        "Force each route of the default variants in turn, and say what each is for"));
  not_for_suites.push_back(app.add_option("--preset", options.preset, "JSON file of parameters")->type_name("FILE"));
  return not_for_suites;
}

/// Adds the options that say how long each figure is measured.
void add_sampling(CLI::App& app, BenchOptions& options) {
  app.add_option("--reps", options.repetitions, "Samples of each figure, at least (default 15, or as the suite says)")
      ->check(CLI::Range(1, 1000000))
      ->type_name("N");
  app.add_option("--min-time", options.min_seconds, "Seconds spent on each figure, at least (default 0.3)")
      ->check(CLI::Range(0.0, 3600.0))
      ->type_name("S");
  app.add_option("--max-time", options.max_seconds, "Seconds after which three samples are enough (default 20)")
      ->check(CLI::Range(0.0, 36000.0))
      ->type_name("S");
  add_parsed(app, "--precision", "Measure until the 95 % interval of the median is within +/- P %, or until --max-time",
             [&options](const std::string& text) { options.precision = parse_percent("--precision", text); })
      ->type_name("P%");
  app.add_flag("--cold", options.cold, "Empty the caches of the CPU before every run");
}

/// Adds --compare, --against, --fail-on and --effect. `measuring` are the options that say what is measured, which a
/// comparison of files has no use for. Returns the check of combinations to make after parsing.
std::function<void()> add_comparison(CLI::App& app, BenchOptions& options, const std::vector<CLI::Option*>& measuring) {
  CLI::Option* compare = app.add_option("--compare", options.compare,
                                        "Measure nothing: FASTER, SLOWER, SAME or UNCLEAR for each row of two reports")
                             ->expected(2)
                             ->type_name("OLD.json NEW.json");
  CLI::Option* against = app.add_option("--against", options.against,
                                        "Compare with a second side, measured alternately: a changed parameter, "
                                        "variant, backend or number of threads (repeatable), another build of this "
                                        "program, or for a sketch an algorithm or another sketch")
                             ->allow_extra_args(false)
                             ->type_name("NAME=VALUE|PROGRAM|ALGORITHM");
  std::vector<CLI::Option*> verdicts{
      as_list(app.add_option("--fail-on", options.fail_on, "Exit code 1 if a row is slower, faster or unclear"))
          ->check(CLI::IsMember({"slower", "faster", "unclear"})),
      add_parsed(app, "--effect", "Smallest change that counts (default 2%)", [&options](const std::string& text) {
        options.effect = parse_percent("--effect", text);
      })->type_name("P%")};
  std::vector<CLI::Option*> not_for_files = measuring;
  for (const char* name : {"--suite", "--from", "--plot", "--csv", "--peers", "--reps", "--min-time", "--max-time",
                           "--backends", "--sizes", "--threads", "--precision", "--cold", "--against"})
    not_for_files.push_back(app.get_option(name));
  std::vector<CLI::Option*> not_in_turns;
  for (const char* name : {"--suite", "--from", "--plot", "--peers"})
    not_in_turns.push_back(app.get_option(name));
  return [=] {
    refuse_beside(*compare, not_for_files);
    refuse_beside(*against, not_in_turns);
    if (compare->count() > 0 || against->count() > 0) return;
    for (const CLI::Option* option : verdicts)
      if (option->count() > 0) throw UsageError("'" + option->get_name() + "' goes with --compare or --against");
  };
}

/// `bench FILE.cu`. Throws UsageError for what does not go with a file with kernels.
int bench_sketch(const BenchOptions& options) {
  if (options.algorithms.size() > 1)
    throw UsageError("bench takes one file with a kernel: compare two by --against, as in bench " +
                     options.algorithms.front() + " --against " + options.algorithms.back());
  if (options.counters)
    throw UsageError("'--counters' goes with algorithms: a file with a kernel is counted by the CPU");
  if (options.against.empty()) return count_sketch(options);
  if (options.against.size() > 1 || options.against.front().find('=') != std::string::npos)
    throw UsageError("--against '" + options.against.front() +
                     "': a file with a kernel is compared with one algorithm, or with another file with a kernel");
  return compare_sketch(options);
}

}  // namespace

CommandAction set_up_bench(CLI::App& app, FindDevices find_devices) {
  const auto shared = std::make_shared<BenchOptions>();
  BenchOptions& options = *shared;
  std::vector<CLI::Option*> not_for_suites = add_selection(app, options);
  add_sampling(app, options);
  add_device(app, find_devices, options.device);
  CLI::Option* const devices = add_devices(app, find_devices, options.device, options.devices);
  app.add_flag("--peers", options.peers, "Compare with other libraries, and with OpenGL, in turns");
  CLI::Option* const split =
      app.add_flag("--split", options.split, "Say what the speed-up of openmp is made of: vectors, method, threads");
  CLI::Option* const predict = app.add_flag(
      "--predict", options.predict,
      "State the time of each row before it is measured, and what binds it: of CUDA from counts of its kernels, of the "
      "CPU from runs on parts of its input");
  CLI::Option* const counters = app.add_flag(
      "--counters", options.counters,
      "Count on the GPU what the kernels of each row do: instructions, sectors, conflicts, bytes, hit rates, stalls");
  CLI::Option* const predict_gpu =
      add_parsed(app, "--gpu", "The GPU of --predict: H100 or H200 (default: that of the machine, else H100)",
                 [&options](const std::string& text) { options.predict_gpu = warp::parse_gpu_rates(text); })
          ->type_name("NAME");
  add_parsed(app, "--seed", "Of the synthetic picture", [&options](const std::string& text) {
    options.seed = parse_seed(text);
  })->type_name("N");
  app.add_option("--json", options.json, "Write environment, limits and all samples")->type_name("FILE");
  app.add_option("--csv", options.csv, "Write the table")->type_name("FILE");
  app.add_option("--trace", options.trace, "Write what happened when, for ui.perfetto.dev: kernels, copies, threads")
      ->type_name("FILE");
  CLI::Option* const limit = add_limits(app);
  app.add_flag("-q,--quiet", options.quiet, "No table, no progress");
  const std::function<void()> check_suite = add_suite_options(app, options, not_for_suites);
  const std::function<void()> check_comparison = add_comparison(app, options, not_for_suites);
  app.parse_complete_callback([=, &app, &options] {
    check_suite();
    check_comparison();
    options.limits = limit->results();
    refuse_beside(*split, {app.get_option("--variants"), app.get_option("--backends"), app.get_option("--threads"),
                           app.get_option("--routes"), app.get_option("--against"), app.get_option("--suite")});
    if (predict_gpu->count() > 0 && !options.predict) throw UsageError("'--gpu' goes with --predict");
    refuse_beside(*predict,
                  {app.get_option("--against"), app.get_option("--compare"), app.get_option("--from"), split});
    refuse_beside(*counters,
                  {app.get_option("--against"), app.get_option("--compare"), app.get_option("--from"), split});
    // What was counted slows launches that are measured later.
    if (options.counters && (options.budget || options.suite == "all"))
      throw UsageError("'--counters' goes with one suite at a time, and without --budget");
    refuse_beside(*devices, {app.get_option("--against"), app.get_option("--compare"), app.get_option("--from"),
                             app.get_option("--suite"), app.get_option("--peers"), predict, counters, split});
    refuse_beside(*app.get_option("--routes"), {app.get_option("--variants"), app.get_option("--against")});
    refuse_beside(*app.get_option("--input"), {app.get_option("--channels")});
    if (!options.input.empty() && options.algorithms.empty())
      throw UsageError("'--input' goes with the names of algorithms: threadscape bench sobel --input photo.png");
  });
  app.footer(
      "Examples:\n"
      "  threadscape bench\n"
      "  threadscape bench convolution --sizes 4096 --threads 1,2,4,8 --set size=9 --peers\n"
      "  threadscape bench sobel --backends cuda --variants all --sizes 1024,8192 --channels 1,4 --json sobel.json\n"
      "  threadscape bench sobel median --input photo.png --sizes 512,1024,2048 --plot times.png\n"
      "  threadscape bench convolution --routes --sweep size=9,11,31 --set preset=gaussian\n"
      "  threadscape bench --list-suites\n"
      "  threadscape bench --suite filters --json here.json --plot filters.png\n"
      "  threadscape bench --suite all --budget 20m --json all.json\n"
      "  threadscape bench --from here.json gpu.json --plot both.png\n"
      "  threadscape bench --compare before.json after.json --fail-on slower\n"
      "  threadscape bench sobel --backends openmp --sizes 2048 --against threads=1 --precision 2%\n"
      "  threadscape bench --suite kernels --backends cuda --predict --json predicted.json\n"
      "  threadscape bench convolution --backends cuda --variants all --sizes 4096 --counters\n"
      "  threadscape bench my.cu --predict --gpu H200\n"
      "  threadscape bench my.cu --sizes 512 --set radius=2\n"
      "  threadscape bench my.cu --against convolution");
  return [shared] {
    if (std::ranges::any_of(shared->algorithms, names_kernels)) return bench_sketch(*shared);
    for (std::string& name : shared->algorithms)
      name = algorithm_of(name);
    return traced(shared->trace, [&] { return bench(*shared); });
  };
}

}  // namespace threadscape::app
