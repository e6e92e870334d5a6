#pragma once
// Phantoms as an algorithm: test volumes for projection, reconstruction and other programs, of any size, as files or in
// the window.

#include <array>
#include <memory>
#include <span>
#include <stop_token>
#include <string_view>
#include <tuple>

#include "compute/algorithms/tomography/phantom_math.h"
#include "compute/algorithms/tomography/scanner_params.h"
#include "compute/registry/algorithm.h"

namespace threadscape {

struct PhantomVolume {
  static constexpr std::string_view title = "Phantom";
  static constexpr std::string_view summary =
      "A test volume for tomography: cube, cavity, half sphere or Shepp-Logan head";
  static constexpr std::string_view source =
      "Shepp, Logan 1974: IEEE Trans. Nucl. Sci. 21(3), with the contrasts of Toft 1996; the shapes of the source "
      "project";
  static constexpr std::string_view group = "Tomography";
  static constexpr Kind input = Kind::none, output = Kind::volume;
  static constexpr Tolerance tolerance = Tolerance::exact();
  static constexpr bool loops = true;

  struct Params {
    volumes::Phantom phantom = volumes::Phantom::shepp_logan;
    int pixels = 0;
    int voxels = 128;
    int voxels_y = 0, voxels_z = 0;
    float voxel_size = 1.0f;
    float voxel_size_y = 0.0f, voxel_size_z = 0.0f;

    static auto fields() {
      using Count = Field<Params, int>;
      using Length = Field<Params, float>;
      // The last name, file, is no phantom.
      static constexpr auto names = std::span(volumes::phantom_names).first<volumes::phantom_names.size() - 1>();
      return std::tuple{
          EnumField<Params, volumes::Phantom>{"phantom", &Params::phantom, names, "the shape"},
          zero_as("the counts below",
                  Count{"pixels", &Params::pixels, 0, 8192, "",
                        "the source project's volume for a detector of so many pixels a side", 1, 33}),
          titled("Voxels in x", Count{"voxels", &Params::voxels, 1, 8192, "", "number of voxels along x", 1, 33}),
          titled("Voxels in y", zero_as("as along x", Count{"voxels_y", &Params::voxels_y, 0, 8192, "",
                                                            "number of voxels along y", 1, 33})),
          titled("Voxels in z", zero_as("as along x", Count{"voxels_z", &Params::voxels_z, 0, 8192, "",
                                                            "number of voxels along z", 1, 33})),
          titled("Voxel length x",
                 Length{"voxel_size", &Params::voxel_size, 0.001f, 10000.0f, "", "length of a voxel along x"}),
          titled("Voxel length y", zero_as("as along x", Length{"voxel_size_y", &Params::voxel_size_y, 0.0f, 10000.0f,
                                                                "", "length of a voxel along y"})),
          titled("Voxel length z", zero_as("as along x", Length{"voxel_size_z", &Params::voxel_size_z, 0.0f, 10000.0f,
                                                                "", "length of a voxel along z"}))};
    }
    bool operator==(const Params&) const = default;
    [[nodiscard]] std::string problem() const;
    /// The object in the scanner with these counts and lengths.
    [[nodiscard]] ScannerParams scanner() const;
    [[nodiscard]] volumes::PhantomPlan plan() const;
  };

  static Shape output_shape(const Params&, const Shape& input);
  static std::size_t scratch_bytes(const Params&, const Shape& input, Backend, int variant);
  /// The sides of the voxels, and with `pixels` the scan of the source project.
  static FileNotes file_notes(const Params&, const Shape& input);
  static ResultSettings result_settings(const Params&, const Shape& input);
  static std::unique_ptr<LayerReader> stream(const Params&, int threads, std::stop_token, Progress*);
  static void serial(const Params&, const HostRun&);
  static void openmp(const Params&, const HostRun&);
  static void cuda(const Params&, const DeviceRun&);
};

}  // namespace threadscape
