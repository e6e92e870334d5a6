#!/usr/bin/env bash
# Tests hostile sketches, each of which must end with one line and an exit code, while the program lives.
source "$(dirname "$0")/_cli.sh"
sketches=$2/assets/sketches
source "$2/tests/app/cli/_sketch.sh"
expect 0 run mean ramp.pgm -o mean.pgm

# --- Hostile kernels: one line, and an exit code.
head='// sketch: hostile
// reads: picture gray u8    makes: picture gray u8
'
# hostile CODE PATTERN TEXT runs a kernel, or with `ext=cpp` a twin.
hostile() {
  printf '%s%s' "$head" "$3" > "hostile.${ext:-cu}"
  refuses "$1" "$2" run "hostile.${ext:-cu}" ramp.pgm -o out.pgm
}
kernel() {
  hostile "$1" "$2" "
#include \"threadscape.h\"
$4
__global__ void hostile(Image<const unsigned char> in, Image<unsigned char> out) {
  const int x = threadIdx.x, y = threadIdx.y;
  $3
}
"
}
if [ "$kernels" = 1 ]; then
  kernel 3 "instructions, which is the limit" 'for (volatile int i = 0;; ++i);' ''
  kernel 1 "hostile.cu:8.*out of bounds|hostile.cu:8.*before|hostile.cu:8" 'out.data[-100000] = 1;' ''
  kernel 1 "hostile.cu:8" '*(int*)12345678 = 1;' ''
  kernel 1 "hostile.cu:8" '((unsigned char*)in.data)[0] = 1;' ''
  kernel 1 "has not written 24 of 24 values of its result, the first at x 0, y 0" '' ''
  kernel 1 "hostile.cu:8" 'if (out.inside(x, y)) out(x, y) = out(x, y) + 1;' ''
  kernel 1 "hostile.cu:8" 'asm("trap;");' ''
  kernel 3 "instructions, which is the limit" 'while (atomicAdd(&go, 0) == 0);' '__device__ int go;'
  kernel 2 "shared" 'huge[x] = x; out(x, y) = huge[y];' '__shared__ int huge[1 << 24];'
  kernel 2 "cannot compile" 'out(x, y) = Deep<100000>::value;' 'template <int n> struct Deep { static constexpr int value = Deep<n - 1>::value + 1; };'
  kernel 2 "hostile.cu\(8\): error: identifier \"nothing\" is undefined" 'out(x, y) = nothing;' ''
  printf '%s' "$head" | sed 's/hostile/other/' > none.cu
  refuses 2 "none.cu\([0-9]+\): error: identifier \"other\" is undefined" run none.cu ramp.pgm -o out.pgm
  hostile 2 "hostile.cu\([0-9]+\): error: static assertion failed with \"the kernel k takes \(Image<const unsigned char>, Image<unsigned char>\)\"" '
#include "threadscape.h"
__global__ void k(Image<const unsigned char> in, Image<float> out) {}'
  head='// sketch: hostile
// reads: picture gray u8    makes: picture gray u8
// block: 32x64
'
  kernel 2 "a block has 1 to 1024 threads" '' ''
  head='// sketch: hostile
// reads: picture gray u8    makes: picture gray u8
// shared: 1 << 40
'
  kernel 2 "of shared memory" '' ''
  head='// sketch: hostile
// reads: picture gray u8    makes: picture gray u8 (1 << 30 x 1 << 30)
'
  kernel 3 "memory" '' ''
  head='// sketch: hostile
// reads: picture gray u8    makes: picture gray u8
// for: k = 0; k < 1; k
// pass: hostile(in, out)
// end
'
  kernel 2 "hostile.cu:4: the head launches more than 65536 kernels" '' ''
  head='// sketch: hostile
// reads: picture gray u8    makes: picture gray u8
'
fi
head -c 10000000 /dev/zero | tr '\0' 'a' > long.cu
refuses 2 "a sketch has at most 1 MiB" run long.cu ramp.pgm -o out.pgm
head -c 3000 /dev/urandom > garbage.cu
refuses 2 "garbage.cu" run garbage.cu ramp.pgm -o out.pgm
printf '%sint a;\0' "$head" > zero.cu
refuses 2 "zero.cu:3: a byte that is 0" run zero.cu ramp.pgm -o out.pgm

# --- Hostile twins: their process has no rights.
twin() {
  ext=cpp hostile "$1" "$2" "
#include \"threadscape.h\"
#include <cstdio>
#include <cstdlib>
#include <sys/socket.h>
#include <unistd.h>
$4
void hostile(Image<const unsigned char> in, Image<unsigned char> out) {
  for (int y = 0; y < out.height; ++y)
    for (int x = 0; x < out.width; ++x)
      out(x, y) = in(x, y);
  $3
}
"
}
if [ "$twins" = 1 ]; then
  twin 1 "took longer than|CPU time" 'for (volatile int i = 0;; i = i + 1);' ''
  twin 1 "took longer than" 'close(1); for (;;) pause();' ''
  twin 1 "ended by a signal" '*(volatile int*)12345 = 1;' ''
  twin 1 "ended before its work was done, with exit code 0" 'std::exit(0);' ''
  twin 1 "ended by a signal \(Aborted\)" 'std::abort();' ''
  twin 1 "ended by a signal|exit code" 'volatile char* big = new char[100ull << 30]; big[0] = 1;' ''
  twin 1 "exit code 42" 'if (std::fopen("/tmp/threadscape_written", "w") == nullptr && std::fopen("written", "w") == nullptr) std::exit(42);' ''
  twin 1 "exit code 43" 'if (fork() < 0) std::exit(43);' ''
  twin 1 "exit code 44" 'if (std::system("touch written") != 0) std::exit(44);' ''
  twin 1 "exit code 45" 'if (socket(AF_INET, SOCK_STREAM, 0) < 0) std::exit(45);' ''
  twin 1 "wrote more than 1 MiB" 'for (;;) std::puts("text");' ''
  twin 1 "ended by a signal" 'std::exit(deep(in.width));' 'int deep(volatile int n) { volatile char a[4096]; a[0] = 1; return deep(n + 1) + a[0]; }'
  twin 2 "cannot compile 'hostile.cpp': hostile.cpp:14:.*error: .*nothing" 'nothing;' ''
  ext=cpp hostile 2 "cannot compile 'hostile.cpp': hostile.cpp:2:.*error: .*hostile" 'void other();'
  [ ! -e /tmp/threadscape_written ] && [ ! -e written ] || fail "a twin has written a file"
  # Threads are allowed.
  expect 0 run "$sketches/blur.cpp" ramp.pgm -o threads.pgm --threads 4
  same_file threads.pgm mean.pgm
fi

# --- The program goes on.
expect 0 run mean ramp.pgm -o again.pgm
same_file again.pgm mean.pgm

finish
