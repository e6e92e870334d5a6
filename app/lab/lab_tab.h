#pragma once
// The page "Lab" of the window: sweeps over sizes, threads, parameters, variants and backends, with plots that grow
// while the points are measured, and reports from files in the same plots.

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/lab/lab_compare.h"
#include "app/lab/lab_counts.h"
#include "app/lab/lab_plan.h"
#include "app/lab/lab_session.h"
#include "app/lab/latency_file.h"
#include "app/lab/plot_histogram.h"
#include "app/lab/suite_plots.h"
#include "app/measure/plot/chart_plot.h"
#include "app/measure/plot_data.h"
#include "app/panels/panel.h"

namespace threadscape::app {

enum class LabPlot : std::uint8_t {
  time,
  speed_up,
  efficiency,
  weak,
  stages,
  roofline,
  histogram,
  winners,
  compare,
  suite
};
inline constexpr std::array<std::string_view, 10> lab_plot_names{
    "time", "speed-up", "efficiency", "weak", "stages", "roofline", "histogram", "winners", "compare", "suite"};
/// The names for people of these plots, on buttons.
inline constexpr std::array<std::string_view, 10> lab_plot_titles{
    "Time",     "Speed-up",  "Efficiency", "Weak scaling", "Stages",
    "Roofline", "Histogram", "Fastest",    "Comparison",   "Suite"};

/// The plot with this name. Throws UsageError with the list of names if there is none.
[[nodiscard]] LabPlot find_lab_plot(std::string_view name);

/// Facts of the machine that the sentences below the plots state.
struct LabMachine {
  int physical_cores = 1;
};

/// The facts of this machine.
[[nodiscard]] LabMachine lab_machine();

class LabTab final : public Panel {
 public:
  /// `wake` is called on the measuring thread whenever there is something new to draw.
  LabTab(std::function<void()> wake, LabMachine machine);

  static constexpr PanelType type{"lab", "Lab###lab", PanelPlace::page, false, nullptr};
  void draw(Desk& desk) override;
  void update(Desk& desk) override;
  void file_menu(Desk& desk) override;
  void help_menu(Desk& desk) override;
  [[nodiscard]] bool animating() const override { return counts_.running(); }

  /// Adds a report to the plots, chooses a suite to be measured, or shows the histogram of latencies that `render
  /// --timings` has written. Throws what load_report(), load_suite() and latency_file() throw.
  void open(const std::filesystem::path& path);
  void show(LabPlot plot);
  /// The number of plots that the opened suites state, and which of them the plot `suite` shows.
  [[nodiscard]] std::size_t suite_plots() const { return suite_plots_.titles().size(); }
  void show_suite_plot(std::size_t place) {
    suite_plot_ = place;
    show(LabPlot::suite);
  }
  /// Writes what is open for readers in the background, as HTML or PDF: input, view, times and all that the lab has
  /// measured. Throws Error if that cannot begin.
  void write_report(Desk& desk, const std::filesystem::path& path);
  /// What is said below the plot about lines of kernels, each of which a click shows in the scene Kernel.
  [[nodiscard]] const CountedLines& cited() const { return cited_; }
  /// What the next sweep measures.
  [[nodiscard]] LabChoice& choice() {
    usual_for_ = "chosen";
    return choice_;
  }
  /// Starts the sweep that is chosen. What cannot be planned is logged and shown.
  void run(Workspace& workspace);
  void stop() { session_.stop(); }
  /// Waits until the sweep is over, for programs that draw one picture.
  void wait() { session_.wait(); }
  [[nodiscard]] LabProgress progress() const { return session_.progress(); }
  /// What stands in the place of an empty plot while a sweep runs; "" at other times.
  [[nodiscard]] std::string waiting_sentence() const;
  [[nodiscard]] const LabReports& reports() const { return reports_; }
  /// The plot that is shown, unless that is the matrix of winners or the comparison.
  [[nodiscard]] const Chart& plot() const { return plot_; }
  [[nodiscard]] const LabComparison& comparison() const { return comparison_; }
  /// What is said below the plot about one of its rows; empty if the plot draws none.
  [[nodiscard]] const std::vector<std::string>& sentences() const { return sentences_; }
  /// The loaded input that the next sweep measures; null if it measures synthetic ones: because the user wants that,
  /// because no file is loaded, or because a suite states its inputs itself.
  [[nodiscard]] std::shared_ptr<const Source> next_input(const Workspace& workspace) const;

