#include "app/cli/commands/verify.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/shared_options.h"
#include "app/cli/sketch_commands.h"
#include "app/report/long_task.h"
#include "app/report/text.h"
#include "compute/core/printable.h"
#include "compute/core/suggestion.h"
#include "compute/registry/registry.h"
#include "compute/run/verify.h"

namespace threadscape::app {

namespace {

struct VerifyCommand {
  std::vector<std::string> algorithms;  ///< Empty = all.
  std::vector<Backend> backends;        ///< Empty = all.
  std::vector<std::string> variants;    ///< Empty = all.
  std::vector<int> threads;             ///< Thread counts of OpenMP; empty = 1, 2, 7.
  std::uint64_t seeds = 3;              ///< Inputs of each size.
  std::uint64_t every = 1;              ///< One of this many shapes for each setting.
  gpu::Device* device = nullptr;        ///< VerifyOptions::device.
  SketchCheck check;                    ///< How a sketch is compared.
  bool quiet = false;
};

/// A row of the table: algorithm, backend, variant, outcome.
std::vector<std::string> describe(const AlgorithmInfo& algorithm, const VerifyRow& row) {
  const Variant& variant = algorithm.variants_of(row.backend)[static_cast<std::size_t>(row.variant)];
  std::string result = "ok, " + std::to_string(row.compared) + " results equal serial";
  if (!algorithm.tolerance.is_exact() || algorithm.tolerance_of)
    result = "ok, " + std::to_string(row.compared) + " results within the tolerance";
  if (!row.skipped.empty()) result = "skipped: " + row.skipped;
  if (!row.failure.empty()) result = "FAILED";
  return {std::string(algorithm.name), std::string(name_of(row.backend)), std::string(variant.name), result};
}

/// Throws UsageError for the name of a variant that none of the algorithms has on these backends.
void check_variants(const std::vector<std::string>& variants, const std::vector<const AlgorithmInfo*>& algorithms,
                    const std::vector<Backend>& backends) {
  std::vector<std::string_view> known;
  for (const AlgorithmInfo* algorithm : algorithms)
    for (const Backend backend : backends)
      for (const Variant& variant : algorithm->variants_of(backend))
        if (std::ranges::find(known, variant.name) == known.end()) known.push_back(variant.name);
  for (const std::string& name : variants)
    if (std::ranges::find(known, name) == known.end())
      throw UsageError("there is no variant '" + name + "' to verify: " + suggestion_and_list(name, known));
}

int verify(const VerifyCommand& options) {
  if (options.algorithms.size() == 1 && names_sketch(options.algorithms.front())) {
    SketchCheck check = options.check;
    check.seeds = options.seeds;
    return verify_sketch(options.algorithms.front(), check, options.quiet);
  }
  if (!options.check.algorithm.empty() || !options.check.sets.empty())
    throw UsageError("--check and --set are for a file with a sketch: threadscape verify my.cu --check convolution");
  VerifyOptions sweep;
  if (!options.backends.empty()) sweep.backends = options.backends;
  if (!options.threads.empty()) sweep.threads = options.threads;
  sweep.seeds = options.seeds;
  sweep.every = options.every;
  sweep.variants = options.variants;
  sweep.device = options.device;
  const std::vector<const AlgorithmInfo*> algorithms = find_algorithms(options.algorithms);
  check_variants(options.variants, algorithms, sweep.backends);

  std::vector<std::vector<std::string>> table;
  std::vector<std::string> failures;
  bool ran = false;
  for (const AlgorithmInfo* algorithm : algorithms) {
    LongTask task("verify " + std::string(algorithm->name), options.quiet);
    for (const VerifyRow& row : threadscape::verify(*algorithm, sweep, task.token(), &task.progress())) {
      table.push_back(describe(*algorithm, row));
      ran = ran || row.skipped.empty();
      if (!row.failure.empty()) failures.push_back(row.failure);
    }
  }
  if (!options.quiet) std::fputs(format_table(table).c_str(), stdout);
  for (const std::string& failure : failures)
    print(stderr, "threadscape: " + failure + "\n");
  if (!failures.empty()) return static_cast<int>(ExitCode::check_failed);
  // An empty table means that only serial's default variant was asked for: it is the reference, so there was nothing
  // to compare, and nothing was absent.
  return static_cast<int>(ran || table.empty() ? ExitCode::done : ExitCode::skipped);
}

}  // namespace

CommandAction set_up_verify(CLI::App& app, FindDevices find_devices) {
  const auto options = std::make_shared<VerifyCommand>();
  app.add_option("algorithms", options->algorithms, "Which; all otherwise; or a file with a sketch (.cu, .cpp)");
  app.add_option("--check", options->check.algorithm,
                 "Of a sketch: the algorithm, or another sketch, that makes equal results (default: as its head says)")
      ->type_name("ALGORITHM");
  add_sets(app, "--set", options->check.sets, "Of a sketch: a parameter of it, of the algorithm or of both");
  add_backends(app, options->backends, "For example openmp,cuda; all otherwise");
  add_device(app, find_devices, options->device);
  app.add_option("--variants", options->variants, "Names of variants; all otherwise")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("A,B");
  app.add_option("--threads", options->threads, "Of openmp (default 1,2,7)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::Range(1, max_threads()))
      ->type_name("A,B");
  app.add_option("--seeds", options->seeds, "Inputs of each size")->check(CLI::Range(1, 1000))->capture_default_str();
  app.add_option("--every", options->every, "Of N sizes, one with each setting, in turn, for slow machines and tools")
      ->check(CLI::Range(1, 1000))
      ->type_name("N")
      ->capture_default_str();
  add_limits(app);
  app.add_flag("-q,--quiet", options->quiet, "Print failures only");
  app.footer(
      "Examples:\n  threadscape verify\n  threadscape verify convolution --backends cuda\n"
      "  threadscape verify median --backends cuda --variants shared,networks\n"
      "  threadscape verify my.cu --check convolution --set size=5");
  return [options] { return verify(*options); };
}

}  // namespace threadscape::app
