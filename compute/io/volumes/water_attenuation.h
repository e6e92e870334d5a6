#pragma once
// The attenuation of water, by which Hounsfield units are defined.

namespace threadscape::io {

inline constexpr double least_energy = 20, most_energy = 150;  ///< Of water_attenuation(), in keV.

/// How much a millimetre of water attenuates photons of this energy in keV, which lies between the two above.
[[nodiscard]] double water_attenuation(double energy);

}  // namespace threadscape::io
