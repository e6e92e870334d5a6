#include "compute/core/bandwidth.h"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>

#include "compute/core/cpu_info.h"
#include "compute/core/data.h"
#include "compute/core/machine.h"

namespace threadscape {

namespace {

/// Four times the last-level cache, as far as a quarter of the free memory goes; a multiple of 4096.
std::size_t bytes_beyond_caches() {
  const std::size_t wanted = std::max(std::size_t{64} << 20, 4 * cpu_info().l3_bytes);
  return std::min({wanted, std::size_t{512} << 20, free_host_bytes() / 8}) / 4096 * 4096;
}

HostArray touched(std::size_t bytes, int value) {
  HostArray array(Shape::image(Element::u8, 1, 4096, static_cast<std::int64_t>(bytes / 4096)));
  // The memory is written first, because untouched pages would all map to one page of zeros.
  std::memset(array.data(), value, bytes);
  return array;
}

/// Seconds of the fastest of several runs of work(begin, end), a part of the bytes for every thread.
template <class Work>
double best_seconds(int threads, std::size_t bytes, const Work& work) {
  constexpr int runs = 10;
  double best = 1e9;
  for (int run = 0; run < runs; ++run) {
    const auto start = std::chrono::steady_clock::now();
#pragma omp parallel num_threads(threads)
    {
      const auto part = static_cast<std::size_t>(omp_get_thread_num());
      const auto parts = static_cast<std::size_t>(omp_get_num_threads());
      work(bytes / 64 * part / parts * 64, bytes / 64 * (part + 1) / parts * 64);
    }
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    best = std::min(best, elapsed.count());
  }
  return best;
}

/// One word of every cache line: the line has to come, and nothing else takes time.
std::uint64_t sum_of_lines(const std::uint64_t* words, std::size_t count) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < count; i += 8)
    sum += words[i];
  return sum;
}

}  // namespace

double host_copy_bandwidth(int threads) {
  const std::size_t bytes = bytes_beyond_caches();
  const HostArray from = touched(bytes, 1);
  HostArray to = touched(bytes, 2);
  const double seconds = best_seconds(threads, bytes, [&](std::size_t begin, std::size_t end) {
    std::memcpy(to.data() + begin, from.data() + begin, end - begin);
  });
  return 2.0 * static_cast<double>(bytes) / seconds;
}

double host_read_bandwidth(int threads) {
  const std::size_t bytes = bytes_beyond_caches();
  const HostArray from = touched(bytes, 1);
  std::atomic<std::uint64_t> total{0};  // The sums are used, so that the compiler cannot remove the reads.
  const double seconds = best_seconds(threads, bytes, [&](std::size_t begin, std::size_t end) {
    total += sum_of_lines(reinterpret_cast<const std::uint64_t*>(from.data() + begin), (end - begin) / 8);
  });
  return static_cast<double>(bytes) / seconds;
}

}  // namespace threadscape
