// Data for the scenes: the scanner that took the views, the ray of a pixel through the result, and the phantom as
// ground truth.

#include "compute/algorithms/tomography/reconstruction/reconstruction.h"
#include "compute/algorithms/tomography/scan_settings.h"
#include "compute/algorithms/tomography/scanner_diagram.h"

namespace threadscape {

namespace {

ScannerDiagram scanner_of(const Reconstruction::Params& params, const Shape& input) {
  ScannerDiagram diagram = projection::scanner_diagram(params.scanner(input));
  diagram.input = ScannerDiagram::Holds::views;
  diagram.output = ScannerDiagram::Holds::voxels;
  return diagram;
}

std::optional<ScannerDiagram> scanner_of_reconstruction(const ParamBox& params, const Shape& input) {
  return scanner_of(params.as<Reconstruction::Params>(), input);
}

/// The shape of the voxels does not determine the views, so the ray is one of the views that the parameters define.
/// Returns nothing if they leave the number of views to the file.
std::optional<RayDiagram> ray_of_reconstruction(const ParamBox& params, const HostIn& voxels, int view, int row,
                                                int column) {
  const auto& own = params.as<Reconstruction::Params>();
  if (own.phantom == ScannerParams::Phantom::file && !(own.step > 0) && own.angles.empty()) return {};
  return projection::ray_diagram(own.scanner(Reconstruction::input_shape(own)),
                                 reinterpret_cast<const float*>(voxels.data), view, row, column);
}

}  // namespace

ResultSettings Reconstruction::result_settings(const Params& params, const Shape& input) {
  return projection::scan_settings(scanner_of(params, input),
                                   std::string(volumes::phantom_names[static_cast<std::size_t>(params.phantom)]));
}

DiagramInfo describe_reconstruction_diagram() {
  DiagramInfo info;
  info.scanner = ScannerFacet{.input = ScannerDiagram::Holds::views,
                              .output = ScannerDiagram::Holds::voxels,
                              .diagram = scanner_of_reconstruction,
                              .ray = ray_of_reconstruction};
  info.truth = TruthFacet{
      .make = [](const ParamBox& params) { return Reconstruction::truth(params.as<Reconstruction::Params>()); },
      .same =
          [](const ParamBox& a, const ParamBox& b) {
            return Projection::same_input(a.as<Reconstruction::Params>().projector(),
                                          b.as<Reconstruction::Params>().projector());
          }};
  return info;
}

}  // namespace threadscape
