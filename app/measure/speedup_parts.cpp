#include "app/measure/speedup_parts.h"

#include <algorithm>

#include "compute/registry/loops.h"
#include "compute/registry/registry.h"

namespace threadscape::app {

namespace {

/// The median of the row that measured the same work on this backend; 0 if there is none.
double median_of_row(const Report& report, const Measurement& like, Backend backend, std::string_view variant,
                     int threads) {
  const auto row = std::ranges::find_if(report.rows, [&](const Measurement& other) {
    return other.where.backend == backend && other.where.peer.empty() && other.where.variant == variant &&
           other.where.threads == threads && !other.samples.compute.empty() && other.what == like.what;
  });
  return row == report.rows.end() ? 0.0 : row->samples.median();
}

/// Returns whether a row is one of openmp with several threads beside one of serial. Its own parts are no such rows.
bool has_factor(const Report& report, const Measurement& row) {
  return row.where.backend == Backend::openmp && row.where.peer.empty() && !row.samples.compute.empty() &&
         row.where.threads > 1 && row.where.variant != loops_variant.name && report.of_serial(row) > 0.0;
}

std::optional<Speedup> split_row(const Report& report, const Measurement& row) {
  const double own = row.samples.median(), serial = report.of_serial(row) * own;
  const auto loops = [&](int threads) {
    return median_of_row(report, row, Backend::openmp, loops_variant.name, threads);
  };
  return speedup_of({.baseline = serial,
                     .baseline_one = serial,
                     .loops_one = loops(1),
                     .loops = loops(row.where.threads),
                     .own_one = median_of_row(report, row, Backend::openmp, row.where.variant, 1),
                     .own = own});
}

}  // namespace

std::vector<SpeedupParts> speedup_parts(const Report& report) {
  std::vector<SpeedupParts> all;
  for (const Measurement& row : report.rows)
    if (has_factor(report, row))
      if (const std::optional<Speedup> parts = split_row(report, row)) all.push_back({*parts, &row});
  return all;
}

std::vector<const Measurement*> unsplit_rows(const Report& report) {
  std::vector<const Measurement*> rows;
  for (const Measurement& row : report.rows)
    if (has_factor(report, row) && !split_row(report, row)) rows.push_back(&row);
  return rows;
}

std::string speedup_sentence(const SpeedupParts& parts) {
  const Measurement& row = *parts.whole;
  std::string text = row.what.algorithm + " " + row.what.size_text() + ": openmp " + row.where.variant + " is " +
                     factor_text(parts.over_baseline) +
                     " as fast as serial = " + product_text(parts, std::to_string(row.where.threads) + " threads");
  if (parts.loop_threads > 0.0) text += "; threads alone: " + factor_text(parts.loop_threads) + " (loops)";
  return text + ".";
}

std::string speedup_text(const Report& report) {
  std::string text;
  for (const SpeedupParts& parts : speedup_parts(report))
    text += speedup_sentence(parts) + "\n";
  return text.empty() ? text : "What the speed-ups over the backend serial on one thread are made of:\n" + text;
}

}  // namespace threadscape::app
