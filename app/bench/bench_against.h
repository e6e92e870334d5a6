#pragma once
// `threadscape bench A --against B`: two variants, backends, sets of parameters or builds of the program are measured
// in turns, since machines drift, and compared.

#include "app/bench/bench.h"

namespace threadscape::app {

/// Measures and compares. The first side is what the other options say. Returns the exit code. Throws UsageError and
/// what a run throws.
int bench_against(const BenchOptions& options);

}  // namespace threadscape::app
