#pragma once
// The operations that kernels of the stream model apply to a stream: map, expand, reduce, filter, division into
// substreams, and the prefix sums of which the last two are made.

#include <array>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "compute/algorithms/sequences/streams/streams_math.h"
#include "compute/registry/algorithm.h"

namespace threadscape {

struct Streams {
  static constexpr std::string_view title = "Operations on streams";
  static constexpr std::string_view summary =
      "Map, expand, reduce, prefix sums, filter and substreams made of them, and kernels of several streams";
  static constexpr std::string_view source =
      "source document 002, chapter 2.1.2; Hillis, Steele: Data parallel algorithms, 1986; Blelloch: Prefix sums and "
      "their applications, 1990";
  static constexpr std::string_view group = "Sequences";
  static constexpr Kind input = Kind::sequence, output = Kind::sequence;
  static constexpr Tolerance tolerance = Tolerance::exact();
  static constexpr bool loops = true;
  static constexpr std::array openmp_variants{
      Variant{"chunks", "threads sum up chunks, the sums are added, and threads go through their chunks again"}};
  static constexpr std::array cuda_variants{
      Variant{"shuffle", "prefix sums of a warp in registers, then of the warps of a block"},
      Variant{"hillis_steele",
              "every thread adds the value 1, 2, 4, 8 ... places before its own: few steps, much work"},
      Variant{"blelloch", "a tree of sums up and down in shared memory: twice as many steps, little work"}};

  using Operation = streams::Operation;
  static constexpr std::array<std::string_view, 10> operation_names{"map",    "expand", "reduce",    "scan", "flags",
                                                                    "places", "filter", "partition", "zip",  "network"};
  static constexpr int max_count = 1 << 27;

  struct Params {
    int count = 1 << 22;
    Operation operation = Operation::filter;
    int factor = 3, addend = 1;
    int limit = 500000000;
    int ratio = 4;

    static auto fields() {
      return std::tuple{
          Field{"count", &Params::count, 1, max_count, "values", "length of the sequence, when no file is given"},
          EnumField{"operation", &Params::operation, operation_names,
                    "scan: sums of all values before each; filter: those that pass, then zeros; partition: those that "
                    "pass, then the others; flags and places are the steps to both; zip: both halves, a * factor + b; "
                    "network: zip of two thirds beside map of the last one, and the sum of both"},
          Field{"factor", &Params::factor, -1000, 1000, "",
                "map, zip, network: what values are multiplied by, modulo 2^32"},
          Field{"addend", &Params::addend, -1000000, 1000000, "", "map, network: what is added then"},
          Field{"limit", &Params::limit, -1000000000, 1000000000, "", "the least value that passes"},
          Field{"ratio", &Params::ratio, 1, 16, "values",
                "expand: made of one, on lines; reduce: of which one is kept"}};
    }
    bool operator==(const Params&) const = default;
  };

  [[nodiscard]] static streams::Plan plan(const Params&, const Shape& input);

  /// Throws UsageError unless the input is a sequence of at most max_count int32.
  static Shape output_shape(const Params&, const Shape& input);
  static std::size_t scratch_bytes(const Params&, const Shape& input, Backend, int variant);
  static Shape input_shape(const Params&);
  static HostArray make_input(const Params&, std::uint64_t seed);
  static bool same_input(const Params&, const Params&);
  /// The flags and the places of a filter and of a partition.
  static std::vector<std::pair<std::string, Params>> intermediates(const Params&);
  static std::string report(const Params&, const HostIn& in, const HostIn& result);
  static void serial(const Params&, const HostRun&);
  static void openmp(const Params&, const HostRun&);
  static void cuda(const Params&, const DeviceRun&);
};

namespace streams {

/// Chunks of the input that the variant `chunks` sums up apart.
inline constexpr int host_chunks = 256;
/// Threads of a block on CUDA, each of which has one value.
inline constexpr int block_threads = 512;

}  // namespace streams
}  // namespace threadscape
