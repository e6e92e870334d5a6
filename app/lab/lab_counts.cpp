#include "app/lab/lab_counts.h"

#include <algorithm>
#include <utility>

#include "app/analysis/line_why.h"
#include "app/session/line_code.h"
#include "compute/core/errors.h"
#include "compute/core/kind_info.h"
#include "compute/core/symbol_name.h"
#include "compute/core/synthetic.h"
#include "compute/gpu/device.h"
#include "compute/registry/registry.h"
#include "compute/sketch/sketch_algorithm.h"

namespace threadscape::app {

namespace {

constexpr std::int64_t most_values = 65536, most_voxels = 32;
/// Inputs that algorithms make themselves are not cut, and counted up to so many values.
constexpr std::int64_t most_own_items = 1 << 22;

Shape counted_shape(Shape shape) {
  const int dimensions = info_of(shape.kind).dimensions;
  const std::int64_t most = dimensions == 1   ? most_values
                            : dimensions == 2 ? std::int64_t{RunObserver::most_pixels_across}
                                              : most_voxels;
  shape.width = std::min(shape.width, most);
  shape.height = std::min(shape.height, most);
  shape.depth = std::min(shape.depth, most);
  return shape;
}

/// The lines of the file that the kernel was written in. What is inlined counts in the line of that file that is
/// nearest to it.
KernelCounts counts_of(const ObservedKernel& kernel) {
  KernelCounts counts;
  const std::vector<warp::Counts>& all = kernel.study.launch.instructions;
  const warp::Function* const function = counted_function(kernel);
  if (function == nullptr) return counts;
  const std::string file = file_of(*kernel.module, *function);
  counts.file = file.substr(file.rfind('/') + 1);
  for (std::size_t i = 0; i < all.size(); ++i)
    if (const std::vector<int> lines = lines_of(*kernel.module, function->instructions[i], file); !lines.empty())
      counts.lines[lines.front()] += all[i];
  return counts;
}

/// The counts of the kernels, under the names of those that a GPU makes.
cuda::CountedRun as_counters(const std::vector<ObservedKernel>& kernels) {
  cuda::CountedRun run;
  for (const ObservedKernel& kernel : kernels) {
    cuda::CountedKernel& found = run.kernels.emplace_back();
    found.name = kernel_name(kernel.name);
    found.launches = static_cast<int>(kernel.launches);
    for (const warp::Figure& figure : warp::figures())
      found.counts[std::string(figure.name)] = static_cast<double>(kernel.study.launch.total.*figure.count);
    found.counts["active_lanes"] = kernel.study.active_lanes;
    found.counts["l1_hit_rate"] = kernel.study.l1_hit_rate();
    found.counts["l2_hit_rate"] = kernel.study.l2_hit_rate();
  }
  return run;
}

}  // namespace

CountedLines counted_lines(const ObservedRun& run, const AlgorithmInfo& algorithm, int variant) {
  CountedLines counted{.input = run.input, .lines = {}, .run = as_counters(run.found.kernels)};
  std::vector<KernelCounts> kernels;
  for (const ObservedKernel& kernel : run.found.kernels)
    kernels.push_back(counts_of(kernel));
  for (LineSentence& sentence : line_why(kernels))
    counted.lines.push_back({.text = std::move(sentence.text),
                             .place = {.algorithm = &algorithm,
                                       .params = run.params,
                                       .variant = variant,
                                       .kernel = sentence.kernel,
                                       .line = sentence.line}});
  return counted;
}

std::optional<std::pair<ObservedWork, std::shared_ptr<const Source>>> observed_row(const Measurement& row) {
  if (row.where.backend != Backend::cuda || !row.where.peer.empty()) return {};
  try {
    const AlgorithmInfo& algorithm = find_algorithm(row.what.algorithm);
    Work work{.algorithm = &algorithm, .params = algorithm.defaults()};
    for (const Parameter& parameter : row.what.params)
      assign_json(work.params, "{\"" + parameter.name + "\": " + parameter.json + "}");
    // A route is a way to compute the variant that the host chooses.
    const std::string variant = row.where.variant.substr(0, row.where.variant.find('/'));
    const int index = algorithm.variant_index(Backend::cuda, variant);
    std::shared_ptr<Source> source;
    if (algorithm.own_input && row.what.input.items() > most_own_items) return {};
    const bool own = algorithm.own_input && algorithm.own_input->shape(work.params) == row.what.input;
    if (algorithm.input != Kind::none && !own) {
      source = std::make_shared<Source>();
      source->picture.pixels = make_synthetic(InputPattern::photo, counted_shape(row.what.input), 1);
    }
    return std::pair{observed_work(work, index), std::move(source)};
  } catch (const Error&) {  // The row is one of another version of the program.
    return {};
  }
}

void LabCounts::take() {
  if (counter_ == nullptr) return;
  const std::shared_ptr<const ObservedRun> run = counter_->follow(work_, source_, false);
  if (run == nullptr) return;
  known_[counting_] = counted_lines(*run, *work_.work.algorithm, work_.variant);
  counter_.reset();
  source_.reset();
}

const CountedLines* LabCounts::of(const Measurement& row) {
  take();
  std::string key = row.key();
  if (const auto known = known_.find(key); known != known_.end()) return &known->second;
  if (counter_ != nullptr || !gpu::devices().emulated().available()) return nullptr;
  std::optional<std::pair<ObservedWork, std::shared_ptr<const Source>>> observed = observed_row(row);
  if (!observed) {
    known_[key] = {};
    return nullptr;
  }
  std::tie(work_, source_) = std::move(*observed);
  counting_ = std::move(key);
  counter_ = std::make_unique<RunObserver>();
  take();
  return nullptr;
}

const CountedLines* LabCounts::of_sketch(const LiveView& live) {
  const Work* const shown = live.shown();
  awaits_sketch_ = false;
  if (shown == nullptr || !sketch::has_sketched_kernels(*shown->algorithm)) return nullptr;
  const auto run = live.observer().follow(observed_work(*shown, 0), live.displayed_source(), false);
  awaits_sketch_ = run == nullptr;
  if (awaits_sketch_) return nullptr;
  if (run != sketch_run_) sketch_lines_ = counted_lines(*run, *shown->algorithm, 0);
  sketch_run_ = run;
  return &sketch_lines_;
}

}  // namespace threadscape::app
