// The figures of a measurement in words.

#include <algorithm>
#include <cmath>
#include <iterator>

#include "app/measure/counter_text.h"
#include "app/measure/measurement.h"
#include "app/report/text.h"

namespace threadscape::app {

namespace {

/// "4096", "128 x 128" or "16 x 16 x 4": trailing extents of 1 are left out.
std::string extents_text(const std::array<unsigned, 3>& extents) {
  std::string text = std::to_string(extents[0]);
  if (extents[1] > 1 || extents[2] > 1) text += " x " + std::to_string(extents[1]);
  if (extents[2] > 1) text += " x " + std::to_string(extents[2]);
  return text;
}

/// "9.41 GB/s and 84.7 GFLOP/s: 2 bytes and 18 operations for each value, as the algorithm states them."
std::string rates_sentence(const Measurement& row) {
  const double seconds = row.samples.median() / 1e3;
  if (row.counts.bytes <= 0.0 || seconds <= 0.0) return {};
  std::string rates = format_number(row.gigabytes(), 3) + " GB/s";
  std::string counted = format_number(row.counts.bytes / row.what.items(), 3) + " bytes";
  if (row.counts.operations > 0.0) {
    rates += " and " + format_number(row.counts.operations / seconds / 1e9, 3) + " GFLOP/s";
    counted += " and " + format_number(row.counts.operations / row.what.items(), 3) + " operations";
  }
  return rates + ": " + counted + " for each pixel, voxel or value, as the algorithm states them.";
}

}  // namespace

std::string kernel_sentence(const cuda::KernelFacts& kernel) {
  std::string text = "Kernel " + kernel.name + ": " + std::to_string(kernel.launches) +
                     (kernel.launches == 1 ? " launch of " : " launches of ") + extents_text(kernel.grid) +
                     " blocks of " + extents_text(kernel.block) + " threads with " + std::to_string(kernel.registers) +
                     " registers each";
  if (kernel.shared_bytes > 0) text += ", " + std::to_string(kernel.shared_bytes) + " bytes of shared memory a block";
  if (kernel.local_bytes > 0) text += ", " + std::to_string(kernel.local_bytes) + " bytes of local memory a thread";
  return text + "; " + std::to_string(kernel.blocks_per_multiprocessor) +
         (kernel.blocks_per_multiprocessor == 1 ? " block fits" : " blocks fit") +
         " on a multiprocessor, an occupancy of at most " + std::to_string(std::lround(kernel.occupancy * 100.0)) +
         " %.";
}

std::vector<std::string> row_sentences(const Measurement& row) {
  std::vector<std::string> sentences;
  if (std::string rates = rates_sentence(row); !rates.empty()) sentences.push_back(std::move(rates));
  if (row.counts.cpu)
    if (std::string counted = counts_sentence(*row.counts.cpu); !counted.empty())
      sentences.push_back(std::move(counted));
  for (const cuda::KernelFacts& kernel : row.counts.kernels)
    sentences.push_back(kernel_sentence(kernel));
  std::ranges::move(counter_sentences(row.counts.gpu), std::back_inserter(sentences));
  for (std::string& doubt : doubts(row.conditions))
    sentences.push_back(std::move(doubt));
  return sentences;
}

}  // namespace threadscape::app
