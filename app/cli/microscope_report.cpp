#include "app/cli/microscope_report.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "app/report/environment.h"
#include "app/report/text.h"
#include "app/session/source_lines.h"
#include "compute/warp/kernel_parameters.h"

namespace threadscape::app {

namespace {

std::string extent_text(const warp::Extent& extent) {
  return std::to_string(extent.x) + "x" + std::to_string(extent.y) + "x" + std::to_string(extent.z);
}

/// A file of a kernel as compilers name it; "" if it is unknown.
std::string file_of(const ObservedKernel& kernel, int file) {
  const auto& files = kernel.module->files;
  return file > 0 && file < static_cast<int>(files.size()) ? files[static_cast<std::size_t>(file)] : std::string();
}

/// The name of a file for people: as the user gave it, and below the sources of this program without their folder.
std::string shown_file(const MicroscopeReport& report, const std::string& name) {
  if (report.file.empty()) {
    const std::size_t at = name.rfind("/compute/");
    return at == std::string::npos ? name : name.substr(at + 1);
  }
  // Compilers make names absolute.
  std::error_code error;
  const std::filesystem::path absolute = std::filesystem::absolute(report.file, error);
  return name == absolute.lexically_normal() || name == absolute ? report.file.string() : name;
}

double rounded(double value) {
  constexpr double hundredths = 100.0;
  return std::round(value * hundredths) / hundredths;
}

Json counts_json(const warp::Counts& counts) {
  Json json;
  for (const warp::Figure& figure : warp::figures()) {
    json[std::string(figure.name)] = counts.*figure.count;
    if (figure.count == &warp::Counts::warp_instructions) json["active_lanes"] = rounded(counts.active_lanes());
  }
  for (const char* rate : {"l1_hit_rate", "l2_hit_rate", "occupancy"})
    json[rate] = nullptr;
  return json;
}

warp::Certainty certainty_of_occupancy(const warp::Study& study) {
  return study.occupancy.registers_known ? warp::Certainty::modelled : warp::Certainty::unknown;
}

std::string occupancy_text(const warp::Study& study) {
  constexpr std::array<std::string_view, 4> limits{"warps", "blocks", "registers", "shared memory"};
  const warp::Occupancy& occupancy = study.occupancy;
  if (occupancy.blocks == 0) return "0 %: the block does not fit on this GPU";
  return (occupancy.registers_known ? "" : "at most ") + format_number(100.0 * occupancy.fraction, 4) + " %, " +
         std::to_string(occupancy.blocks) + " blocks, bounded by " +
         std::string(limits[static_cast<std::size_t>(occupancy.limit)]);
}

/// What the GPU has counted for a kernel; null if nothing.
const cuda::CountedKernel* counted_by_gpu(const MicroscopeReport& report, const ObservedKernel& kernel) {
  const std::array grid{kernel.grid.x, kernel.grid.y, kernel.grid.z},
      block{kernel.block.x, kernel.block.y, kernel.block.z};
  const auto found = std::ranges::find_if(report.counters.kernels, [&](const cuda::CountedKernel& counted) {
    return warp::shown_name(counted.symbol) == kernel.name && counted.grid == grid && counted.block == block;
  });
  return found == report.counters.kernels.end() ? nullptr : &*found;
}

std::string lines_table(const MicroscopeReport& report, const ObservedKernel& kernel) {
  struct Column {
    const char* title;
    std::uint64_t warp::Counts::*count;
  };
  constexpr std::array columns{Column{"instructions", &warp::Counts::warp_instructions},
                               Column{"load sectors", &warp::Counts::global_load_sectors},
                               Column{"store sectors", &warp::Counts::global_store_sectors},
                               Column{"shared wavefronts", nullptr},
                               Column{"conflicts", nullptr},
                               Column{"divergent", &warp::Counts::divergent_branches},
                               Column{"atomics", &warp::Counts::atomics}};
  SourceLines sources;
  if (!report.file.empty()) sources.add(report.file.string(), report.source);
  std::vector<std::vector<std::string>> table{{"line"}};
  for (const Column& column : columns)
    table.front().emplace_back(column.title);
  table.front().emplace_back("lanes");
  for (const warp::LineCounts& line : kernel.study.launch.lines) {
    const std::string path = file_of(kernel, line.file), file = shown_file(report, path);
    const bool other = file != report.file.string();
    const std::string name = other ? std::filesystem::path(file).filename().string() + ":" : std::string();
    std::vector<std::string>& row = table.emplace_back();
    row.push_back(line.line == 0 ? "no line" : name + std::to_string(line.line));
    for (const Column& column : columns) {
      const warp::Counts& counts = line.counts;
      std::uint64_t value = column.count != nullptr ? counts.*column.count : 0;
      if (column.title == std::string_view("shared wavefronts"))
        value = counts.shared_load_wavefronts + counts.shared_store_wavefronts;
      if (column.title == std::string_view("conflicts"))
        value = counts.shared_load_conflicts + counts.shared_store_conflicts;
      row.push_back(std::to_string(value));
    }
    row.push_back(format_number(line.counts.active_lanes(), 4));
    constexpr std::size_t most = 100;
    row.push_back(sources.line(other ? path : file, line.line).substr(0, most));
  }
  // The text of a line is behind the last column that has a title, so that it begins at the left.
  return format_table(table, 1);
}

std::string kernel_text(const MicroscopeReport& report, const ObservedKernel& kernel, bool lines) {
  const warp::Study& study = kernel.study;
  const warp::LaunchResult& launch = study.launch;
  std::string text = kernel.name + ": grid " + extent_text(kernel.grid) + ", block " + extent_text(kernel.block);
  if (kernel.launches > 1) text += ", the sum of " + std::to_string(kernel.launches) + " launches";
  text += ", as on a " + std::string(report.gpu->name) + " (" + std::to_string(report.gpu->capability / 10) + "." +
          std::to_string(report.gpu->capability % 10) + ")" +
          (report.compiler.empty() ? "" : ", compiled by " + report.compiler) + "\n";
  if (launch.sampled() < 1.0)
    text += "Executed were " + std::to_string(launch.executed) + " of " + std::to_string(launch.blocks) +
            " blocks: the figures are estimates for all of them (--exact executes all).\n";
  std::vector<std::vector<std::string>> table;
  const cuda::CountedKernel* const gpu = counted_by_gpu(report, kernel);
  const auto add = [&](std::string_view title, std::string value, warp::Certainty certainty,
                       std::string_view key = {}) {
    std::vector<std::string>& row = table.emplace_back();
    row = {std::string(title), std::move(value), std::string(warp::name_of(certainty))};
    const std::optional<double> count = gpu != nullptr ? gpu->count(std::string(key)) : std::nullopt;
    if (count)
      row.push_back(
          "GPU: " + (*count == std::floor(*count) ? std::to_string(std::llround(*count)) : format_number(*count, 4)) +
          (row[1].find('%') != std::string::npos ? " %" : ""));
  };
  for (const warp::Figure& figure : warp::figures()) {
    add(figure.title, std::to_string(launch.total.*figure.count), warp::certainty_of(figure, study), figure.name);
    if (figure.count == &warp::Counts::warp_instructions)
      add("active lanes", format_number(study.active_lanes, 4), warp::certainty_of(figure, study), "active_lanes");
  }
  add("L1 hit rate", format_number(study.l1_hit_rate(), 4) + " %", warp::Certainty::modelled, "l1_hit_rate");
  add("L2 hit rate", format_number(study.l2_hit_rate(), 4) + " %", warp::Certainty::modelled, "l2_hit_rate");
  add("occupancy", occupancy_text(study), certainty_of_occupancy(study), "occupancy");
  add("registers of a thread", study.registers ? std::to_string(*study.registers) : "not known",
      study.registers ? warp::Certainty::counted : warp::Certainty::unknown);
  text += format_table(table);
  if (lines) text += "\n" + lines_table(report, kernel);
  for (const std::string& note : launch.notes)
    text += "\nNote: " + note;
  if (!launch.notes.empty()) text += "\n";
  if (!launch.faults.empty()) text += "\nFaults\n";
  for (const warp::Fault& fault : launch.faults)
    text += "  " + fault.text + "\n";
  return text;
}

Json kernel_json(const MicroscopeReport& report, const ObservedKernel& kernel) {
  const warp::Study& study = kernel.study;
  const auto extent = [](const warp::Extent& of) { return Json::array({of.x, of.y, of.z}); };
  Json json;
  json["name"] = kernel.name;
  json["grid"] = extent(kernel.grid);
  json["block"] = extent(kernel.block);
  json["launches"] = kernel.launches;
  Json& counts = json["counts"] = counts_json(study.launch.total);
  counts["active_lanes"] = rounded(study.active_lanes);
  counts["l1_hit_rate"] = rounded(study.l1_hit_rate());
  counts["l2_hit_rate"] = rounded(study.l2_hit_rate());
  if (study.occupancy.registers_known) counts["occupancy"] = rounded(100.0 * study.occupancy.fraction);
  if (const cuda::CountedKernel* const gpu = counted_by_gpu(report, kernel))
    json["counters"] = {{"launches", gpu->launches}, {"counts", gpu->counts}, {"stalls", gpu->stalls}};
  json["sampled"] = study.launch.sampled();
  json["lines"] = Json::array();
  for (const warp::LineCounts& line : study.launch.lines)
    json["lines"].push_back({{"file", shown_file(report, file_of(kernel, line.file))},
                             {"line", line.line},
                             {"counts", counts_json(line.counts)}});
  json["faults"] = Json::array();
  for (const warp::Fault& fault : study.launch.faults) {
    const auto& locations = kernel.module->locations;
    const int line = fault.location < locations.size() ? locations[fault.location].line : 0;
    json["faults"].push_back({{"kind", warp::name_of(fault.kind)},
                              {"line", line},
                              {"block", fault.block},
                              {"thread", fault.thread},
                              {"text", fault.text}});
  }
  return json;
}

/// How sure the figures of all kernels are: as the least sure of them.
Json certainty_json(const MicroscopeReport& report) {
  const auto least = [&](const auto& of) {
    warp::Certainty certainty = warp::Certainty::counted;
    for (const ObservedKernel& kernel : report.kernels)
      certainty = std::max(certainty, of(kernel.study));
    return warp::name_of(certainty);
  };
  Json certainty;
  for (const warp::Figure& figure : warp::figures()) {
    const auto sum = least([&](const warp::Study& study) { return warp::certainty_of(figure, study); });
    certainty[std::string(figure.name)] = sum;
    if (figure.count == &warp::Counts::warp_instructions) certainty["active_lanes"] = sum;
  }
  certainty["l1_hit_rate"] = certainty["l2_hit_rate"] = warp::name_of(warp::Certainty::modelled);
  certainty["occupancy"] = least(certainty_of_occupancy);
  return certainty;
}

}  // namespace

bool MicroscopeReport::has_faults() const {
  return std::ranges::any_of(kernels, [](const ObservedKernel& kernel) { return !kernel.study.launch.faults.empty(); });
}

std::string microscope_text(const MicroscopeReport& report, bool lines) {
  std::string text = report.title;
  for (const ObservedKernel& kernel : report.kernels)
    text += (text.empty() ? "" : "\n") + kernel_text(report, kernel, lines);
  return text;
}

std::string microscope_json(const MicroscopeReport& report) {
  Json json;
  json["gpu"] = {{"name", report.gpu->name}, {"capability", report.gpu->capability / 10.0}};
  json["compiler"] = report.compiler;
  json["certainty"] = certainty_json(report);
  json["kernels"] = Json::array();
  for (const ObservedKernel& kernel : report.kernels)
    json["kernels"].push_back(kernel_json(report, kernel));
  return dump(json);
}

}  // namespace threadscape::app
