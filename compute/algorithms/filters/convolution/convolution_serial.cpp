// Convolution, the readable reference: for every pixel the sum over its window. One thread, no tricks.
//
// For masks beyond 9x9 the sums that convolution_math.h defines are computed for 64 neighbouring pixels at a time:
// looking up thousands of neighbours of every pixel, each with its own test for the border, would take minutes.

#include <algorithm>

#include "compute/algorithms/filters/convolution/convolution.h"
#include "compute/engines/planes/planes.h"

namespace threadscape::convolution {
namespace {

template <class P>
void convolve(const Plan& plan, ImageView<const typename P::Pixel> in, ImageView<typename P::Pixel> out, int y0,
              int y1) {
  for (int y = y0; y < y1; ++y) {
    for (int x = 0; x < in.width; ++x) {
      auto pixel = in(x, y);  // The copy keeps alpha.
      const bool keep = plan.border == Border::valid && window_leaves(x, y, in.width, in.height, plan.radius);
      for (int plane = 0; plane < P::count && !keep; ++plane) {
        float sum = 0.0f;
        for (int ky = 0; ky < plan.size; ++ky)
          for (int kx = 0; kx < plan.size; ++kx)
            sum +=
                plan.taps[ky * plan.size + kx] *
                static_cast<float>(plane_value<P>(in, x + kx - plan.radius, y + ky - plan.radius, plane, plan.border));
        P::set(pixel, plane, finish_pixel<typename P::Value>(sum, plan.finish));
      }
      out(x, y) = pixel;
    }
  }
}

// ---- Masks beyond 9x9

constexpr int stretch = 64;  ///< Neighbouring pixels of a row whose sums are computed at a time.
constexpr int reach = stretch + 2 * max_radius;

/// The pixels that the windows of a stretch reach: its own, and `radius` pixels on either side.
template <class P>
struct Reach {
  ImageView<const typename P::Pixel> in;
  const Plan& plan;
  int y, plane;
  int column[reach];  ///< Columns of the picture; -1 stands for zeros.

  Reach(const Plan& plan_, ImageView<const typename P::Pixel> in_, int x, int y_, int plane_)
      : in(in_), plan(plan_), y(y_), plane(plane_) {
    for (int i = 0; i < reach; ++i)
      column[i] = border_index(x + i - plan.radius, in.width, plan.border);
  }
  /// Reads the row of the picture that lies under row ky of the mask.
  template <class Number>
  void read(int ky, Number* line) const {
    const int row = border_index(y + ky - plan.radius, in.height, plan.border);
    for (int i = 0; i < reach; ++i)
      line[i] = row < 0 || column[i] < 0 ? Number{0} : static_cast<Number>(P::get(in(column[i], row), plane));
  }
};

/// The sums of a stretch for Order::whole and Order::rows: row by row of the window, and tap by tap of a row.
template <class P, class Number>
void sum_windows(const Reach<P>& pixels, const Number* taps, Number* sums) {
  const int size = pixels.plan.size;
  Number line[reach];
  std::fill_n(sums, stretch, Number{0});
  for (int ky = 0; ky < size; ++ky) {
    pixels.read(ky, line);
    for (int kx = 0; kx < size; ++kx)
      for (int i = 0; i < stretch; ++i)
        sums[i] += taps[ky * size + kx] * line[i + kx];
  }
}

/// The sums of a stretch for Order::factors: first along columns, then along the row of these sums.
template <class P>
void sum_factors(const Reach<P>& pixels, float* sums) {
  const Plan& plan = pixels.plan;
  float line[reach], column_sums[reach] = {};
  for (int ky = 0; ky < plan.size; ++ky) {
    pixels.read(ky, line);
    for (int i = 0; i < reach; ++i)
      column_sums[i] += plan.column[ky] * line[i];
  }
  std::fill_n(sums, stretch, 0.0f);
  for (int kx = 0; kx < plan.size; ++kx)
    for (int i = 0; i < stretch; ++i)
      sums[i] += plan.row[kx] * column_sums[i + kx];
}

template <class P>
void convolve_large(const Plan& plan, ImageView<const typename P::Pixel> in, ImageView<typename P::Pixel> out, int y0,
                    int y1) {
  using Value = typename P::Value;
  const Order order = plan.order<Value>();
  for (int y = y0; y < y1; ++y) {
    std::copy(in.row(y), in.row(y) + in.width, out.row(y));  // keeps alpha, and the border for Border::valid
    for (int x = 0; x < in.width; x += stretch)
      for (int plane = 0; plane < P::count; ++plane) {
        const Reach<P> pixels(plan, in, x, y, plane);
        float sums[stretch];
        if (order == Order::whole) {
          int whole[stretch];
          sum_windows(pixels, plan.units, whole);
          for (int i = 0; i < stretch; ++i)
            sums[i] = static_cast<float>(whole[i]) * plan.unit;
        } else if (order == Order::rows) {
          sum_windows(pixels, plan.taps, sums);
        } else {
          sum_factors(pixels, sums);
        }
        for (int i = 0; i < std::min(stretch, in.width - x); ++i)
          if (plan.border != Border::valid || !window_leaves(x + i, y, in.width, in.height, plan.radius))
            P::set(out(x + i, y), plane, finish_pixel<Value>(sums[i], plan.finish));
      }
  }
}

}  // namespace

void convolve_rows(const Plan& plan, const HostRun& run, int y0, int y1) {
  with_planes<std::uint8_t, float>(run.in.shape, plan.channels, [&](auto planes) {
    using P = decltype(planes);
    using Pixel = typename P::Pixel;
    const auto in = run.in.image<Pixel>();
    const auto out = run.out.image<Pixel>();
    if (plan.size <= max_small_size)
      convolve<P>(plan, in, out, y0, y1);
    else
      convolve_large<P>(plan, in, out, y0, y1);
  });
}

void serial(const Plan& plan, const HostRun& run) {
  const int height = static_cast<int>(run.in.shape.height);
  for (int y = 0; y < height && !run.stop.stop_requested(); ++y) {
    convolve_rows(plan, run, y, y + 1);
    if (run.progress) run.progress->report(static_cast<double>(y + 1) / height);
  }
}

}  // namespace threadscape::convolution
