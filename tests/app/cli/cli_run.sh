#!/usr/bin/env bash
# Tests `threadscape run` on both CPU backends: input and output files, timings, presets and colours; and that it prints only
# what was asked for.
source "$(dirname "$0")/_cli.sh"

ramp > ramp.pgm
identity=0,0,0,0,1,0,0,0,0

for backend in serial openmp; do
  expect 0 run convolution ramp.pgm -o out-$backend.pgm --backend $backend --set mask=$identity --set divisor=1
  [ -s err ] && fail "a run writes to stderr although that is no terminal: $(cat err)"
  contains out "^convolution $backend: 6x4 8-bit grey image, "
done
same_file out-serial.pgm out-openmp.pgm
chmod 640 out-openmp.pgm
expect 0 run convolution ramp.pgm -o out-openmp.pgm --no-sync --set mask=$identity --set divisor=1
same_file out-serial.pgm out-openmp.pgm
[ "$(stat -c %a out-openmp.pgm)" = 640 ] || fail "a file that is written again has another mode"
# A convolution with the identity gives the input back, as P5 with the 24 values of the ramp.
[ "$(tail -c 24 out-serial.pgm | od -An -v -tu1 | xargs)" = "$(seq 0 10 230 | xargs)" ] || fail "the identity changed the picture"

expect 0 run sobel ramp.pgm -o edges.png --quiet
[ -s out ] && fail "--quiet prints"
[ -s err ] && fail "--quiet prints to stderr"
# A report is the result where nothing is written, and is printed only there.
expect 0 run diamond_square --set n=3 -o heights.r32 --quiet
[ -s out ] && fail "--quiet prints the report of a result that is written: $(cat out)"
expect 0 run diamond_square --set n=3 --quiet
contains out "^heights "
python3 -c 'import sys; d = open("edges.png", "rb").read(); sys.exit(d[:8] != b"\x89PNG\r\n\x1a\n" or d[25] != 0)' || fail "grey in, but no grey PNG out"

# A colour picture is written with its colours.
printf 'P6 2 2 255\n' > rgb.ppm
printf '\001\002\003\004\005\006\007\010\011\012\013\014' >> rgb.ppm
expect 0 run convolution rgb.ppm -o same.ppm --set mask=$identity
[ "$(tail -c 12 same.ppm | od -An -tu1 | xargs)" = "1 2 3 4 5 6 7 8 9 10 11 12" ] || fail "colours changed"

expect 0 run convolution ramp.pgm -o a.png --timings t.json --threads 2 --seed 5 --set size=5
valid_json t.json
json t.json 'j["algorithm"] == "convolution" and j["backend"] == "openmp" and j["threads"] == 2 and j["seed"] == 5'
json t.json 'j["stages_ms"]["compute"] > 0 and j["stages_ms"]["upload"] == 0 and j["stages_ms"]["load"] > 0'
json t.json 'j["params"]["size"] == 5 and len(j["params"]["mask"]) == 25'
json t.json 'j["input"]["width"] == 6 and j["output"]["height"] == 4 and j["environment"]["cpu"]["model"]'
json t.json '"git_hash" in j["environment"] and "compiler" in j["environment"] and "date" in j["environment"]'

expect 0 run convolution ramp.pgm -o traced.png --threads 2 --seed 5 --set size=5 --trace trace.json
json trace.json '{"read ramp.pgm", "convolution on openmp", "write traced.png"} <= {e["name"] for e in j["traceEvents"]}'
# The timings file of a run can be the preset of another run, and --set takes precedence over it.
expect 0 run convolution ramp.pgm -o b.png --preset t.json --timings t2.json
same_file a.png b.png
expect 0 run convolution ramp.pgm -o c.png --preset t.json --set absolute=true --timings t3.json
json t3.json 'j["params"]["absolute"] is True and j["params"]["size"] == 5'
echo '{"size": 7}' > small.json
expect 0 run convolution ramp.pgm -o d.png --preset small.json

# A structuring element as text gives the result of that element as a picture, and the timings file contains its text.
expect 0 run morphology ramp.pgm -o text.pgm --set shape=file --set element=3x3:010/111/010 --timings text.json
expect 0 run morphology ramp.pgm -o picture.pgm --set shape=file --set element="$2/assets/elements/cross_3x3.pgm"
same_file text.pgm picture.pgm
expect 0 run morphology ramp.pgm -o again.pgm --preset text.json --timings again.json
same_file text.pgm again.pgm
json again.json 'j["params"]["element"] == "3x3:010/111/010"'
refuses 2 "the painted element '3x3:010/1' has 4 characters for its pixels; 9 " run morphology ramp.pgm -o no.pgm --set shape=file --set element=3x3:010/1

# The order of arguments is free, and an option takes only one value, so the input may follow it.
expect 0 run convolution --set size=3 ramp.pgm --backend serial -o e.png
expect 0 run --backend serial -o e.png sobel ramp.pgm

# An existing output file is replaced, and no other file is left in the folder.
mkdir clean
echo old > clean/out.png
expect 0 run sobel ramp.pgm -o clean/out.png
[ "$(ls -A clean)" = out.png ] || fail "left behind: $(ls -A clean)"
[ "$(head -c 4 clean/out.png | tail -c 3)" = PNG ] || fail "the output was not replaced"

if gpu_present; then
  expect 0 run convolution ramp.pgm -o cuda.pgm --backend cuda --set mask=$identity --timings gpu.json
  same_file cuda.pgm out-serial.pgm
  json gpu.json 'j["stages_ms"]["upload"] > 0 and j["stages_ms"]["download"] > 0'
else
  echo old > kept.png
  refuses 77 "backend cuda is not available: .+; use serial or openmp" run sobel ramp.pgm -o kept.png --backend cuda
  [ "$(cat kept.png)" = old ] || fail "a skipped run touched the output"
fi

finish
