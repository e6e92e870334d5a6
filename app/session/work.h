#pragma once
// The two values that a run is made of: the data that it works on, and the choice of what is computed from them.

#include <cstdint>
#include <filesystem>

#include "compute/io/image_file.h"
#include "compute/run/runner.h"

namespace threadscape::app {

/// Data that an algorithm works on. Shared, so that they stay alive while a thread still reads them.
struct Source {
  std::filesystem::path path = {};  ///< File that they were read from; "" for data that an algorithm made.
  io::Picture picture;
  std::uint64_t id = 0;  ///< Differs between any two sources; 0 is no source.
};

/// What one run computes, compared by value: a run is due when the wanted work differs from the work on display.
struct Work {
  const AlgorithmInfo* algorithm = nullptr;
  ParamBox params;
  Backend backend = Backend::openmp;
  int variant = 0;
  int threads = 0;
  std::uint64_t seed = 0;
  std::uint64_t source_id = 0;  ///< Source::id of the input; 0 without an input.

  [[nodiscard]] RunRequest request() const { return {algorithm, params, backend, variant, threads, seed}; }
  /// Makes the input that the algorithm brings itself, and checks it. Can take seconds: it is called on a worker
  /// thread. Throws UsageError and EnvironmentError.
  [[nodiscard]] HostArray make_input() const;
  friend bool operator==(const Work&, const Work&) = default;
};

}  // namespace threadscape::app
