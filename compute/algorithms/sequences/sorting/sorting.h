#pragma once
// Sorting: by comparing and exchanging in a fixed network, by partitioning, by merging, and by counting digits.

#include <array>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "compute/algorithms/sequences/distributions.h"
#include "compute/algorithms/sequences/sorting/sorting_math.h"
#include "compute/registry/algorithm.h"

namespace threadscape {

struct Sorting {
  static constexpr std::string_view title = "Sorting";
  static constexpr std::string_view summary =
      "Brings a sequence of numbers into ascending order, with or without values";
  static constexpr std::string_view source =
      "Batcher: Sorting networks and their applications, 1968; Hoare: Quicksort, 1962; Adinets, Merrill: Onesweep, "
      "2022; "
      "Blacher et al.: Vectorized and performance-portable Quicksort, 2022";
  static constexpr Kind input = Kind::sequence, output = Kind::sequence;
  static constexpr Tolerance tolerance = Tolerance::exact();
  static constexpr std::array serial_variants{Variant{"quicksort", "randomised quicksort"},
                                              Variant{"std_sort", "std::sort, to compare with"}};
  static constexpr std::array openmp_variants{
      Variant{"merge", "every thread sorts a part with SIMD (Highway's vqsort), then parts are merged two by two"},
      Variant{"bitonic", "the bitonic network: a thread's own tiles, then a barrier before and after far comparisons"}};
  static constexpr std::array cuda_variants{
      Variant{"radix", "four passes over digits of 8 bits, each reads and writes every key once (onesweep)"},
      Variant{"bitonic_shared", "the bitonic network, all stages within a tile in shared memory"},
      Variant{"bitonic_global", "the bitonic network, one kernel per stage"},
      Variant{"cub", "NVIDIA's library, to measure against"}};

  static constexpr std::array<std::string_view, 3> type_names{"int32", "uint32", "float"};
  static constexpr int most_stages = 465;  ///< of the bitonic network for 2^30 numbers

  struct Params {
    int count = 1 << 22;
    sorting::KeyOrder type = sorting::KeyOrder::int32;
    bool pairs = false;
    sequences::Distribution distribution = sequences::Distribution::random;
    int stages = 0;

    static auto fields() {
      return std::tuple{
          Field{"count", &Params::count, 1, (1 << 30) - 1, "values", "length of the sequence, when no file is given"},
          EnumField{"type", &Params::type, type_names,
                    "of the keys, also in a raw file; of floats NaN comes last, -0 < +0"},
          BoolField{"pairs", &Params::pairs,
                    "every key takes along the place it had, equal keys in the order of their places (stable)"},
          EnumField{"distribution", &Params::distribution, sequences::distribution_names,
                    "of the keys, when no file is given; few: 16 different ones"},
          Field{"stages", &Params::stages, 0, most_stages, "stages",
                "what the bitonic network has after so many stages, whatever the variant; 0 = sorted"}};
    }
    bool operator==(const Params&) const = default;
  };

  /// Up to 2^30 - 1 keys. With `pairs` the result has two rows: the keys, and below them the places (from 0 on, as
  /// unsigned 32-bit numbers) that they came from.
  static Shape output_shape(const Params&, const Shape& input);
  static std::size_t scratch_bytes(const Params&, const Shape& input, Backend, int variant);
  static Shape input_shape(const Params&);
  static HostArray make_input(const Params&, std::uint64_t seed);
  static bool same_input(const Params&, const Params&);
  static std::string report(const Params&, const HostIn& in, const HostIn& result);
  /// The stages of the bitonic network, for sequences that are short enough to be looked at.
  static std::vector<std::pair<std::string, Params>> view_steps(const Params&);
  static void serial(const Params&, const HostRun&);
  static void openmp(const Params&, const HostRun&);
  static void cuda(const Params&, const DeviceRun&);
};

}  // namespace threadscape
