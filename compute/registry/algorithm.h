#pragma once
// What the struct of an algorithm declares. It looks like this (compute/algorithms/filters/noise is the smallest
// complete one), and describe<A>() makes a row of the registry from it (algorithm_info.h):
//
//   struct Convolution {
//     static constexpr std::string_view title = "Convolution", summary = "...", source = "paper or document";
//     static constexpr std::string_view group = "Edges";   // heading in the list of the window; optional
//     static constexpr bool opens_first = true;   // optional: the window shows it at first
//     static constexpr Kind input = Kind::image, output = Kind::image;
//     static constexpr Tolerance tolerance = Tolerance::exact();
//     static constexpr bool loops = true;   // optional: OpenMP runs the serial code with threads, too (loops.h)
//     static constexpr std::array cuda_variants{Variant{"tiled", "..."}, Variant{"global", "..."}};   // [0] = default
//     struct Params { ... };
//     static Shape output_shape(const Params&, const Shape& input);            // throws UsageError: unsuitable input
//     static std::size_t scratch_bytes(const Params&, const Shape& input, Backend, int variant);
//     static Tolerance tolerance_of(const Params&, const Shape& input, Backend, int variant);   // optional, see below
//     static double operations(const Params&, const Shape& input);   // optional: arithmetic operations, for rooflines
//     static void check_input(const Params&, const HostIn&);   // optional; throws UsageError: unsuitable values
//     static Params verify_params();                  // optional: where `verify` starts, if the defaults take too long
//     // ... and the functions of its facets, which are described in compute/registry/facets/*.h
//     static void serial(const Params&, const HostRun&);
//     static void openmp(const Params&, const HostRun&);
//     static void cuda(const Params&, const DeviceRun&);
//   };

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "compute/core/backend.h"
#include "compute/core/device_run.h"
#include "compute/core/fields.h"
#include "compute/core/region.h"
#include "compute/core/variant.h"
#if !defined(__CUDACC__)
#include "compute/core/run.h"  // nvcc parses every header four times, and CUDA sources need only the name of HostRun.
#endif

namespace threadscape {

// Most sources of an algorithm need only the names of these types. The file <name>.cpp, which calls describe(),
// includes compute/registry/algorithm_info.h.
class LayerReader;
class Progress;
class StageProbe;
struct FileNotes;
struct JoinRun;
struct LayerRun;
struct Preview;

/// Parameters of the algorithm that takes a result, which its file would state: pairs of a name and a value as text
/// (compute/registry/facets/result_settings.h).
using ResultSettings = std::vector<std::pair<std::string, std::string>>;

}  // namespace threadscape
