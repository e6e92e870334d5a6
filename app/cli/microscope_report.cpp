#include "app/cli/microscope_report.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <sstream>
#include <vector>

#include "app/report/environment.h"
#include "app/report/text.h"
#include "compute/core/errors.h"
#include "compute/io/input_file.h"

namespace threadscape::app {

namespace {

using warp::Certainty;
using warp::Counts;

std::string extent_text(const warp::Extent& extent) {
  return std::to_string(extent.x) + "x" + std::to_string(extent.y) + "x" + std::to_string(extent.z);
}

/// A file as the user named it: compilers make names absolute.
std::string shown_file(const MicroscopeReport& report, int file) {
  const auto& files = report.module->files;
  const std::string name =
      file > 0 && file < static_cast<int>(files.size()) ? files[static_cast<std::size_t>(file)] : std::string();
  std::error_code error;
  const std::filesystem::path absolute = std::filesystem::absolute(report.file, error);
  return name == absolute.lexically_normal() || name == absolute ? report.file.string() : name;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    lines.push_back(std::move(line));
  return lines;
}

/// The texts of source lines, read from their files when they are asked for.
class SourceLines {
 public:
  explicit SourceLines(const MicroscopeReport& report) { files_[report.file.string()] = lines_of(report.source); }
  std::string text(const std::string& file, int line) {
    auto found = files_.find(file);
    if (found == files_.end()) found = files_.emplace(file, read(file)).first;
    if (line < 1 || line > static_cast<int>(found->second.size())) return "";
    const std::string& text = found->second[static_cast<std::size_t>(line - 1)];
    const std::size_t begin = text.find_first_not_of(" \t");
    constexpr std::size_t most = 100;
    return begin == std::string::npos ? "" : text.substr(begin, most);
  }

