// The scanner and the ray of a pixel as data for the 3-D scene.

#include "compute/algorithms/tomography/scanner_diagram.h"

#include "compute/algorithms/tomography/projection/projection.h"
#include "compute/algorithms/tomography/ray_math.h"
#include "compute/algorithms/tomography/scan_settings.h"

namespace threadscape {

namespace {

ScannerDiagram::Point point(const projection::Point& p) {
  return {p.x, p.y, p.z};
}

ScannerDiagram::Point between(const projection::Point& a, const projection::Point& b) {
  return {b.x - a.x, b.y - a.y, b.z - a.z};
}

std::optional<ScannerDiagram> scanner_of_projection(const ParamBox& params, const Shape& input) {
  return projection::scanner_diagram(params.as<Projection::Params>().scanner(input));
}

std::optional<RayDiagram> ray_of_projection(const ParamBox& params, const HostIn& voxels, int view, int row,
                                            int column) {
  return projection::ray_diagram(params.as<Projection::Params>().scanner(voxels.shape),
                                 reinterpret_cast<const float*>(voxels.data), view, row, column);
}

}  // namespace

ResultSettings Projection::result_settings(const Params& params, const Shape& input) {
  return projection::scan_settings(projection::scanner_diagram(params.scanner(input)),
                                   std::string(volumes::phantom_names[static_cast<std::size_t>(params.phantom)]));
}

ScannerDiagram projection::scanner_diagram(const Geometry& g) {
  ScannerDiagram diagram;
  diagram.voxels_x = g.grid.nx;
  diagram.voxels_y = g.grid.ny;
  diagram.voxels_z = g.grid.nz;
  diagram.voxel = {g.grid.voxel_x, g.grid.voxel_y, g.grid.voxel_z};
  diagram.columns = g.columns;
  diagram.rows = g.rows;
  diagram.parallel = g.parallel;
  for (int view = 0; view < g.views; ++view) {
    const double degrees = g.angle_of(view);
    const ViewAngle angle = g.position(view);
    const projection::Point corner = g.pixel_centre(angle, 0, 0);
    diagram.views.push_back({degrees, point(g.start(angle, 0, 0)), point(corner),
                             between(corner, g.pixel_centre(angle, 0, 1)),
                             between(corner, g.pixel_centre(angle, 1, 0))});
  }
  return diagram;
}

std::optional<RayDiagram> projection::ray_diagram(const Geometry& g, const float* values, int view, int row,
                                                  int column) {
  if (view < 0 || row < 0 || column < 0 || view >= g.views || row >= g.rows || column >= g.columns) return {};
  const ViewAngle angle = g.position(view);
  const projection::Point from = g.start(angle, row, column), to = g.pixel_centre(angle, row, column);
  const auto at = [&](double alpha) {
    return ScannerDiagram::Point{from.x + alpha * (to.x - from.x), from.y + alpha * (to.y - from.y),
                                 from.z + alpha * (to.z - from.z)};
  };
  const Ray ray = projection::ray_of(g, angle, row, column);
  const projection::Box box = projection::whole(g.grid);
  const projection::AlphaRange range = projection::inside(box, ray);
  RayDiagram diagram{point(from), point(to), at(range.in), at(range.in), {}, 0.0};
  if (range.empty()) return diagram;
  diagram.out = at(range.out);

  projection::incremental_pieces(box, ray, [&](int x, int y, int z, double alpha) {
    const double length = alpha * ray.length;
    const auto value = static_cast<double>(values[g.grid.index(x, y, z)]);
    diagram.pieces.push_back({x, y, z, length, value});
    diagram.sum += length * value;
  });
  return diagram;
}

DiagramInfo describe_projection_diagram() {
  DiagramInfo info;
  info.scanner = ScannerFacet{.diagram = scanner_of_projection, .ray = ray_of_projection};
  return info;
}

}  // namespace threadscape
