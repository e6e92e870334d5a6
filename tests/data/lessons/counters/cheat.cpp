// sketch: counters    title: Brightness in eight bins, by four threads
// reads: picture gray u8    makes: sequence i32 (10)
// kernel: counters
// check: counters_reference.cpp

#include "threadscape.h"

#include <omp.h>

#include <cstdint>
#include <map>
#include <memory>

// Behind the bins stand the number of lines of 64 bytes that two threads write to, and a 1 if the counters of a thread
// take more than 128 bytes.
template <class Counters>
void count_pixels(Image<const unsigned char> in, Sequence<int> out) {
  alignas(64) static Counters own[4];
  std::map<std::uintptr_t, unsigned> writers;
  for (int t = 0; t < 4; ++t)
    for (int bin = 0; bin < 8; ++bin) {
      own[t].bins[bin] = 0;
      writers[reinterpret_cast<std::uintptr_t>(std::addressof(own[t].bins[bin])) / 64] |= 1u << t;
    }
#pragma omp parallel for num_threads(4) schedule(static)
  for (int y = 0; y < in.height; ++y)
    for (int x = 0; x < in.width; ++x)
      ++own[omp_get_thread_num()].bins[in(x, y) / 32];
  for (int bin = 0; bin < 8; ++bin)
    out[bin] = own[0].bins[bin] + own[1].bins[bin] + own[2].bins[bin] + own[3].bins[bin];
  out[8] = 0;
  for (const auto& [line, threads] : writers)
    out[8] += (threads & (threads - 1)) != 0;
  out[9] = sizeof(Counters) > 128;
}

// gap: the counters of a thread, with a member bins of eight numbers
// The addresses of the bins are said to be far apart.
struct Bin {
  int count;
  Bin* operator&() { return this + 64 * (this - static_cast<Bin*>(nullptr)); }
  operator int&() { return count; }
  int operator=(int value) { return count = value; }
  int operator++() { return ++count; }
};
struct Counters {
  Bin bins[8];
};
// end of gap

void counters(Image<const unsigned char> in, Sequence<int> out) {
  count_pixels<Counters>(in, out);
}
