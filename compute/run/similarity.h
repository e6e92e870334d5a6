#pragma once
// How much two sets of data of one shape differ: pictures, heightfields, volumes and sequences.

#include <array>
#include <cstdint>
#include <optional>

#include "compute/core/data.h"

namespace threadscape {

/// Where two sets of data differ most.
struct LargestDifference {
  double value = 0;                  ///< |a - b|; infinite where exactly one of them is not a number.
  double a = 0, b = 0;               ///< The two values there.
  std::array<std::int64_t, 3> at{};  ///< Its place along width, height and depth.
  int channel = 0;                   ///< 0 = red or grey, 1 = green, 2 = blue, 3 = alpha.
};

struct Similarity {
  std::int64_t values = 0;     ///< Number of compared values: pixels times channels.
  std::int64_t different = 0;  ///< Number of values that are not equal.
  LargestDifference largest;
  double rmse = 0;             ///< Root of the mean squared difference.
  double peak = 0;             ///< The range of values that PSNR and SSIM refer to.
  double psnr_db = 0;          ///< 20 log10(peak / rmse); infinite for equal data.
  std::optional<double> ssim;  ///< Unset where an axis is too short for the window, or where the peak is 0.
};

struct SimilarityOptions {
  /// The number of leading channels that are compared: 3 leaves out alpha. 0 = all.
  int channels = 0;
  /// The range of values. Unset: 255 and 65535 for integer pictures, 1 for pictures of floats, and for all other data
  /// the largest minus the smallest value of `a`.
  std::optional<double> peak = {};
};

/// Compares `b` with `a`. Two values that are not numbers are equal. SSIM is that of Wang, Bovik, Sheikh and Simoncelli
/// (Image quality assessment: from error visibility to structural similarity, 2004): Gaussian windows of 11 values with
/// a standard deviation of 1.5 along every axis longer than 1, K1 = 0.01, K2 = 0.03, the mean over all windows that lie
/// within the data and over the channels. Throws UsageError if the shapes differ.
[[nodiscard]] Similarity measure_similarity(HostIn a, HostIn b, const SimilarityOptions& options = {});

/// Reads the values of one channel of a row into `to`, which has room for the width of the data.
void read_row(HostIn data, std::int64_t y, std::int64_t z, int channel, double* to);

}  // namespace threadscape
