#include "app/session/sketch_reference.h"

#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "app/session/sketch_file.h"
#include "compute/sketch/sketch_algorithm.h"

namespace threadscape::app {

namespace {

struct ReferenceParams {
  ParamBox sketch;
  const AlgorithmInfo* algorithm = nullptr;
  ParamBox params;  ///< Those of the algorithm.

  std::vector<FieldRef> bound_fields() { return params.fields(); }
  [[nodiscard]] std::string problem() const { return params.problem(); }
  bool operator==(const ReferenceParams&) const = default;
};

Shape read_shape(const ReferenceParams& reference, const Shape& input) {
  return accepted_shape(reference.sketch.as<sketch::SketchParams>().live->sketch(), input);
}

Shape shape_of_result(const ParamBox& box, const Shape& input) {
  const auto& reference = box.as<ReferenceParams>();
  return reference.algorithm->output_shape(reference.params, read_shape(reference, input));
}

void run_reference(const ParamBox& box, const HostRun& run) {
  const auto& reference = box.as<ReferenceParams>();
  const RunRequest request{.algorithm = reference.algorithm,
                           .params = reference.params,
                           .backend = Backend::openmp,
                           .threads = run.threads,
                           .seed = run.seed,
                           .frame = run.frame};
  HostArray converted;
  HostIn input = run.in;
  if (const Shape shape = read_shape(reference, input.shape); shape != input.shape) {
    converted = HostArray(shape);
    sketch::copy_input(input, converted.view());
    input = converted.view();
  }
  Runner().run_into(request, input, run.out, run.stop, run.progress);
}

/// The row for an algorithm as the reference of sketches, which is not in the registry.
const AlgorithmInfo& row_of(const AlgorithmInfo& algorithm) {
  static std::mutex adding;
  static std::map<const AlgorithmInfo*, AlgorithmInfo> rows;
  const std::scoped_lock lock(adding);
  const auto [found, is_new] = rows.try_emplace(&algorithm);
  AlgorithmInfo& row = found->second;
  if (!is_new) return row;
  row.name = algorithm.name;
  row.title = algorithm.title;
  row.summary = algorithm.summary;
  row.source = algorithm.source;
  row.group = algorithm.group;
  row.input = algorithm.input;
  row.output = algorithm.output;
  row.tolerance = algorithm.tolerance;
  row.variants = {single_variant, single_variant, single_variant};
  row.output_shape = shape_of_result;
  row.scratch_bytes = [](const ParamBox&, const Shape&, Backend, int) { return std::size_t{0}; };
  row.serial = row.openmp = run_reference;
  return row;
}

}  // namespace

std::optional<RunRequest> converted_reference_run(const AlgorithmInfo& row, const ParamBox& params) {
  std::optional<RunRequest> run = reference_run(row, params);
  if (!run || run->algorithm->input != row.input) return {};
  run->params = ParamBox::of(ReferenceParams{params, run->algorithm, std::move(run->params)});
  run->algorithm = &row_of(*run->algorithm);
  run->backend = Backend::openmp;
  return run;
}

}  // namespace threadscape::app
