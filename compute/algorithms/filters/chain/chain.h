#pragma once
// Filters applied one after another. On CUDA the intermediate pictures stay in device memory. One kernel for several
// filters, with the intermediate pictures in shared memory, was slower (docs/benchmarks/notes/fused-chain.md).

#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "compute/registry/algorithm.h"
#include "compute/registry/steps.h"

namespace threadscape {

struct Chain {
  static constexpr std::string_view title = "Chain of filters";
  static constexpr std::string_view summary = "Filters applied one after another, each with its own parameters";
  static constexpr std::string_view source = "Gonzalez, Woods: Digital Image Processing, 2018: filters in series";
  static constexpr Kind input = Kind::image, output = Kind::image;
  static constexpr Tolerance tolerance = Tolerance::exact();
  static constexpr bool loops = true;

  struct Params {
    std::vector<Step> steps = parse_steps("convolution size=5 preset=gaussian | sobel");

    static auto fields() {
      return std::tuple{
          StepsField{"steps", &Params::steps, &steps_text, "filters with their parameters, in the order of their use"}};
    }
    bool operator==(const Params&) const = default;
    [[nodiscard]] std::string problem() const;
  };

  /// Checks the input as the first step that is on demands. The values between steps are not checked.
  static void check_input(const Params&, const HostIn& input);
  /// For every step that is on: its title, and the parameters of the chain that ends with it.
  [[nodiscard]] static std::vector<std::pair<std::string, Params>> intermediates(const Params&);
  /// The shape behind the last step that is on; the input's shape if none is on. Throws UsageError for shapes that are
  /// no pictures, or that a step does not take.
  static Shape output_shape(const Params&, const Shape& input);
  /// What the filters need one after another, from the last one to the first.
  static Region input_needed(const Params&, const Shape& input, const Region& output);
  static std::size_t scratch_bytes(const Params&, const Shape& input, Backend, int variant);
  // Every step runs with the default variant of its algorithm. Step i, where steps that are off count as well, gets the
  // seed of the run plus i. Without a step that is on, the result is the input.
  /// On CUDA, the preparations of the steps that need one. The intermediate pictures that they are made from come from
  /// the CPU.
  static bool needs_preparation(const Params&, Backend);
  static std::shared_ptr<const Preparation> prepare(const Params&, const HostIn&, std::uint64_t seed,
                                                    std::uint64_t frame, const std::stop_token&, Progress*);
  static void serial(const Params&, const HostRun&);
  static void openmp(const Params&, const HostRun&);
  static void cuda(const Params&, const DeviceRun&);
};

namespace chain {

/// The pictures between the steps take turns in two buffers, whose rows are padded to a multiple of this many bytes.
inline constexpr std::size_t row_alignment = 256;

/// Calls `run(step, seed, input, output, is_last)` for every step that is on, in order, with the shapes of its input
/// and output. Returns the number of these steps.
template <class Run>
int for_each_step(const Chain::Params& params, Shape shape, std::uint64_t seed, const Run& run) {
  std::size_t last = params.steps.size();
  for (std::size_t i = 0; i < params.steps.size(); ++i)
    if (params.steps[i].on) last = i;
  int count = 0;
  for (std::size_t i = 0; i < params.steps.size(); ++i) {
    const Step& step = params.steps[i];
    if (!step.on) continue;
    const Shape result = step.algorithm->output_shape(step.params, shape);
    run(step, seed + i, shape, result, i == last);
    shape = result;
    ++count;
  }
  return count;
}

/// Preparations of the steps that are on, in order; null for those that need none.
struct StepPreparations final : Preparation {
  std::vector<std::shared_ptr<const Preparation>> steps;
};

/// Size of one of the two buffers in bytes; 0 where fewer than two steps are on.
[[nodiscard]] std::size_t buffer_bytes(const Chain::Params& params, const Shape& input);

}  // namespace chain
}  // namespace threadscape
