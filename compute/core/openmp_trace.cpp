// The threads of OpenMP on the timeline of --trace. GCC compiles a parallel region into a function and a call of
// GOMP_parallel of its library. The function of that name here is called in its place, and calls that. Other compilers
// call other libraries, so that their timelines have no threads.

#include <dlfcn.h>
#include <omp.h>

#include <vector>

#include "compute/core/trace.h"

#if defined(__GNUC__) && !defined(__clang__)

namespace threadscape::trace {

namespace {

using Body = void (*)(void*);
using Parallel = void (*)(Body, void*, unsigned, unsigned);

/// A parallel region, and when each of its threads has begun and ended.
struct Region {
  struct Part {
    double begin_us = 0, end_us = 0;
  };
  Body body = nullptr;
  void* data = nullptr;
  std::vector<Part> parts;
};

void run_part(void* of) {
  Region& region = *static_cast<Region*>(of);
  const auto thread = static_cast<std::size_t>(omp_get_thread_num());
  const double begin_us = now_us();
  region.body(region.data);
  if (thread < region.parts.size()) region.parts[thread] = {begin_us, now_us()};
}

void add_idle(int row, double begin_us, double end_us) {
  if (end_us > begin_us)
    add({.name = "idle", .category = "idle", .row = row, .begin_us = begin_us, .duration_us = end_us - begin_us});
}

void run_traced(Parallel parallel, Body body, void* data, unsigned threads, unsigned flags) {
  const auto most = static_cast<std::size_t>(threads > 0 ? static_cast<int>(threads) : omp_get_max_threads());
  Region region{.body = body, .data = data, .parts = std::vector<Region::Part>(most)};
  const double begin_us = now_us();
  parallel(run_part, &region, threads, flags);
  const double end_us = now_us();
  for (std::size_t thread = 0; thread < most; ++thread) {
    const Region::Part& part = region.parts[thread];
    const int row = first_thread + static_cast<int>(thread);
    if (part.end_us == 0) continue;  // The team was smaller than it might have been.
    add_idle(row, begin_us, part.begin_us);
    add({.name = "parallel",
         .category = "openmp",
         .row = row,
         .begin_us = part.begin_us,
         .duration_us = part.end_us - part.begin_us});
    add_idle(row, part.end_us, end_us);
  }
}

}  // namespace

}  // namespace threadscape::trace

// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming): the name is that of GCC's library.
extern "C" void GOMP_parallel(void (*body)(void*), void* data, unsigned threads, unsigned flags) {
  namespace trace = threadscape::trace;
  static const auto parallel = reinterpret_cast<trace::Parallel>(dlsym(RTLD_NEXT, "GOMP_parallel"));
  if (!trace::recording() || omp_get_level() > 0) return parallel(body, data, threads, flags);
  trace::run_traced(parallel, body, data, threads, flags);
}

#endif
