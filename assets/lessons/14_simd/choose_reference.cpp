// sketch: choose_reference    title: A choice for each number
// reads: sequence i32    makes: sequence i32 (count + 1)

#include "threadscape.h"

void choose_reference(Sequence<const int> in, Sequence<int> out) {
  for (long long i = 0; i < in.count; ++i) {
    const unsigned n = in[i];
    out[i] = in[i] > 100 ? (n - 100) * 3 : n + 7;
  }
  out[in.count] = 1;
}
