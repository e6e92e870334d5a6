#pragma once
// How a run on an array is cut into blocks, for those that keep arrays in blocks, as Dask does.

#include <nanobind/nanobind.h>

#include "compute/registry/algorithm_info.h"

namespace threadscape::python {

/// Extents and dtype of the result for an array, of which only shape and dtype are read.
[[nodiscard]] nanobind::tuple result_of(const AlgorithmInfo& algorithm, const nanobind::object& array,
                                        const nanobind::dict& options);
/// The regions of the array from which regions of the result are computed, and the bytes of memory that each takes: of
/// both regions, and of what the algorithm needs meanwhile. A region is (starts, sizes) along the axes without
/// channels. Throws UsageError if the run cannot be cut.
[[nodiscard]] nanobind::list inputs_of(const AlgorithmInfo& algorithm, const nanobind::object& array,
                                       const nanobind::list& regions, const nanobind::dict& options);
/// Throws UsageError unless layers of the result can be computed alone, each from all of the array (make_layers()).
void require_layers(const AlgorithmInfo& algorithm, const nanobind::dict& options);

}  // namespace threadscape::python