 private:
  /// The input that was read from a file; null if there is none. Inputs that algorithms make themselves have no path.
  [[nodiscard]] static std::shared_ptr<const Source> loaded_input(const Workspace& workspace);
  void draw_choices(Workspace& workspace);
  void draw_backends(Workspace& workspace);
  void draw_methods();
  void draw_plot_list();
  void draw_values(Workspace& workspace);
  void draw_run(Workspace& workspace);
  void draw_plots(bool selector);
  /// Draws the boxes that change how the shown plot is drawn; `behind` places them behind the selector of plots.
  void draw_plot_options(bool behind);
  void draw_files(Desk& desk);
  void ask_report(Desk& desk);
  void draw_sentences(float height);
  /// Draws a sentence that a click follows.
  void draw_cited(const CitedLine& cited, const std::string& text);
  /// What stands above the sentences on lines.
  [[nodiscard]] std::string cited_title() const;
  /// Takes or begins the counts of the row that is explained, or of the sketch that is displayed.
  void follow_counts(const LiveView& live);
  /// The sentences of the plot, without one that is drawn in its middle.
  [[nodiscard]] std::vector<std::string> notes_below() const;
  /// Draws the list of what the shown plot can show: columns of reports, what was timed, or the plots of suites.
  void draw_content_list(bool behind);
  [[nodiscard]] Chart make_plot() const;
  /// What is shown as a table for other programs.
  [[nodiscard]] std::string csv() const;
  void rebuild();
  /// The row that is explained: the one under the mouse, or else the last one that the plot draws; null if it draws
  /// none.
  [[nodiscard]] const Measurement* explained(const ChartFocus& focus) const;
  /// Sentences about the row under the mouse, or else about the last one that the plot draws.
  [[nodiscard]] std::vector<std::string> explanations(const ChartFocus& focus) const;
  /// "threadscape-lab-speed-up-20261123-101500.csv", in the current folder as the pictures of F12.
  [[nodiscard]] std::filesystem::path export_name(const std::string& extension) const;
  /// Writes a text to a file beside those of F12, named after the plot, and logs it.
  void write(Workspace& workspace, const std::string& extension, const std::string& text) const;

  LabSession session_;
  LabMachine machine_;
  LabChoice choice_;                                      ///< What the next sweep measures.
  LabChoice measured_;                                    ///< What the last sweep has measured.
  std::string usual_for_;                                 ///< What the present values are the usual ones for.
  std::vector<std::filesystem::path> installed_reports_;  ///< The reports that the menu Help lists.
  bool synthetic_ = false;                                ///< If true, inputs are synthetic although one is loaded.
  StageView stage_view_;
  std::string figure_;  ///< The column of reports that the plot `time` shows; "" for the times with their intervals.
  /// The scale of an axis, if the user has chosen another one than the plot begins with.
  std::optional<bool> log_x_, log_y_;
  const FrameCosts* costs_ = nullptr;  ///< The measured costs of the window's frames; null outside of a window.
  /// The part of frames that the histogram shows; unset for the runs that were measured last.
  std::optional<FramePart> frames_;
  std::vector<LatencyFile> latencies_;             ///< The opened figures of frames, which the histogram can show.
  std::optional<std::size_t> shown_latency_ = {};  ///< Which of them it shows; unset if it shows runs or frames.
  LabPlot shown_ = LabPlot::time;
  LabReports reports_;
  Chart plot_;
  WinMatrix matrix_;
  LabComparison comparison_;
  SuitePlots suite_plots_;
  std::size_t suite_plot_ = 0;          ///< The plot of suite_plots_ that is shown.
  std::string usual_text_;              ///< What stands below the plot while no point is under the mouse.
  ChartFocus focus_;                    ///< What the user looks at in plot_.
  std::vector<std::string> sentences_;  ///< What the figures of one row of the plot mean.
  LabCounts counts_;
  CountedLines cited_;
  std::optional<KernelLine> clicked_;  ///< The line that the user has asked for.
  FittedAxes fitted_;
  std::string trouble_;  ///< Why the last sweep has not begun; "" if it has.
  ImVec2 plot_corner_{0, 0}, plot_size_{0, 0};
};

}  // namespace threadscape::app
