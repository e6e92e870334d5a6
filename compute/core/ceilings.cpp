#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/core/ceilings.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <omp.h>

#include <algorithm>
#include <chrono>

#include "compute/core/bandwidth.h"
#include "compute/core/ceilings.h"
#include "compute/core/cpu_info.h"

HWY_BEFORE_NAMESPACE();
namespace threadscape::ceilings {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Ten chains of fused multiply-adds hide their latency of four to five cycles on machines with two units. Returns the
/// number of operations; `sink` gets a value that depends on all of them.
double fused_multiply_adds(int rounds, float* sink) {
  const hn::ScalableTag<float> d;
  const auto factor = hn::Set(d, 0.999f), term = hn::Set(d, 0.001f);
  auto a = hn::Set(d, 0.1f), b = hn::Set(d, 0.2f), c = hn::Set(d, 0.3f), e = hn::Set(d, 0.4f), f = hn::Set(d, 0.5f);
  auto g = hn::Set(d, 0.6f), h = hn::Set(d, 0.7f), i = hn::Set(d, 0.8f), j = hn::Set(d, 0.9f), k = hn::Set(d, 1.0f);
  for (int round = 0; round < rounds; ++round) {
    a = hn::MulAdd(a, factor, term);
    b = hn::MulAdd(b, factor, term);
    c = hn::MulAdd(c, factor, term);
    e = hn::MulAdd(e, factor, term);
    f = hn::MulAdd(f, factor, term);
    g = hn::MulAdd(g, factor, term);
    h = hn::MulAdd(h, factor, term);
    i = hn::MulAdd(i, factor, term);
    j = hn::MulAdd(j, factor, term);
    k = hn::MulAdd(k, factor, term);
  }
  const auto sum = hn::Add(hn::Add(hn::Add(a, b), hn::Add(c, e)), hn::Add(hn::Add(f, g), hn::Add(h, i)));
  *sink = hn::GetLane(hn::Add(sum, hn::Add(j, k)));
  return 20.0 * static_cast<double>(hn::Lanes(d)) * rounds;
}

/// Reads all of `count` floats, a multiple of eight vectors, into eight sums.
float read_all(const float* values, std::size_t count) {
  const hn::ScalableTag<float> d;
  const std::size_t lanes = hn::Lanes(d);
  auto a = hn::Zero(d), b = hn::Zero(d), c = hn::Zero(d), e = hn::Zero(d);
  for (std::size_t i = 0; i + 4 * lanes <= count; i += 4 * lanes) {
    a = hn::Add(a, hn::Load(d, values + i));
    b = hn::Add(b, hn::Load(d, values + i + lanes));
    c = hn::Add(c, hn::Load(d, values + i + 2 * lanes));
    e = hn::Add(e, hn::Load(d, values + i + 3 * lanes));
  }
  return hn::GetLane(hn::Add(hn::Add(a, b), hn::Add(c, e)));
}

}  // namespace HWY_NAMESPACE
}  // namespace threadscape::ceilings
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace threadscape {

namespace ceilings {

HWY_EXPORT(fused_multiply_adds);
HWY_EXPORT(read_all);

namespace {

double simd_operations(int rounds, float* sink) {
  return HWY_DYNAMIC_DISPATCH(fused_multiply_adds)(rounds, sink);
}

/// One multiplication and one addition at a time, in eight chains. The empty assembly keeps every chain in a register
/// of its own, so that the compiler cannot put them into one vector.
double scalar_operations(int rounds, float* sink) {
  float a = 0.1f, b = 0.2f, c = 0.3f, d = 0.4f, e = 0.5f, f = 0.6f, g = 0.7f, h = 0.8f;
  const auto step = [](float& value) {
    value = value * 0.999f + 0.001f;
#if defined(__x86_64__)
    asm volatile("" : "+x"(value));
#endif
  };
  for (int round = 0; round < rounds; ++round) {
    step(a);
    step(b);
    step(c);
    step(d);
    step(e);
    step(f);
    step(g);
    step(h);
  }
  *sink = a + b + c + d + e + f + g + h;
  return 16.0 * rounds;
}

/// The best rate of several runs on all threads; work(thread) returns what one thread has done in a run.
template <class Work>
double best_rate(int threads, const Work& work) {
  constexpr int runs = 5;
  double best = 0.0;
  for (int run = 0; run < runs; ++run) {
    double done = 0.0;
    const auto start = std::chrono::steady_clock::now();
#pragma omp parallel num_threads(threads) reduction(+ : done)
    done += work(omp_get_thread_num());
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    best = std::max(best, done / elapsed.count());
  }
  return best;
}

/// Bytes per second at which every thread reads `bytes` of its own again and again.
double reading_rate(int threads, std::size_t bytes) {
  constexpr std::size_t alignment = 64, block = 4096;
  const std::size_t count = std::max(bytes / block, std::size_t{1}) * block / sizeof(float);
  const auto passes = static_cast<int>(std::max<std::size_t>((std::size_t{32} << 20) / (count * sizeof(float)), 1));
  std::vector<std::vector<float>> buffers(static_cast<std::size_t>(threads));
  std::vector<float> sinks(static_cast<std::size_t>(threads) * 16);  // A cache line for each thread.
#pragma omp parallel num_threads(threads)
  buffers[static_cast<std::size_t>(omp_get_thread_num())].assign(count + alignment / sizeof(float), 1.0f);
  return best_rate(threads, [&](int thread) {
    const auto index = static_cast<std::size_t>(thread);
    auto address = reinterpret_cast<std::uintptr_t>(buffers[index].data());
    address = (address + alignment - 1) / alignment * alignment;
    const auto* values = reinterpret_cast<const float*>(address);
    for (int pass = 0; pass < passes; ++pass)
      sinks[index * 16] += HWY_DYNAMIC_DISPATCH(read_all)(values, count);
    return static_cast<double>(passes) * static_cast<double>(count * sizeof(float));
  });
}

}  // namespace
}  // namespace ceilings

MeasuredCeilings host_ceilings(int threads) {
  constexpr int rounds = 1 << 20;
  const CpuInfo& cpu = cpu_info();
  MeasuredCeilings host;
  host.reading.push_back({"memory", host_read_bandwidth(threads)});
  // Half of a cache leaves room for everything else that is in it. The third level is shared by the threads.
  if (cpu.l3_bytes > 0)
    host.reading.push_back(
        {"L3", ceilings::reading_rate(threads, cpu.l3_bytes / 2 / static_cast<std::size_t>(threads))});
  if (cpu.l2_bytes > 0) host.reading.push_back({"L2", ceilings::reading_rate(threads, cpu.l2_bytes / 2)});
  if (cpu.l1d_bytes > 0) host.reading.push_back({"L1", ceilings::reading_rate(threads, cpu.l1d_bytes / 2)});
  std::vector<float> sinks(static_cast<std::size_t>(threads) * 16);
  const auto sink = [&](int thread) { return &sinks[static_cast<std::size_t>(thread) * 16]; };
  host.arithmetic.push_back({"scalar", ceilings::best_rate(threads, [&](int thread) {
                               return ceilings::scalar_operations(rounds, sink(thread));
                             })});
  host.arithmetic.push_back({"SIMD", ceilings::best_rate(threads, [&](int thread) {
                               return ceilings::simd_operations(rounds, sink(thread));
                             })});
  return host;
}

}  // namespace threadscape
#endif  // HWY_ONCE
