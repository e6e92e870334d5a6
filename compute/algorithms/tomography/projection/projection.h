#pragma once
// Forward projection: what a detector measures of a volume, view by view. The rules are in projection_math.h.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>

#include "compute/algorithms/tomography/projection/projection_math.h"
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
  static constexpr Tolerance tolerance = {.abs = 0.0, .rel = 1e-5};  // tolerance_of() says the rest
  static constexpr std::array cuda_variants{
      Variant{"columns", "a detector column shares its path through the xy-plane, found once in shared memory"},
      Variant{"rays", "a thread per ray steps through the volume as the serial code does, in double"}};

  using Phantom = ScannerParams::Phantom;
  using Setup = ScannerParams::Setup;
  using Method = projection::Method;
  static constexpr std::array<std::string_view, 3> method_names{"siddon", "incremental", "joseph"};

  struct Params : ScannerParams {
    Method method = Method::incremental;
    int slab = 0;
    int row = -1;

    static auto fields() {
      return std::tuple_cat(
          setup_fields<Params>(),
          std::tuple{
              EnumField{"method", &Params::method, method_names,
                        "exact lengths by sorting (siddon) or stepping (incremental), or interpolation (joseph)"}},
          length_fields<Params>(0.001f, "from view to view"),
          std::tuple{
              Field{"slab", &Params::slab, 0, 8192, "layers", "projected at a time, along y; 0 = automatic", 1, 33},
              Field{"row", &Params::row, -1, 8191, "", "only this row of the detector: a sinogram; -1 = all", 1, 8}});
    }
    bool operator==(const Params&) const = default;

    /// Everything, for a volume of these counts; rows is 1 where `row` is chosen. Throws UsageError for a source inside
    /// the volume and for a row that the detector does not have.
    [[nodiscard]] projection::Geometry scanner(const Shape& volume) const;
    [[nodiscard]] projection::Geometry scanner() const { return scanner(grid().shape()); }
  };

  static Shape output_shape(const Params&, const Shape& input);
  static std::size_t scratch_bytes(const Params&, const Shape& input, Backend, int variant);
  static Tolerance tolerance_of(const Params&, const Shape& input, Backend, int variant);
  static void check_input(const Params&, const HostIn&);
  /// Throws UsageError for a voxel that is no finite number in some layers of a volume.
  static void check_layers(const HostIn& layers, std::int64_t first_layer);
  static Shape input_shape(const Params&);
  static HostArray make_input(const Params&, std::uint64_t seed);
  static bool same_input(const Params&, const Params&);
  static std::string report(const Params&, const HostIn&, const HostIn& result);
  /// Spacing of pixels and views, and the angle of each.
  static FileNotes file_notes(const Params&, const Shape& input);
  /// Views, of each slab.
  static int parts(const Params&, const Shape& input);
  /// Slab by slab: while one is projected the next one is read. In memory are two slabs, one more as columns of voxels,
  /// and the result.
  static void run_layers(const Params&, const LayerRun&);
  static void serial(const Params&, const HostRun&);
  static void openmp(const Params&, const HostRun&);
  static void cuda(const Params&, const DeviceRun&);
};

}  // namespace threadscape
