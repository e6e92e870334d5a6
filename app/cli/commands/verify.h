#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compute/core/backend.h"

namespace threadscape::app {

struct VerifyOptions {
  std::vector<std::string> algorithms;  ///< empty = all
  std::vector<Backend> backends;        ///< empty = all
  std::vector<int> threads;             ///< empty = 1, 2, 7
  std::uint64_t seeds = 3;
  bool quiet = false;
};

/// 0 when everything that can run here agrees with serial, 1 on a difference, 77 when nothing of what was asked can
/// run.
int verify(const VerifyOptions& options);

}  // namespace threadscape::app
