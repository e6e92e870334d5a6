#!/usr/bin/env bash
# Tests `rasterize` on the command line: matrices as numbers, the largest picture, and the times of its stages.
source "$(dirname "$0")/_cli.sh"

# --- Matrices.
view=1,0,0,0,0,1,0,0,0,0,1,-4,0,0,0,1
frustum=1,0,0.5,0,0,1,0,0,0,0,-1.5,-5,0,0,-1,0
small=(--set mesh=cube --set width=96 --set height=64)
for backend in serial openmp; do
  expect 0 run rasterize "${small[@]}" --set view_matrix=$view --set projection_matrix=$frustum --backend $backend -o $backend.png
done
same_file serial.png openmp.png
expect 0 run rasterize "${small[@]}" -o plain.png
cmp -s serial.png plain.png && fail "the stated matrices change nothing"
expect 0 run rasterize "${small[@]}" --set view_matrix= --set projection_matrix= -o blank.png
same_file blank.png plain.png
# Parameters are written so that they can be read again.
expect 0 run rasterize "${small[@]}" --set view_matrix=$view -o stated.png --timings stated.json
json stated.json "j['params']['view_matrix'] == '$view'"
refuses 2 "view_matrix has 3 numbers: 4 rows of 4 numbers" run rasterize "${small[@]}" --set view_matrix=1,2,3 -o kept.png
refuses 2 "projection_matrix is not finite in row 4, column 4" run rasterize "${small[@]}" \
  --set projection_matrix=1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,nan -o kept.png
refuses 2 "projection_matrix is singular" run rasterize "${small[@]}" \
  --set projection_matrix=1,0,0,0,1,0,0,0,0,0,1,0,0,0,0,1 -o kept.png
refuses 2 "view_matrix has a last row other than 0,0,0,1" run rasterize "${small[@]}" --set view_matrix=$frustum -o kept.png
[ -e kept.png ] && fail "a refused run has written a picture"

# --- The size of the picture.
expect 0 run rasterize --set mesh=cube --set width=1 --set height=1 -o one.png
refuses 2 "'width' refuses '16385': 1\.\.16384 pixels" run rasterize --set width=16385 --set height=1 -o kept.png
refuses 2 "'height' refuses '16385': 1\.\.16384 pixels" run rasterize --set width=1 --set height=16385 -o kept.png
refuses 2 "'width' refuses '0': 1\.\.16384 pixels" run rasterize --set width=0 -o kept.png
expect 0 run rasterize --set mesh=cube --set width=16384 --set height=1 -o wide.png
expect 0 run rasterize --set mesh=cube --set width=1 --set height=16384 -o high.png

# --- The times of the stages.
expect 0 bench rasterize --backends serial,openmp --set width=64 --set height=48 --reps 1 --min-time 0 "${little_memory[@]}" --json bench.json
contains out "Stages of a run with clocks: vertices .* ms, .*raster .* ms, .*rest .* ms, in all .* ms\."
# No single stage is asked for a time above 0: that of raster is a difference, which an interruption can make 0.
json bench.json 'all({"vertices", "raster", "shading", "rest", "total"} <= r["stages_ms"].keys() for r in j["results"])'
json bench.json 'all(r["stages_ms"]["total"] > 0 and min(r["stages_ms"].values()) >= 0 for r in j["results"])'
# The stages and the rest make up the whole run, but for the rest that is not below 0.
json bench.json 'all(sum(r["stages_ms"].values()) >= 1.999 * r["stages_ms"]["total"] for r in j["results"])'
expect 0 bench sobel --backends serial --sizes 64x64 --reps 1 --min-time 0 "${little_memory[@]}" --quiet --json plain-bench.json
json plain-bench.json '"stages_ms" not in j["results"][0]'
"$threadscape" render rasterize "${small[@]}" --scene pipeline -o scene.png -q > out 2> err || {
  grep -qiE "EGL|OpenGL" err || fail "render: $(cat err)"
  finish
}
expect 0 render rasterize "${small[@]}" --scene pipeline --view measure=true --timings times.json -o scene.png -q
json times.json "all(j['scene'][b + s] >= 0 for b in ('serial_', 'openmp_') for s in ('vertices_ms', 'raster_ms', 'shading_ms', 'total_ms'))"
json times.json "'openmp_binning_ms' in j['scene'] and 'openmp_set_up_ms' not in j['scene'] and 'serial_set_up_ms' in j['scene']"
expect 0 render rasterize "${small[@]}" --scene pipeline --timings plain.json -o scene.png -q
json plain.json "'serial_total_ms' not in j['scene']"

finish
