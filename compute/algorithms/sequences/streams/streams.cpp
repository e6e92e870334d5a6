#include "compute/algorithms/sequences/streams/streams.h"

#include "compute/algorithms/sequences/distributions.h"
#include "compute/registry/algorithm_info.h"

namespace threadscape {

streams::Plan Streams::plan(const Params& params, const Shape& input) {
  streams::Plan plan;
  plan.operation = params.operation;
  plan.count = static_cast<std::uint32_t>(input.width);
  plan.factor = static_cast<std::uint32_t>(params.factor);
  plan.addend = static_cast<std::uint32_t>(params.addend);
  plan.limit = params.limit;
  plan.ratio = static_cast<std::uint32_t>(params.ratio);
  plan.results = static_cast<std::uint32_t>(output_shape(params, input).width);
  return plan;
}

Shape Streams::output_shape(const Params& params, const Shape& input) {
  if (input.kind != Kind::sequence || input.element != Element::i32 || input.channels != 1 || input.height != 1)
    throw UsageError("streams takes a sequence of int32, not " + to_string(input));
  if (input.width > max_count)
    throw UsageError("streams takes up to " + std::to_string(max_count) + " values, not " +
                     std::to_string(input.width));
  Shape output = input;
  if (params.operation == Operation::expand) output.width *= params.ratio;
  if (params.operation == Operation::reduce) output.width = (input.width + params.ratio - 1) / params.ratio;
  if (const std::int64_t streams = streams::input_streams(params.operation); streams > 1)
    output.width = (input.width + streams - 1) / streams;
  return output;
}

std::size_t Streams::scratch_bytes(const Params& params, const Shape& input, Backend backend, int) {
  if (params.operation == Operation::network)  // The streams between the kernels.
    return 2 * HostScratch::padded(static_cast<std::size_t>(output_shape(params, input).width) * sizeof(std::uint32_t));
  if (!streams::scans(params.operation) || backend == Backend::serial) return 0;
  if (backend == Backend::openmp) return HostScratch::padded(streams::host_chunks * sizeof(std::uint32_t));
  const auto blocks = static_cast<std::size_t>((input.width + streams::block_threads - 1) / streams::block_threads);
  return DeviceScratch::padded((blocks + 1) * sizeof(std::uint32_t));
}

Shape Streams::input_shape(const Params& params) {
  return {Kind::sequence, Element::i32, 1, params.count, 1, 1};
}

HostArray Streams::make_input(const Params& params, std::uint64_t seed) {
  return sequences::make_sequence(Element::i32, params.count, sequences::Distribution::random, seed);
}

bool Streams::same_input(const Params& a, const Params& b) {
  return a.count == b.count;
}

std::vector<std::pair<std::string, Streams::Params>> Streams::intermediates(const Params& params) {
  if (params.operation != Operation::filter && params.operation != Operation::partition) return {};
  Params flags = params, places = params;
  flags.operation = Operation::flags;
  places.operation = Operation::places;
  return {{"Flags", flags}, {"Places", places}, {"Result", params}};
}

std::string Streams::report(const Params& params, const HostIn& in, const HostIn& result) {
  if (const std::uint32_t streams = streams::input_streams(params.operation); streams > 1)
    return std::to_string(result.shape.width) + " values of " + std::to_string(streams) + " streams of " +
           std::to_string(in.shape.width) + " values together";
  const auto values = in.sequence<std::int32_t>();
  std::int64_t passing = 0;
  for (std::int64_t i = 0; i < in.shape.width; ++i)
    passing += values[i] >= params.limit;
  return std::to_string(passing) + " of " + std::to_string(in.shape.width) + " values are at least " +
         std::to_string(params.limit);
}

AlgorithmInfo describe_streams() {
  return describe<Streams>("streams");
}

}  // namespace threadscape
