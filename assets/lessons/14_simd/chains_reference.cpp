// sketch: chains_reference    title: A sum
// reads: sequence i32    makes: sequence i32 (2)

#include "threadscape.h"

void chains_reference(Sequence<const int> in, Sequence<int> out) {
  unsigned sum = 0;
  for (long long i = 0; i < in.count; ++i)
    sum += in[i];
  out[0] = sum;
  out[1] = 1;
}
