#include "compute/run/slabs.h"

#include <algorithm>
#include <utility>

namespace threadscape {

std::vector<Slab> cut_into_slabs(const RunRequest& request, const Shape& input,
                                 const std::function<bool(const MemoryPlan&)>& fits) {
  const AlgorithmInfo& algorithm = *request.algorithm;
  if (!algorithm.halo || algorithm.input == Kind::none || request.preparation || needs_preparation(request)) return {};
  const Region all = whole_of(algorithm.output_shape(request.params, input));
  const auto first = all.depth > 1 ? &Region::z : all.height > 1 ? &Region::y : &Region::x;
  const auto size = all.depth > 1 ? &Region::depth : all.height > 1 ? &Region::height : &Region::width;
  std::vector<Slab> slabs;
  const auto add = [&](std::int64_t from, std::int64_t to) {
    Slab slab{.input = {}, .output = all};
    slab.output.*first = from;
    slab.output.*size = to - from;
    slab.input = algorithm.halo->input_needed(request.params, input, slab.output);
    const Shape part = shape_of(input, slab.input);
    MemoryPlan need = plan_memory(request, part);
    need.host_output += HostArray::bytes_for(part);
    slabs.push_back(slab);
    return fits(need);
  };
  for (std::int64_t most = all.*size; most > 1;) {
    most = (most + 1) / 2;
    slabs.clear();
    std::int64_t from = 0;
    while (from < all.*size && add(from, std::min(from + most, all.*size)))
      from += most;
    if (from >= all.*size) return slabs;
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
