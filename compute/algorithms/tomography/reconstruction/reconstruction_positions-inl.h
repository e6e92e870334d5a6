// Positions on the detector of neighbouring voxels of a row, as detector_position() has them of one voxel.
// (Google Highway, compiled once per instruction set: no #pragma once.)

#if defined(THREADSCAPE_RECONSTRUCTION_POSITIONS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef THREADSCAPE_RECONSTRUCTION_POSITIONS_INL_H_
#undef THREADSCAPE_RECONSTRUCTION_POSITIONS_INL_H_
#else
#define THREADSCAPE_RECONSTRUCTION_POSITIONS_INL_H_
#endif

#include <hwy/highway.h>

#include "compute/algorithms/tomography/reconstruction/reconstruction_math.h"

HWY_BEFORE_NAMESPACE();
namespace threadscape::reconstruction {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// The members of DetectorPosition, a lane for each voxel.
template <class D>
struct RowPositions {
  hn::Vec<D> column, first_row, row, weight;
};

/// The positions of the columns of voxels (x, y), (x + 1, y) and so on, equal to the bit to those of
/// detector_position(): each operation rounds once. D is a tag of doubles. Voxels beyond the end of a row have
/// positions that are clamped to the detector as well.
template <class D>
HWY_INLINE RowPositions<D> row_positions(D d, const Geometry& geometry, const ViewAngle& angle, int x, int y) {
  using V = hn::Vec<D>;
  const volumes::VolumeGrid& grid = geometry.grid;
  const projection::Point p = grid.centre_of(0, y, 0);
  const V px = hn::Sub(hn::Mul(hn::Add(hn::Iota(d, static_cast<double>(x)), hn::Set(d, 0.5)), hn::Set(d, grid.voxel_x)),
                       hn::Set(d, 0.5 * grid.side_x()));
  const V along = hn::Sub(hn::Mul(px, hn::Set(d, angle.cosine)), hn::Set(d, p.y * angle.sine));
  const V first_u = hn::Set(d, geometry.first_u), pixel = hn::Set(d, geometry.pixel);
  const V outside = hn::Set(d, -1.0), columns = hn::Set(d, static_cast<double>(geometry.columns));
  const auto clamped = [&](V column) HWY_ATTR { return hn::Min(hn::Max(column, outside), columns); };
  if (geometry.parallel)
    return {clamped(hn::Div(hn::Sub(along, first_u), pixel)), hn::Set(d, (p.z - geometry.first_v) / geometry.pixel_v),
            hn::Set(d, grid.voxel_z / geometry.pixel_v), hn::Set(d, angle.share)};
  const V towards = hn::Add(hn::Mul(px, hn::Set(d, angle.sine)), hn::Set(d, p.y * angle.cosine));
  const V distance = hn::Sub(hn::Set(d, geometry.source_distance), towards);
  const auto in_front = hn::Gt(distance, hn::Zero(d));
  const V scale = hn::Div(hn::Set(d, geometry.source_distance + geometry.detector_distance), distance);
  const V nearer = hn::Div(hn::Set(d, geometry.source_distance), distance);
  const V pixel_v = hn::Set(d, geometry.pixel_v);
  const V column = clamped(hn::Div(hn::Sub(hn::Mul(along, scale), first_u), pixel));
  const V first_row = hn::Div(hn::Sub(hn::Mul(hn::Set(d, p.z), scale), hn::Set(d, geometry.first_v)), pixel_v);
  const V row = hn::Div(hn::Mul(hn::Set(d, grid.voxel_z), scale), pixel_v);
  const V weight = hn::Mul(hn::Set(d, angle.share), hn::Mul(nearer, nearer));
  return {hn::IfThenElse(in_front, column, outside), hn::IfThenElseZero(in_front, first_row),
          hn::IfThenElseZero(in_front, row), hn::IfThenElseZero(in_front, weight)};
}

}  // namespace HWY_NAMESPACE
}  // namespace threadscape::reconstruction
HWY_AFTER_NAMESPACE();

#endif
