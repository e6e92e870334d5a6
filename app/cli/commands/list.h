#pragma once

#include <string>

#include "app/cli/command.h"
#include "compute/registry/algorithm_info.h"

namespace threadscape::app {

/// `threadscape list`: prints every algorithm with its parameters, backends and variants, or the formats of files, or
/// the commands.
[[nodiscard]] CommandAction set_up_list(CLI::App& app, FindDevices find_devices);

/// Help text of an algorithm: its summary, its parameters as describe_fields() formats them, and its variants.
[[nodiscard]] std::string describe_parameters(const AlgorithmInfo& algorithm);
/// A text table of parameters: name, accepted values, default, meaning.
[[nodiscard]] std::string describe_fields(const ParamBox& defaults);

}  // namespace threadscape::app
