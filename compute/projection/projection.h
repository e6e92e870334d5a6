#pragma once
// Forward projection: what a detector measures of a volume, view by view. The rules are in projection_math.h.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>

#include "compute/core/algorithm.h"
#include "compute/projection/projection_math.h"
#include "compute/volumes/phantom.h"

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

  using Phantom = volumes::Phantom;
  enum class Setup : int { source, cone, parallel };
  using Method = projection::Method;
  static constexpr std::array<std::string_view, 3> setup_names{"source", "cone", "parallel"};
  static constexpr std::array<std::string_view, 3> method_names{"siddon", "incremental", "joseph"};

  struct Params {
    Phantom phantom = Phantom::cavity;
    Setup geometry = Setup::source;
    Method method = Method::incremental;
    int pixels = 200;
    int voxels = 128;
    int voxels_y = 0, voxels_z = 0;
    float voxel_size = 1.0f;
    float voxel_size_y = 0.0f, voxel_size_z = 0.0f;
    int detector_pixels = 128;
    int detector_rows = 0;
    float pixel_size = 2.25f;
    float offset_u = 0.0f, offset_v = 0.0f;
    float source_distance = 400.0f, detector_distance = 200.0f;
    float arc = 90.0f, step = 15.0f;
    int slab = 0;
    int row = -1;

    static auto fields() {
      return std::tuple{
          EnumField{"phantom", &Params::phantom, volumes::phantom_names, "the volume, when no file is given"},
          EnumField{"geometry", &Params::geometry, setup_names,
                    "source: the source project's, all lengths from pixels; or a beam with the lengths below"},
          EnumField{"method", &Params::method, method_names,
                    "exact lengths by sorting (siddon) or stepping (incremental), or interpolation (joseph)"},
          Field{"pixels", &Params::pixels, 3, 8192, "", "geometry=source: detector pixels a side; 0.42 as many voxels",
                1, 33},
          Field{"voxels", &Params::voxels, 1, 8192, "", "of a phantom or a raw file, along x", 1, 33},
          Field{"voxels_y", &Params::voxels_y, 0, 8192, "", "along y; 0 = as along x", 1, 33},
          Field{"voxels_z", &Params::voxels_z, 0, 8192, "", "along z; 0 = as along x", 1, 33},
          Field{"voxel_size", &Params::voxel_size, 0.001f, 10000.0f, "", "length of a voxel along x"},
          Field{"voxel_size_y", &Params::voxel_size_y, 0.0f, 10000.0f, "", "along y; 0 = as along x"},
          Field{"voxel_size_z", &Params::voxel_size_z, 0.0f, 10000.0f, "", "along z; 0 = as along x"},
          Field{"detector_pixels", &Params::detector_pixels, 1, 8192, "", "pixels of a detector row", 1, 33},
          Field{"detector_rows", &Params::detector_rows, 0, 8192, "", "0 = as many as pixels in a row", 1, 33},
          Field{"pixel_size", &Params::pixel_size, 0.001f, 10000.0f, "", "from one pixel of the detector to the next"},
          Field{"offset_u", &Params::offset_u, -100000.0f, 100000.0f, "", "the detector is moved along its rows"},
          Field{"offset_v", &Params::offset_v, -100000.0f, 100000.0f, "", "the detector is moved along z"},
          Field{"source_distance", &Params::source_distance, 0.001f, 1000000.0f, "", "from source to centre"},
          Field{"detector_distance", &Params::detector_distance, 0.001f, 1000000.0f, "", "from centre to detector"},
          Field{"arc", &Params::arc, 0.0f, 360.0f, "degrees", "views are spread over it, symmetrically about 0"},
          Field{"step", &Params::step, 0.001f, 360.0f, "degrees", "from view to view"},
          Field{"slab", &Params::slab, 0, 8192, "layers", "projected at a time, along y; 0 = automatic", 1, 33},
          Field{"row", &Params::row, -1, 8191, "", "only this row of the detector: a sinogram; -1 = all", 1, 8}};
    }
    bool operator==(const Params&) const = default;
    [[nodiscard]] std::string problem() const;

    /// The grid of a phantom, and how a raw file is read.
    [[nodiscard]] volumes::VolumeGrid grid() const;
    /// Everything, for a volume of these counts; rows is 1 where `row` is chosen. Throws UsageError for a source inside
    /// the volume and for a row that the detector does not have.
    [[nodiscard]] projection::Geometry scanner(const Shape& volume) const;
    [[nodiscard]] projection::Geometry scanner() const { return scanner(grid().shape()); }
    [[nodiscard]] int views() const;
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
  static void serial(const Params&, const HostRun&);
  static void openmp(const Params&, const HostRun&);
  static void cuda(const Params&, const DeviceRun&);
};

}  // namespace threadscape
