#include "app/measure/row_sentences.h"

#include "app/measure/report_kernels.h"
#include "app/report/text.h"
#include "compute/core/timings.h"

namespace threadscape::app {

namespace {

/// "9.41 GB/s and 84.7 GFLOP/s: 2 bytes and 18 operations for each value, as the algorithm states them."
std::string rates_sentence(const ReportRow& row) {
  const double seconds = summarize(row.samples).median / 1e3;
  if (row.gb_s <= 0.0 || seconds <= 0.0) return {};
  std::string rates = format_number(row.gb_s, 3) + " GB/s";
  std::string counted = format_number(row.gb_s * 1e9 * seconds / row.items(), 3) + " bytes";
  if (row.operations > 0.0) {
    rates += " and " + format_number(row.operations / seconds / 1e9, 3) + " GFLOP/s";
    counted += " and " + format_number(row.operations / row.items(), 3) + " operations";
  }
  return rates + ": " + counted + " for each pixel, voxel or value, as the algorithm states them.";
}

}  // namespace

std::vector<std::string> row_sentences(const ReportRow& row) {
  std::vector<std::string> sentences;
  if (std::string rates = rates_sentence(row); !rates.empty()) sentences.push_back(std::move(rates));
  if (row.counts)
    if (std::string counted = counts_sentence(*row.counts); !counted.empty()) sentences.push_back(std::move(counted));
  for (const cuda::KernelFacts& kernel : row.kernels)
    sentences.push_back(kernel_sentence(kernel));
  for (std::string& doubt : doubts(row.conditions))
    sentences.push_back(std::move(doubt));
  return sentences;
}

}  // namespace threadscape::app
