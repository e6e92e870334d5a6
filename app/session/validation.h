#pragma once

#include <optional>
#include <string>

#include "app/session/sources.h"

namespace threadscape::app {

/// Whether a work can run on its input, and if not why. The answer may need a look at the whole input, so refresh()
/// keeps that of the last work; reading the answer for any other work finds it anew, and changes nothing.
class Validation {
 public:
  /// Finds and keeps the answer, unless it is kept already. `work` holds the id of its input.
  void refresh(const Work& work, const Sources& sources);
  /// The answer may have changed without the work: files that parameters name, memory.
  void forget() { checked_.reset(); }
  /// "" when `work` can run on its input, otherwise what is wrong, in words for the user. Does not ask whether the
  /// backend is present.
  [[nodiscard]] std::string problem(const Work& work, const Sources& sources) const;

 private:
  std::optional<Work> checked_;  ///< What answer_ is about.
  std::string answer_;
};

/// "" when the backend can be used here and now, otherwise why not.
[[nodiscard]] std::string why_absent(Backend backend);

}  // namespace threadscape::app
