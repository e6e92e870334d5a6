// Slope and normals, the readable reference: one point after another.

#include "compute/algorithms/terrain/slope/slope.h"
#include "compute/core/rows.h"

namespace threadscape {
namespace {

/// Draws the points of a row that have neighbours on all sides.
template <class Height, class Pixel>
void draw_inside(const Height* above, const Height* here, const Height* below, Pixel* out, int width, float scale) {
  for (int x = 1; x < width - 1; ++x)
    out[x] =
        slope::pixel_of<Pixel>(slope::rise_between(static_cast<float>(here[x - 1]), static_cast<float>(here[x + 1]),
                                                   static_cast<float>(above[x]), static_cast<float>(below[x]), scale));
}

}  // namespace

void Slope::serial(const Params& params, const HostRun& run) {
  terrain::with_heights(run.in.shape, [&]<class Height>(Height) {
    const auto in = run.in.image<Height>();
    const auto draw = [&]<class Pixel>(Pixel) {
      const auto out = run.out.image<Pixel>();
      for_rows(run, in.height, [&](int y) {
        const auto draw_rim = [&](int x) {
          out(x, y) = slope::pixel_of<Pixel>(slope::rise_at(in, x, y, params.scale));
        };
        if (y == 0 || y == in.height - 1) {
          for (int x = 0; x < in.width; ++x)
            draw_rim(x);
          return;
        }
        draw_rim(0);
        draw_inside(in.row(y - 1), in.row(y), in.row(y + 1), out.row(y), in.width, params.scale);
        if (in.width > 1) draw_rim(in.width - 1);
      });
    };
    params.map == slope::Map::slope ? draw(std::uint8_t{}) : draw(Rgba8{});
  });
}

}  // namespace threadscape
