#pragma once
// The model of a transfer: a latency that does not depend on the size, and a time per byte.

#include <optional>
#include <string>
#include <vector>

namespace threadscape::app {

struct TransferPoint {
  double bytes = 0.0, milliseconds = 0.0;
};

struct TransferModel {
  double latency_ms = 0.0;
  double gigabytes_per_second = 0.0;  ///< 1e9 bytes per second behind the latency.
  double max_error = 0.0;             ///< The largest distance of a point from the model, relative to its time.
  [[nodiscard]] double milliseconds(double bytes) const { return latency_ms + bytes / (gigabytes_per_second * 1e6); }
  /// The size in bytes at which half of the time is latency, which gives half of the bandwidth.
  [[nodiscard]] double half_size() const { return latency_ms * gigabytes_per_second * 1e6; }
};

/// Fits the model by weighted least squares, where all times have the same relative error. A latency that comes out
/// negative is set to 0, and the bandwidth fitted alone. Returns nothing for fewer than three different sizes, or if
/// times do not grow with the size.
[[nodiscard]] std::optional<TransferModel> fit_transfer(const std::vector<TransferPoint>& points);

/// The model in words: "9.80 us + 54.3 GB/s".
[[nodiscard]] std::string to_text(const TransferModel& model);

}  // namespace threadscape::app
