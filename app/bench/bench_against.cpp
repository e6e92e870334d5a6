#include "app/bench/bench_against.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <optional>

#include "app/bench/bench_compare.h"
#include "app/bench/bench_plan.h"
#include "app/measure/report_table.h"
#include "app/measure/report_text.h"
#include "app/report/long_task.h"
#include "app/report/text.h"
#include "app/session/sketch_file.h"
#include "compute/core/errors.h"
#include "compute/io/file_writer.h"
#include "compute/sketch/sketch_algorithm.h"

namespace threadscape::app {

namespace {

namespace fs = std::filesystem;

/// Parses the value of a change of `threads`; 0 stands for all hardware threads. Throws UsageError.
int parse_threads(const std::string& change, const std::string& value) {
  int threads = 0;
  const auto parsed = std::from_chars(value.data(), value.data() + value.size(), threads);
  if (parsed.ec != std::errc{} || parsed.ptr != value.data() + value.size() || threads < 0 || threads > max_threads())
    throw UsageError("--against " + change + ": 0.." + std::to_string(max_threads()) + " threads");
  return threads;
}

/// The second side of a point: the same work with the changes of `--against` applied. Its input has the size of the
/// first side's, or is its file, except where the parameters determine the input. Throws UsageError.
BenchPoint changed(const BenchPoint& point, const std::vector<std::string>& changes) {
  BenchPoint other = point;
  RunRequest& request = other.request;
  const AlgorithmInfo& algorithm = *request.algorithm;
  std::string variant;
  std::optional<int> threads;
  for (const std::string& change : changes) {
    const std::size_t equals = change.find('=');
    const std::string name = change.substr(0, equals), value = change.substr(equals + 1);
    if (name == "backend") {
      request.backend = parse_backend(value);
      request.variant = 0;
    } else if (name == "variant") {
      variant = value;
    } else if (name == "threads") {
      threads = parse_threads(change, value);
    } else if (length_follows(algorithm, name)) {
      throw UsageError("--against " + change +
                       ": count follows from the input, whose length --sizes or --input states");
    } else {
      request.params.assign(name, value);
    }
  }
  // The variant and the threads belong to the backend of this side, which any of the changes may have chosen. A first
  // side on another backend states no number of threads for OpenMP, so that all of them are used.
  if (!variant.empty()) request.variant = algorithm.variant_index(request.backend, variant);
  if (threads)
    request.threads = *threads;
  else if (request.backend == Backend::openmp && point.request.backend != Backend::openmp)
    request.threads = 0;
  request.params.check();
  if (!point.file)
    other.input = input_shape(algorithm, request.params, {point.input.width, point.input.height}, point.input.channels);
  other.output = algorithm.output_shape(request.params, other.input);
  return other;
}

void write_comparison(const BenchOptions& options, Json report, const ComparisonReport& comparison) {
  report["comparison"] = comparison_json(comparison);
  if (!options.json.empty()) io::save_bytes(options.json, report_text(report));
}

/// A point of one side with that of the other.
struct PairOfPoints {
  BenchPoint before, after;
  SamplingRule rule;
};

/// Measures pairs in turns, and reports their comparison, which has names and notes already.
int compare_points(const BenchOptions& options, const std::vector<PairOfPoints>& pairs, ComparisonReport comparison) {
  LongTask task("bench", options.quiet);
  Report report{.environment = environment_of(device_of({.device = options.device}))};
  std::vector<RowSamples> samples;
  std::vector<Measurement> rows;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    task.check();
    const BenchPoint& a = pairs[i].before;
    const BenchPoint& b = pairs[i].after;
    SharedInput input_of_a, input_of_b;
    auto pair = measure_in_turns(a, input_of_a.of(a), b, input_of_b.of(b), pairs[i].rule, task.token());
    samples.push_back({pair[0].samples.compute, pair[1].samples.compute});
    rows.push_back(pair[0]);
    std::ranges::move(pair, std::back_inserter(report.rows));
    task.progress().report(static_cast<double>(i + 1) / static_cast<double>(pairs.size()));
  }
  std::vector<const Measurement*> labelled;
  for (const Measurement& row : rows)
    labelled.push_back(&row);
  add_comparisons(comparison, labelled, samples);
  if (!options.csv.empty()) io::save_bytes(options.csv, report_csv(report));
  write_comparison(options, report_json(report), comparison);
  return conclude(comparison, options);
}

/// Compares the points of the options with those that the changes make of them, in this process.
int against_changes(const BenchOptions& options) {
  ComparisonReport comparison{.before = "as the options say",
                              .after = joined(options.against, " "),
                              .rule = verdict_rule(options),
                              .rows = {},
                              .notes = {}};
  // A change that one of the algorithms refuses is reported before time is spent on the others.
  std::vector<PairOfPoints> pairs;
  for (const PlannedPoint& planned : plan(options))
    if (planned.left_out.empty())
      pairs.push_back({planned.point, changed(planned.point, options.against), planned.rule});
    else
      comparison.notes.push_back("Left out: " + planned.left_out);
  return compare_points(options, pairs, std::move(comparison));
}

/// Compares a twin for the CPU with another algorithm on the same inputs. The twin is the side that is judged.
int against_algorithm(const BenchOptions& options) {
  const AlgorithmInfo& twin = find_algorithm(options.algorithms.front());
  BenchOptions own = options;
  // What the twin does not have may be a parameter of the other.
  const ParamBox defaults = twin.defaults();
  std::erase_if(own.sets, [fields = defaults.fields()](const auto& set) {
    return std::ranges::find(fields, set.first, &FieldRef::name) == fields.end();
  });
  if (own.backends.empty()) own.backends = {Backend::serial, Backend::openmp};
  ComparisonReport comparison{.before = options.against.front(),
                              .after = std::string(twin.summary),
                              .rule = verdict_rule(options),
                              .rows = {},
                              .notes = {"The times of a twin are those with the start of its process."}};
  std::vector<PairOfPoints> pairs;
  for (const PlannedPoint& planned : plan(own)) {
    SketchPair pair = paired(
        twin, {.algorithm = options.against.front(), .sets = options.sets, .params = planned.point.request.params});
    BenchPoint other = planned.point;
    other.request.algorithm = pair.algorithm;
    other.request.params = std::move(pair.other);
    other.output = pair.algorithm->output_shape(other.request.params, other.input);
    pairs.push_back({std::move(other), planned.point, planned.rule});
  }
  return compare_points(options, pairs, std::move(comparison));
}

/// Returns true if the options compare a sketch with an algorithm or with another sketch.
bool names_other(const BenchOptions& options) {
  if (options.against.size() != 1 || options.algorithms.size() != 1) return false;
  const auto known = [](const std::string& name) {
    return std::ranges::find(algorithms(), name, &AlgorithmInfo::name) != algorithms().end();
  };
  const std::string& first = options.algorithms.front();
  return known(first) && sketch::sketch_of(find_algorithm(first)) != nullptr &&
         (known(options.against.front()) || names_sketch(options.against.front()));
}

/// The arguments with which a build of the program measures the same points once more.
std::vector<std::string> arguments(const BenchOptions& options, const fs::path& json) {
  std::vector<std::string> all{"bench"};
  all.insert(all.end(), options.algorithms.begin(), options.algorithms.end());
  const auto list = [&](const char* name, const auto& values, const auto& text) {
    std::vector<std::string> texts;
    for (const auto& value : values)
      texts.push_back(text(value));
    if (!texts.empty()) all.insert(all.end(), {name, joined(texts, ",")});
  };
  const auto number = [](const auto& value) { return std::to_string(value); };
  const auto same = [](const std::string& text) { return text; };
  list("--backends", options.backends, [](Backend backend) { return std::string(name_of(backend)); });
  if (options.device != nullptr) all.insert(all.end(), {"--device", number(options.device->info().ordinal)});
  list("--variants", options.variants, same);
  list("--sizes", options.sizes, same);
  list("--threads", options.threads, number);
  if (options.input.empty())
    list("--channels", options.channels, number);
  else  // A file has the channels that it has.
    all.insert(all.end(), {"--input", options.input.string()});
  for (const auto& [name, value] : options.sets)
    all.insert(all.end(), {"--set", name + "=" + value});
  if (!options.preset.empty()) all.insert(all.end(), {"--preset", options.preset.string()});
  // The samples of one process share its memory layout, so that many processes say more than many samples of one.
  all.insert(all.end(), {"--reps", number(options.repetitions.value_or(3)), "--min-time",
                         format_number(options.min_seconds.value_or(0.0), 6), "--seed", number(options.seed), "--quiet",
                         "--json", json.string()});
  if (options.max_seconds) all.insert(all.end(), {"--max-time", format_number(*options.max_seconds, 6)});
  if (options.precision) all.insert(all.end(), {"--precision", format_number(*options.precision * 100.0, 6) + "%"});
  for (const std::string& limit : options.limits)
    all.insert(all.end(), {"--limit", limit});
  if (options.cold) all.emplace_back("--cold");
  return all;
}

/// Runs a program to its end, without its output on stdout. Returns "" if its exit code is 0, and otherwise how it has
/// ended. Throws EnvironmentError if it cannot be started.
std::string run_program(const fs::path& program, std::vector<std::string> texts) {
  texts.insert(texts.begin(), program.string());
  std::vector<char*> argv;
  for (std::string& text : texts)
    argv.push_back(text.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int error = posix_spawn(&child, program.c_str(), &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw EnvironmentError("--against: cannot start '" + program.string() + "'");
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status)) return "was ended by signal " + std::to_string(WTERMSIG(status));
  return WEXITSTATUS(status) == 0 ? "" : "ended with exit code " + std::to_string(WEXITSTATUS(status));
}

/// A folder for the reports of the processes, which is removed with the object.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name = (fs::temp_directory_path() / "threadscape-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw EnvironmentError("cannot make a folder in the one for temporary files");
    path_ = name;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// Compares this build with another one. Both run in turns as processes of their own, and each process contributes the
/// median of its samples, so that chance in the layout of memory is part of the spread.
int against_program(const BenchOptions& options, const fs::path& other) {
  if (!options.csv.empty())
    throw UsageError("--csv does not go with --against PROGRAM, whose samples are medians of processes; --json does");
  constexpr std::size_t rounds = 12;
  const std::array<fs::path, 2> programs{fs::read_symlink("/proc/self/exe"), fs::absolute(other)};
  const ScratchFolder folder;
  std::array<Report, 2> sides;
  LongTask task("bench", options.quiet);
  for (std::size_t round = 0; round < rounds; ++round) {
    for (std::size_t turn = 0; turn < programs.size(); ++turn) {
      task.check();
      // Every second round begins with the other side, so that a drift within a round touches both alike.
      const std::size_t side = (turn + round) % 2;
      const fs::path json = folder.path() / "report.json";
      const std::string failure = run_program(programs[side], arguments(options, json));
      task.check();  // Ctrl-C reaches the process, too, whose exit code is no failure then.
      if (!failure.empty()) throw EnvironmentError("--against: '" + programs[side].string() + " bench' " + failure);
      Report report = joined_report(load_reports(json));
      for (Measurement& row : report.rows)
        row.samples.compute = {row.samples.median()};
      if (sides[side].rows.empty()) {
        sides[side] = std::move(report);
      } else if (sides[side].rows.size() == report.rows.size()) {
        for (std::size_t i = 0; i < report.rows.size(); ++i)
          sides[side].rows[i].samples.compute.push_back(report.rows[i].samples.compute.front());
      }
    }
    task.progress().report(static_cast<double>(round + 1) / static_cast<double>(rounds));
  }
  for (std::size_t side = 0; side < programs.size(); ++side)
    sides[side].name = programs[side].string();
  ComparisonReport comparison = compare_reports(sides[0], sides[1], verdict_rule(options));
  comparison.notes.push_back("Every sample is the median of one process; " + std::to_string(rounds) +
                             " processes of each side ran in turns.");
  write_comparison(
      options, {{"version", report_version}, {"environment", environment_json(device_of({.device = options.device}))}},
      comparison);
  return conclude(comparison, options);
}

}  // namespace

int bench_against(const BenchOptions& options) {
  if (names_other(options)) return against_algorithm(options);
  const bool changes =
      std::ranges::all_of(options.against, [](const std::string& text) { return text.find('=') != std::string::npos; });
  if (changes) return against_changes(options);
  const fs::path program = options.against.front();
  std::error_code ignored;
  if (options.against.size() > 1 || !fs::is_regular_file(program, ignored) || access(program.c_str(), X_OK) != 0)
    throw UsageError("--against '" + options.against.front() +
                     "': changes NAME=VALUE of a parameter, variant, backend or threads are accepted, or one program");
  return against_program(options, program);
}

}  // namespace threadscape::app
