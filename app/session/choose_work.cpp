// What the options of a command line ask for becomes the work of a workspace.

#include "app/session/workspace.h"

namespace threadscape::app {

void choose_work(Workspace& workspace, const AlgorithmOptions& asked) {
  AlgorithmOptions options = asked;
  options.devices.clear();  // What cannot be divided runs on the first of them.
  const bool same_algorithm = options.algorithm.empty() || options.algorithm == workspace.algorithm().name;
  if (options.algorithm.empty()) options.algorithm = workspace.algorithm().name;
  // If the command line states no parameters, those of the workspace are kept.
  const bool keep_params =
      same_algorithm && options.sets.empty() && options.preset.empty() && options.session_algorithm == nullptr;
  const RunRequest request = make_request(options, workspace.work().backend);
  // A list of the last session is kept only if nothing else is asked for.
  if (!asked.algorithm.empty()) workspace.clear_steps();
  workspace.choose_algorithm(*request.algorithm);
  workspace.choose_backend(request.backend);
  if (!keep_params) workspace.set_parameters(request.params);
  if (!options.variant.empty()) workspace.choose_variant(request.variant);
  if (options.threads > 0) workspace.choose_threads(options.threads);
  if (!asked.devices.empty())
    workspace.choose_devices(asked.devices);
  else if (options.device != nullptr)
    workspace.choose_device(*options.device);
  workspace.choose_seed(request.seed);
}

}  // namespace threadscape::app
