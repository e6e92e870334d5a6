// Projection, the readable reference: every ray of every view goes through the whole volume, in double and on one
// thread.

#include "compute/algorithms/tomography/projection/projection.h"
#include "compute/core/rows.h"

namespace threadscape {

void Projection::serial(const Params& params, const HostRun& run) {
  const projection::Geometry scanner = params.scanner(run.in.shape);
  const auto* voxels = reinterpret_cast<const float*>(run.in.data);
  const auto voxel = [&](int x, int y, int z) { return voxels[scanner.grid.index(x, y, z)]; };
  const auto out = run.out.volume<float>();
  for (int view = 0; view < scanner.views; ++view) {
    const projection::ViewAngle angle = scanner.position(view);
    const double begun = static_cast<double>(view) / scanner.views;
    for_rows(
        run, scanner.rows,
        [&](int row) {
          for (int column = 0; column < scanner.columns; ++column) {
            const projection::Ray ray = projection::ray_of(scanner, angle, row, column);
            const projection::Box box = projection::whole(scanner.grid);
            out(column, row, view) = params.output == Output::voxels
                                         ? static_cast<float>(projection::voxels_on(box, ray))
                                         : static_cast<float>(projection::ray_value(params.method, box, ray, voxel));
          }
        },
        begun, static_cast<double>(view + 1) / scanner.views);
  }
}

}  // namespace threadscape
