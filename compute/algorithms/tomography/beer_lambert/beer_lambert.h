#pragma once
// The law of Lambert and Beer: from the line integrals of `projection` to the intensities that a detector measures
// behind the object, and from measured intensities to the line integrals that `reconstruction` takes.

#include <array>
#include <string>
#include <string_view>
#include <tuple>

#include "compute/algorithms/tomography/beer_lambert/beer_lambert_math.h"
#include "compute/registry/algorithm.h"

namespace threadscape {

struct BeerLambert {
  static constexpr std::string_view title = "Beer-Lambert law";
  static constexpr std::string_view summary =
      "Intensities behind an object from line integrals, with several energies and the noise of photons, or line "
      "integrals from intensities";
  static constexpr std::string_view source =
      "source document 001, equation 2.1; Kak, Slaney 1988: Principles of CT, 4.1 and 4.2 (beam hardening); Kemp "
      "1990: New algorithms for generating Poisson variates";
  static constexpr std::string_view group = "Tomography";
  static constexpr Kind input = Kind::volume, output = Kind::volume;
  /// Half a unit in the last place of a float either way, and one unit of the subnormal numbers.
  static constexpr Tolerance tolerance = {.abs = 2e-45, .rel = 1.2e-7};
  static constexpr bool loops = true;

  static constexpr std::array<std::string_view, 2> output_names{"intensity", "integral"};

  struct Params {
    beer_lambert::Output output = beer_lambert::Output::intensity;
    float initial = 1.0f;
    float attenuation = 0.001f;
    int photons = 0;
    std::string spectrum;

    static auto fields() {
      return std::tuple{
          EnumField{"output", &Params::output, output_names, "what the line integrals, or the intensities, become"},
          Field{"initial", &Params::initial, 0.001f, 1000000.0f, "", "intensity of a ray that nothing attenuates"},
          Field{"attenuation", &Params::attenuation, 0.000001f, 1000.0f, "/length",
                "coefficient of attenuation of density 1"},
          zero_as("no noise", Field{"photons", &Params::photons, 0, 1000000, "",
                                    "that a pixel counts of a ray that nothing attenuates, at random", 1, 2000}),
          TextField{"spectrum", &Params::spectrum, false,
                    "energies of the photons: the attenuation of each, relative to `attenuation`, and its weight, as "
                    "in 0.6:1,1:2,1.8:1; nothing = a single energy. Integrals are then freed from beam hardening"}};
    }
    bool operator==(const Params&) const = default;
    [[nodiscard]] std::string problem() const;
    /// Throws UsageError for a spectrum that is none.
    [[nodiscard]] beer_lambert::Plan plan(std::uint64_t seed) const;
  };

  static Shape output_shape(const Params&, const Shape& input);
  /// Each value alone; with photons all, as the random numbers of a pixel depend on its place in the scan.
  static Region input_needed(const Params& params, const Shape& input, const Region& output) {
    return params.photons > 0 ? whole_of(input) : output;
  }
  static std::size_t scratch_bytes(const Params&, const Shape& input, Backend, int variant);
  /// The own input is the default scan of `projection`, as line integrals or as the intensities that they leave.
  static Shape input_shape(const Params&);
  static HostArray make_input(const Params&, std::uint64_t seed);
  static bool same_input(const Params&, const Params&);
  static std::string report(const Params&, const HostIn&, const HostIn& result);
  static void serial(const Params&, const HostRun&);
  static void openmp(const Params&, const HostRun&);
  static void cuda(const Params&, const DeviceRun&);
};

}  // namespace threadscape
