// OpenCV's filters on strips of rows. Most of them do not use OpenCV's own threads, so each of our threads calls the
// filter for one strip. A strip is a region of the whole picture: filters of one pass read the halo rows above and
// below it from the picture, and extrapolate only beyond the border of the picture. Filters of several passes get a
// strip that contains its halo, and only the middle of their result is kept.

#include "app/bench/peers/opencv_peer.h"

#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <array>

#include "compute/algorithms/edges/laplacian/laplacian.h"
#include "compute/algorithms/edges/sobel/sobel.h"
#include "compute/algorithms/filters/convolution/convolution.h"
#include "compute/algorithms/morphology/morphology/morphology.h"
#include "compute/algorithms/smoothing/gaussian/gaussian.h"
#include "compute/algorithms/smoothing/mean/mean.h"
#include "compute/algorithms/smoothing/median/median.h"

namespace threadscape::app {
namespace {

/// OpenCV's constant for a border; -1 for `wrap`, which its filters lack, and for `valid`, `shrink` and `crop`, which
/// have no counterpart.
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

/// Calls f(y0, y1) for the rows of each strip, on a thread of ours for each. OpenCV's own threads are switched off.
template <class F>
void for_strips(int rows, int threads, const F& f) {
  cv::setNumThreads(1);
  const int strips = std::max(1, std::min(threads, rows));
#pragma omp parallel for schedule(static) num_threads(strips)
  for (int strip = 0; strip < strips; ++strip)
    f(static_cast<int>(static_cast<std::int64_t>(rows) * strip / strips),
      static_cast<int>(static_cast<std::int64_t>(rows) * (strip + 1) / strips));
}

/// Calls f(strip of in, strip of out) on each thread, where a strip contains no halo.
template <class F>
void by_strips(HostIn in, HostOut out, int threads, const F& f) {
  const cv::Mat source = grey(in), result = grey(out);
  for_strips(source.rows, threads, [&](int y0, int y1) {
    cv::Mat part = result.rowRange(y0, y1);
    f(source.rowRange(y0, y1), part);
  });
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

/// |gx| + |gy| as OpenCV users write it: cv::Sobel twice into 16 bits, absolute values in 8 bits, a saturated sum.
void sobel_l1(HostIn in, HostOut out, int threads, const ParamBox& params) {
  const int border = border_of(params.as<Sobel::Params>().border);
  by_strips(in, out, threads, [&](const cv::Mat& from, cv::Mat& to) {
    thread_local cv::Mat gx, gy, x, y;  // Kept between calls, since touching fresh pages would take most of the time.
    cv::Sobel(from, gx, CV_16S, 1, 0, 3, 1, 0, border);
    cv::Sobel(from, gy, CV_16S, 0, 1, 3, 1, 0, border);
    cv::convertScaleAbs(gx, x);
    cv::convertScaleAbs(gy, y);
    cv::add(x, y, to);
  });
}
bool sobel_l1_supports(const ParamBox& params, const Shape& shape) {
  const auto& p = params.as<Sobel::Params>();
  return holds<std::uint8_t>(shape) && p.size == 3 && p.norm == Sobel::Norm::l1 &&
         p.output == gradient::Result::absolute && p.directions == gradient::Directions::two &&
         border_of(p.border) >= 0;
}

/// Calls f(strip of in with `reach` halo rows on either side, result with as many rows) on each thread.
template <class F>
void by_wide_strips(HostIn in, HostOut out, int threads, int reach, const F& f) {
  const cv::Mat source = grey(in), result = grey(out);
  for_strips(source.rows, threads, [&](int y0, int y1) {
    const int from = std::max(y0 - reach, 0), to = std::min(y1 + reach, source.rows);
    cv::Mat part = result.rowRange(y0, y1);
    if (from == y0 && to == y1) {
      f(source, part);
      return;
    }
    thread_local cv::Mat wide;
    wide.create(to - from, source.cols, source.type());
    f(cv::Mat(to - from, source.cols, source.type(), const_cast<uchar*>(source.ptr(from)), source.step), wide);
    wide.rowRange(y0 - from, y1 - from).copyTo(part);
  });
}

void blur(HostIn in, HostOut out, int threads, const ParamBox& params) {
  const auto& p = params.as<Mean::Params>();
  by_strips(in, out, threads, [&](const cv::Mat& from, cv::Mat& to) {
    cv::blur(from, to, {p.size, p.size}, {-1, -1}, border_of(p.border));
  });
}
bool blur_supports(const ParamBox& params, const Shape& shape) {
  const Border border = params.as<Mean::Params>().border;
  return holds<std::uint8_t>(shape) && border_of(border) >= 0;
}

/// OpenCV's weights have 8 bits, so results differ from ours by one or two grey levels.
void gaussian_blur(HostIn in, HostOut out, int threads, const ParamBox& params) {
  const auto& p = params.as<Gaussian::Params>();
  const int side = 2 * Gaussian::plan(p).radius + 1;
  const auto sigma = static_cast<double>(p.sigma);
  by_strips(in, out, threads, [&](const cv::Mat& from, cv::Mat& to) {
    cv::GaussianBlur(from, to, {side, side}, sigma, sigma, border_of(p.border));
  });
}
bool gaussian_blur_supports(const ParamBox& params, const Shape& shape) {
  const Border border = params.as<Gaussian::Params>().border;
  return holds<std::uint8_t>(shape) && border_of(border) >= 0;
}

void median_blur(HostIn in, HostOut out, int threads, const ParamBox& params) {
  const int size = params.as<Median::Params>().size;
  by_wide_strips(in, out, threads, size / 2, [&](const cv::Mat& from, cv::Mat& to) { cv::medianBlur(from, to, size); });
}
/// cv::medianBlur has one border and one percentile.
bool median_blur_supports(const ParamBox& params, const Shape& shape) {
  const auto& p = params.as<Median::Params>();
  return holds<std::uint8_t>(shape) && p.percentile == 50 && p.border == Border::clamp;
}

void opencv_laplacian(HostIn in, HostOut out, int threads, const ParamBox& params) {
  const int border = border_of(params.as<Laplacian::Params>().border);
  by_strips(in, out, threads, [&](const cv::Mat& from, cv::Mat& to) {
    thread_local cv::Mat sums;
    cv::Laplacian(from, sums, CV_16S, 1, 1, 0, border);
    cv::convertScaleAbs(sums, to);
  });
}
bool opencv_laplacian_supports(const ParamBox& params, const Shape& shape) {
  const auto& p = params.as<Laplacian::Params>();
  return holds<std::uint8_t>(shape) && p.kind == Laplacian::Neighbours::four && p.output == Output::absolute &&
         border_of(p.border) >= 0;
}

/// OpenCV's constant for an operation; -1 for those that it lacks.
int operation_of(Morphology::Operation operation) {
  using Operation = Morphology::Operation;
  switch (operation) {
    case Operation::erode:
      return cv::MORPH_ERODE;
    case Operation::dilate:
      return cv::MORPH_DILATE;
    case Operation::open:
      return cv::MORPH_OPEN;
    case Operation::close:
      return cv::MORPH_CLOSE;
    default:
      return -1;
  }
}
/// OpenCV's constant for the form of a structuring element; -1 for those that it lacks.
int form_of(Morphology::Form form) {
  using Form = Morphology::Form;
  return form == Form::rect      ? cv::MORPH_RECT
         : form == Form::cross   ? cv::MORPH_CROSS
         : form == Form::ellipse ? cv::MORPH_ELLIPSE
                                 : -1;
}

void morphology_ex(HostIn in, HostOut out, int threads, const ParamBox& params) {
  const auto& p = params.as<Morphology::Params>();
  const cv::Mat element = cv::getStructuringElement(form_of(p.shape), {p.width, p.height});
  by_wide_strips(in, out, threads, 2 * p.height, [&](const cv::Mat& from, cv::Mat& to) {
    cv::morphologyEx(from, to, operation_of(p.operation), element);
  });
}
bool morphology_ex_supports(const ParamBox& params, const Shape& shape) {
  const auto& p = params.as<Morphology::Params>();
  return holds<std::uint8_t>(shape) && operation_of(p.operation) >= 0 && form_of(p.shape) >= 0 && p.flat &&
         p.iterations == 1 && p.border == Border::zero && p.origin_x < 0 && p.origin_y < 0 && p.width % 2 == 1 &&
         p.height % 2 == 1;
}

}  // namespace

std::span<const Peer> opencv_peers() {
  static const std::array all{Peer{"convolution", "OpenCV filter2D", filter_2d, filter_2d_supports},
                              Peer{"sobel", "OpenCV Sobel + abs + add", sobel_l1, sobel_l1_supports},
                              Peer{"mean", "OpenCV blur", blur, blur_supports},
                              Peer{"gaussian", "OpenCV GaussianBlur", gaussian_blur, gaussian_blur_supports},
                              Peer{"median", "OpenCV medianBlur", median_blur, median_blur_supports},
                              Peer{"laplacian", "OpenCV Laplacian + abs", opencv_laplacian, opencv_laplacian_supports},
                              Peer{"morphology", "OpenCV morphologyEx", morphology_ex, morphology_ex_supports}};
  return all;
}

}  // namespace threadscape::app
