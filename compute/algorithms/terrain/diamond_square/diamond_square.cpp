#include "compute/algorithms/terrain/diamond_square/diamond_square.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "compute/algorithms/terrain/creases.h"
#include "compute/algorithms/terrain/diamond_square/diamond_square_cuda.h"
#include "compute/algorithms/terrain/diamond_square/diamond_square_xorwow.h"
#include "compute/core/height_range.h"
#include "compute/registry/algorithm_info.h"

namespace threadscape {

namespace diamond_square {

std::size_t table_bytes(const Plan& plan) {
  return HostScratch::padded(std::size_t{points_of(plan.grown)} * sizeof(std::uint16_t));
}

std::size_t host_table_bytes(const Plan& plan) {
  return plan.random == Random::philox ? 0 : table_bytes(plan) + HostScratch::padded(sizeof(XorwowStates));
}

void fill_table(Plan& plan, const HostRun& run, int threads) {
  if (plan.random == Random::philox) return;
  const std::span<std::uint16_t> numbers = run.scratch->take<std::uint16_t>(points_of(plan.grown));
  fill_numbers(plan.random, plan.seed, numbers, run.scratch->take<XorwowStates>(1).front(), threads, run.stop);
  plan.numbers = numbers.data();
}

std::size_t cuda_scratch_bytes(const DiamondSquare::Params& params, int variant) {
  std::size_t bytes = 0;
  with_height(params.mode, [&]<class Height>(Height) {
    const Plan plan = DiamondSquare::plan(params, 0);
    const std::size_t side = static_cast<std::size_t>(cells_of(plan.first)) + 1;
    if (!params.seed_grid.empty()) bytes += DeviceScratch::padded(side * side * sizeof(Height));
    if (plan.random != Random::philox || variant == step_numbers) bytes += table_bytes(plan);
    if (variant != 0) {
      // If the output is a surface, or is interpolated, the levels are computed in a grid in scratch memory.
      bytes += grid_bytes<Height>(plan.complete());
      return;
    }
    int level = plan.first;
    if (level <= coarse_levels) {
      level = std::min(plan.complete(), coarse_levels);
      bytes += grid_bytes<Height>(level);
    }
    for (; level < plan.complete(); level = next_stage(level, plan.complete()))
      if (const int next = next_stage(level, plan.complete()); next < plan.n) bytes += grid_bytes<Height>(next);
  });
  return bytes;
}

}  // namespace diamond_square

using diamond_square::cells_of;

diamond_square::Plan DiamondSquare::plan(const Params& params, std::uint64_t seed) {
  diamond_square::Plan plan;
  plan.n = params.n;
  plan.first = diamond_square::start_level(params);
  // The levels of a coarse map are part of the result, so fewer levels than those cannot be asked for.
  plan.grown = params.levels == 0 ? params.n : std::clamp(params.levels, plan.first, params.n);
  plan.ends_with_diamonds = params.last_step == LastStep::diamond && plan.grown > plan.first;
  plan.edges = params.edges;
  plan.random = params.random;
  plan.arithmetic = params.arithmetic;
  plan.seed = seed;
  for (int level = 0; level <= params.n; ++level)
    plan.scale[level] =
        static_cast<float>(std::ldexp(params.amplitude * std::exp2(-double{params.roughness} * level), -15));
  return plan;
}

Shape DiamondSquare::output_shape(const Params& params, const Shape&) {
  (void)diamond_square::start_level(params);  // The call throws if the size of the coarse map does not fit.
  const std::int64_t side = cells_of(params.n) + 1;
  return {Kind::heightfield, params.classic() ? Element::u8 : Element::f32, 1, side, side, 1};
}

std::size_t DiamondSquare::scratch_bytes(const Params& params, const Shape&, Backend backend, int variant) {
  switch (backend) {
    case Backend::serial:
      return diamond_square::host_table_bytes(plan(params, 0));
    case Backend::openmp:
      return diamond_square::openmp_scratch_bytes(params, variant);
    default:
      return diamond_square::cuda_scratch_bytes(params, variant);
  }
}

std::vector<std::pair<std::string, DiamondSquare::Params>> DiamondSquare::intermediates(const Params& params) {
  std::vector<std::pair<std::string, Params>> pictures;
  const int first = diamond_square::start_level(params);
  const int last = params.levels == 0 ? params.n : std::min(params.levels, params.n);
  for (int level = std::max(first, 1); level <= last; ++level) {
    Params one = params;
    one.levels = level;
    const std::string title = "Level " + std::to_string(level);
    if (level > first) {
      one.last_step = LastStep::diamond;
      pictures.emplace_back(title + ": diamond step", one);
      if (level == last && params.last_step == LastStep::diamond) break;
    }
    one.last_step = LastStep::square;
    const std::string what = level > first ? "square step" : std::to_string(cells_of(level) + 1) + " points a side";
    pictures.emplace_back(title + ": " + what, std::move(one));
  }
  if (!pictures.empty()) pictures.back().second = params;  // The last one is the result itself.
  return pictures;
}

std::string DiamondSquare::report(const Params& params, const HostIn&, const HostIn& result) {
  const bool complete = params.levels == 0 || params.levels >= params.n;
  return height_range_text(result) + (complete ? terrain::creases_report(result) : std::string());
}

FileNotes DiamondSquare::file_notes(const Params& params, const Shape&) {
  return {.bits = params.bits == Bits::by_mode ? 0 : params.bits == Bits::eight ? 8 : 16};
}

AlgorithmInfo describe_diamond_square() {
  return describe<DiamondSquare>("diamond_square");
}

}  // namespace threadscape
