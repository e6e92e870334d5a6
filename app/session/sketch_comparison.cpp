#include "app/session/sketch_comparison.h"

#include <algorithm>
#include <array>
#include <optional>

#include "compute/core/errors.h"
#include "compute/core/synthetic.h"
#include "compute/core/timings.h"
#include "compute/gpu/device.h"
#include "compute/sketch/sketch_algorithm.h"

namespace threadscape::app {

namespace {

/// The runs of a group, of which the median is a sample. The first one is not counted.
constexpr int runs_of_group = 21;

struct CountOfBoth {
  std::string_view title;
  std::uint64_t warp::Counts::*first, warp::Counts::*second;  ///< Null for a count that is no sum of two.
};
constexpr std::array counts_of_both{
    CountOfBoth{"warp instructions, estimated", &warp::Counts::warp_instructions, nullptr},
    CountOfBoth{"global load sectors", &warp::Counts::global_load_sectors, nullptr},
    CountOfBoth{"global store sectors", &warp::Counts::global_store_sectors, nullptr},
    CountOfBoth{"shared wavefronts", &warp::Counts::shared_load_wavefronts, &warp::Counts::shared_store_wavefronts},
    CountOfBoth{"shared conflicts", &warp::Counts::shared_load_conflicts, &warp::Counts::shared_store_conflicts},
    CountOfBoth{"divergent branches", &warp::Counts::divergent_branches, nullptr},
    CountOfBoth{"atomics", &warp::Counts::atomics, nullptr}};

/// One of the two that are compared.
struct Side {
  std::string name;
  std::shared_ptr<sketch::LiveSketch> live;  ///< Null for an algorithm of the program.
  RunRequest run;
  Shape result;
};

Side side_of(const AlgorithmInfo& row, const ParamBox& params, const ComparisonRequest& request) {
  Side side;
  side.live = sketch::sketch_of(row) ? params.as<sketch::SketchParams>().live : nullptr;
  side.run = {.algorithm = &row, .params = params, .backend = Backend::cuda, .seed = request.seed};
  if (side.live) {
    const sketch::Sketch& sketch = side.live->sketch();
    if (sketch.twin) throw UsageError(sketch.file.filename().string() + " is a twin for the CPU, which has no kernels");
    side.name = sketch.file.filename().string();
  } else {
    side.name = row.name;
    if (!request.variant.empty()) side.run.variant = row.variant_index(Backend::cuda, request.variant);
    if (const auto variants = row.variants_of(Backend::cuda); variants.size() > 1)
      side.name += " (" + std::string(variants[static_cast<std::size_t>(side.run.variant)].name) + ")";
  }
  side.result = row.output_shape(params, row.input == Kind::none ? Shape{} : request.input);
  return side;
}

/// Why the GPU cannot run a side; "" if it can.
std::string why_not_on_gpu(const Side& side) {
  if (!sketch::has_gpu_driver()) return "there is no GPU here";
  if (sketch::gpu().name.empty()) return sketch::gpu().obstacle;
  if (side.live) return "";
  if (side.run.algorithm->cuda == nullptr) return "this build has no CUDA kernels";
  try {
    check(side.run);
  } catch (const BackendAbsent& error) {
    return error.what();
  }
  return "";
}

/// The median of a group of runs on the GPU in milliseconds.
double group_ms(const Side& side, HostIn input, Runner& runner, const std::stop_token& stop) {
  std::vector<double> times;
  if (side.live) {
    HostArray output(side.result);
    times = side.live->run_on_gpu(side.run.params.as<sketch::SketchParams>().values, input, output.view(),
                                  side.run.seed, {.repetitions = runs_of_group, .stop = stop});
  } else {
    for (int i = 0; i < runs_of_group; ++i)
      times.push_back(runner.run(side.run, input, stop).times.compute_ms);
  }
  times.erase(times.begin());
  return summarize(std::move(times)).median;
}

void measure_times(const ComparisonRequest& request, const std::array<Side, 2>& sides, HostIn input,
                   const std::stop_token& stop, SketchComparison& found) {
  Runner runner;
  std::array<std::vector<double>*, 2> samples{&found.sketch_ms, &found.other_ms};
  for (int round = 0; round < request.rounds; ++round)
    for (int turn = 0; turn < 2; ++turn) {
      if (stop.stop_requested()) throw Cancelled();
      // Every second round begins with the other side, so that a drift within a round touches both alike.
      const auto side = static_cast<std::size_t>((round + turn) % 2);
      samples[side]->push_back(group_ms(sides[side], input, runner, stop));
    }
  found.where = sketch::gpu().name;
}

/// The counts of all kernels of a side. Throws for kernels with faults.
warp::Counts counts_of(const Side& side, HostIn input, const ComparisonRequest& request, const std::stop_token& stop) {
  // The machine code of the program's kernels is not known, so that the other side is counted by its PTX, too.
  const ObserveRequest wanted{.run = side.run,
                              .gpu = &warp::gpu_model(90),
                              .instructions = request.instructions,
                              .kept_bytes = 0,
                              .from_ptx = true};
  const Observation found =
      side.live ? observe_sketch(side.run.params, side.run.seed, wanted, input, stop) : observe(wanted, input, stop);
  if (stop.stop_requested()) throw Cancelled();
  warp::Counts sum;
  for (const ObservedKernel& kernel : found.kernels) {
    const warp::LaunchResult& launch = kernel.study.launch;
    if (!launch.faults.empty()) throw Error(ExitCode::check_failed, side.name + ": " + launch.faults.front().text);
    sum += launch.total;
  }
  return sum;
}

}  // namespace

Shape shape_for(const sketch::DataType& reads, std::int64_t width, std::int64_t height) {
  if (reads.kind == Kind::none) return {};
  Shape shape{.kind = reads.kind, .element = reads.element, .channels = reads.channels, .width = width};
  if (reads.kind == Kind::sequence || reads.kind == Kind::mesh)
    shape.width = width * height;
  else
    shape.height = height;
  if (reads.kind == Kind::volume) shape.depth = width;
  return shape;
}

SketchComparison compare_kernels(const ComparisonRequest& request, const std::stop_token& stop) {
  const SketchPair pair = paired(*request.row, request.check);
  const std::array<Side, 2> sides{side_of(*request.row, pair.own, request),
                                  side_of(*pair.algorithm, pair.other, request)};
  SketchComparison found{.sketch = sides[0].name,
                         .other = sides[1].name,
                         .input = request.input,
                         .result = sides[0].result,
                         .where = {},
                         .sketch_ms = {},
                         .other_ms = {},
                         .why_no_times = {},
                         .counts = {}};
  const HostArray input =
      request.input.kind == Kind::none ? HostArray() : make_synthetic(InputPattern::photo, request.input, request.seed);
  for (const Side& side : sides)
    if (found.why_no_times.empty()) found.why_no_times = why_not_on_gpu(side);
  if (found.why_no_times.empty()) {
    measure_times(request, sides, input.view(), stop, found);
    return found;
  }
  std::array<warp::Counts, 2> counts;
  for (std::size_t i = 0; i < sides.size(); ++i)
    counts[i] = counts_of(sides[i], input.view(), request, stop);
  for (const CountOfBoth& one : counts_of_both) {
    const auto per_value = [&](std::size_t i) {
      const std::uint64_t sum = counts[i].*one.first + (one.second != nullptr ? counts[i].*one.second : 0);
      return static_cast<double>(sum) / static_cast<double>(std::max<std::int64_t>(1, sides[i].result.items()));
    };
    found.counts.push_back({.title = one.title, .of_sketch = per_value(0), .of_other = per_value(1)});
  }
  return found;
}

}  // namespace threadscape::app
