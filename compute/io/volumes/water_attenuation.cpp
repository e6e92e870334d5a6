#include "compute/io/volumes/water_attenuation.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace threadscape::io {

namespace {

struct Row {
  double energy;       ///< In keV.
  double coefficient;  ///< In cm^2 / g, of water of 1 g / cm^3.
};
/// Hubbell, Seltzer: Tables of X-Ray Mass Attenuation Coefficients, NIST Standard Reference Database 126, liquid water,
/// with coherent scattering.
constexpr std::array rows{Row{20, 0.8096}, Row{30, 0.3756}, Row{40, 0.2683},  Row{50, 0.2269},
                          Row{60, 0.2059}, Row{80, 0.1837}, Row{100, 0.1707}, Row{150, 0.1505}};
static_assert(rows.front().energy == least_energy && rows.back().energy == most_energy);

}  // namespace

double water_attenuation(double energy) {
  const auto* const above =
      std::ranges::find_if(rows.begin() + 1, rows.end() - 1, [&](const Row& row) { return row.energy >= energy; });
  const Row &a = above[-1], &b = *above;
  // Coefficients fall like powers of the energy, so that a line between logarithms is near to them.
  const double share = std::log(energy / a.energy) / std::log(b.energy / a.energy);
  return 0.1 * a.coefficient * std::pow(b.coefficient / a.coefficient, share);
}

}  // namespace threadscape::io
