#pragma once
// Sorting a sequence of 32-bit keys: by a comparison network, by partitioning (quicksort), by merging, and by counting
// digits (radix sort).

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "compute/algorithms/sequences/distributions.h"
#include "compute/algorithms/sequences/sorting/bitonic_network.h"
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
  static constexpr bool loops = true;
  static constexpr std::array serial_variants{Variant{"quicksort", "randomised quicksort"},
                                              Variant{"std_sort", "std::sort, to compare with"}};
  static constexpr std::array openmp_variants{
      Variant{"merge", "every thread sorts a part with SIMD (Highway's vqsort), then parts are merged two by two"},
      Variant{"bitonic", "the bitonic network: a thread's own tiles, then a barrier before and after far comparisons"}};
  static constexpr std::array cuda_variants{
      Variant{"radix", "four passes over digits of 8 bits, each reads and writes every key once (onesweep)"},
      Variant{"bitonic_shared", "the bitonic network, all stages within a tile in shared memory"},
      Variant{"bitonic_global", "the bitonic network, one kernel per stage"},
      Variant{"cub", "NVIDIA's library, to measure against"},
      Variant{"radix_ballots", "as radix, but a warp finds equal digits by eight ballots in the place of an atomic"},
      Variant{"bitonic_elements",
              "the bitonic network with a thread for each key, of which half only wait; up to 512 keys in one block"}};

  static constexpr std::array<std::string_view, 3> type_names{"int32", "uint32", "float"};
  static constexpr std::array<std::string_view, 2> network_names{"alternating", "mirrored"};
  static constexpr int max_stages = 465;  ///< Stages of the bitonic network for 2^30 keys.

  struct Params {
    int count = 1 << 22;
    sorting::KeyOrder type = sorting::KeyOrder::int32;
    bool pairs = false;
    sequences::Distribution distribution = sequences::Distribution::random;
    int stages = 0;
    sorting::Network network = sorting::Network::alternating;

    static auto fields() {
      return std::tuple{
          Field{"count", &Params::count, 1, (1 << 30) - 1, "values", "length of the sequence, when no file is given"},
          EnumField{"type", &Params::type, type_names,
                    "of the keys, also in a raw file; of floats NaN comes last, -0 < +0"},
          BoolField{"pairs", &Params::pairs,
                    "every key takes along the place it had, equal keys in the order of their places (stable)"},
          EnumField{"distribution", &Params::distribution, sequences::distribution_names,
                    "of the keys, when no file is given; few: 16 different ones"},
          zero_as("sorted", Field{"stages", &Params::stages, 0, max_stages, "stages",
                                  "what the bitonic network has after so many stages, whatever the variant"}),
          EnumField{"network", &Params::network, network_names,
                    "the bitonic one: runs in alternating directions, or all ascending by a mirrored first stage"}};
    }
    bool operator==(const Params&) const = default;
  };

  /// The shape of the result for up to 2^30 - 1 keys. With `pairs` it has two rows: the sorted keys, and the places in
  /// the input that they came from, as unsigned 32-bit integers counted from 0.
  static Shape output_shape(const Params&, const Shape& input);
  static std::size_t scratch_bytes(const Params&, const Shape& input, Backend, int variant);
  /// The comparisons that no method by comparisons can do without: n log2 n.
  static double operations(const Params&, const Shape& input) {
    const auto count = static_cast<double>(input.items());
    return count * std::log2(std::max(count, 2.0));
  }
  static Shape input_shape(const Params&);
  static HostArray make_input(const Params&, std::uint64_t seed);
  static bool same_input(const Params&, const Params&);
  static std::string report(const Params&, const HostIn& in, const HostIn& result);
  /// The stages of the bitonic network, for sequences of at most 64 keys, which a screen can show.
  static std::vector<std::pair<std::string, Params>> intermediates(const Params&);
  static std::string why_no_join(const Params&);
  /// Merges sorted parts. It takes twice the memory of the items beside the parts and the result.
  static void join(const Params&, const JoinRun&);
  static void serial(const Params&, const HostRun&);
  static void openmp(const Params&, const HostRun&);
  static void cuda(const Params&, const DeviceRun&);
};

}  // namespace threadscape
