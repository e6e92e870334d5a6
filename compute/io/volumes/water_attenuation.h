#pragma once
// The attenuation of water, by which Hounsfield units are defined.

namespace threadscape::io {

/// The energies in keV between which water_attenuation() has values.
inline constexpr double least_energy = 20, most_energy = 150;

/// How much a millimetre of water attenuates photons of this energy in keV, which lies between the two above.
[[nodiscard]] double water_attenuation(double energy);

}  // namespace threadscape::io
