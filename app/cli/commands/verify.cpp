#include "app/cli/commands/verify.h"

#include <cstdio>

#include "app/report/long_task.h"
#include "compute/registry/registry.h"
#include "compute/run/verify.h"

namespace threadscape::app {

namespace {

std::vector<std::string> describe(const AlgorithmInfo& algorithm, const VerifyRow& row) {
  const Variant& variant = algorithm.variants_of(row.backend)[static_cast<std::size_t>(row.variant)];
  std::string result = "ok, " + std::to_string(row.compared) + " results equal serial";
  if (!algorithm.tolerance.is_exact() || algorithm.tolerance_of)
    result = "ok, " + std::to_string(row.compared) + " results within the tolerance";
  if (!row.skipped.empty()) result = "skipped: " + row.skipped;
  if (!row.failure.empty()) result = "FAILED";
  return {std::string(algorithm.name), std::string(name_of(row.backend)), std::string(variant.name), result};
}

}  // namespace

int verify(const VerifyOptions& options) {
  std::vector<const AlgorithmInfo*> chosen;
  for (const std::string& name : options.algorithms)
    chosen.push_back(&find_algorithm(name));
  if (chosen.empty())
    for (const AlgorithmInfo& algorithm : algorithms())
      chosen.push_back(&algorithm);
  threadscape::VerifyOptions sweep;
  if (!options.backends.empty()) sweep.backends = options.backends;
  if (!options.threads.empty()) sweep.threads = options.threads;
  sweep.seeds = options.seeds;

  std::vector<std::vector<std::string>> table;
  std::vector<std::string> failures;
  bool ran = false;
  for (const AlgorithmInfo* algorithm : chosen) {
    LongTask task("verify " + std::string(algorithm->name), options.quiet);
    for (const VerifyRow& row : threadscape::verify(*algorithm, sweep, task.token(), &task.progress())) {
      table.push_back(describe(*algorithm, row));
      ran = ran || row.skipped.empty();
      if (!row.failure.empty()) failures.push_back(row.failure);
    }
  }
  if (!options.quiet) std::fputs(format_table(table).c_str(), stdout);
  for (const std::string& failure : failures)
    std::fprintf(stderr, "threadscape: %s\n", failure.c_str());
  if (!failures.empty()) return static_cast<int>(ExitCode::check_failed);
  // Serial's default is the reference itself: when only that was asked for, there was nothing to compare, and nothing
  // absent.
  return static_cast<int>(ran || table.empty() ? ExitCode::done : ExitCode::skipped);
}

}  // namespace threadscape::app
