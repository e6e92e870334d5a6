#include "compute/algorithms/sequences/transfer/transfer.h"

#include "compute/algorithms/sequences/distributions.h"
#include "compute/registry/algorithm_info.h"

namespace threadscape {

Shape Transfer::output_shape(const Params&, const Shape& input) {
  if (input.kind != Kind::sequence || input.height != 1)
    throw UsageError("transfer takes a sequence with one row, not " + to_string(input));
  return input;
}

std::size_t Transfer::scratch_bytes(const Params& params, const Shape& input, Backend backend, int) {
  const bool between = params.direction == Direction::both && params.memory != Memory::mapped;
  return backend == Backend::cuda && between ? DeviceScratch::padded(input.bytes()) : 0;
}

Shape Transfer::input_shape(const Params& params) {
  return {Kind::sequence, Element::i32, 1, params.count, 1, 1};
}

HostArray Transfer::make_input(const Params& params, std::uint64_t seed) {
  return sequences::make_sequence(Element::i32, params.count, sequences::Distribution::random, seed);
}

bool Transfer::same_input(const Params& a, const Params& b) {
  return a.count == b.count;
}

AlgorithmInfo describe_transfer() {
  return describe<Transfer>("transfer");
}

}  // namespace threadscape
