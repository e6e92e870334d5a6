#include "compute/algorithms/sequences/memory_access/memory_access.h"

#include "compute/algorithms/sequences/distributions.h"
#include "compute/registry/algorithm_info.h"

namespace threadscape {

namespace {

/// The limit of one-dimensional textures over linear memory on devices from compute capability 5.0 on, in words.
constexpr std::int64_t max_words = std::int64_t{1} << 27;

}  // namespace

Shape MemoryAccess::output_shape(const Params&, const Shape& input) {
  if (input.kind != Kind::sequence || input.element != Element::i32 || input.channels != 1 || input.height != 1)
    throw UsageError("memory_access takes a sequence of int32, not " + to_string(input));
  if (input.width > max_words)
    throw UsageError("memory_access takes up to " + std::to_string(max_words) + " words, not " +
                     std::to_string(input.width));
  return input;
}

std::size_t MemoryAccess::scratch_bytes(const Params& params, const Shape&, Backend, int) {
  if (!memory_access::reads_table(params.pattern)) return 0;
  return HostScratch::padded(memory_access::table_words * sizeof(std::uint32_t));
}

Shape MemoryAccess::input_shape(const Params& params) {
  return {Kind::sequence, Element::i32, 1, params.count, 1, 1};
}

HostArray MemoryAccess::make_input(const Params& params, std::uint64_t seed) {
  return sequences::make_sequence(Element::i32, params.count, sequences::Distribution::random, seed);
}

bool MemoryAccess::same_input(const Params& a, const Params& b) {
  return a.count == b.count;
}

memory_access::Plan MemoryAccess::plan(const Params& params, const Shape& input) {
  using memory_access::Pattern;
  memory_access::Plan plan{.pattern = params.pattern, .count = static_cast<std::uint32_t>(input.width)};
  plan.stride = static_cast<std::uint32_t>(params.stride);
  plan.rows = plan.count / plan.stride;
  plan.offset = static_cast<std::uint32_t>(params.offset) % plan.count;
  const bool apart = params.pattern == Pattern::shared || params.pattern == Pattern::constant_apart ||
                     params.pattern == Pattern::l1 || params.pattern == Pattern::l2;
  plan.lane_bytes = params.pattern == Pattern::conflicts  ? 4 * params.stride
                    : params.pattern == Pattern::struct_8 ? 8
                    : params.pattern == Pattern::struct_5 ? 5
                    : apart                               ? 4
                                                          : 0;
  const bool own_words = params.pattern == Pattern::registers || params.pattern == Pattern::local;
  plan.round_step = own_words ? 0 : memory_access::round_reads;
  plan.rounds = params.rounds;
  return plan;
}

AlgorithmInfo describe_memory_access() {
  return describe<MemoryAccess>("memory_access");
}

}  // namespace threadscape
