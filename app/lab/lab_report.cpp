// The report of what is open in the window.

#include <imgui.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "app/document/byte_picture.h"
#include "app/lab/lab_tab.h"
#include "app/lab/report_document.h"
#include "app/panels/timings/factor_line.h"
#include "app/report/text.h"
#include "app/session/timing_figures.h"
#include "app/ui/widgets.h"
#include "compute/core/kind_info.h"
#include "compute/core/resources.h"
#include "compute/io/file_writer.h"

namespace threadscape::app {

namespace {

/// The times of the backends in the window, of the present parameters, and the factors that the window shows.
DocumentTable times_of(const Workspace& workspace) {
  DocumentTable table{.rows = {{"backend", "runs", "median ms", "min ms", "over serial"}},
                      .caption = "Times in the window of " + std::string(workspace.algorithm().title) +
                                 " with these parameters, with transfers to the device and to the screen, without the "
                                 "first run, which warms up. Factors are ratios of the medians."};
  for (const Backend backend : backends) {
    const Summary times = workspace.timings.statistics(backend).summary();
    const double factor = factor_to_serial(workspace.timings, backend);
    if (times.count > 0)
      table.rows.push_back({std::string(name_of(backend)), std::to_string(times.count), format_number(times.median),
                            format_number(times.minimum), factor > 0.0 ? factor_text(factor) : "not measured"});
  }
  if (const std::optional<CpuFactor> factor = shown_factor(workspace)) {
    const std::optional<Speedup> parts = split_factor(workspace.timings, *factor);
    table.caption +=
        parts ? " " + factor_sentence(*factor, *parts) + "."
              : " What the factor of openmp is made of was not measured: the question below the bars in the window, or "
                "`threadscape bench " +
                    std::string(workspace.algorithm().name) + " --split`, does.";
  }
  if (const std::string of_cuda = device_sentence(workspace); !of_cuda.empty()) table.caption += " " + of_cuda + ".";
  return table;
}

/// What is open, a line each.
std::vector<std::string> facts_of(const Workspace& workspace, const Source* source) {
  const Work& work = workspace.work();
  std::vector<std::string> facts{std::string(work.algorithm->title) + " on " + std::string(name_of(work.backend)) +
                                 "."};
  for (const FieldRef& field : work.params.fields())
    facts.push_back(title_of(field) + ": " + to_text(field) +
                    (field.unit.empty() ? "" : " " + std::string(field.unit)));
  if (source != nullptr)
    facts.push_back("Input: " + (source->title().empty() ? "made by the algorithm" : source->title()) + ", " +
                    to_string(source->picture.pixels.shape()));
  return facts;
}

}  // namespace

void LabTab::write_report(Desk& desk, const std::filesystem::path& path) {
  const Workspace& workspace = desk.workspace();
  const std::shared_ptr<const Source> source = desk.live().displayed_source();
  const auto parts = std::make_shared<ReportParts>();
  parts->title = "Report: " + std::string(workspace.algorithm().title);
  parts->facts = facts_of(workspace, source.get());
  if (DocumentTable times = times_of(workspace); times.rows.size() > 1) parts->tables.push_back(std::move(times));
  for (const Report& report : reports_)
    if (!report.rows.empty()) parts->reports.push_back(report);
  if (parts->reports.empty())
    parts->reports.push_back({.name = "this session", .environment = environment_of(workspace.device())});
  if (const Work* shown = desk.live().displayed())
    parts->commands.push_back(run_command(*shown->algorithm, shown->params, shown->backend, shown->variant,
                                          source ? source->path : std::filesystem::path()));
  desk.save_with_view(path, [path, parts, source](HostArray view) {
    if (source) {
      const Shape& shape = source->picture.pixels.shape();
      if (shape.kind == Kind::image || shape.kind == Kind::heightfield)
        parts->pictures.push_back({byte_picture(source->picture.pixels.view(), longest_on_page),
                                   "The input: " + source->title() + ", " + to_string(shape)});
    }
    parts->pictures.push_back({byte_picture(view.view(), longest_on_page), "The view of the result."});
    io::save_bytes(path, document_bytes(report_document(std::move(*parts)), path));
  });
}

void LabTab::ask_report(Desk& desk) {
  desk.files().open("Write a report", FileBrowser::Purpose::save_preset,
                    [this, &desk](const std::filesystem::path& path) {
                      write_report(desk, path);
                      return FileBrowser::Progress::pending;
                    },
                    std::string(desk.workspace().algorithm().name) + "-report.html", {".html", ".pdf"});
}

void LabTab::file_menu(Desk& desk) {
  if (ImGui::MenuItem("Write report...")) ask_report(desk);
  if (ImGui::IsItemHovered())
    tooltip(
        "One HTML file or PDF: machine, input, view, times, what the lab has measured, and the commands to repeat it");
}

void LabTab::help_menu(Desk& desk) {
  const bool open_now = ImGui::BeginMenu("Reports");
  if (!open_now && ImGui::IsItemHovered()) tooltip("Measurements of other machines, which the lab draws beside yours");
  if (!open_now) return;
  if (ImGui::IsWindowAppearing()) {
    installed_reports_.clear();
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(report_folder(), error))
      if (entry.path().extension() == ".json") installed_reports_.push_back(entry.path());
    std::ranges::sort(installed_reports_);
  }
  for (const std::filesystem::path& path : installed_reports_) {
    if (!ImGui::MenuItem(path.stem().string().c_str())) continue;
    try {
      open(path);
      desk.show_panel(type.name);
    } catch (const Error& error) {
      desk.workspace().log.warning("lab: " + std::string(error.what()));
    }
  }
  if (installed_reports_.empty()) ImGui::MenuItem("none are installed", nullptr, false, false);
  ImGui::EndMenu();
}

}  // namespace threadscape::app
