#pragma once
// Heights are mapped linearly so that their minimum and maximum become chosen values.

#include <string>
#include <string_view>
#include <tuple>

#include "compute/algorithms/terrain/heights.h"
#include "compute/algorithms/terrain/normalise/normalise_math.h"

namespace threadscape {

struct Normalise : terrain::HeightMap<Normalise> {
  static constexpr std::string_view name = "normalise";
  static constexpr std::string_view title = "Normalise";
  static constexpr std::string_view summary = "Heights stretched so that the lowest and the highest are as chosen";
  static constexpr std::string_view source = "linear stretch of a reduction's minimum and maximum";

  struct Params {
    float low = 0.0f;
    float high = 1.0f;
    static auto fields() {
      return std::tuple{Field{"low", &Params::low, -65535.0f, 65535.0f, "", "the height that the lowest becomes"},
                        Field{"high", &Params::high, -65535.0f, 65535.0f, "", "the height that the highest becomes"}};
    }
    bool operator==(const Params&) const = default;
  };

  static std::size_t scratch_bytes(const Params&, const Shape& input, Backend, int variant);
  static std::string report(const Params&, const HostIn& in, const HostIn& result);
  static void serial(const Params&, const HostRun&);
  static void openmp(const Params&, const HostRun&);
  static void cuda(const Params&, const DeviceRun&);
};

}  // namespace threadscape
