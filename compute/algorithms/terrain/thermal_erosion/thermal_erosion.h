#pragma once
// Thermal erosion: material slides down where a slope is steeper than the talus, the steepest stable slope.

#include <array>
#include <string_view>
#include <tuple>

#include "compute/algorithms/terrain/heights.h"
#include "compute/algorithms/terrain/thermal_erosion/thermal_erosion_math.h"

namespace threadscape {

struct ThermalErosion : terrain::HeightMap<ThermalErosion> {
  static constexpr std::string_view name = "thermal_erosion";
  static constexpr std::string_view title = "Thermal erosion";
  static constexpr std::string_view summary = "Slopes steeper than the talus slide down, a little in each iteration";
  static constexpr std::string_view source =
      "Musgrave, Kolb, Mace: The synthesis and rendering of eroded fractal terrains, SIGGRAPH 1989";
  static constexpr std::array cuda_variants{
      Variant{"tiled", "four iterations per launch in tiles of shared memory"},
      Variant{"global", "a launch per iteration, every thread reads its nine heights"}};

  struct Params {
    int iterations = 16;
    float talus = 0.005f;
    static auto fields() {
      return std::tuple{Field{"iterations", &Params::iterations, 0, 1000, "", "how often material slides", 1, 9},
                        Field{"talus", &Params::talus, 0.0f, 1000.0f, "heights per cell",
                              "the steepest slope that stays: the difference of neighbours in a row or column"}};
    }
    bool operator==(const Params&) const = default;
  };

  /// Every iteration moves material between neighbours.
  static Reach reach(const Params& params) { return reach_around(params.iterations, Border::clamp); }
  static std::size_t scratch_bytes(const Params&, const Shape& input, Backend, int variant);
  static void serial(const Params&, const HostRun&);
  static void openmp(const Params&, const HostRun&);
  static void cuda(const Params&, const DeviceRun&);
};

}  // namespace threadscape
