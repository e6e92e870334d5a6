#pragma once
// Reports: measurements with the machine, the limits and the suite that they belong to, as the JSON that `threadscape
// bench --json FILE` writes. Reports of earlier versions and of any machine are read.

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/analysis/roofline.h"
#include "app/measure/measurement.h"
#include "app/report/environment.h"
#include "compute/core/ceilings.h"

namespace threadscape::app {

/// Version of the format that report_json() writes. Reports without a version are of version 1; they state neither
/// conditions nor caches, but the numbers of buffers. Reports of a later version are refused.
inline constexpr int report_version = 2;

/// The program and the machine behind a report.
struct Environment {
  std::string cpu = {}, gpu = {};  ///< Models; "" if there is none, or if the report does not say.
  int logical_cores = 0;           ///< Threads of the CPU; 0 if the report does not say.
  int multiprocessors = 0;         ///< Multiprocessors of the GPU; 0 if there is none.
  /// All facts as environment_json() states them, which reports keep; null for none.
  std::shared_ptr<const Json> facts = {};
};
/// Those of this program on this machine, with the GPU that runs.
[[nodiscard]] Environment environment_of(gpu::Device& device);

/// Measured bandwidths of memory: the limits for an algorithm that reads its input once and writes its output once.
struct CopyLimits {
  /// Copy bandwidth of host memory in bytes per second, read plus written, by number of threads.
  std::map<int, double> host = {};
  /// Bandwidth of only reading host memory in bytes per second, by number of threads.
  std::map<int, double> host_read = {};
  /// Copy bandwidth of the GPU's memory in bytes per second, read plus written; 0 = not measured.
  double device = 0.0;
  /// What the memories and the arithmetic of the GPU reach; empty = not measured.
  MeasuredCeilings device_ceilings = {};
  /// The limits of the memory in which a measurement ran.
  [[nodiscard]] Limits of(const Measurement& measurement) const;
};

/// The time that a benchmark with a budget was given and took, in seconds, and the points that it left out.
struct BudgetUse {
  double seconds = 0.0, used = 0.0;
  std::size_t left_out = 0;
};

struct Report {
  std::string name = {};  ///< Name of the file, for messages and legends.
  Environment environment = {};
  CopyLimits limits = {};
  std::vector<Measurement> rows = {};  ///< In the order of the measurement. Skipped points are among them.
  std::string suite = {};              ///< Name of the measured suite; "" for none.
  /// Its definition, with which the report can be drawn on any machine; null for none.
  std::shared_ptr<const Json> suite_definition = {};
  std::optional<BudgetUse> budget = {};

  /// Adds a measurement, under the limits that the report has.
  void add(Measurement measurement);
  /// The rows that were measured.
  [[nodiscard]] std::vector<const Measurement*> measured() const;
  /// Model of the GPU if all rows ran on it, otherwise of the CPU.
  [[nodiscard]] std::string machine() const;
  /// "NVIDIA H200", "AMD EPYC 9R14 (16 threads)": the machine of a backend, without trademark signs.
  [[nodiscard]] std::string machine_of(Backend backend) const;
  /// Median time of the serial backend's default variant divided by that of this row; 0 = serial was not measured.
  [[nodiscard]] double of_serial(const Measurement& row) const;
};

/// A report as JSON, with every sample.
[[nodiscard]] Json report_json(const Report& report);
/// Several suites that were measured in one run, and the time that they took.
[[nodiscard]] Json suites_json(const std::vector<Report>& reports, const BudgetUse& budget);

/// Reads the JSON of a report: one report for each suite in it. Throws UsageError with one line if it is none, or of a
/// later version.
[[nodiscard]] std::vector<Report> parse_reports(std::string_view json, const std::string& name);
/// Reads a file. Throws UsageError as parse_reports(), and EnvironmentError if the file cannot be read.
[[nodiscard]] std::vector<Report> load_reports(const std::filesystem::path& path);
/// The rows of all reports as one. `reports` is not empty.
[[nodiscard]] Report joined_report(std::vector<Report> reports);

}  // namespace threadscape::app
