#include "app/analysis/transfer_model.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "app/report/text.h"

namespace threadscape::app {

std::optional<TransferModel> fit_transfer(const std::vector<TransferPoint>& points) {
  std::set<double> sizes;
  for (const TransferPoint& point : points)
    sizes.insert(point.bytes);
  if (sizes.size() < 3) return {};
  // Every equation latency + slope * bytes = time is divided by its time, so that relative errors are weighted equally.
  double uu = 0.0, uv = 0.0, vv = 0.0, u1 = 0.0, v1 = 0.0;
  for (const TransferPoint& point : points) {
    const double u = 1.0 / point.milliseconds, v = point.bytes / point.milliseconds;
    uu += u * u;
    uv += u * v;
    vv += v * v;
    u1 += u;
    v1 += v;
  }
  const double determinant = uu * vv - uv * uv;
  double latency = (u1 * vv - v1 * uv) / determinant, slope = (v1 * uu - u1 * uv) / determinant;
  if (latency < 0.0) {
    latency = 0.0;
    slope = v1 / vv;
  }
  if (!(slope > 0.0)) return {};
  TransferModel model{.latency_ms = latency, .gigabytes_per_second = 1e-6 / slope};
  for (const TransferPoint& point : points)
    model.max_error = std::max(model.max_error, std::abs(model.milliseconds(point.bytes) / point.milliseconds - 1.0));
  return model;
}

std::string to_text(const TransferModel& model) {
  return format_number(model.latency_ms * 1e3, 3) + " us + " + format_number(model.gigabytes_per_second, 3) + " GB/s";
}

}  // namespace threadscape::app
