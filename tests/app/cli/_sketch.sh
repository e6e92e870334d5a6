# What the tests of sketches have in common, which source this file after _cli.sh: the picture ramp.pgm, and whether this
# machine can compile kernels and twins. A test is skipped where it can compile neither.
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
