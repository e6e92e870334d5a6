#include "app/lab/lab_tab.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>
#include <utility>

#include "app/bench/bench_plan.h"
#include "app/bench/bench_suite.h"
#include "app/bench/peer_list.h"
#include "app/lab/lab_matrix.h"
#include "app/measure/chart_text.h"
#include "app/measure/counter_text.h"
#include "app/measure/json_node.h"
#include "app/report/text.h"
#include "compute/core/cpu_info.h"
#include "compute/core/errors.h"
#include "compute/io/file_writer.h"

namespace threadscape::app {

namespace {

/// The plot that shows the result of a sweep best.
LabPlot plot_for(Vary vary) {
  switch (vary) {
    case Vary::threads:
      return LabPlot::speed_up;
    case Vary::threads_and_size:
      return LabPlot::weak;
    case Vary::variants:
    case Vary::backends:
      return LabPlot::stages;
    case Vary::suite:
      return LabPlot::suite;
    default:
      return LabPlot::time;
  }
}

/// The name, with " (2)", " (3)" and so on behind it if a report has it already.
std::string unused_name(const std::string& name, const LabReports& reports) {
  std::string unused = name;
  for (int number = 2; std::ranges::find(reports, unused, &Report::name) != reports.end(); ++number)
    unused = name + " (" + std::to_string(number) + ")";
  return unused;
}

}  // namespace

LabPlot find_lab_plot(std::string_view name) {
  const auto* const found = std::ranges::find(lab_plot_names, name);
  if (found == lab_plot_names.end())
    throw UsageError("the lab has no plot '" + std::string(name) + "': accepted are " + joined(lab_plot_names, " | "));
  return static_cast<LabPlot>(found - lab_plot_names.begin());
}

LabMachine lab_machine() {
  return {.physical_cores = cpu_info().physical_cores};
}

LabTab::LabTab(std::function<void()> wake, LabMachine machine) : session_(std::move(wake)), machine_(machine) {
  reports_.push_back({.name = "this session"});
  rebuild();
}

void LabTab::open(const std::filesystem::path& path) {
  const std::string text = load_json_text(path);
  if (is_suite(text, path.string())) {
    const std::string file = std::filesystem::absolute(path).string();
    (void)load_suite(file);  // Throws for a suite that cannot be measured.
    choose_sweep(choice(), "suite", file);
    return;
  }
  if (std::optional<LatencyFile> latency = latency_file(text, path.string())) {
    shown_latency_ = latencies_.size();
    latencies_.push_back(std::move(*latency));
    return show(LabPlot::histogram);
  }
  const std::vector<Report> reports = parse_reports(text, path.string());
  suite_plots_.open(reports);
  Report report = joined_report(reports);
  std::erase_if(report.rows, [](const Measurement& row) { return !row.skipped.empty(); });
  report.name = unused_name(path.stem().string(), reports_);
  reports_.push_back(std::move(report));
  rebuild();
}

void LabTab::show(LabPlot plot) {
  shown_ = plot;
  log_x_.reset();
  log_y_.reset();
  rebuild();
}

std::shared_ptr<const Source> LabTab::loaded_input(const Workspace& workspace) {
  auto source = workspace.source();
  return source && !source->path.empty() ? source : nullptr;
}

std::shared_ptr<const Source> LabTab::next_input(const Workspace& workspace) const {
  return synthetic_ || choice_.vary == Vary::suite ? nullptr : loaded_input(workspace);
}

void LabTab::run(Workspace& workspace) {
  trouble_.clear();
  try {
    const auto input = next_input(workspace);
    // Without the loaded mesh, the algorithm's own is measured, whatever the shape of the loaded one.
    const Shape loaded = input || has_sizes(*workspace.work().algorithm) ? workspace.input_shape() : Shape{};
    LabSweep sweep{.points = lab_points(choice_, workspace.work(), loaded), .input = input};
    if (choice_.vary == Vary::suite) {
      sweep.suite = std::make_shared<const Suite>(load_suite(choice_.suite));
      suite_plot_ = 0;
    }
    if (choice_.peers) {
      sweep.peers = peers_of(sweep.points, OpenGlPeer::left_out);
      for (const std::string& absent : absent_peers(sweep.points))
        workspace.log.info("lab: " + absent);
    }
    session_.start(std::move(sweep), workspace.log);
    reports_.front().rows.clear();
    measured_ = choice_;
    suite_plots_.measured({});
    shown_latency_.reset();
    show(plot_for(choice_.vary));
  } catch (const Error& error) {
    trouble_ = error.what();
    workspace.log.warning("lab: " + trouble_);
  }
}

void LabTab::follow_counts(const LiveView& live) {
  // Times of a sweep are not to be disturbed.
  if (session_.progress().running) return counts_.stop();
  const CountedLines* found = counts_.of_sketch(live);
  if (found == nullptr)
    if (const Measurement* const row = explained(focus_)) found = counts_.of(*row);
  const auto texts = [](const CountedLines& lines) {
    std::vector<std::string> all{lines.input};
    for (const CitedLine& line : lines.lines)
      all.push_back(line.text);
    return all;
  };
  CountedLines now = found != nullptr ? *found : CountedLines{};
  const bool changed = texts(now) != texts(cited_);
  cited_ = std::move(now);
  if (changed) sentences_ = explanations(focus_);
}

void LabTab::update(Desk& desk) {
  if (!session_.progress().running)
    if (const std::optional<WantedSweep> wanted = desk.take_wanted_sweep())
      choose_sweep(choice(), wanted->vary, wanted->values);
  follow_counts(desk.live());
  if (clicked_) desk.show_kernel_line(*std::exchange(clicked_, std::nullopt));
  costs_ = &desk.costs();
  if (session_.measured() == reports_.front().rows.size()) return;
  const std::string name = reports_.front().name;
  reports_.front() = session_.report();
  reports_.front().name = name;
  if (measured_.vary == Vary::suite) suite_plots_.measured(reports_.front());
  rebuild();
}

Chart LabTab::make_plot() const {
  switch (shown_) {
    case LabPlot::time:
      if (measured_.vary == Vary::parameter && !reports_.front().rows.empty())
        return times_by_parameter(reports_, measured_.parameter, find_figure(figure_));
      return times_by_size(reports_, find_figure(figure_));
    case LabPlot::speed_up:
    case LabPlot::efficiency:
      return speed_ups(reports_, shown_ == LabPlot::efficiency);
    case LabPlot::weak:
      return weak_scaling(reports_);
    case LabPlot::stages:
      return stages(reports_, stage_view_);
    case LabPlot::roofline: {
      Chart plot = roofline(reports_, session_.ceilings());
      if (plot.lines.empty() && plot.notes.empty())
        plot.notes = {"Press Run: the speed limits of this machine are measured first."};
      return plot;
    }
    case LabPlot::suite:
      return suite_plots_.plot(suite_plot_);
    case LabPlot::compare:
      return {.title = "Comparison", .notes = comparison_.notes()};
    default:
      break;
  }
  if (shown_latency_) {
    const LatencyFile& latency = latencies_[*shown_latency_];
    return histogram(latency.title, latency.samples);
  }
  if (frames_ && costs_ != nullptr) return frame_histogram(*costs_, *frames_);
  const Measurement* row = shown_ == LabPlot::histogram ? last_row(reports_) : nullptr;
  Chart plot = histogram("Runs", row != nullptr ? row->samples.compute : std::vector<double>{});
  if (!plot.lines.empty()) plot.lines.front().rows = {row};
  return plot;
}

void LabTab::rebuild() {
  if (shown_ == LabPlot::compare) comparison_.update(reports_);
  plot_ = make_plot();
  plot_.log_x = log_x_.value_or(plot_.log_x);
  plot_.log_y = log_y_.value_or(plot_.log_y);
  matrix_ = shown_ == LabPlot::winners ? winners(reports_) : WinMatrix{};
  focus_ = {};
  sentences_ = explanations(focus_);
}

const Measurement* LabTab::explained(const ChartFocus& focus) const {
  return focus.under != nullptr ? focus.under : explained_row(reports_, plot_, focus.hidden);
}

std::vector<std::string> LabTab::explanations(const ChartFocus& focus) const {
  const Measurement* row = explained(focus);
  if (row == nullptr) return {};
  std::vector<std::string> sentences{row_labels({row}).front() + ":"};
  if (row->where.peer.empty()) {
    WhyFacts facts = why_facts(reports_, *row, machine_.physical_cores);
    facts.counted = !cited_.lines.empty() && cited_.lines.front().place.algorithm->name == row->what.algorithm;
    std::ranges::move(why(facts), std::back_inserter(sentences));
  }
  std::ranges::move(row_sentences(*row), std::back_inserter(sentences));
  std::ranges::move(beside_sentences(row->counts.gpu, cited_.run), std::back_inserter(sentences));
  if (sentences.size() == 1) sentences.clear();
  return sentences;
}

std::string LabTab::csv() const {
  if (shown_ == LabPlot::compare) return comparison_.csv();
  return shown_ == LabPlot::winners ? matrix_csv(matrix_) : chart_csv(plot_);
}

std::filesystem::path LabTab::export_name(const std::string& extension) const {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  std::array<char, 64> stamp{};
  std::strftime(stamp.data(), stamp.size(), "%Y%m%d-%H%M%S", &local);
  return "threadscape-lab-" + std::string(lab_plot_names[static_cast<std::size_t>(shown_)]) + "-" + stamp.data() + "." +
         extension;
}

void LabTab::write(Workspace& workspace, const std::string& extension, const std::string& text) const {
  const std::filesystem::path path = export_name(extension);
  try {
    io::save_bytes(path, text);
    workspace.log.info("lab: wrote " + path.string());
  } catch (const Error& error) {
    workspace.log.error(error.what());
  }
}

}  // namespace threadscape::app
