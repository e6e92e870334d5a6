#pragma once
// Reads the reports that `threadscape bench --json FILE` writes, of this version and of earlier ones, from any machine.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/analysis/roofline.h"
#include "app/report/conditions.h"
#include "app/report/cpu_counters.h"
#include "app/report/environment.h"
#include "compute/core/backend.h"
#include "compute/run/kernel_facts.h"

namespace threadscape::app {

/// Version of the format that bench_json() writes. Reports without a version are of version 1; they state neither
/// conditions nor caches, but the numbers of buffers. Reports of a later version are refused.
inline constexpr int report_version = 2;

/// A result of a report. Times are in milliseconds.
struct ReportRow {
  std::string algorithm, variant;
  std::string peer;  ///< Name of the other library that was measured; "" = Threadscape itself.
  Backend backend = Backend::serial;
  int threads = 1;
  Json input, params;  ///< Shape of the input, or of the output if there is none, and the parameters by name.
  /// "warm" or "cold": whether the input was in a cache when a run began; "" if the report does not say.
  std::string caches;
  std::vector<double> samples;
  double upload = 0.0, download = 0.0;   ///< Medians; 0 = not measured.
  double operations = 0.0;               ///< Operations of a run that the algorithm states; 0 = it states none.
  double gb_s = 0.0, of_copy = 0.0;      ///< 1e9 bytes per second, and share of the copy; 0 = not measured.
  cuda::Kernels kernels = {};            ///< What CUDA launches for a run; empty on the CPU and in older reports.
  Conditions conditions = {};            ///< What happened on the machine; empty in reports of version 1.
  std::optional<CpuCounts> counts = {};  ///< Counters of one run; unset where the machine does not allow them.
  int multiprocessors = 0;               ///< Multiprocessors of the GPU; 0 if there is none.
  /// The stages of a run with clocks in milliseconds, by name, in the order of the work; what no stage has is the last,
  /// "rest". Empty if the report does not state them.
  std::vector<std::pair<std::string, double>> stages = {};

  /// Number of pixels, voxels or values of the input.
  [[nodiscard]] double items() const;
  /// Size of the input as labels show it: "1920x1080", "1048576".
  [[nodiscard]] std::string size_text() const;
  /// Text that is equal for two rows exactly if both measured the same work in the same way.
  [[nodiscard]] std::string key() const;
};

struct ReportFile {
  std::string name;             ///< Name of the file, for messages and legends.
  std::string machine;          ///< Model of the GPU if it was used, otherwise of the CPU.
  std::vector<ReportRow> rows;  ///< Results that hold samples, in the order of the file. Skipped points are left out.
  Roofline device = {};         ///< The ceilings of the GPU; empty if the report does not state them.
};

/// Reads the JSON of a report. Throws UsageError with one line if it is none, or of a later version.
[[nodiscard]] ReportFile parse_report(std::string_view json, const std::string& name);
/// Reads a report. Throws UsageError as parse_report(), and EnvironmentError if the file cannot be read.
[[nodiscard]] ReportFile load_report(const std::filesystem::path& path);

/// Labels of rows for tables: algorithm, size, backend, variant and threads, and those parameters, element types and
/// numbers of channels that differ between rows of the same algorithm.
[[nodiscard]] std::vector<std::string> row_labels(const std::vector<const ReportRow*>& rows);

}  // namespace threadscape::app
