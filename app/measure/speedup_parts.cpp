#include "app/measure/speedup_parts.h"

#include <algorithm>

#include "app/report/text.h"
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

std::string factor_text(double factor) {
  return format_number(factor) + "x";
}

}  // namespace

std::vector<SpeedupParts> speedup_parts(const Report& report) {
  std::vector<SpeedupParts> all;
  for (const Measurement& row : report.rows) {
    if (row.where.backend != Backend::openmp || !row.where.peer.empty() || row.samples.compute.empty() ||
        row.where.threads < 2 || row.where.variant == loops_variant.name)
      continue;
    SpeedupParts parts{.whole = &row, .over_serial = report.of_serial(row)};
    const double own = median_of_row(report, row, Backend::openmp, row.where.variant, 1);
    const double loops = median_of_row(report, row, Backend::openmp, loops_variant.name, 1);
    const double shared = median_of_row(report, row, Backend::openmp, loops_variant.name, row.where.threads);
    if (parts.over_serial <= 0.0 || own <= 0.0) continue;
    const double serial = parts.over_serial * row.samples.median();
    parts.has_loops = loops > 0.0;
    parts.code = parts.has_loops ? serial / loops : 1.0;
    parts.vectors = (parts.has_loops ? loops : serial) / own;
    parts.threads = own / row.samples.median();
    parts.loop_threads = parts.has_loops && shared > 0.0 ? loops / shared : 0.0;
    all.push_back(parts);
  }
  return all;
}

std::string speedup_sentence(const SpeedupParts& parts) {
  const Measurement& row = *parts.whole;
  std::string text =
      row.what.algorithm + " " + row.what.size_text() + ": openmp " + row.where.variant + " is " +
      factor_text(parts.over_serial) +
      " as fast as serial = " + (parts.has_loops ? factor_text(parts.code) + " (loops, 1 thread) * " : "") +
      factor_text(parts.vectors) + " (method and vectors, 1 thread) * " + factor_text(parts.threads) + " (" +
      std::to_string(row.where.threads) + " threads)";
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
