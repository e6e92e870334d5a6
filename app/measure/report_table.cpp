#include "app/measure/report_table.h"

#include <algorithm>
#include <set>

#include "app/analysis/samples.h"
#include "app/measure/columns.h"
#include "app/measure/counter_text.h"
#include "app/measure/prediction_text.h"
#include "app/measure/speedup_parts.h"
#include "app/report/text.h"

namespace threadscape::app {

namespace {

/// What happened while the samples of the report were taken, one line for each different sentence.
std::string notes_of(const std::vector<const Measurement*>& rows) {
  std::set<std::string> sentences;
  std::size_t outliers = 0, samples = 0, late = 0;
  for (const Measurement* row : rows) {
    for (const std::string& sentence : doubts(row->conditions))
      sentences.insert(sentence);
    for (const std::string& sentence : counter_sentences({.why_none = row->counts.gpu.why_none}))
      sentences.insert(sentence);
    outliers += outliers_of(row->samples.compute).high;
    samples += row->samples.compute.size();
    late += row->samples.ended == "time" ? 1 : 0;
  }
  std::string text;
  if (late > 0)
    text += std::to_string(late) + (late == 1 ? " row" : " rows") +
            " ended because the time was over, before the samples or the precision were reached.\n";
  if (outliers > 0)
    text += std::to_string(outliers) + " of " + std::to_string(samples) +
            " samples are outliers, more than 1.5 times the interquartile range above the upper quartile.\n";
  for (const std::string& sentence : sentences)
    text += sentence + "\n";
  return text;
}

/// "Stages of a run with clocks: raster 3 ms, shading 1 ms, rest 0.2 ms, in all 4.2 ms."
std::string stage_sentence(const std::vector<std::pair<std::string, double>>& stages) {
  std::string text = "Stages of a run with clocks:";
  double total = 0.0;
  for (const auto& [name, ms] : stages) {
    text += " " + name + " " + format_number(ms) + " ms,";
    total += ms;
  }
  return text + " in all " + format_number(total) + " ms.";
}

/// The stages, and the kernels on CUDA with what the GPU counted, of all rows that have some, with a heading for each;
/// "" if there are none.
std::string details_of(const std::vector<const Measurement*>& rows) {
  std::string text;
  const std::vector<std::string> labels = row_labels(rows);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Counts& counts = rows[i]->counts;
    const std::string counted = counts.cpu ? counts_sentence(*counts.cpu) : "";
    const std::vector<std::string> by_gpu = counter_sentences({counts.gpu.kernels, counts.gpu.left_out});
    if (counts.kernels.empty() && counts.stages.empty() && counted.empty() && by_gpu.empty()) continue;
    text += "\n" + labels[i] + ":\n";
    if (!counts.stages.empty()) text += "  " + stage_sentence(counts.stages) + "\n";
    if (!counted.empty()) text += "  " + counted + "\n";
    for (const cuda::KernelFacts& kernel : counts.kernels)
      text += "  " + kernel_sentence(kernel) + "\n";
    for (const std::string& sentence : by_gpu)
      text += "  " + sentence + "\n";
  }
  return text;
}

/// "12.3 GB/s on 1 thread, 20.1 GB/s on 2 threads,"
std::string bandwidths_text(const std::map<int, double>& by_threads) {
  std::string text;
  for (const auto& [threads, bytes] : by_threads)
    text += " " + format_number(bytes / 1e9) + " GB/s on " + std::to_string(threads) +
            (threads == 1 ? " thread," : " threads,");
  return text;
}

}  // namespace

ReportCells report_cells(const Report& report) {
  std::vector<const Measurement*> shown;
  for (const Measurement& row : report.rows)
    shown.push_back(&row);
  std::vector<std::vector<std::string>> rows(shown.size() + 1);
  std::size_t first_number = 0;
  for (const Column& column : columns()) {
    if (column.table.empty()) continue;
    std::vector<std::string> cells;
    for (const Measurement* row : shown)
      cells.push_back(column.planned || row->skipped.empty() ? column.text({report, *row, shown}, TextForm::table)
                                                             : "");
    if (std::ranges::all_of(cells, &std::string::empty)) continue;
    if (column.table == "threads") first_number = rows.front().size();
    rows.front().emplace_back(column.table);
    for (std::size_t i = 0; i < shown.size(); ++i)
      if (column.planned || shown[i]->skipped.empty()) rows[i + 1].push_back(std::move(cells[i]));
  }
  for (std::size_t i = 0; i < shown.size(); ++i)
    if (!shown[i]->skipped.empty()) rows[i + 1].push_back("skipped: " + shown[i]->skipped);
  return {std::move(rows), first_number};
}

std::string report_notes(const Report& report) {
  std::string text =
      "Limit, a plain copy measured in this run (read plus written):" + bandwidths_text(report.limits.host);
  if (report.limits.device > 0.0) text += " " + format_number(report.limits.device / 1e9) + " GB/s on the GPU,";
  text.back() = '.';
  if (!report.limits.host_read.empty()) {
    text += "\nReading alone:" + bandwidths_text(report.limits.host_read);
    text.back() = '.';
  }
  return text +
         "\nGB/s counts the input once and the output once, or the bytes that an algorithm states; what stays in a "
         "cache may exceed the copy.\n"
         "+/- is the half width of the 95 % interval of the median.\n" +
         prediction_text(report) + notes_of(report.measured());
}

std::string report_table(const Report& report) {
  const ReportCells cells = report_cells(report);
  return format_table(cells.rows, cells.first_number) + "\n" + report_notes(report) + speedup_text(report) +
         details_of(report.measured());
}

std::string report_csv(const Report& report) {
  const std::vector<const Measurement*> rows = report.measured();
  std::string text;
  for (const Column& column : columns())
    if (!column.csv.empty()) text += (text.empty() ? "" : ",") + std::string(column.csv);
  for (const Measurement& row : report.rows) {
    std::string separator = "\n";
    for (const Column& column : columns()) {
      if (column.csv.empty()) continue;
      text += separator +
              (column.planned || row.skipped.empty() ? csv_field(column.text({report, row, rows}, TextForm::csv)) : "");
      separator = ",";
    }
  }
  return text + "\n";
}

}  // namespace threadscape::app
