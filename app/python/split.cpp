#include "app/python/split.h"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "app/python/arrays.h"
#include "app/python/call.h"
#include "compute/core/kind_info.h"
#include "compute/run/memory_plan.h"
#include "compute/run/runner.h"

namespace threadscape::python {

namespace {

using Extents = std::vector<std::int64_t>;

/// The region of an array of this kind, whose starts and sizes have the outermost axis first.
Region region_of(Kind kind, const Extents& starts, const Extents& sizes) {
  const auto axes = static_cast<std::size_t>(info_of(kind).dimensions);
  if (starts.size() != axes || sizes.size() != axes)
    throw UsageError("a region of a " + std::string(info_of(kind).user_name) + " has " + std::to_string(axes) +
                     " starts and sizes");
  Region region{.width = 1};
  const std::array<std::pair<std::int64_t*, std::int64_t*>, 3> places{
      {{&region.x, &region.width}, {&region.y, &region.height}, {&region.z, &region.depth}}};
  for (std::size_t i = 0; i < axes; ++i) {
    *places[i].first = starts[axes - 1 - i];
    *places[i].second = sizes[axes - 1 - i];
  }
  return region;
}

std::pair<Extents, Extents> starts_and_sizes(Kind kind, const Region& region) {
  std::pair<Extents, Extents> made{{region.x, region.y, region.z}, {region.width, region.height, region.depth}};
  for (Extents* extents : {&made.first, &made.second}) {
    extents->resize(static_cast<std::size_t>(info_of(kind).dimensions));
    *extents = Extents(extents->rbegin(), extents->rend());
  }
  return made;
}

/// Returns whether a region lies in an array of this shape and is not empty.
bool inside(const Region& region, const Shape& shape) {
  const auto fits = [](std::int64_t start, std::int64_t size, std::int64_t extent) {
    return start >= 0 && size > 0 && size <= extent && start <= extent - size;
  };
  return fits(region.x, region.width, shape.width) && fits(region.y, region.height, shape.height) &&
         fits(region.z, region.depth, shape.depth);
}

}  // namespace

nb::tuple result_of(const AlgorithmInfo& algorithm, const nb::object& array, const nb::dict& options) {
  const RunRequest request = request_of(algorithm, options);
  const Shape input = input_of(request, read_shape(algorithm.name, algorithm.input, array));
  const Described made = described(algorithm.output_shape(request.params, input));
  return nb::make_tuple(made.extents, made.dtype);
}

void require_layers(const AlgorithmInfo& algorithm, const nb::dict& options) {
  if (const std::string why = why_no_layers(request_of(algorithm, options)); !why.empty())
    throw UsageError(std::string(algorithm.name) + " cannot be cut into blocks: " + why);
}

nb::list inputs_of(const AlgorithmInfo& algorithm, const nb::object& array, const nb::list& regions,
                   const nb::dict& options) {
  const RunRequest request = request_of(algorithm, options);
  const std::string name(algorithm.name);
  if (!algorithm.halo)
    throw UsageError(name + " cannot be cut into blocks: a part of its result can depend on all of its input");
  if (needs_preparation(request))
    throw UsageError(name + " cannot be cut into blocks with these parameters, which need all of its input first");
  const Shape input = input_of(request, read_shape(name, algorithm.input, array));
  const Shape result = algorithm.output_shape(request.params, input);
  nb::list found;
  for (const nb::handle item : regions) {
    const auto [starts, sizes] = nb::cast<std::pair<Extents, Extents>>(item);
    const Region region = region_of(algorithm.output, starts, sizes);
    if (!inside(region, result)) throw UsageError(name + ": a region does not lie in the result");
    const Region needed = algorithm.halo->input_needed(request.params, input, region);
    const Shape part = shape_of(input, needed);
    const MemoryPlan plan = plan_memory(request, part);
    const auto [first, extents] = starts_and_sizes(algorithm.input, needed);
    found.append(nb::make_tuple(first, extents, part.bytes() + plan.host_bytes() + plan.device_bytes()));
  }
  return found;
}

}  // namespace threadscape::python
