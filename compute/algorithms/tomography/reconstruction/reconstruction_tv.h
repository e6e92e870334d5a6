#pragma once
// Total variation between the iterations of SIRT. A volume of few edges has a small sum of the lengths of its
// gradients; views that are too few to determine a volume determine one of few edges. After an iteration x becomes the
// minimum u of |u - x|^2 / 2 + weight * TV(u), which steps of the projected gradient of the dual problem approach
// (Chambolle: J. Math. Imaging Vis. 20, 2004; Beck, Teboulle: IEEE Trans. Image Process. 18(11), 2009):
//
//   u = x + div q           q: a vector per voxel, no longer than `weight`
//   q = shorten(q + grad u / 12)
//
// The gradient is that of neighbouring voxels, forwards, and 0 at the last voxel of an axis. The vectors of an
// iteration are the first ones of the next. A step moves two results apart by no more than their inputs are, so that
// backends stay as near to each other as SIRT leaves them.

#include "compute/algorithms/tomography/volume_grid.h"
#include "compute/kernel/std.h"

namespace threadscape::reconstruction {

inline constexpr int tv_steps = 10;  ///< Steps after each iteration.

/// Adds a twelfth of a gradient to a vector, and shortens it to the length `weight`.
template <class T>
TS_HD inline void add_gradient(T& qx, T& qy, T& qz, T gx, T gy, T gz, T weight) {
  constexpr T step = T{1} / T{12};
  qx += step * gx;
  qy += step * gy;
  qz += step * gz;
  const T square = qx * qx + qy * qy + qz * qz;
  if (square > weight * weight) {
    const T shorter = weight / std::sqrt(square);
    qx *= shorter;
    qy *= shorter;
    qz *= shorter;
  }
}

/// The vectors and the divergence of a volume in host memory, in the order of the grid.
template <class T>
struct TotalVariation {
  const volumes::VolumeGrid& grid;
  T weight;
  T *qx, *qy, *qz;
  T* divergence;

  /// Takes the memory from the scratch of a run and sets it to 0.
  template <class Scratch>
  TotalVariation(const volumes::VolumeGrid& grid_, double weight_, Scratch& scratch)
      : grid(grid_), weight(static_cast<T>(weight_)) {
    const auto count = static_cast<std::size_t>(grid.shape().items());
    for (T** array : {&qx, &qy, &qz, &divergence}) {
      const auto memory = scratch.template take<T>(count);
      for (T& value : memory)
        value = T{0};
      *array = memory.data();
    }
  }
  static constexpr int arrays = 4;  ///< Arrays of the size of the volume.

  /// Replaces x by the minimum, but for what lies below `min_value`. `for_layers(f)` calls f(y) for every layer of the
  /// volume, in any order.
  template <class ForLayers>
  void operator()(T* x, T min_value, const ForLayers& for_layers) const {
    for (int step = 0; step < tv_steps; ++step) {
      for_layers([&](int y) { diverge(y); });
      for_layers([&](int y) { ascend(x, y); });
    }
    for_layers([&](int y) { diverge(y); });
    for_layers([&](int y) {
      const std::ptrdiff_t from = grid.index(0, y, 0), to = grid.index(0, y + 1, 0);
      for (std::ptrdiff_t i = from; i < to; ++i) {
        const T value = x[i] + divergence[i];
        x[i] = value > min_value ? value : min_value;
      }
    });
  }

 private:
  void diverge(int y) const {
    const std::ptrdiff_t row = grid.nx, layer = grid.index(0, 1, 0);
    for (int z = 0; z < grid.nz; ++z)
      for (int x = 0; x < grid.nx; ++x) {
        const std::ptrdiff_t i = grid.index(x, y, z);
        const T before_x = x > 0 ? qx[i - 1] : T{0}, before_y = y > 0 ? qy[i - layer] : T{0},
                before_z = z > 0 ? qz[i - row] : T{0};
        divergence[i] = (qx[i] - before_x) + (qy[i] - before_y) + (qz[i] - before_z);
      }
  }
  void ascend(const T* volume, int y) const {
    const std::ptrdiff_t row = grid.nx, layer = grid.index(0, 1, 0);
    const auto at = [&](std::ptrdiff_t i) { return volume[i] + divergence[i]; };
    for (int z = 0; z < grid.nz; ++z)
      for (int x = 0; x < grid.nx; ++x) {
        const std::ptrdiff_t i = grid.index(x, y, z);
        const T here = at(i);
        add_gradient(qx[i], qy[i], qz[i], x + 1 < grid.nx ? at(i + 1) - here : T{0},
                     y + 1 < grid.ny ? at(i + layer) - here : T{0}, z + 1 < grid.nz ? at(i + row) - here : T{0},
                     weight);
      }
  }
};

}  // namespace threadscape::reconstruction
