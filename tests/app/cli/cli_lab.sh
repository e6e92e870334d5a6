#!/usr/bin/env bash
# Tests the lab of the window without a display: sweeps and reports are measured, plotted and refused.
source "$(dirname "$0")/_cli.sh"

"$threadscape" info --json | python3 -c 'import json, sys; sys.exit(not json.load(sys.stdin)["gl"]["available"])' || exit 77

expect 0 bench sobel --backends serial,openmp --sizes 32,64 --threads 1,2 --reps 6 --min-time 0 "${little_memory[@]}" --quiet --json report.json
ramp > ramp.pgm
for plot in time speed-up efficiency weak stages roofline histogram winners compare suite; do
  expect 0 render sobel ramp.pgm -o "$plot.png" --ui --size 1280x720 --panel lab --plot "$plot" --report report.json --quiet
  [ -s "$plot.png" ] || fail "no picture of the plot $plot"
done
# Times on standard output are not mixed with the name of the picture.
expect 0 render sobel ramp.pgm -o times.png --timings -
valid_json out
contains err "^times\.png$"
# With the window, the times of the parts of its frames are there too.
expect 0 render sobel ramp.pgm -o times.png --timings times.json --ui --size 640x400 --quiet
python3 - <<'EOF' || fail "times of the frames are missing"
import json
frames = json.load(open('times.json'))['frame_ms']
for part in ('panels, CPU', 'picture, CPU', 'interface, CPU'):
    assert frames[part]['count'] >= 4 and 0 < frames[part]['median'] <= frames[part]['maximum'], frames
EOF
# Drawing takes memory of its own beside the arrays of little_memory.
limit=(--limit memory=1G)
for sweep in size=16,32 threads=1,2 threads-and-size=1,2 norm=l1,l2 variants=all backends=all; do
  expect 0 render sobel ramp.pgm -o sweep.png --ui --size 1280x720 --panel lab --theme light --sweep "$sweep" "${limit[@]}" --quiet
done
expect 0 render sobel ramp.pgm -o peers.png --ui --size 1280x720 --panel lab --sweep threads=1,2 --peers "${limit[@]}" --quiet
refuses 2 "the lab has no plot 'nonsense': accepted are time \\| speed-up" render sobel ramp.pgm -o x.png --ui --panel lab --plot nonsense
refuses 2 "'zero': a whole number is wanted" render sobel ramp.pgm -o x.png --ui --panel lab --sweep size=zero
refuses 2 "parameter 'nonsense' is unknown" render sobel ramp.pgm -o x.png --ui --panel lab --sweep nonsense=1
echo '{"a": 1}' > nothing.json
refuses 2 "this is no report of" render sobel ramp.pgm -o x.png --ui --panel lab --report nothing.json
expect 0 render rasterize -o mesh.png --set width=32 --set height=32 --ui --size 1280x720 --panel lab --sweep subdivision=8,16 "${limit[@]}" --quiet
refuses 2 "count follows from the input: vary the size" render sorting -o x.png --set count=16 --ui --panel lab --sweep count=8,16
refuses 2 "rasterize has no size beside its parameters" render rasterize -o x.png --ui --panel lab --sweep threads-and-size=1,2
# Without the lab in the picture, options for it are refused.
for options in "--sweep size=16" "--peers" "--report report.json" "--plot time"; do
  refuses 2 "--sweep, --peers, --report and --plot draw .* need --ui, without --fixture" render sobel ramp.pgm -o x.png $options
  refuses 2 "need --ui, without --fixture" render sobel ramp.pgm -o x.png --ui --fixture $options
done
refuses 3 "--sweep: no point could be measured: .*out of memory" render sobel ramp.pgm -o x.png --ui --panel lab --sweep size=1000000 "${limit[@]}"
[ -e x.png ] && fail "a picture is written although the lab refused"

finish
