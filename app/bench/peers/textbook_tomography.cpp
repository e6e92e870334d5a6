// Loops of a textbook for tomography: Siddon's algorithm with its lists of intersections in arrays, as source document
// 001 has it, and backprojection voxel by voxel.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "app/bench/peers/textbook_loops.h"
#include "compute/algorithms/tomography/beer_lambert/beer_lambert.h"
#include "compute/algorithms/tomography/phantom/phantom.h"
#include "compute/algorithms/tomography/projection/projection.h"
#include "compute/algorithms/tomography/reconstruction/reconstruction.h"
#include "compute/algorithms/tomography/reconstruction/reconstruction_math.h"

namespace threadscape::app::textbook {
namespace {

using threadscape::projection::Geometry;
using threadscape::projection::Point;

// ---- Phantom, and the law of Lambert and Beer

void phantom(HostIn, HostOut out, int, const ParamBox& params) {
  const volumes::PhantomPlan plan = params.as<PhantomVolume::Params>().plan();
  auto* voxel = reinterpret_cast<float*>(out.data);
  const volumes::VolumeGrid& grid = plan.grid;
  for (int y = 0; y < grid.ny; ++y)
    for (int z = 0; z < grid.nz; ++z)
      for (int x = 0; x < grid.nx; ++x) {
        const Point p = grid.centre_of(x, y, z);
        const double u = 2 * p.x / grid.side_x(), v = 2 * p.y / grid.side_y(), w = 2 * p.z / grid.side_z();
        double sum = 0.0;
        for (const volumes::TurnedEllipsoid& part : plan.head) {
          const double dx = u - part.shape.x, dy = v - part.shape.y, dz = w - part.shape.z;
          const double along = (dx * part.cosine + dy * part.sine) / part.shape.a;
          const double across = (dy * part.cosine - dx * part.sine) / part.shape.b, up = dz / part.shape.c;
          if (along * along + across * across + up * up <= 1.0) sum += part.shape.value;
        }
        *voxel++ = static_cast<float>(sum);
      }
}
bool phantom_supports(const ParamBox& params, const Shape&) {
  return params.as<PhantomVolume::Params>().phantom == volumes::Phantom::shepp_logan;
}

void beer_lambert(HostIn in, HostOut out, int, const ParamBox& params) {
  const auto& p = params.as<BeerLambert::Params>();
  const auto* integral = reinterpret_cast<const float*>(in.data);
  auto* intensity = reinterpret_cast<float*>(out.data);
  const double initial = p.initial, attenuation = p.attenuation;
  for (std::int64_t i = 0; i < in.shape.items(); ++i)
    intensity[i] = static_cast<float>(initial * std::exp(-attenuation * static_cast<double>(integral[i])));
}
bool beer_lambert_supports(const ParamBox& params, const Shape&) {
  const auto& p = params.as<BeerLambert::Params>();
  return p.output == threadscape::beer_lambert::Output::intensity && p.photons == 0 && p.spectrum.empty();
}

// ---- Siddon's algorithm

/// A coordinate of a ray, and the planes between voxels along its axis.
struct RayAxis {
  double from, to, first_plane, voxel;
  int count;
};

/// Appends to `list` the shares of the way at which a ray crosses the planes of an axis, in ascending order, those
/// between `in` and `out` only.
void add_crossings(const RayAxis& axis, double in, double out, std::vector<double>& list) {
  const double way = axis.to - axis.from;
  if (way == 0.0) return;
  for (int k = 0; k <= axis.count; ++k) {
    const int plane = way > 0.0 ? k : axis.count - k;
    const double share = (axis.first_plane + plane * axis.voxel - axis.from) / way;
    if (share > in && share < out) list.push_back(share);
  }
}

class SiddonRay {
 public:
  /// The sum of the lengths in voxels times their values.
  double integral(const Geometry& scan, const float* voxels, const Point& a, const Point& b) {
    const volumes::VolumeGrid& grid = scan.grid;
    const RayAxis axes[3] = {{a.x, b.x, -grid.side_x() / 2, grid.voxel_x, grid.nx},
                             {a.y, b.y, -grid.side_y() / 2, grid.voxel_y, grid.ny},
                             {a.z, b.z, -grid.side_z() / 2, grid.voxel_z, grid.nz}};
    double in = 0.0, out = 1.0;
    for (const RayAxis& axis : axes) {
      const double low = axis.first_plane, high = axis.first_plane + axis.count * axis.voxel, way = axis.to - axis.from;
      if (way == 0.0) {
        if (axis.from < low || axis.from >= high) return 0.0;
        continue;
      }
      in = std::max(in, std::min((low - axis.from) / way, (high - axis.from) / way));
      out = std::min(out, std::max((low - axis.from) / way, (high - axis.from) / way));
    }
    if (in >= out) return 0.0;
    merged_.assign(1, in);
    for (const RayAxis& axis : axes) {
      const auto before = static_cast<std::ptrdiff_t>(merged_.size());
      add_crossings(axis, in, out, merged_);
      std::inplace_merge(merged_.begin(), merged_.begin() + before, merged_.end());
    }
    merged_.push_back(out);
    double sum = 0.0;
    for (std::size_t i = 1; i < merged_.size(); ++i) {
      const double middle = 0.5 * (merged_[i - 1] + merged_[i]);
      int index[3];
      for (int k = 0; k < 3; ++k) {
        const RayAxis& axis = axes[k];
        const double at = (axis.from + middle * (axis.to - axis.from) - axis.first_plane) / axis.voxel;
        index[k] = std::clamp(static_cast<int>(at), 0, axis.count - 1);
      }
      sum += (merged_[i] - merged_[i - 1]) * static_cast<double>(voxels[grid.index(index[0], index[1], index[2])]);
    }
    return sum * std::hypot(b.x - a.x, b.y - a.y, b.z - a.z);
  }

