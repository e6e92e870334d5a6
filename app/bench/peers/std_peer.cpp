#include "app/bench/peers/std_peer.h"

#include <tbb/global_control.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <execution>
#include <numeric>

#include "compute/algorithms/sequences/reduction/reduction.h"
#include "compute/algorithms/sequences/sorting/sorting.h"

namespace threadscape::app {

namespace {

template <class T>
std::span<const T> values(HostIn in) {
  return {reinterpret_cast<const T*>(in.data), static_cast<std::size_t>(in.shape.width)};
}

tbb::global_control limit(int threads) {
  return {tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads)};
}

template <class T>
void sort_values(HostIn in, HostOut out) {
  const std::span<const T> from = values<T>(in);
  T* const to = reinterpret_cast<T*>(out.data);
  std::copy(std::execution::par_unseq, from.begin(), from.end(), to);
  std::sort(std::execution::par_unseq, to, to + from.size());
}

/// Sorts a copy, because the input stays as it is.
void sort(HostIn in, HostOut out, int threads, const ParamBox& params) {
  const tbb::global_control limited = limit(threads);
  if (params.as<Sorting::Params>().type == sorting::KeyOrder::uint32)
    sort_values<std::uint32_t>(in, out);
  else
    sort_values<std::int32_t>(in, out);
}
/// Floats are left out, because NaN has no place in the order of std::sort.
bool sort_supports(const ParamBox& params, const Shape&) {
  const auto& p = params.as<Sorting::Params>();
  return !p.pairs && p.stages == 0 && (p.type == sorting::KeyOrder::int32 || p.type == sorting::KeyOrder::uint32);
}

void reduce(HostIn in, HostOut out, int threads, const ParamBox&) {
  const tbb::global_control limited = limit(threads);
  const std::span<const std::int32_t> from = values<std::int32_t>(in);
  const std::int64_t sum = std::transform_reduce(std::execution::par_unseq, from.begin(), from.end(), std::int64_t{0},
                                                 std::plus<>(), [](std::int32_t value) { return std::int64_t{value}; });
  std::memcpy(out.data, &sum, sizeof sum);
}
/// Sums of floats are left out, because their order is not stated.
bool reduce_supports(const ParamBox& params, const Shape&) {
  const auto& p = params.as<Reduction::Params>();
  return p.type == Reduction::Type::int32 && p.operation == Reduction::Operator::sum;
}

}  // namespace

std::span<const Peer> std_peers() {
  static const std::array all{
      Peer{.algorithm = "sorting", .name = "std::sort(par_unseq)", .run = sort, .supports = sort_supports},
      Peer{.algorithm = "reduction", .name = "std::reduce(par_unseq)", .run = reduce, .supports = reduce_supports}};
  return all;
}

}  // namespace threadscape::app
