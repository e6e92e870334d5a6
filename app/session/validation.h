#pragma once

#include <string>

#include "app/session/sources.h"

namespace threadscape::app {

/// The reason why `work` cannot run on its input, as text for the user; "" if it can. The answer may depend on the
/// whole input, on files that parameters name, and on free memory. Does not check whether the backend is available, nor
/// the values in inputs of more than 16 MiB, which the run checks.
[[nodiscard]] std::string find_problem(const Work& work, const Sources& sources);

/// The reason why the backend cannot be used at present, where CUDA uses this device (RunRequest::device); "" if it
/// can.
[[nodiscard]] std::string why_absent(Backend backend, gpu::Device* device);

}  // namespace threadscape::app
