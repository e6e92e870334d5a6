#pragma once

#include <CLI/CLI.hpp>

#include "app/bench/bench.h"

namespace threadscape::app {

/// The options of `threadscape bench`; parsing fills `options`, which must live as long as `app`.
void add_bench_options(CLI::App& app, BenchOptions& options);

}  // namespace threadscape::app
