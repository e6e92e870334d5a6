#!/usr/bin/env bash
# Tests more hostile kernels and heads: each ends with exit code 1, 2 or 3 and one line, and with no signal.
source "$(dirname "$0")/_cli.sh"
sketches=$2/assets/sketches
source "$2/tests/app/cli/_sketch.sh"
[ "$kernels" = 1 ] || exit 77

# ends FILE checks a file that is there.
ends() {
  local code=0
  "$threadscape" run "$1" ramp.pgm -o out.pgm > out 2> err || code=$?
  without_progress err
  ((code >= 1 && code <= 3)) || fail "exit code $code of $(head -c 300 "$1" | tail -n 5)"
  [ "$(wc -l < err)" = 1 ] || fail "not one line: $(head -c 400 err)"
}
# body CODE [GLOBALS] runs a kernel.
body() {
  printf '%s' "$head
#include \"threadscape.h\"
${2:-}
__global__ void hostile(Image<const unsigned char> in, Image<unsigned char> out) {
  const int x = threadIdx.x, y = threadIdx.y;
  $1
}
" > hostile.cu
  ends hostile.cu
}
# heads LINE runs a kernel with another line in its head.
heads() {
  printf '%s' "// sketch: hostile
// reads: picture gray u8    makes: picture gray u8
$1

#include \"threadscape.h\"
__global__ void hostile(Image<const unsigned char> in, Image<unsigned char> out) { out(0, 0) = in(0, 0); }
" > hostile.cu
  ends hostile.cu
}
head='// sketch: hostile
// reads: picture gray u8    makes: picture gray u8
'
body 'out(x, y) = deep(x);' '__device__ int deep(int n) { volatile int a = n; return n < 0 ? 0 : deep(a + 1) + 1; }'
body 'volatile char big[1 << 28]; big[x] = 1; out(x, y) = big[y];'
body 'if (x == 0) __syncthreads(); else while (true) __syncthreads();'
body '__shared__ int tile[32]; tile[x + 1000000] = 1;'
body 'out(x, y) = *(const int*)(in.data + 1);'
body 'asm("this is no instruction;");'
body 'asm volatile("bar.sync 99;");'
body 'asm volatile("exit;");'
body '__trap();'
body 'hostile<<<1, 1>>>(in, out);'
body 'while (atomicCAS(&lock, 0, 1) != 0); while (true) atomicExch(&lock, 1);' '__device__ int lock;'
body 'char* p = (char*)malloc(1ull << 40); p[0] = 1; out(x, y) = p[0];'
body 'void (*f)() = (void (*)())0x1234; f();'
body 'out(x, y) = loop();' 'constexpr int loop() { int i = 0; for (;;) ++i; return i; } static_assert(loop() == 1, "");'
body '' '#include "/dev/zero"'
body '' '#include "hostile.cu"'
body '' '#error this is one'
body 'out(x, y) = E;' '#define A 1+1+1+1+1+1+1+1+1+1
#define B A+A+A+A+A+A+A+A+A+A
#define C B+B+B+B+B+B+B+B+B+B
#define D C+C+C+C+C+C+C+C+C+C
#define E D+D+D+D+D+D+D+D+D+D+nothing'
body "out(x, y) = $(printf '(%.0s' $(seq 3000));"
heads '// block: -1x8'
heads '// block: 0'
heads '// threads: 1 << 62'
heads '// param: a = 5 (9..1)'
heads '// for: k = 1; k > 0; k + 1
// pass: hostile(in, out)
// end'
heads '// temp: t = sequence f64 (1 << 40)'
heads '// check: hostile.cu
// need: 1 / 0'
heads '// pass: hostile(out, in)'

# The program goes on.
expect 0 run "$sketches/blur.cu" ramp.pgm -o again.pgm
same_file again.pgm blur.pgm

finish
