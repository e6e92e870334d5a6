#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compute/registry/algorithm_info.h"

namespace threadscape {

/// All algorithms: those in folders in alphabetical order, which compute/CMakeLists.txt lists, and then the added ones.
[[nodiscard]] std::span<const AlgorithmInfo> algorithms();
/// The algorithm with this name. If there is none, throws UsageError, which suggests the most similar names.
[[nodiscard]] const AlgorithmInfo& find_algorithm(std::string_view name);
/// The algorithms with these names, in their order; all algorithms if there are no names. Throws UsageError as
/// find_algorithm() does.
[[nodiscard]] std::vector<const AlgorithmInfo*> find_algorithms(std::span<const std::string> names);

/// Adds a row while the program runs. What its texts refer to must live as long as the program. Rows are never removed
/// or moved, so that references to them stay valid, and other threads may read rows meanwhile. Throws UsageError if the
/// name is taken, and EnvironmentError once `max_added_algorithms` rows were added.
const AlgorithmInfo& add_algorithm(const AlgorithmInfo& row);
inline constexpr std::size_t max_added_algorithms = 1024;

/// The number of bytes that a run reads and writes, for GB/s.
[[nodiscard]] double bytes_moved(const AlgorithmInfo& algorithm, const ParamBox& params, const Shape& input,
                                 const Shape& output);
/// Where the input and the result of a CUDA run lie.
[[nodiscard]] RunPlaces places_of(const AlgorithmInfo& algorithm, const ParamBox& params);

}  // namespace threadscape
