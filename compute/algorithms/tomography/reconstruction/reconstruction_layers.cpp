// Filtered backprojection in slabs of the volume. For each slab all views are read, some at a time, filtered, and added
// to the slab, whose sums continue from views to views.

#include <algorithm>
#include <utility>
#include <vector>

#include "compute/algorithms/tomography/reconstruction/openmp/reconstruction_openmp.h"
#include "compute/algorithms/tomography/reconstruction/reconstruction.h"
#include "compute/algorithms/tomography/reconstruction/reconstruction_serial.h"
#include "compute/core/layers.h"

namespace threadscape {

namespace {

using reconstruction::FdkShare;

/// Returns true for the code of reconstruction_serial.h, which the OpenMP variant `loops` runs as well.
bool is_serial(const SlabRun& run) {
  return run.backend == Backend::serial || run.variant != 0;
}
Shape views_of(Shape input, std::int64_t views) {
  input.depth = views;
  return input;
}
/// Scratch memory of a share, without the sums of the serial code.
std::size_t scratch_bytes_of(const projection::Geometry& geometry, const FdkShare& share, const SlabRun& run) {
  return is_serial(run) ? reconstruction::fdk_serial_bytes(geometry)
                        : reconstruction::fdk_scratch_bytes(geometry, share);
}
FdkShare share_of(const SlabRun& run, std::int64_t first_view, std::int64_t views) {
  return {static_cast<int>(first_view), static_cast<int>(views), static_cast<int>(run.first),
          static_cast<int>(run.first + run.out.shape.depth)};
}

}  // namespace

std::string Reconstruction::why_no_slabs(const Params& params, Backend backend) {
  if (params.method == Method::sirt) return "each iteration of sirt needs the whole result";
  if (backend == Backend::cuda) return "of a GPU the whole result comes into memory: --backend openmp writes slabs";
  return {};
}

std::size_t Reconstruction::slab_bytes(const Params& params, const Shape& input, const SlabRun& like) {
  const projection::Geometry geometry = params.scanner(input);
  const std::int64_t views = std::min(like.input_layers, input.depth);
  const std::size_t sums = is_serial(like) ? static_cast<std::size_t>(like.out.shape.items()) * sizeof(double) : 0;
  return HostArray::bytes_for(views_of(input, views)) + scratch_bytes_of(geometry, share_of(like, 0, views), like) +
         sums;
}

void Reconstruction::run_slab(const Params& params, const SlabRun& run) {
  const Shape input = run.in->shape();
  const projection::Geometry geometry = params.scanner(input);
  const std::int64_t at_once = std::min(run.input_layers, input.depth);
  HostArray views(views_of(input, at_once));
  HostScratch scratch;
  scratch.reset(scratch_bytes_of(geometry, share_of(run, 0, at_once), run));
  std::vector<double> sums(is_serial(run) ? static_cast<std::size_t>(run.out.shape.items()) : 0);
  HostRun part;
  part.out = run.out;
  part.scratch = &scratch;
  part.threads = run.backend == Backend::serial ? 1 : std::max(1, run.threads);
  part.stop = run.stop;
  for (std::int64_t first = 0; first < input.depth && !run.stop.stop_requested(); first += at_once) {
    const std::int64_t count = std::min(at_once, input.depth - first);
    run.in->read(first, first + count, reinterpret_cast<float*>(views.data()));
    part.in = std::as_const(views).view();
    part.in.shape.depth = count;
    check_views(part.in, first);
    const std::size_t mark = scratch.mark();
    if (is_serial(run))
      reconstruction::fdk_serial(params, geometry, share_of(run, first, count), sums, part);
    else
      reconstruction::fdk_openmp(params, geometry, share_of(run, first, count), part);
    scratch.rewind(mark);
  }
}

}  // namespace threadscape
