#pragma once
// Helpers for tests of sequences: making sequences, and running algorithms on them.

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "compute/registry/algorithm_info.h"

namespace threadscape::testing {

/// A sequence of these values.
template <class T>
HostArray sequence_of(const std::vector<T>& values) {
  HostArray array({Kind::sequence, PixelTraits<T>::element, 1, static_cast<std::int64_t>(values.size()), 1, 1});
  std::memcpy(array.data(), values.data(), values.size() * sizeof(T));
  return array;
}

/// The values of all rows, row after row.
template <class T>
std::vector<T> values_of(const HostArray& array) {
  std::vector<T> values(static_cast<std::size_t>(array.shape().items()));
  std::memcpy(values.data(), array.data(), values.size() * sizeof(T));
  return values;
}

/// The result of a CPU backend of algorithm A. Its memory is filled with 0xa5 before the run.
template <class A>
HostArray run_sequence(Backend backend, int variant, const typename A::Params& params, const HostArray& in,
                       int threads = 1) {
  HostArray out(A::output_shape(params, in.shape()));
  std::memset(out.data(), 0xa5, out.shape().bytes());
  HostScratch scratch;
  scratch.reset(A::scratch_bytes(params, in.shape(), backend, variant));
  HostRun run;
  run.in = in.view();
  run.out = out.view();
  run.scratch = &scratch;
  run.threads = threads;
  run.variant = variant;
  if (backend == Backend::serial)
    A::serial(params, run);
  else
    A::openmp(params, run);
  return out;
}

/// A backend, variant and number of threads for a run on the CPU.
struct CpuRun {
  Backend backend;
  int variant;
  int threads;
};
/// All variants of the CPU backends, those of OpenMP with one and with three threads.
template <class A>
std::vector<CpuRun> cpu_runs() {
  std::vector<CpuRun> all;
  for (int variant = 0; variant < static_cast<int>(A::serial_variants.size()); ++variant)
    all.push_back({Backend::serial, variant, 1});
  for (int variant = 0; variant < static_cast<int>(A::openmp_variants.size()); ++variant)
    for (const int threads : {1, 3})
      all.push_back({Backend::openmp, variant, threads});
  return all;
}

}  // namespace threadscape::testing
