#pragma once
// Forward projection: the line integrals of a volume that a detector measures, view by view. ray_math.h defines
// the geometry of a ray and its value.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>

#include "compute/algorithms/tomography/ray_math.h"
#include "compute/algorithms/tomography/scanner_params.h"
#include "compute/registry/algorithm.h"

namespace threadscape {

struct Projection {
  static constexpr std::string_view title = "Projection";
  static constexpr std::string_view summary = "Line integrals of a volume: the views of a scanner, or a sinogram";
  static constexpr std::string_view source =
      "Siddon 1985; Amanatides, Woo 1987; Jacobs et al. 1998; Joseph 1982: IEEE Trans. Med. Imaging 1(3)";
  static constexpr std::string_view group = "Tomography";
  static constexpr Kind input = Kind::volume, output = Kind::volume;
  static constexpr Tolerance tolerance = {.abs = 0.0, .rel = 1e-5};  // tolerance_of() adds an absolute part
  static constexpr bool loops = true;
  static constexpr std::array cuda_variants{
      Variant{"columns", "a detector column shares its path through the xy-plane, found once in shared memory"},
      Variant{"rays", "a thread per ray steps through the volume as the serial code does, in double"},
      Variant{"rays_512", "as rays, in blocks of 512 threads instead of 128"},
      Variant{"rays_1024", "as rays, in blocks of 1024 threads, which leave 64 registers for each"}};

  using Phantom = ScannerParams::Phantom;
  using Setup = ScannerParams::Setup;
  using Method = projection::Method;
  static constexpr std::array<std::string_view, 3> method_names{"siddon", "incremental", "joseph"};
  using Output = projection::Output;
  static constexpr std::array<std::string_view, 2> output_names{"integral", "voxels"};

  struct Params : ScannerParams {
    Method method = Method::incremental;
    Output output = Output::integral;
    int slab = 0;
    int row = -1;

    static auto fields() {
      return std::tuple_cat(
          setup_fields<Params>(),
          std::tuple{
              EnumField{"method", &Params::method, method_names,
                        "exact lengths by sorting (siddon) or stepping (incremental), or interpolation (joseph)"},
              EnumField{"output", &Params::output, output_names,
                        "of each ray: the integral of the voxels along it, or how many voxels it passes through"}},
          length_fields<Params>(0.001f, "from view to view"),
          std::tuple{
              zero_as("automatic",
                      Field{"slab", &Params::slab, 0, 8192, "layers", "projected at a time, along y", 1, 33}),
              Field{"row", &Params::row, -1, 8191, "", "only this row of the detector: a sinogram; -1 = all", 1, 8}});
    }
    bool operator==(const Params&) const = default;

    /// The geometry of the scan for a volume with the counts of `volume`, or for the phantom. The detector has one row
    /// if the parameter `row` selects one. Throws UsageError if the source is inside the volume or the detector has no
    /// such row.
    [[nodiscard]] projection::Geometry scanner(const Shape& volume) const;
    [[nodiscard]] projection::Geometry scanner() const { return scanner(grid().shape()); }
  };

  static Shape output_shape(const Params&, const Shape& input);
  static std::size_t scratch_bytes(const Params&, const Shape& input, Backend, int variant);
  /// The document's number of operations (source document 001, equation 4.1): every ray crosses all planes between
  /// voxels. An upper bound, whatever the method does.
  static double operations(const Params&, const Shape& input);
  static Tolerance tolerance_of(const Params&, const Shape& input, Backend, int variant);
  static void check_input(const Params&, const HostIn&);
  /// Throws UsageError if a voxel is not a finite number. `layers` are consecutive layers along y of a volume, the
  /// first of which is layer `first_layer`; the message names the voxel by its indices in the volume.
  static void check_layers(const HostIn& layers, std::int64_t first_layer);
  static Shape input_shape(const Params&);
  static HostArray make_input(const Params&, std::uint64_t seed);
  static bool same_input(const Params&, const Params&);
  static std::string report(const Params&, const HostIn&, const HostIn& result);
  /// What a file of views records: the spacing of pixels and views, and the angle of each view as its title.
  static FileNotes file_notes(const Params&, const Shape& input);
  static ResultSettings result_settings(const Params&, const Shape& input);
  /// A part is one view of one slab.
  static int parts(const Params&, const Shape& input);
  /// A layer of the result is a view.
  static bool makes_layers(const Params&) { return true; }
  /// Projects a volume that need not fit into memory, slab by slab: the next slab is read while one is projected.
  /// Memory holds two slabs, a transposed copy of one (detector_columns.h), and the result.
  static void run_layers(const Params&, const LayerRun&);
  static bool wants_layers(const Params& params) { return params.slab != 0; }
  static void serial(const Params&, const HostRun&);
  static void openmp(const Params&, const HostRun&);
  static void cuda(const Params&, const DeviceRun&);
};

}  // namespace threadscape
