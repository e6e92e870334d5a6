#pragma once
// What volumes and the views of a scanner state beside their values, for arrays of libraries that can carry it.

#include <nanobind/nanobind.h>

#include "compute/registry/algorithm_info.h"

namespace threadscape::python {

/// Returns whether the algorithm takes its volume as the views of a scanner.
[[nodiscard]] bool takes_views(const AlgorithmInfo& algorithm);
/// What the result for an array states, of which only shape and dtype are read: the distances between its slices, rows
/// and columns, where views lie apart by degrees, and the angles of its views in degrees, or None where it has no
/// views. None for algorithms whose results have the spacing of their input. Throws UsageError for options that do not
/// fit.
[[nodiscard]] nanobind::object spacing_of(const AlgorithmInfo& algorithm, const nanobind::object& array,
                                          const nanobind::dict& options);

}  // namespace threadscape::python
