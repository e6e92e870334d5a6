#include "app/cli/run_steps.h"

#include <nlohmann/json.hpp>

#include <array>
#include <utility>

#include "compute/core/clip.h"
#include "compute/core/kind_conversion.h"
#include "compute/io/result_extensions.h"
#include "compute/registry/result_settings.h"
#include "compute/registry/step_kinds.h"

namespace threadscape::app {

namespace fs = std::filesystem;

namespace {

/// Calls f(). If it throws a UsageError, puts the name of the step in front of its message.
template <class F>
decltype(auto) named(std::size_t index, const std::string& algorithm, const F& f) {
  try {
    return f();
  } catch (const UsageError& error) {
    throw UsageError("step " + std::to_string(index + 1) + ", " + algorithm + ": " + error.what());
  }
}

const AlgorithmOptions& options_of(const RunOptions& options, std::size_t step) {
  return step == 0 ? options.run : options.then[step - 1];
}

/// Returns true if a step gets the newest results of the step before it as a clip.
bool takes_window(std::span<const std::optional<ClipWindow>> windows, std::size_t step, Kind before) {
  return !windows.empty() && windows[step] && before == Kind::image;
}

/// Writes the result of a step into the folder for steps, if there is one.
void save_step(const RunOptions& options, FinishedRun& run, const std::string& stem, std::size_t index) {
  if (options.steps_out.empty()) return;
  const std::vector<std::string> extensions = io::extensions_that_hold(run.output_shape());
  const std::string extension = extensions.empty() ? "" : extensions.front();
  run.step_file = options.steps_out / ((stem.empty() ? "" : stem + "-") + std::to_string(index + 1) + "-" +
                                       std::string(run.request.algorithm->name) + extension);
  save_result(options, run, run.step_file);
}

}  // namespace

std::vector<RunRequest> make_steps(const RunOptions& options, bool moving) {
  std::vector<RunRequest> steps;
  if (options.then.empty()) return {make_request(options.run, Backend::openmp)};
  for (std::size_t i = 0; i <= options.then.size(); ++i) {
    const AlgorithmOptions& own = options_of(options, i);
    steps.push_back(named(i, own.algorithm, [&] { return make_request(own, Backend::openmp); }));
    if (i == 0) continue;
    const bool pictures_to_clip =
        steps[i - 1].algorithm->output == Kind::image && steps[i].algorithm->input == Kind::clip;
    if (moving && pictures_to_clip) continue;
    if (const std::string why = why_not_after(*steps[i - 1].algorithm, *steps[i].algorithm); !why.empty())
      throw UsageError(step_name(i, *steps[i].algorithm) + ": " + why);
  }
  return steps;
}

StepWindows make_windows(const std::vector<RunRequest>& steps) {
  StepWindows windows(steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i)
    if (const AlgorithmInfo& algorithm = *steps[i].algorithm; algorithm.input == Kind::clip && algorithm.own_input)
      windows[i].emplace(algorithm.own_input->shape(steps[i].params).depth);
  return windows;
}

void check_shapes(const RunOptions& options, const std::vector<RunRequest>& steps, const Shape& input,
                  const io::Settings& given, bool moving) {
  Shape shape = input;
  io::Settings settings = given;
  for (std::size_t i = 0; i < steps.size(); ++i)
    named(i, std::string(steps[i].algorithm->name), [&] {
      const AlgorithmInfo& algorithm = *steps[i].algorithm;
      if (moving && algorithm.input == Kind::clip && shape.kind == Kind::image)
        shape = clip_shape(shape, 1);
      else if (algorithm.input != Kind::none)
        shape = converted_shape(shape, algorithm.input);
      const ParamBox params = make_params(algorithm, options_of(options, i), settings);
      const Shape result = algorithm.output_shape(params, shape);
      settings = settings_of_result(algorithm, params, shape, settings);
      shape = result;
    });
}

FinishedRun run_following(const RunOptions& options, const std::vector<RunRequest>& steps, FinishedRun first,
                          const std::string& stem, Runner& runner, LongTask& task,
                          std::span<std::optional<ClipWindow>> windows) {
  FinishedRun last = std::move(first);
  std::vector<FinishedRun> before;
  save_step(options, last, stem, 0);
  for (std::size_t i = 1; i < steps.size(); ++i) {
    const RunRequest& request = steps[i];
    const AlgorithmInfo& algorithm = *request.algorithm;
    const auto start = Clock::now();
    LoadedInput input;
    input.picture.settings = settings_of_result(*last.request.algorithm, last.request.params, last.input, last.given);
    input.picture.colour = colour_of(last);
    input.picture.facts = last.facts;
    last.handed_on = last.output_shape();
    const bool same_kind = last.handed_on.kind == algorithm.input;
    if (takes_window(windows, i, last.handed_on.kind))
      input.lent = windows[i]->push(std::as_const(last.result.output).view());
    else
      input.picture.pixels = same_kind ? std::move(last.result.output) : named(i, std::string(algorithm.name), [&] {
        return convert_kind(std::as_const(last.result.output).view(), algorithm.input);
      });
    // A conversion is to a step what reading is to a file.
    input.load_ms = same_kind ? 0.0 : milliseconds_since(start);
    last.result.output = {};
    before.push_back(std::move(last));
    task.progress().report(0.0);
    last = named(i, std::string(algorithm.name),
                 [&] { return run_loaded(options_of(options, i), request, input, runner, task); });
    save_step(options, last, stem, i);
  }
  last.before = std::move(before);
  return last;
}

FinishedRun run_steps(const RunOptions& options, const std::vector<RunRequest>& steps, LoadedInput input,
                      const std::string& stem, Runner& runner, LongTask& task,
                      std::span<std::optional<ClipWindow>> windows) {
  check_shapes(options, steps, input.picture.pixels.shape(), input.picture.settings, !windows.empty());
  if (takes_window(windows, 0, input.picture.pixels.shape().kind)) {
    input.lent = windows[0]->push(std::as_const(input.picture.pixels).view());
    input.picture.pixels = {};
  }
  FinishedRun first = named(0, std::string(steps.front().algorithm->name),
                            [&] { return run_loaded(options.run, steps.front(), input, runner, task); });
  input = {};
  return run_following(options, steps, std::move(first), stem, runner, task, windows);
}

std::string names_of(const std::vector<RunRequest>& steps) {
  std::string names;
  for (const RunRequest& step : steps)
    names += (names.empty() ? "" : ", ") + std::string(step.algorithm->name);
  return names;
}

double total_ms(const FinishedRun& last) {
  const auto of = [](const FinishedRun& run) {
    const StageTimes& times = run.result.times;
    return times.upload_ms + times.compute_ms + times.download_ms;
  };
  double sum = of(last);
  for (const FinishedRun& run : last.before)
    sum += of(run);
  return sum;
}

Json steps_json(const FinishedRun& last, const fs::path& input, const fs::path& output) {
  Json json{{"steps", Json::array()}};
  std::array<double, 5> sums{};
  constexpr std::array stages{"load", "upload", "compute", "download", "save"};
  const auto add = [&](const FinishedRun& run, const fs::path& from, const fs::path& to) {
    json["steps"].push_back(run_json(run, from, to));
    for (std::size_t i = 0; i < stages.size(); ++i)
      sums[i] += json["steps"].back()["stages_ms"][stages[i]].get<double>();
  };
  for (const FinishedRun& run : last.before)
    add(run, &run == &last.before.front() ? input : fs::path(), run.step_file);
  add(last, last.before.empty() ? input : fs::path(), output.empty() ? last.step_file : output);
  for (std::size_t i = 0; i < stages.size(); ++i)
    json["stages_ms"][stages[i]] = sums[i];
  return json;
}

}  // namespace threadscape::app