 private:
  static std::vector<std::string> read(const std::string& file) {
    try {
      const std::vector<std::byte> bytes = io::load_bytes(file, io::Limit::json_bytes);
      return lines_of(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
    } catch (const Error&) {
      return {};  // The counts of the line are shown without its text.
    }
  }
  std::map<std::string, std::vector<std::string>> files_;
};

double rounded(double value) {
  constexpr double hundredths = 100.0;
  return std::round(value * hundredths) / hundredths;
}

Json counts_json(const Counts& counts) {
  Json json;
  for (const warp::Figure& figure : warp::figures()) {
    json[std::string(figure.name)] = counts.*figure.count;
    if (figure.count == &Counts::warp_instructions) json["active_lanes"] = rounded(counts.active_lanes());
  }
  for (const char* rate : {"l1_hit_rate", "l2_hit_rate", "occupancy"})
    json[rate] = nullptr;
  return json;
}

Certainty certainty_of_occupancy(const warp::Study& study) {
  return study.occupancy.registers_known ? Certainty::modelled : Certainty::unknown;
}

std::string occupancy_text(const warp::Study& study) {
  constexpr std::array<std::string_view, 4> limits{"warps", "blocks", "registers", "shared memory"};
  const warp::Occupancy& occupancy = study.occupancy;
  if (occupancy.blocks == 0) return "0 %: the block does not fit on this GPU";
  return (occupancy.registers_known ? "" : "at most ") + format_number(100.0 * occupancy.fraction, 4) + " %, " +
         std::to_string(occupancy.blocks) + " blocks, bounded by " +
         std::string(limits[static_cast<std::size_t>(occupancy.limit)]);
}

std::string lines_table(const MicroscopeReport& report) {
  struct Column {
    const char* title;
    std::uint64_t Counts::*count;
  };
  constexpr std::array columns{Column{"instructions", &Counts::warp_instructions},
                               Column{"load sectors", &Counts::global_load_sectors},
                               Column{"store sectors", &Counts::global_store_sectors},
                               Column{"shared wavefronts", nullptr},
                               Column{"conflicts", nullptr},
                               Column{"divergent", &Counts::divergent_branches},
                               Column{"atomics", &Counts::atomics}};
  SourceLines sources(report);
  std::vector<std::vector<std::string>> table{{"line"}};
  for (const Column& column : columns)
    table.front().emplace_back(column.title);
  table.front().emplace_back("lanes");
  for (const warp::LineCounts& line : report.study.launch.lines) {
    const std::string file = shown_file(report, line.file);
    const bool other = file != report.file.string();
    const std::string name = other ? std::filesystem::path(file).filename().string() + ":" : std::string();
    std::vector<std::string>& row = table.emplace_back();
    row.push_back(name + std::to_string(line.line));
    for (const Column& column : columns) {
      const Counts& counts = line.counts;
      std::uint64_t value = column.count != nullptr ? counts.*column.count : 0;
      if (column.title == std::string_view("shared wavefronts"))
        value = counts.shared_load_wavefronts + counts.shared_store_wavefronts;
      if (column.title == std::string_view("conflicts"))
        value = counts.shared_load_conflicts + counts.shared_store_conflicts;
      row.push_back(std::to_string(value));
    }
    row.push_back(format_number(line.counts.active_lanes(), 4));
    row.push_back(sources.text(file, line.line));
  }
  // The text of a line is behind the last column that has a title, so that it begins at the left.
  return format_table(table, 1);
}

}  // namespace

std::string microscope_text(const MicroscopeReport& report, bool lines) {
  const warp::Study& study = report.study;
  const warp::LaunchResult& launch = study.launch;
  std::string text = report.kernel + ": grid " + extent_text(report.grid) + ", block " + extent_text(report.block) +
                     ", as on a " + std::string(report.gpu->name) + " (" + std::to_string(report.gpu->capability / 10) +
                     "." + std::to_string(report.gpu->capability % 10) + ")" +
                     (report.compiler.empty() ? "" : ", compiled by " + report.compiler) + "\n";
  if (launch.sampled() < 1.0)
    text += "Executed were " + std::to_string(launch.executed) + " of " + std::to_string(launch.blocks) +
            " blocks: the figures are estimates for all of them (--exact executes all).\n";
  std::vector<std::vector<std::string>> table;
  const auto add = [&table](std::string_view title, std::string value, Certainty certainty) {
    table.push_back({std::string(title), std::move(value), std::string(warp::name_of(certainty))});
  };
  for (const warp::Figure& figure : warp::figures()) {
    add(figure.title, std::to_string(launch.total.*figure.count), warp::certainty_of(figure, study));
    if (figure.count == &Counts::warp_instructions)
      add("active lanes", format_number(study.active_lanes, 4), warp::certainty_of(figure, study));
  }
  add("L1 hit rate", format_number(study.l1_hit_rate, 4) + " %", Certainty::modelled);
  add("L2 hit rate", format_number(study.l2_hit_rate, 4) + " %", Certainty::modelled);
  add("occupancy", occupancy_text(study), certainty_of_occupancy(study));
  add("registers of a thread", study.registers ? std::to_string(*study.registers) : "not known",
      study.registers ? Certainty::counted : Certainty::unknown);
  text += format_table(table);
  if (lines) text += "\n" + lines_table(report);
  for (const std::string& note : launch.notes)
    text += "\nNote: " + note;
  if (!launch.notes.empty()) text += "\n";
  if (!launch.faults.empty()) text += "\nFaults\n";
  for (const warp::Fault& fault : launch.faults)
    text += "  " + fault.text + "\n";
  return text;
}

std::string microscope_json(const MicroscopeReport& report) {
  const warp::Study& study = report.study;
  const auto extent = [](const warp::Extent& of) { return Json::array({of.x, of.y, of.z}); };
  Json kernel;
  kernel["name"] = report.kernel;
  kernel["grid"] = extent(report.grid);
  kernel["block"] = extent(report.block);
  Json& counts = kernel["counts"] = counts_json(study.launch.total);
  counts["active_lanes"] = rounded(study.active_lanes);
  counts["l1_hit_rate"] = rounded(study.l1_hit_rate);
  counts["l2_hit_rate"] = rounded(study.l2_hit_rate);
  if (study.occupancy.registers_known) counts["occupancy"] = rounded(100.0 * study.occupancy.fraction);
  kernel["sampled"] = study.launch.sampled();
  kernel["lines"] = Json::array();
  for (const warp::LineCounts& line : study.launch.lines)
    kernel["lines"].push_back(
        {{"file", shown_file(report, line.file)}, {"line", line.line}, {"counts", counts_json(line.counts)}});
  kernel["faults"] = Json::array();
  for (const warp::Fault& fault : study.launch.faults) {
    const auto& locations = report.module->locations;
    const int line = fault.location < locations.size() ? locations[fault.location].line : 0;
    kernel["faults"].push_back({{"kind", warp::name_of(fault.kind)},
                                {"line", line},
                                {"block", fault.block},
                                {"thread", fault.thread},
                                {"text", fault.text}});
  }
  Json certainty;
  for (const warp::Figure& figure : warp::figures()) {
    certainty[std::string(figure.name)] = warp::name_of(warp::certainty_of(figure, study));
    if (figure.count == &Counts::warp_instructions)
      certainty["active_lanes"] = warp::name_of(warp::certainty_of(figure, study));
  }
  certainty["l1_hit_rate"] = certainty["l2_hit_rate"] = warp::name_of(Certainty::modelled);
  certainty["occupancy"] = warp::name_of(certainty_of_occupancy(study));
  Json json;
  json["gpu"] = {{"name", report.gpu->name}, {"capability", report.gpu->capability / 10.0}};
  json["compiler"] = report.compiler;
  json["certainty"] = std::move(certainty);
  json["kernels"] = Json::array({std::move(kernel)});
  return dump(json);
}

}  // namespace threadscape::app
