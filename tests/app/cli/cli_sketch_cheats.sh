#!/usr/bin/env bash
# Tests that `verify --check` accepts no kernel or twin that claims another's result without computing it.
source "$(dirname "$0")/_cli.sh"
sketches=$2/assets/sketches
source "$2/tests/app/cli/_sketch.sh"

head='// sketch: cheat
// reads: picture gray u8    makes: picture gray u8
// check: mean size=3 border=mirror
'
right='int sum = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx) sum += in.mirror(x + dx, y + dy);
  out(x, y) = (sum + 4) / 9;'
# kernel CODE PATTERN BODY [GLOBALS] checks a kernel, and expects the exit code and the text.
kernel() {
  printf '%s' "$head
#include \"threadscape.h\"
${4:-}
__global__ void cheat(Image<const unsigned char> in, Image<unsigned char> out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (!out.inside(x, y)) return;
  $3
}
" > cheat.cu
  expect "$1" verify cheat.cu --seeds 2
  cat out err > said
  contains said "$2"
}
if [ "$kernels" = 1 ]; then
  kernel 0 "ok, .* values are equal" "$right"
  kernel 1 "has not written" ''
  kernel 1 "has not written" 'if (x > 0) out(x, y) = 1;'
  kernel 1 "values differ" 'out(x, y) = 0;'
  kernel 1 "values differ" 'out(x, y) = in(x, y);'
  # What was in the memory of the result before cannot be read.
  kernel 1 "cheat.cu|has not written" 'out(x, y) = out(x, y);'
  # Sizes that are special in one kernel are not those of the check.
  kernel 1 "values differ" "if (out.width != 64) { out(x, y) = in(x, y); return; }
  $right"
  # Nothing stays from one run to the next.
  kernel 1 "values differ" 'if (x == 0 && y == 0) ++runs;
  out(x, y) = runs > 1 ? in(x, y) : 7;' '__device__ int runs;'
  # No other memory can be looked at.
  kernel 1 "cheat.cu:10" 'out(x, y) = in.data[-4096 + x];'
  kernel 1 "cheat.cu:10" 'out(x, y) = *(unsigned char*)(0x7ffff0000000 + x);'
  # The input of the reference is fresh.
  kernel 1 "cheat.cu:10" '((unsigned char*)in.data)[0] = 0; out(x, y) = 0;'
  # A kernel that knows one input does not know the others.
  kernel 1 "values differ" 'out(x, y) = in(0, 0) == 128 ? in(x, y) : in(x, y) ^ 1;'
fi

# twin CODE PATTERN BODY [GLOBALS] checks a twin.
twin() {
  printf '%s' "$head
#include \"threadscape.h\"
${4:-}
void cheat(Image<const unsigned char> in, Image<unsigned char> out) {
  $3
}
" > cheat.cpp
  expect "$1" verify cheat.cpp --seeds 1
  cat out err > said
  contains said "$2"
}
if [ "$twins" = 1 ]; then
  twin 0 "ok, .* values are equal" "for (int y = 0; y < out.height; ++y)
    for (int x = 0; x < out.width; ++x) { $right }"
  # The memory of the result held other bytes before, so that doing nothing is seen.
  twin 1 "values differ" ''
  # Work that is left to a thread, which never comes to it before the end, is no result.
  twin 1 "values differ" "std::thread([=]() mutable {
    for (volatile bool waits = true; waits;) std::this_thread::yield();
    for (int y = 0; y < out.height; ++y)
      for (int x = 0; x < out.width; ++x) { $right }
  }).detach();" '#include <thread>'
  # A changed input is that of the twin alone.
  twin 1 "values differ" 'for (int y = 0; y < out.height; ++y)
    for (int x = 0; x < out.width; ++x) out(x, y) = const_cast<unsigned char&>(in(x, y)) = 0;'
  # The end of the work is no result.
  twin 1 "values differ|ended before its work was done" 'std::quick_exit(0);' '#include <cstdlib>'
fi

finish
