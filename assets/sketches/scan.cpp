// sketch: scan    title: Running sums, for the CPU
// reads: sequence i32    makes: sequence i64

#include "threadscape.h"

void scan(Sequence<const int> in, Sequence<long long> out) {
  long long sum = 0;
  for (long long i = 0; i < in.count; ++i)
    out[i] = sum += in[i];
}
