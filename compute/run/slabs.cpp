#include "compute/run/slabs.h"

#include <algorithm>
#include <utility>

namespace threadscape {
namespace {

constexpr std::int64_t most_slabs = 1 << 16;  ///< A run that needs more would spend its time on cutting.

}  // namespace

std::vector<Slab> cut_into_slabs(const RunRequest& request, const Shape& input,
                                 const std::function<bool(const MemoryPlan&)>& fits) {
  const AlgorithmInfo& algorithm = *request.algorithm;
  if (!algorithm.halo || algorithm.input == Kind::none || request.preparation || needs_preparation(request)) return {};
  const Region all = whole_of(algorithm.output_shape(request.params, input));
  // The outermost axis is cut first, because its slabs are whole in memory, until a slab reads more than twice what it
  // computes. Then slabs are cut into tiles along the inner axes, and thinner where no tile fits either.
  constexpr struct {
    std::int64_t Region::*from, Region::*size;
  } axes[] = {{&Region::z, &Region::depth}, {&Region::y, &Region::height}, {&Region::x, &Region::width}};
  Region most = all;
  std::vector<Slab> slabs;
  const auto cut = [&] {
    slabs.clear();
    for (std::int64_t z = 0; z < all.depth; z += most.depth)
      for (std::int64_t y = 0; y < all.height; y += most.height)
        for (std::int64_t x = 0; x < all.width; x += most.width) {
          Slab slab{.output = {x, y, z, std::min(most.width, all.width - x), std::min(most.height, all.height - y),
                               std::min(most.depth, all.depth - z)}};
          slab.input = algorithm.halo->input_needed(request.params, input, slab.output);
          const Shape part = shape_of(input, slab.input);
          MemoryPlan need = plan_memory(request, part);
          need.host_output += HostArray::bytes_for(part);
          if (!fits(need)) return false;
          slabs.push_back(slab);
        }
    return true;
  };
  for (const bool thin : {false, true})
    for (const auto& [from, size] : axes)
      while (most.*size > 1) {
        Region half = most;
        half.*size = (most.*size + 1) / 2;
        if ((all.depth / half.depth) * (all.height / half.height) * (all.width / half.width) > most_slabs) return {};
        if (!thin && algorithm.halo->input_needed(request.params, input, half).*size > 2 * (half.*size)) break;
        most = half;
        if (cut()) return slabs;
      }
  return {};
}

void run_slab(const Slab& slab, const RunRequest& request, HostIn input, HostOut output,
              const std::function<void(HostIn, HostOut)>& run) {
  HostArray part(shape_of(input.shape, slab.input));
  copy_region(input, slab.input, part.view(), {});
  HostArray result(request.algorithm->output_shape(request.params, part.shape()));
  run(std::as_const(part).view(), result.view());
  Region own = slab.output;
  own.x -= slab.input.x;
  own.y -= slab.input.y;
  if (output.shape.depth > 1) own.z -= slab.input.z;
  copy_region(std::as_const(result).view(), own, output, slab.output);
}

}  // namespace threadscape