 private:
  std::vector<double> merged_;
};

void projection(HostIn in, HostOut out, int, const ParamBox& params) {
  const Geometry scan = params.as<Projection::Params>().scanner(in.shape);
  const auto* voxels = reinterpret_cast<const float*>(in.data);
  auto* pixel = reinterpret_cast<float*>(out.data);
  SiddonRay ray;
  for (int view = 0; view < scan.views; ++view) {
    const threadscape::projection::ViewAngle angle = scan.position(view);
    for (int row = 0; row < scan.rows; ++row)
      for (int column = 0; column < scan.columns; ++column)
        *pixel++ = static_cast<float>(
            ray.integral(scan, voxels, scan.start(angle, row, column), scan.pixel_centre(angle, row, column)));
  }
}
bool projection_supports(const ParamBox& params, const Shape&) {
  const auto& p = params.as<Projection::Params>();
  return p.method != threadscape::projection::Method::joseph && p.output == threadscape::projection::Output::integral;
}

// ---- Filtered backprojection

void reconstruction(HostIn in, HostOut out, int, const ParamBox& params) {
  using namespace threadscape::reconstruction;  // NOLINT: the weights of views and rays
  const auto& p = params.as<Reconstruction::Params>();
  const Geometry scan = p.scanner(in.shape);
  const Coverage coverage = Coverage::of(scan);
  const volumes::VolumeGrid& grid = scan.grid;
  const auto columns = static_cast<std::size_t>(scan.columns), rows = static_cast<std::size_t>(scan.rows);
  std::vector<double> taps(columns), line(columns), filtered(columns * rows);
  for (std::size_t n = 0; n < columns; ++n)
    taps[n] = filter_tap(p.filter, static_cast<int>(n));
  const auto pixel = [&](int column, int row) {
    if (column < 0 || column >= scan.columns || row < 0 || row >= scan.rows) return 0.0;
    return filtered[static_cast<std::size_t>(row) * columns + static_cast<std::size_t>(column)];
  };
  std::vector<double> volume(static_cast<std::size_t>(grid.shape().items()), 0.0);
  const auto* value = reinterpret_cast<const float*>(in.data);
  for (int view = 0; view < scan.views; ++view) {
    const ViewAngle angle = scan.view(view);
    for (int row = 0; row < scan.rows; ++row) {
      for (int column = 0; column < scan.columns; ++column)
        line[static_cast<std::size_t>(column)] = static_cast<double>(*value++) * ray_cosine<double>(scan, row, column) *
                                                 column_weight(scan, coverage, view, angle.place, column);
      for (std::size_t column = 0; column < columns; ++column) {
        double sum = 0.0;
        for (std::size_t c = 0; c < columns; ++c)
          sum += taps[column > c ? column - c : c - column] * line[c];
        filtered[static_cast<std::size_t>(row) * columns + column] = sum;
      }
    }
    for (int y = 0; y < grid.ny; ++y)
      for (int z = 0; z < grid.nz; ++z)
        for (int x = 0; x < grid.nx; ++x) {
          const Point at = grid.centre_of(x, y, z);
          const double along = at.x * angle.cosine - at.y * angle.sine;
          const double distance = scan.source_distance - (at.x * angle.sine + at.y * angle.cosine);
          const double scale = scan.parallel ? 1.0 : (scan.source_distance + scan.detector_distance) / distance;
          const double nearer = scan.parallel ? 1.0 : scan.source_distance / distance;
          const double u = (along * scale - scan.first_u) / scan.pixel,
                       v = (at.z * scale - scan.first_v) / scan.pixel_v;
          const double c = std::floor(u), r = std::floor(v);
          const int column = static_cast<int>(c), row = static_cast<int>(r);
          const double below = (1 - (u - c)) * pixel(column, row) + (u - c) * pixel(column + 1, row);
          const double above = (1 - (u - c)) * pixel(column, row + 1) + (u - c) * pixel(column + 1, row + 1);
          volume[static_cast<std::size_t>(grid.index(x, y, z))] +=
              nearer * nearer * angle.share * ((1 - (v - r)) * below + (v - r) * above);
        }
  }
  std::ranges::transform(volume, reinterpret_cast<float*>(out.data), [](double v) { return static_cast<float>(v); });
}
bool reconstruction_supports(const ParamBox& params, const Shape&) {
  const auto& p = params.as<Reconstruction::Params>();
  return p.method == Reconstruction::Method::fdk && p.offset_u == 0.0f;
}

}  // namespace

std::span<const Peer> tomography_peers() {
  static const std::array all{
      Peer{"phantom", "textbook", phantom, phantom_supports, Backend::serial},
      Peer{"beer_lambert", "textbook", beer_lambert, beer_lambert_supports, Backend::serial},
      Peer{"projection", "textbook", projection, projection_supports, Backend::serial},
      Peer{"reconstruction", "textbook", reconstruction, reconstruction_supports, Backend::serial}};
  return all;
}

}  // namespace threadscape::app::textbook
