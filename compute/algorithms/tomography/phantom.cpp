#include "compute/algorithms/tomography/phantom.h"

#include <cmath>
#include <numbers>
#include <vector>

namespace threadscape::volumes {

namespace {

constexpr Ellipsoid head[]{
    {1.0, .69, .92, .81, 0, 0, 0, 0},      {-.8, .6624, .874, .78, 0, -.0184, 0, 0},
    {-.2, .11, .31, .22, .22, 0, 0, -18},  {-.2, .16, .41, .28, -.22, 0, 0, 18},
    {.1, .21, .25, .41, 0, .35, -.15, 0},  {.1, .046, .046, .05, 0, .1, .25, 0},
    {.1, .046, .046, .05, 0, -.1, .25, 0}, {.1, .046, .023, .05, -.08, -.605, 0, 0},
    {.1, .023, .023, .02, 0, -.606, 0, 0}, {.1, .023, .046, .05, .06, -.605, 0, 0},
};

/// Whether a point, in units of half a side of the volume, lies in an ellipsoid.
class InsideTest {
 public:
  explicit InsideTest(const Ellipsoid& e)
      : e_(e), cosine_(std::cos(e.angle * std::numbers::pi / 180)), sine_(std::sin(e.angle * std::numbers::pi / 180)) {}
  [[nodiscard]] bool operator()(const Point& p) const {
    const double x = p.x - e_.x, y = p.y - e_.y, z = p.z - e_.z;
    const double u = (x * cosine_ + y * sine_) / e_.a, v = (y * cosine_ - x * sine_) / e_.b, w = z / e_.c;
    return u * u + v * v + w * w <= 1;
  }

 private:
  Ellipsoid e_;
  double cosine_, sine_;
};

/// A volume whose voxels are value(x, centre): x is the index of the voxel along x, `centre` its centre. Layers along y
/// are computed in parallel, since the user waits for the phantom.
template <class F>
HostArray filled(const VolumeGrid& grid, const F& value) {
  HostArray volume(grid.shape());
  auto* voxels = reinterpret_cast<float*>(volume.data());
#pragma omp parallel for schedule(static)
  for (int y = 0; y < grid.ny; ++y)
    for (int z = 0; z < grid.nz; ++z)
      for (int x = 0; x < grid.nx; ++x)
        voxels[grid.index(x, y, z)] = static_cast<float>(value(x, grid.centre_of(x, y, z)));
  return volume;
}

double squared(double v) {
  return v * v;
}

HostArray shepp_logan(const VolumeGrid& grid) {
  std::vector<InsideTest> inside(std::begin(head), std::end(head));
  return filled(grid, [&](int, const Point& centre) {
    const Point p{centre.x / grid.side_x() * 2, centre.y / grid.side_y() * 2, centre.z / grid.side_z() * 2};
    double sum = 0;
    for (std::size_t i = 0; i < std::size(head); ++i)
      if (inside[i](p)) sum += head[i].value;
    return sum;
  });
}

}  // namespace

std::span<const Ellipsoid> shepp_logan_ellipsoids() {
  return head;
}

HostArray make_phantom(Phantom phantom, const VolumeGrid& grid, double side) {
  switch (phantom) {
    case Phantom::cube:
      return filled(grid, [](int, const Point&) { return 1.0; });
    case Phantom::cavity:
      return filled(grid, [&](int, const Point& p) {
        return squared(p.x + side / 4) + squared(p.y + side / 4) + squared(p.z + side / 4) <= squared(side / 6) ? 0 : 1;
      });
    case Phantom::half_sphere:
      return filled(grid, [&](int x, const Point& p) {
        return x < grid.nx / 2 && squared(p.x) + squared(p.y) + squared(p.z) <= squared(side / 2) ? 1 : 0;
      });
    case Phantom::shepp_logan:
      return shepp_logan(grid);
    case Phantom::file:
      break;
  }
  throw UsageError("phantom=file needs a volume as INPUT (.mhd, .raw, .dat or a stack of pictures)");
}

}  // namespace threadscape::volumes
