#!/usr/bin/env bash
# Tests sketches on the command line: those that come with the program against the program's own results, what is said
# about wrong ones, and hostile ones, each of which must end with one line.
source "$(dirname "$0")/_cli.sh"
sketches=$2/assets/sketches

# --- Heads need no compiler.
printf '// sketch: a\n// reads: picture gray u8\n// makes: picture gray u8\n// blok: 8\n' > wrong.cu
refuses 2 "wrong.cu:4: 'blok' is no key of the head: did you mean block" run wrong.cu "$sketches/blur.cu" -o out.png
refuses 3 "cannot read 'missing.cu'" run missing.cu a.png -o out.png
printf 'int a;' > plain.cu
refuses 2 "the first line of a sketch is '// sketch: NAME'" verify plain.cu
refuses 2 "compared: add --check ALGORITHM" verify "$sketches/scan.cpp"
refuses 2 "are for a file with a sketch" verify sobel --check mean

ramp > ramp.pgm
code=0
"$threadscape" run "$sketches/blur.cu" ramp.pgm -o blur.pgm > out 2> err || code=$?
kernels=1
if [ "$code" = 3 ] && grep -q "need NVRTC or nvcc" err; then
  kernels=0
  echo "skipped: kernels, because neither NVRTC nor nvcc is found"
fi
code=0
"$threadscape" run "$sketches/blur.cpp" ramp.pgm -o twin.pgm > out 2> err || code=$?
twins=1
if [ "$code" = 3 ] && grep -qE "needs a compiler|has no seccomp" err; then
  twins=0
  echo "skipped: twins, because there is no compiler or no seccomp"
fi
[ "$kernels$twins" != 00 ] || exit 77

# --- The sketches of the program make its own results.
for file in "$sketches"/*.cu "$sketches"/blur.cpp; do
  case $file in
    *.cu) [ $kernels = 1 ] || continue ;;
    *) [ $twins = 1 ] || continue ;;
  esac
  grep -q '^// check: .*cpp' "$file" && [ $twins = 0 ] && continue
  grep -q '^// check: ' "$file" || fail "$file is tied to nothing"
  expect 0 verify "$file"
  contains out "ok, [0-9]+ values are (equal|within the tolerance)"
done
if command -v clang++ > /dev/null; then
  clang++ -std=c++17 -Wall -Wextra -fsyntax-only -I "$sketches" "$sketches/scan.cpp" || fail "the header does not compile with clang++"
fi
[ "$(wc -l < "$sketches/threadscape.h")" -le 150 ] || fail "threadscape.h has more than 150 lines"

expect 0 run mean ramp.pgm -o mean.pgm
[ $twins = 0 ] || same_file twin.pgm mean.pgm
if [ $kernels = 1 ]; then
  same_file blur.pgm mean.pgm
  expect 0 run mean ramp.pgm -o mean5.pgm --set size=5
  expect 0 run "$sketches/blur.cu" ramp.pgm -o blur5.pgm --set radius=2
  same_file blur5.pgm mean5.pgm
  # A list of steps, and a picture in colours, which the sketch reads as grey.
  expect 0 run "$sketches/blur.cu" ramp.pgm --then "$sketches/erosion.cu" -o steps.pgm
  printf 'P3\n2 1\n255\n10 20 30 200 100 0\n' > colours.ppm
  expect 0 run "$sketches/blur.cu" colours.ppm -o grey.pgm
  refuses 2 "parameter 'radius' refuses '99': 1..15" run "$sketches/blur.cu" ramp.pgm -o out.pgm --set radius=99
  refuses 2 "parameter 'radios' is unknown" verify "$sketches/blur.cu" --set radios=2
  expect 0 run "$sketches/blur.cu" --help
  contains out "radius +1..15 +default 1 +pixels beside the middle"
  # Another check, with parameters of both.
  expect 0 verify "$sketches/blur.cu" --check convolution --set radius=1 --set preset=box --set divide_by=sum --set border=mirror
  expect 1 verify "$sketches/blur.cu" --check median
  contains out "values differ, the largest difference at x [0-9]+, y [0-9]+: [0-9]+ instead of [0-9]+"
  contains err "blur differs from median in [0-9]+ of [0-9]+ results"
  expect 0 bench "$sketches/transpose_naive.cu" --sizes 64 --json counts.json
  contains out "^global store sectors +4096 +counted"
  json counts.json 'j["kernels"][0]["counts"]["global_store_sectors"] == 4096'
fi

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
if [ $kernels = 1 ]; then
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
if [ $twins = 1 ]; then
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
