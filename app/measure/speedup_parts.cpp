#include "app/measure/speedup_parts.h"

#include <algorithm>

#include "compute/registry/loops.h"
#include "compute/registry/registry.h"

namespace threadscape::app {

namespace {

/// What reports call the device that executes kernels on the CPU.
constexpr std::string_view emulated_device = "emulated";

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

/// The fastest row of openmp for the same work, of those with the most threads; null if none has several.
const Measurement* fastest_on_cpu(const Report& report, const Measurement& like) {
  const Measurement* best = nullptr;
  for (const Measurement& row : report.rows) {
    if (row.where.backend != Backend::openmp || !row.where.peer.empty() || row.where.threads < 2 ||
        row.samples.compute.empty() || !(row.what == like.what))
      continue;
    if (best == nullptr || row.where.threads > best->where.threads ||
        (row.where.threads == best->where.threads && row.samples.median() < best->samples.median()))
      best = &row;
  }
  return best;
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

std::vector<DeviceParts> device_parts(const Report& report) {
  std::vector<DeviceParts> all;
  if (report.environment.gpu == emulated_device) return all;
  for (const Measurement& row : report.rows) {
    if (row.where.backend != Backend::cuda || !row.where.peer.empty() || report.of_serial(row) <= 0.0) continue;
    const Measurement* const cpu = fastest_on_cpu(report, row);
    if (cpu == nullptr) continue;
    const double own = row.samples.median();
    const double transfers = median_of(row.samples.upload) + median_of(row.samples.download);
    const auto parts =
        device_speedup_of({.baseline = report.of_serial(row) * own,
                           .cpu = cpu->samples.median(),
                           .kernels = own,
                           .whole = transfers > 0.0 ? own + transfers + median_of(row.samples.allocation) : 0.0});
    if (parts) all.push_back({*parts, &row, cpu});
  }
  return all;
}

std::string speedup_sentence(const DeviceParts& parts) {
  const Measurement& row = *parts.whole;
  std::string text = row.what.algorithm + " " + row.what.size_text() + ": cuda " + row.where.variant + " is " +
                     factor_text(parts.of_kernels()) + " as fast as serial = " +
                     kernels_text(parts, "openmp " + parts.cpu_row->where.variant + ", " +
                                             std::to_string(parts.cpu_row->where.threads) + " threads");
  if (parts.has_transfers) text += "; with allocation and transfers: " + factor_text(parts.of_whole());
  return text + ".";
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
  for (const DeviceParts& parts : device_parts(report))
    text += speedup_sentence(parts) + "\n";
  return text.empty() ? text : "What the speed-ups over the backend serial on one thread are made of:\n" + text;
}

}  // namespace threadscape::app
