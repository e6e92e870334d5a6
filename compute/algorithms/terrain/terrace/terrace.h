#pragma once
// Terraces: slopes are cut into level steps with ramps between them.

#include <string_view>
#include <tuple>

#include "compute/algorithms/terrain/heights.h"
#include "compute/algorithms/terrain/terrace/terrace_math.h"

namespace threadscape {

struct Terrace : terrain::HeightMap<Terrace> {
  static constexpr std::string_view name = "terrace";
  static constexpr std::string_view title = "Terraces";
  static constexpr std::string_view summary = "Slopes cut into level steps with ramps between them";
  static constexpr std::string_view source = "layered terrain, as in geology and on rice fields";

  struct Params {
    float step = 0.1f;
    float flat = 0.7f;
    static auto fields() {
      return std::tuple{Field{"step", &Params::step, 0.001f, 10000.0f, "", "height from one terrace to the next"},
                        Field{"flat", &Params::flat, 0.0f, 1.0f, "", "the share of a step that is level"}};
    }
    bool operator==(const Params&) const = default;
  };

  static Reach reach(const Params&) { return {}; }
  static void serial(const Params&, const HostRun&);
  static void openmp(const Params&, const HostRun&);
  static void cuda(const Params&, const DeviceRun&);
};

}  // namespace threadscape
