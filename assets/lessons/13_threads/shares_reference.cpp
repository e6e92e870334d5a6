// sketch: shares_reference    title: Rows of a triangle
// reads: sequence i32    makes: sequence i64 (count + 2)

#include "threadscape.h"

void shares_reference(Sequence<const int> in, Sequence<long long> out) {
  long long sum = 0;
  for (long long i = 0; i < in.count; ++i)
    out[i] = sum += in[i];
  out[in.count] = out[in.count + 1] = 1;
}
