// Slope and normals, the readable reference: one point after another.

#include "compute/algorithms/terrain/slope/slope.h"
#include "compute/core/rows.h"

namespace threadscape {

void Slope::serial(const Params& params, const HostRun& run) {
  terrain::with_heights(run.in.shape, [&]<class Height>(Height) {
    const auto in = run.in.image<Height>();
    const auto draw = [&]<class Pixel>(Pixel) {
      const auto out = run.out.image<Pixel>();
      for_rows(run, in.height, [&](int y) {
        for (int x = 0; x < in.width; ++x)
          out(x, y) = slope::pixel_of<Pixel>(slope::rise_at(in, x, y, params.scale));
      });
    };
    params.map == slope::Map::slope ? draw(std::uint8_t{}) : draw(Rgba8{});
  });
}

}  // namespace threadscape
