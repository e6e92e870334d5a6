#pragma once

namespace threadscape::app {

struct InfoOptions {
  bool json = false;
};

/// Prints what this machine can do: CPU, GPU, GL, the route and why. Never fails for lack of one of them.
int info(const InfoOptions& options);

}  // namespace threadscape::app
