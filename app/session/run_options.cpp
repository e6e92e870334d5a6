#include "app/session/run_options.h"

#include <nlohmann/json.hpp>

#include "compute/core/kind_info.h"
#include "compute/gpu/device.h"
#include "compute/io/data_file.h"
#include "compute/io/standard_stream.h"
#include "compute/io/text_file.h"
#include "compute/registry/file_settings.h"
#include "compute/registry/registry.h"
#include "compute/run/device_group.h"
#include "compute/sketch/sketch_algorithm.h"

namespace threadscape::app {

namespace fs = std::filesystem;

namespace {

void apply_preset(ParamBox& params, const fs::path& path) {
  try {
    std::string text = io::load_json_text(path);
    const auto json =
        nlohmann::ordered_json::parse(text, nullptr, /*allow_exceptions=*/false, /*ignore_comments=*/true);
    if (json.is_object() && json.contains("params") && json["params"].is_object()) text = json["params"].dump();
    assign_json(params, text);
  } catch (const UsageError& error) {
    throw UsageError("preset '" + path.string() + "': " + error.what());
  }
}

}  // namespace

ParamBox make_params(const AlgorithmInfo& algorithm, const AlgorithmOptions& options, const io::Settings& file) {
  const bool of_session = options.session_algorithm == &algorithm;
  ParamBox params = of_session ? options.session_params : algorithm.defaults();
  if (!of_session) apply_settings(algorithm, file, params);
  if (!options.preset.empty()) apply_preset(params, options.preset);
  for (const auto& [key, value] : options.sets)
    params.assign(key, value);
  params.check();
  return params;
}

RunRequest make_request(const AlgorithmOptions& options, Backend default_backend) {
  const AlgorithmInfo& algorithm = find_algorithm(options.algorithm);
  const Backend backend = options.backend.value_or(default_backend);
  RunRequest request{.algorithm = &algorithm,
                     .params = make_params(algorithm, options),
                     .backend = backend,
                     .variant = algorithm.variant_index(backend, options.variant),
                     .threads = options.threads,
                     .seed = options.seed,
                     .device = options.device,
                     .devices = options.devices};
  if (options.threads < 0 || options.threads > max_threads())
    throw UsageError("--threads " + std::to_string(options.threads) + ": 1.." + std::to_string(max_threads()) +
                     ", or 0 for all");
  if (backend == Backend::cuda) device_of(request).require();
  if (is_divided(request)) require_divisible(request);
  return request;
}

Shape wanted_input(const RunRequest& request) {
  const AlgorithmInfo& algorithm = *request.algorithm;
  if (algorithm.own_input) return algorithm.own_input->shape(request.params);
  Shape wanted{.kind = algorithm.input};
  // Files of numbers have no header, and the head of a sketch says what they hold.
  if (const auto live = sketch::sketch_of(algorithm)) wanted.element = live->sketch().head.reads.element;
  return wanted;
}

io::Loaded load_input(const RunRequest& request, const fs::path& path, const io::LoadOptions& options) {
  const AlgorithmInfo& algorithm = *request.algorithm;
  if (algorithm.input == Kind::none) {
    if (!path.empty()) throw UsageError(std::string(algorithm.name) + " takes no input, not '" + path.string() + "'");
    return {};
  }
  if (!path.empty()) return io::load_data(path, wanted_input(request), options);
  if (algorithm.own_input) return {algorithm.own_input->make(request.params, request.seed), io::FileColour::grey};
  throw UsageError(std::string(algorithm.name) + " needs an input " + std::string(info_of(algorithm.input).user_name) +
                   ": threadscape run " + std::string(algorithm.name) + " INPUT -o OUTPUT");
}

}  // namespace threadscape::app
