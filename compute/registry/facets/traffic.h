#pragma once
// Which memory the runs of an algorithm read and write: facts for the benchmark and for the executors. An algorithm
// that states them has a file <name>_traffic.cpp, which CMake finds:
//
//   Traffic describe_<name>_traffic();

#include <cstdint>
#include <string_view>

#include "compute/core/params.h"
#include "compute/core/shape.h"

namespace threadscape {

/// The memory in which a CUDA run finds its input or leaves its result. Page-locked memory is mapped: kernels may read
/// and write it, and copies from and to it need no copy in between. Only copies may touch pageable memory.
enum class Place : std::uint8_t { device, pageable, pinned };

struct RunPlaces {
  Place input = Place::device, output = Place::device;
};

/// Facts about the runs of an algorithm; null for those that it does not state.
struct Traffic {
  /// The number of bytes that a run reads and writes by its definition, from which reports state GB/s. Without it, the
  /// input and the output count once each.
  double (*bytes)(const ParamBox&, const Shape& input) = nullptr;
  /// Where the input and the result of a CUDA run lie. Without it, both lie in device memory. In host memory they
  /// belong to the executor, which fills the input and fetches the result outside of the time of the run.
  RunPlaces (*places)(const ParamBox&) = nullptr;
};

}  // namespace threadscape
