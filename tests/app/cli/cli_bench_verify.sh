#!/usr/bin/env bash
# Tests `threadscape bench` and `threadscape verify` with small sizes: tables, reports and exit codes. Measured times are not
# checked.
source "$(dirname "$0")/_cli.sh"

quick="--reps 3 --min-time 0 --sizes 64,100x30 ${little_memory[*]}"
expect 0 bench convolution sobel --backends serial,openmp --threads 1,2 --channels 1,4 $quick --json b.json --csv b.csv
[ -s err ] && fail "bench writes to stderr although that is no terminal"
contains out "^algorithm +input +backend"
contains out "^sobel +100x30 8-bit RGBA +openmp"
contains out "^Limit, a plain copy measured in this run"
valid_json b.json
# There are 2 algorithms, 2 sizes, 2 numbers of channels, and serial, openmp on 1 thread and openmp on 2 threads.
json b.json 'len(j["results"]) == 2 * 2 * 2 * 3'
json b.json 'all(len(r["compute_ms"]["samples"]) >= 3 and r["warm_up_ms"] for r in j["results"])'
json b.json 'all(r["compute_ms"]["minimum"] <= r["compute_ms"]["median"] <= r["compute_ms"]["maximum"] for r in j["results"])'
json b.json '{h["threads"] for h in j["copy_limit"]["host"]} == {1, 2} and j["environment"]["flags"]'
[ "$(wc -l < b.csv)" = 25 ] || fail "b.csv has $(wc -l < b.csv) lines"
[ "$(awk -F, '{print NF}' b.csv | sort -u | wc -l)" = 1 ] || fail "b.csv has rows of different lengths"

expect 0 bench convolution --backends openmp --variants all --sizes 64 --reps 2 --min-time 0 "${little_memory[@]}" --set size=9 --quiet
[ -s out ] && fail "bench --quiet prints"
# A list of values is a single argument, so the next argument is the name of an algorithm.
expect 0 bench --backends openmp --sizes 64 sobel --reps 1 --min-time 0 "${little_memory[@]}"
contains out "^sobel "
expect 0 verify --backends openmp --threads 2 sobel --seeds 1
contains out "^sobel "
# Each route of the default variant is a row, and each value of a sweep.
expect 0 bench convolution --routes --sweep size=9,11 --set preset=gaussian --backends openmp --sizes 64 --reps 1 --min-time 0 "${little_memory[@]}"
contains out "^convolution +size=11 .* default/two_passes "
contains out "^convolution +size=9 .* skipped: route 'any_size' cannot compute this run"
contains out "^convolution on openmp, unrolled: kernels for each size"
# Times are predicted where this build has kernels, and elsewhere a line says why they are not.
code=0
"$threadscape" bench sobel --backends cuda --sizes 64 --reps 1 --min-time 0 "${little_memory[@]}" --predict --json p.json > out 2> err || code=$?
contains out "^Predicted from counts|^1 row without a prediction: "
json p.json 'len(j["results"]) == 1 and ("predicted_ms" in j["results"][0]) == ("bound" in j["results"][0]) != ("not_predicted" in j["results"][0])'
[ "$code" = 0 ] || [ "$code" = 77 ] || fail "bench --predict ends with $code"
refuses 2 "'--gpu' goes with --predict" bench sobel --gpu H200
refuses 2 "times are predicted for H100 .9\.0. and H200" bench sobel --predict --gpu 7.5
refuses 2 "'--from' does not go with --predict" bench --from b.json --predict
# A timeline has the runs of the host, and the threads of OpenMP.
expect 0 bench sobel --backends openmp --threads 2 --sizes 64 --reps 2 --min-time 0 "${little_memory[@]}" --trace t.json
json t.json 'all(e["ph"] in ("X", "M") and isinstance(e["name"], str) and "pid" in e and "tid" in e for e in j["traceEvents"])'
json t.json 'all(e["ts"] >= 0 and e["dur"] >= 0 for e in j["traceEvents"] if e["ph"] == "X")'
json t.json '[e for e in j["traceEvents"] if e["name"] == "sobel on openmp" and e["cat"] == "run"]'
refuses 3 "the folder 'none' does not exist" bench sobel --sizes 64 --trace none/t.json
refuses 2 "have one way of computing a run" bench sorting --routes --sizes 64
refuses 2 "'--variants' does not go with --routes" bench median --routes --variants all
refuses 2 "a name and values" bench median --sweep size=
refuses 2 "parameter 'nonsense' is unknown" bench --set nonsense=1 --sizes 64
refuses 2 "--sizes '64x'" bench sobel --sizes 64x
refuses 2 "no backend has a variant of that name" bench sobel --variants nonsense --sizes 64
refuses 3 "the folder 'none' does not exist" bench sobel --sizes 64 --json none/b.json

