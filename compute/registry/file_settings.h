#pragma once

#include <span>
#include <string>
#include <utility>

#include "compute/registry/algorithm_info.h"

namespace threadscape {

/// Assigns the values that a file states (io::Loaded::settings, pairs of a name and a value) to the parameters of
/// these names. A name that begins with "voxels." is for algorithms that take the file as an object, one that begins
/// with "views." for those that take it as projections of an object (ScannerDiagram::input); other names are for all.
/// Names that are no parameter of the algorithm and values that the parameter does not accept are ignored. Returns what
/// was assigned, as "name = value, name = value".
std::string apply_settings(const AlgorithmInfo& algorithm,
                           std::span<const std::pair<std::string, std::string>> settings, ParamBox& params);

}  // namespace threadscape
