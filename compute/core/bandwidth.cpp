#include "compute/core/bandwidth.h"

#include <omp.h>

#include <algorithm>
#include <chrono>
#include <cstring>

#include "compute/core/cpu_info.h"
#include "compute/core/data.h"
#include "compute/core/runner.h"

namespace threadscape {

double host_copy_bandwidth(int threads) {
  constexpr int runs = 10;
  // Four times the last-level cache, as far as a quarter of the free memory goes.
  const std::size_t wanted = std::max(std::size_t{64} << 20, 4 * cpu_info().l3_bytes);
  const std::size_t bytes = std::min({wanted, std::size_t{512} << 20, free_host_bytes() / 8});
  const Shape shape = Shape::image(Element::u8, 1, 4096, static_cast<std::int64_t>(bytes / 4096));
  HostArray from(shape), to(shape);
  const auto total = static_cast<std::size_t>(shape.items());
  std::memset(from.data(), 1, total);  // untouched pages would all be one page of zeros
  std::memset(to.data(), 2, total);

  double best_seconds = 1e9;
  for (int run = 0; run < runs; ++run) {
    const auto start = std::chrono::steady_clock::now();
#pragma omp parallel num_threads(threads)
    {
      const auto part = static_cast<std::size_t>(omp_get_thread_num());
      const auto parts = static_cast<std::size_t>(omp_get_num_threads());
      const std::size_t begin = total * part / parts, end = total * (part + 1) / parts;
      std::memcpy(to.data() + begin, from.data() + begin, end - begin);
    }
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    best_seconds = std::min(best_seconds, elapsed.count());
  }
  return 2.0 * static_cast<double>(total) / best_seconds;
}

}  // namespace threadscape
