#pragma once
// What the result of an algorithm states for the parameters of the algorithm that takes it, as a file of it would
// (io::Picture::settings, apply_settings()).

#include <string>
#include <utility>
#include <vector>

#include "compute/registry/algorithm.h"

namespace threadscape {

using ResultSettings = std::vector<std::pair<std::string, std::string>>;

/// The settings of the result of a run with these parameters on an input of this shape. `given` are the settings of the
/// input. An algorithm that knows a scanner (ScannerDiagram) states the geometry of the scan, and that of the voxels if
/// the result consists of voxels; a phantom states the sides of its voxels and the scan that it is meant for; any other
/// algorithm from volume to volume keeps what is given. Results of other kinds state nothing. Unlike a file, the result
/// also names the phantom that it was made from, so that a reconstruction can be compared with it.
[[nodiscard]] ResultSettings settings_of_result(const AlgorithmInfo& algorithm, const ParamBox& params,
                                                const Shape& input, const ResultSettings& given);

}  // namespace threadscape
