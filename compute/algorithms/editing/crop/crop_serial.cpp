// Crop, the readable reference: row by row.

#include <algorithm>

#include "compute/algorithms/editing/crop/crop.h"
#include "compute/core/rows.h"
#include "compute/engines/planes/planes.h"

namespace threadscape {

void Crop::serial(const Params& params, const HostRun& run) {
  with_planes<std::uint8_t, std::uint16_t, float>(run.in.shape, [&](auto planes) {
    using Pixel = typename decltype(planes)::Pixel;
    const auto in = run.in.image<Pixel>();
    const auto out = run.out.image<Pixel>();
    for_rows(run, out.height, [&](int y) { std::copy_n(in.row(params.top + y) + params.left, out.width, out.row(y)); });
  });
}

}  // namespace threadscape