# A file takes the place of made inputs: a picture of its own size, and a heightfield as the mesh of its surface, which
# has 2 x 16 x 16 triangles.
ramp > ramp.pgm
expect 0 bench sobel median --input ramp.pgm --backends serial,openmp --threads 1,2 --reps 3 --min-time 0 "${little_memory[@]}" --json f.json
json f.json 'len(j["results"]) == 2 * 3 and all(r["input"]["width"] == 6 and r["input"]["height"] == 4 for r in j["results"])'
json f.json 'all(r["input"]["file"] == "ramp.pgm" for r in j["results"])'
expect 0 run diamond_square --set n=4 -o heights.r32 -q
expect 0 bench rasterize --input heights.r32 --backends openmp --set width=64 --set height=48 --reps 1 --min-time 0 "${little_memory[@]}" --json m.json
json m.json 'j["results"][0]["input"]["kind"] == "mesh" and j["results"][0]["input"]["width"] >= 6 * 17 * 17 + 3 * 512'
expect 0 bench sobel --input ramp.pgm --backends openmp --against threads=1 --reps 3 --min-time 0 "${little_memory[@]}" --json t.json
json t.json 'all(r["input"]["file"] == "ramp.pgm" for r in j["results"])'
expect 0 bench sobel --input ramp.pgm --backends serial --against "$threadscape" --reps 1 --min-time 0 "${little_memory[@]}" --json u.json
expect 0 bench sobel --input ramp.pgm --sizes 12x8,3x2 --backends serial --reps 1 --min-time 0 "${little_memory[@]}" --json s.json
json s.json '[r["input"]["width"] for r in j["results"]] == [12, 3] and all(r["input"]["file"] == "ramp.pgm" for r in j["results"])'
refuses 2 "'--channels' does not go with --input" bench sobel --input ramp.pgm --channels 4
refuses 2 "'--input' does not go with --suite" bench --input ramp.pgm --suite kernels
refuses 2 "'--input' goes with the names of algorithms" bench --input ramp.pgm
refuses 2 "diamond_square takes no input" bench diamond_square --input ramp.pgm
refuses 3 "gone\.png" bench sobel --input gone.png

expect 0 verify sobel --backends openmp --threads 1,3 --seeds 1
contains out "^sobel +openmp +[a-z]+ +ok, [0-9]+ results equal serial"
results_of_sobel() { sed -nE 's/^sobel +openmp .* ([0-9]+) results equal serial/\1/p' out | head -n 1; }
all=$(results_of_sobel)
expect 0 verify sobel --backends openmp --threads 1,3 --seeds 1 --every 7
seventh=$(results_of_sobel)
# Without it, settings of two changes run with every third shape, and the others with all.
((all < seventh * 8 && seventh * 7 < all * 3)) || fail "--every 7 compares $seventh of $all results"
refuses 2 "every" verify sobel --every 0
expect 0 verify median --backends serial --variants sorting --seeds 1 --every 7
contains out "^median +serial +sorting +ok, "
if grep -q selection out; then fail "--variants sorting verifies another one, too"; fi
refuses 2 "there is no variant 'sortin' to verify: did you mean sorting?" verify median --variants sortin
refuses 2 "'sobell' is unknown" verify sobell
if gpu_present; then
  expect 0 verify sobel --backends cuda --seeds 1
  contains out "^sobel +cuda .*ok, "
  expect 0 bench sobel --backends cuda $quick --json g.json
  json g.json 'all(r["upload_ms"]["median"] > 0 and r["buffers"] > 1 for r in j["results"])'
else
  expect 77 verify sobel --backends cuda
  contains out "^sobel +cuda .*skipped: "
  expect 0 verify sobel --backends openmp,cuda --seeds 1 --threads 2
  contains out "^sobel +cuda .*skipped: "
  expect 77 bench sobel --backends cuda $quick
  contains out "skipped: backend cuda is not available"
fi

finish
