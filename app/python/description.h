#pragma once
// Rows of the registry as dictionaries of Python, from which the package makes signatures, docstrings and type stubs.

#include <nanobind/nanobind.h>

#include "compute/registry/algorithm_info.h"

namespace threadscape::python {

/// What the registry says of an algorithm: name, title, summary, source, group, the kinds of input and output with
/// their dimensions, whether results are equal to the bit, parameters with ranges and defaults, and variants by
/// backend.
[[nodiscard]] nanobind::dict describe(const AlgorithmInfo& algorithm);

}  // namespace threadscape::python
