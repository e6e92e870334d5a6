#pragma once
// Slopes cut into steps.

#include <string>
#include <string_view>
#include <tuple>

#include "compute/terrace/terrace_math.h"
#include "compute/terrain/heights.h"

namespace threadscape {

struct Terrace : terrain::HeightFilter {
  static constexpr std::string_view title = "Terraces";
  static constexpr std::string_view summary = "Slopes cut into level steps with ramps between them";
  static constexpr std::string_view source = "layered terrain, as in geology and on rice fields";
  static constexpr Kind output = Kind::heightfield;

  struct Params {
    float step = 0.1f;
    float flat = 0.7f;
    static auto fields() {
      return std::tuple{Field{"step", &Params::step, 0.001f, 10000.0f, "heights", "from one terrace to the next"},
                        Field{"flat", &Params::flat, 0.0f, 1.0f, "", "the share of a step that is level"}};
    }
    bool operator==(const Params&) const = default;
  };

  static Shape output_shape(const Params&, const Shape& input);
  static std::size_t scratch_bytes(const Params&, const Shape&, Backend, int variant);
  static std::string report(const Params&, const HostIn& in, const HostIn& result);
  static Shape input_shape(const Params&) { return terrain::default_shape(); }
  static HostArray make_input(const Params&, std::uint64_t seed) { return terrain::default_terrain(seed); }
  static bool same_input(const Params&, const Params&) { return true; }
  static void serial(const Params&, const HostRun&);
  static void openmp(const Params&, const HostRun&);
  static void cuda(const Params&, const DeviceRun&);
};

}  // namespace threadscape
