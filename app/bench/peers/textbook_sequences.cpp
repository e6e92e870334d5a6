// Loops of a textbook for sequences: a sum, quicksort, a filter, and copies.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <utility>

#include "app/bench/peers/textbook_loops.h"
#include "compute/algorithms/sequences/memory_access/memory_access.h"
#include "compute/algorithms/sequences/reduction/reduction.h"
#include "compute/algorithms/sequences/sorting/sorting.h"
#include "compute/algorithms/sequences/streams/streams.h"
#include "compute/algorithms/sequences/transfer/transfer.h"

namespace threadscape::app::textbook {
namespace {

const std::int32_t* integers(HostIn view) {
  return reinterpret_cast<const std::int32_t*>(view.data);
}
std::int32_t* integers(HostOut view) {
  return reinterpret_cast<std::int32_t*>(view.data);
}

void reduction(HostIn in, HostOut out, int, const ParamBox&) {
  std::int64_t sum = 0;
  for (std::int64_t i = 0; i < in.shape.width; ++i)
    sum += integers(in)[i];
  std::memcpy(out.data, &sum, sizeof sum);
}
bool reduction_supports(const ParamBox& params, const Shape&) {
  const auto& p = params.as<Reduction::Params>();
  return p.type == Reduction::Type::int32 && p.operation == Reduction::Operator::sum;
}

/// Quicksort with Hoare's partition and a random pivot, as source document 002 has it.
void quicksort(std::int32_t* keys, std::int64_t first, std::int64_t last, std::minstd_rand& random) {
  while (first < last) {
    const std::int32_t pivot = keys[first + static_cast<std::int64_t>(random()) % (last - first)];
    std::int64_t left = first - 1, right = last + 1;
    for (;;) {
      do
        ++left;
      while (keys[left] < pivot);
      do
        --right;
      while (pivot < keys[right]);
      if (left >= right) break;
      std::swap(keys[left], keys[right]);
    }
    quicksort(keys, first, right, random);
    first = right + 1;
  }
}
void sorting(HostIn in, HostOut out, int, const ParamBox&) {
  std::memcpy(out.data, in.data, in.shape.bytes());
  std::minstd_rand random;
  quicksort(integers(out), 0, in.shape.width - 1, random);
}
bool sorting_supports(const ParamBox& params, const Shape&) {
  const auto& p = params.as<Sorting::Params>();
  return p.type == threadscape::sorting::KeyOrder::int32 && !p.pairs && p.stages == 0;
}

/// The values that pass, then zeros.
void filter(HostIn in, HostOut out, int, const ParamBox& params) {
  const int limit = params.as<Streams::Params>().limit;
  std::int64_t kept = 0;
  for (std::int64_t i = 0; i < in.shape.width; ++i)
    if (integers(in)[i] >= limit) integers(out)[kept++] = integers(in)[i];
  while (kept < in.shape.width)
    integers(out)[kept++] = 0;
}
bool filter_supports(const ParamBox& params, const Shape&) {
  return params.as<Streams::Params>().operation == threadscape::streams::Operation::filter;
}

void copy(HostIn in, HostOut out, int, const ParamBox&) {
  const std::size_t bytes = in.shape.bytes();  // Values may have other sizes than words.
  for (std::size_t i = 0; i < bytes; ++i)
    out.data[i] = in.data[i];
}
bool memory_access_supports(const ParamBox& params, const Shape&) {
  return params.as<MemoryAccess::Params>().pattern == threadscape::memory_access::Pattern::coalesced;
}
bool transfer_supports(const ParamBox&, const Shape&) {
  return true;
}

}  // namespace

std::span<const Peer> sequence_peers() {
  static const std::array all{Peer{"reduction", "textbook", reduction, reduction_supports, Backend::serial},
                              Peer{"sorting", "textbook", sorting, sorting_supports, Backend::serial},
                              Peer{"streams", "textbook", filter, filter_supports, Backend::serial},
                              Peer{"memory_access", "textbook", copy, memory_access_supports, Backend::serial},
                              Peer{"transfer", "textbook", copy, transfer_supports, Backend::serial}};
  return all;
}

}  // namespace threadscape::app::textbook
