#include "compute/algorithms/tomography/phantom/phantom.h"

#include "compute/algorithms/tomography/scan_settings.h"
#include "compute/registry/algorithm_info.h"

namespace threadscape {

namespace {

constexpr int min_pixels = 3;  ///< Detectors with fewer pixels have no voxel.

}  // namespace

std::string PhantomVolume::Params::problem() const {
  if (pixels > 0 && pixels < min_pixels)
    return "pixels = " + std::to_string(pixels) + ": the volume would have no voxels; 3..8192, or 0";
  return {};
}

ScannerParams PhantomVolume::Params::scanner() const {
  ScannerParams scanner;
  scanner.geometry = pixels > 0 ? ScannerParams::Setup::source : ScannerParams::Setup::cone;
  scanner.pixels = pixels;
  scanner.voxels = voxels;
  scanner.voxels_y = voxels_y;
  scanner.voxels_z = voxels_z;
  scanner.voxel_size = voxel_size;
  scanner.voxel_size_y = voxel_size_y;
  scanner.voxel_size_z = voxel_size_z;
  return scanner;
}

volumes::PhantomPlan PhantomVolume::Params::plan() const {
  const ScannerParams object = scanner();
  return volumes::phantom_plan(phantom, object.grid(), object.phantom_side());
}

Shape PhantomVolume::output_shape(const Params& params, const Shape&) {
  return params.scanner().grid().shape();
}

std::size_t PhantomVolume::scratch_bytes(const Params&, const Shape&, Backend, int) {
  return 0;
}

FileNotes PhantomVolume::file_notes(const Params& params, const Shape&) {
  const ScannerParams object = params.scanner();
  const volumes::VolumeGrid grid = object.grid();
  FileNotes notes{.spacing = {grid.voxel_x, grid.voxel_y, grid.voxel_z}};
  if (params.pixels == 0) return notes;
  const projection::Geometry scan = object.scanner(grid.shape());
  notes.scan = {.pixel = scan.pixel,
                .detector_side = scan.pixel * scan.columns,
                .detector_distance = scan.detector_distance,
                .source_distance = scan.source_distance,
                .arc = static_cast<double>(object.arc),
                .step = static_cast<double>(object.step)};
  return notes;
}

ResultSettings PhantomVolume::result_settings(const Params& params, const Shape& input) {
  return projection::noted_settings(file_notes(params, input),
                                    std::string(volumes::phantom_names[static_cast<std::size_t>(params.phantom)]));
}

AlgorithmInfo describe_phantom() {
  return describe<PhantomVolume>("phantom");
}

}  // namespace threadscape
