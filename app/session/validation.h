#pragma once

#include <optional>
#include <string>

#include "app/session/sources.h"

namespace threadscape::app {

/// Answers whether a work can run on its input, and why not. The answer may depend on the whole input, so refresh()
/// keeps the answer for the last work. Reading the answer for another work computes it again and changes nothing.
class Validation {
 public:
  /// Computes the answer for `work` and keeps it, unless it is kept already. `work` contains the id of its input.
  void refresh(const Work& work, const Sources& sources);
  /// Drops the kept answer, which may have changed although the work has not: files that parameters name, or free
  /// memory.
  void forget() { checked_.reset(); }
  /// The reason why `work` cannot run on its input, as text for the user; "" if it can. Does not check whether the
  /// backend is available, nor the values in inputs of more than 16 MiB, which the run checks.
  [[nodiscard]] std::string problem(const Work& work, const Sources& sources) const;

 private:
  std::optional<Work> checked_;  ///< The work that answer_ belongs to.
  std::string answer_;
};

/// The reason why the backend cannot be used at present, where CUDA uses this device (RunRequest::device); "" if it
/// can.
[[nodiscard]] std::string why_absent(Backend backend, gpu::Device* device);

}  // namespace threadscape::app
