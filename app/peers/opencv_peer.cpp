// OpenCV's filter2D and Sobel on strips of rows. OpenCV's own threading does nothing for these, so each of our threads
// calls it for one strip. A strip is a region of the whole picture: OpenCV then takes the rows above and below it from
// there, and only the picture's own border is extrapolated.

#include "app/peers/opencv_peer.h"

#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <array>

#include "compute/convolution/convolution.h"
#include "compute/sobel/sobel.h"

namespace threadscape::app {
namespace {

/// OpenCV's constant for a border; -1 for those that its filters do not have (wrap) or mean otherwise (valid).
int border_of(Border border) {
  switch (border) {
    case Border::zero:
      return cv::BORDER_CONSTANT;
    case Border::clamp:
      return cv::BORDER_REPLICATE;
    case Border::mirror:
      return cv::BORDER_REFLECT_101;
    case Border::reflect:
      return cv::BORDER_REFLECT;
    default:
      return -1;
  }
}

cv::Mat grey(HostIn view) {
  return {static_cast<int>(view.shape.height), static_cast<int>(view.shape.width), CV_8UC1,
          const_cast<std::byte*>(view.data), view.pitch};
}
cv::Mat grey(HostOut view) {
  return {static_cast<int>(view.shape.height), static_cast<int>(view.shape.width), CV_8UC1, view.data, view.pitch};
}

/// Calls f(strip of in, strip of out), one strip per thread.
template <class F>
void by_strips(HostIn in, HostOut out, int threads, const F& f) {
  cv::setNumThreads(1);
  const cv::Mat source = grey(in), result = grey(out);
  const int strips = std::max(1, std::min(threads, source.rows));
#pragma omp parallel for schedule(static) num_threads(strips)
  for (int strip = 0; strip < strips; ++strip) {
    const int y0 = static_cast<int>(static_cast<std::int64_t>(source.rows) * strip / strips);
    const int y1 = static_cast<int>(static_cast<std::int64_t>(source.rows) * (strip + 1) / strips);
    cv::Mat part = result.rowRange(y0, y1);
    f(source.rowRange(y0, y1), part);
  }
}

void filter_2d(HostIn in, HostOut out, int threads, const ParamBox& params) {
  const convolution::Plan plan = Convolution::plan(params.as<Convolution::Params>());
  cv::Mat mask(plan.size, plan.size, CV_32F);
  for (int y = 0; y < plan.size; ++y)
    for (int x = 0; x < plan.size; ++x)
      mask.at<float>(y, x) = plan.taps[y * plan.size + x] / plan.finish.divisor;
  by_strips(in, out, threads, [&](const cv::Mat& from, cv::Mat& to) {
    cv::filter2D(from, to, CV_8U, mask, cv::Point(-1, -1), plan.finish.bias, border_of(plan.border));
  });
}
bool filter_2d_supports(const ParamBox& params, const Shape& shape) {
  const auto& p = params.as<Convolution::Params>();
  return holds<std::uint8_t>(shape) && !p.absolute && border_of(p.border) >= 0;
}

/// cv::Sobel twice into 16 bits, absolute values to 8 bits, saturated sum: how OpenCV users write |gx| + |gy|.
void sobel_l1(HostIn in, HostOut out, int threads, const ParamBox& params) {
  const int border = border_of(params.as<Sobel::Params>().border);
  by_strips(in, out, threads, [&](const cv::Mat& from, cv::Mat& to) {
    thread_local cv::Mat gx, gy, x, y;  // kept: fresh pages for every call would be most of its time
    cv::Sobel(from, gx, CV_16S, 1, 0, 3, 1, 0, border);
    cv::Sobel(from, gy, CV_16S, 0, 1, 3, 1, 0, border);
    cv::convertScaleAbs(gx, x);
    cv::convertScaleAbs(gy, y);
    cv::add(x, y, to);
  });
}
bool sobel_l1_supports(const ParamBox& params, const Shape& shape) {
  const auto& p = params.as<Sobel::Params>();
  return holds<std::uint8_t>(shape) && p.norm == Sobel::Norm::l1 && border_of(p.border) >= 0;
}

}  // namespace

std::span<const Peer> peers() {
  static const std::array<Peer, 2> all{Peer{"convolution", "OpenCV filter2D", filter_2d, filter_2d_supports},
                                       Peer{"sobel", "OpenCV Sobel + abs + add", sobel_l1, sobel_l1_supports}};
  return all;
}

}  // namespace threadscape::app
