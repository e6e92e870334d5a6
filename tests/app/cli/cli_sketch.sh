#!/usr/bin/env bash
# Tests sketches on the command line: those that come with the program against the program's own results, and what is said
# about wrong ones.
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

source "$2/tests/app/cli/_sketch.sh"

# --- The sketches of the program make its own results.
for file in "$sketches"/*.cu "$sketches"/blur.cpp; do
  case $file in
    *.cu) [ "$kernels" = 1 ] || continue ;;
    *) [ "$twins" = 1 ] || continue ;;
  esac
  grep -q '^// check: .*cpp' "$file" && [ "$twins" = 0 ] && continue
  grep -q '^// check: ' "$file" || fail "$file is tied to nothing"
  expect 0 verify "$file"
  contains out "ok, [0-9]+ values are (equal|within the tolerance)"
done
if command -v clang++ > /dev/null; then
  clang++ -std=c++17 -Wall -Wextra -fsyntax-only -I "$sketches" "$sketches/scan.cpp" || fail "the header does not compile with clang++"
fi
[ "$(wc -l < "$sketches/threadscape.h")" -le 150 ] || fail "threadscape.h has more than 150 lines"

expect 0 run mean ramp.pgm -o mean.pgm
[ "$twins" = 0 ] || same_file twin.pgm mean.pgm
if [ "$kernels" = 1 ]; then
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
  expect 0 run "$sketches/zbuffer.cu" teapot -o teapot.pfm --set size=64
  # Files of numbers hold what the head says, and a number is printed.
  python3 -c 'import array; array.array("i", range(1, 1001)).tofile(open("numbers.raw", "wb"))'
  expect 0 run "$sketches/reduce_1.cu" numbers.raw -q
  contains out "^500500$"
  expect 0 run "$sketches/scan.cu" numbers.raw -o sums.raw
  # A picture is read as the mesh of its heights.
  expect 0 run "$sketches/zbuffer.cu" ramp.pgm -o heights.pfm --set size=16 --set axis=y
  expect 0 bench "$sketches/transpose_naive.cu" --sizes 64 --json counts.json
  contains out "^global store sectors +4096 +counted"
  json counts.json 'j["kernels"][0]["counts"]["global_store_sectors"] == 4096'
  # A driver that shows no GPU is as none.
  driver=$(dirname "$threadscape")/fake_driver
  if [ -e "$driver/libcuda.so.1" ]; then
    LD_LIBRARY_PATH=$driver FAKE_DRIVER_FAILS=cuInit expect 0 run "$sketches/blur.cu" ramp.pgm -o hidden.pgm
    cmp blur.pgm hidden.pgm
    LD_LIBRARY_PATH=$driver FAKE_DRIVER_FAILS=cuInit expect 0 bench "$sketches/blur.cu" --sizes 64
    contains out "^no times on a GPU: no GPU: CUDA_ERROR"
  fi
  # Costs beside another sketch: times in turns on a GPU, else counts of both.
  expect 0 bench "$sketches/transpose_naive.cu" --against "$sketches/transpose_tile.cu" --sizes 64 --json against.json
  if grep -q "^No times, because" out; then
    contains out "per value of the result +transpose_naive.cu +transpose_tile.cu +ratio"
    contains out "^global store sectors +1.00 +0.125 +8.00"
    json against.json '[c["sketch"] for c in j["counts"] if c["name"] == "global store sectors"] == [1]'
    json against.json '"GPU" in j["why_no_times"]'
  else
    contains out "after: +transpose_naive.cu"
    json against.json 'j["rows"][0]["verdict"] in ("SAME", "FASTER", "SLOWER", "UNCLEAR")'
  fi
  # Beside an algorithm, with the parameters of the head; a build without kernels says so.
  code=0
  "$threadscape" microscope mean --size 32 > out 2> err || code=$?
  if [ "$code" = 0 ]; then
    expect 0 bench "$sketches/blur.cu" --against mean --sizes 64 --set radius=2
    contains out "blur.cu"
    contains out " mean"
    expect 0 bench "$sketches/convolution_naive.cu" --against convolution --variants tiled --sizes 64
    contains out "convolution \(tiled\)"
  fi
  expect 0 bench "$sketches/transpose_naive.cu" --sizes 64 --predict --gpu H200
  contains out "^predicted for H200: [0-9.]+ ms, bound by launch$"
  refuses 2 "bench takes one file with a kernel: compare two by --against" bench "$sketches/blur.cu" "$sketches/sobel.cu"
  refuses 2 "a file with a kernel is compared with one algorithm" bench "$sketches/blur.cu" --against radius=2
  refuses 2 "blur.cpp is a twin for the CPU, which has no kernels" bench "$sketches/blur.cu" --against "$sketches/blur.cpp"
  refuses 2 "'nothing' is unknown" bench "$sketches/blur.cu" --against nothing
fi
if [ "$twins" = 1 ]; then
  expect 0 bench "$sketches/blur.cpp" --against mean --sizes 32 --reps 3 --min-time 0 --backends serial --set radius=2 \
    --set border=wrap --json twin.json
  contains out "^before: mean"
  json twin.json 'j["comparison"]["rows"][0]["verdict"] in ("SAME", "FASTER", "SLOWER", "UNCLEAR")'
  json twin.json '[r["algorithm"] for r in j["results"]][0] == "mean"'
  json twin.json 'j["results"][0]["params"]["size"] == 5 and j["results"][0]["params"]["border"] == "wrap"'
fi

finish
