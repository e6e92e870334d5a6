// The Laplacian, the readable reference: for bytes the sum of the window in integers, for floats a convolution. One
// thread, no tricks.

#include "compute/algorithms/edges/laplacian/laplacian.h"
#include "compute/core/rows.h"
#include "compute/engines/planes/lines.h"

namespace threadscape {
namespace laplacian {
namespace {

struct Four {
  static constexpr int radius = 1;
  static constexpr int weight[3][3] = {{0, 1, 0}, {1, -4, 1}, {0, 1, 0}};
};
struct Eight {
  static constexpr int radius = 1;
  static constexpr int weight[3][3] = {{1, 1, 1}, {1, -8, 1}, {1, 1, 1}};
};
struct Five {
  static constexpr int radius = 2;
  static constexpr int weight[5][5] = {
      {0, 0, 1, 0, 0}, {0, 1, 2, 1, 0}, {1, 2, -16, 2, 1}, {0, 1, 2, 1, 0}, {0, 0, 1, 0, 0}};
};

/// The results of `count` pixels; line[ky] are the values under row ky of the mask.
template <class Mask, Output output>
void sum_windows(const std::uint8_t* const* line, int count, std::uint8_t* __restrict__ results) {
  constexpr int size = 2 * Mask::radius + 1;
  for (int i = 0; i < count; ++i) {
    int sum = 0;
    for (int ky = 0; ky < size; ++ky)
      for (int kx = 0; kx < size; ++kx)
        sum += Mask::weight[ky][kx] * line[ky][i + kx];
    results[i] = edge_pixel(sum, output);
  }
}

template <class Mask, class P>
void filter_row(Output output, Border border, ImageView<const typename P::Pixel> in, ImageView<typename P::Pixel> out,
                int y) {
  constexpr int radius = Mask::radius, size = 2 * radius + 1;
  keep_row(in, out, y, border);
  const Columns columns(y, in.width, in.height, radius, border);
  for (int x = columns.first, count = 0; x < columns.end; x += count) {
    count = stretch_from(x, columns.end, in.width);
    for (int plane = 0; plane < P::count; ++plane) {
      std::uint8_t buffers[size][stretch + 2 * radius], buffer[stretch];
      const std::uint8_t* line[size];
      std::uint8_t* const results = results_of<P>(out, x, y, buffer);
      for (int ky = 0; ky < size; ++ky)
        line[ky] = line_of<P>(in, x - radius, y - radius + ky, count + 2 * radius, plane, border, buffers[ky]);
      if (output == Output::absolute)
        sum_windows<Mask, Output::absolute>(line, count, results);
      else if (output == Output::clamp)
        sum_windows<Mask, Output::clamp>(line, count, results);
      else
        sum_windows<Mask, Output::offset>(line, count, results);
      set_line<P>(out, x, y, count, plane, results);
    }
  }
}

template <class Mask>
void filter(const Laplacian::Params& params, const HostRun& run) {
  with_planes<std::uint8_t>(run.in.shape, params.channels, [&](auto planes) {
    using P = decltype(planes);
    using Pixel = typename P::Pixel;
    for_rows(run, run.in.shape.height, [&](int y) {
      filter_row<Mask, P>(params.output, params.border, run.in.image<Pixel>(), run.out.image<Pixel>(), y);
    });
  });
}

}  // namespace
}  // namespace laplacian

void Laplacian::serial(const Params& params, const HostRun& run) {
  if (run.in.shape.element != Element::u8) return convolution::serial(plan(params), run);
  switch (params.kind) {
    case Neighbours::four:
      return laplacian::filter<laplacian::Four>(params, run);
    case Neighbours::eight:
      return laplacian::filter<laplacian::Eight>(params, run);
    case Neighbours::five:
      return laplacian::filter<laplacian::Five>(params, run);
  }
}

}  // namespace threadscape
