#!/usr/bin/env bash
# Tests lists of steps, `threadscape run A --then B`: results of any kind go from step to step, the options behind --then are
# those of its step, and steps that do not fit are refused before anything is computed.
source "$(dirname "$0")/_cli.sh"

ramp > ramp.pgm

# A list gives what one run after another gives.
expect 0 run median ramp.pgm -o median.pgm -q
expect 0 run sobel median.pgm -o both.pgm -q
expect 0 run median ramp.pgm --then sobel -o list.pgm
same_file both.pgm list.pgm
contains out "^median openmp: 6x4 8-bit grey image, "
contains out "^sobel openmp: 6x4 8-bit grey image, "
contains out "^2 steps: [0-9.]+ ms$"
expect 0 run median ramp.pgm --then sobel -o quiet.pgm -q
[ -s out ] && fail "--quiet prints: $(cat out)"

# Options belong to the step behind whose --then they stand; those before the first --then are of the first algorithm.
expect 0 run --set size=5 median ramp.pgm --then median --set size=7 --then sobel --set norm=l2 -o own.pgm --timings t.json --backend serial
valid_json t.json
json t.json '[s["algorithm"] for s in j["steps"]] == ["median", "median", "sobel"]'
json t.json '[s["params"]["size"] for s in j["steps"][:2]] == [5, 7] and j["steps"][2]["params"]["norm"] == "l2"'
json t.json 'all(s["backend"] == "serial" for s in j["steps"]) and j["environment"]["cpu"]["model"]'
json t.json 'abs(j["stages_ms"]["compute"] - sum(s["stages_ms"]["compute"] for s in j["steps"])) < 1e-6'
json t.json 'j["steps"][0]["input"]["file"] == "ramp.pgm" and j["steps"][2]["output"]["file"] == "own.pgm"'
echo '{"size": 9}' > nine.json
expect 0 run median ramp.pgm --then median --preset nine.json -o preset.pgm --timings t.json
json t.json '[s["params"]["size"] for s in j["steps"]] == [3, 9]'

# Terrain, then erosion, then slope: erosion works on the terrain that was just made.
terrain="--set n=6 --seed 3"
expect 0 run diamond_square $terrain -o terrain.r32 -q
expect 0 run thermal_erosion terrain.r32 --set iterations=30 -o eroded.r32 -q
expect 0 run slope eroded.r32 -o slope.png -q
expect 0 run diamond_square $terrain --then thermal_erosion --set iterations=30 --then slope -o list.png
same_file slope.png list.png
contains out "^3 steps: "

# Filters take a heightmap, and heights take a picture.
expect 0 run diamond_square $terrain --then median --set size=5 -o smooth.pfm
contains out "^median openmp: 65x65 .*float.* image"
expect 0 run sobel ramp.pgm --then slope -o hills.png -q
expect 0 run diamond_square $terrain --then rasterize --set width=64 --set height=48 -o hills3d.png
contains out "^rasterize openmp: 64x48"

# A phantom, its views, and the object from them: the geometry goes from step to step.
scan="--set geometry=cone --set detector_pixels=48 --set pixel_size=1.5 --set source_distance=120 --set detector_distance=60 --set arc=360 --set step=4"
expect 0 run phantom --set voxels=32 --then projection $scan --then reconstruction -o again.mhd --steps-out steps --timings t.json
contains again.mhd "^DimSize = 32 32 32$"
contains out "^against the phantom: RMSE 0\.[0-9]*, relative error 0\.[0-4]"
json t.json 'j["steps"][2]["params"]["geometry"] == "cone" and float(j["steps"][2]["params"]["source_distance"]) == 120'
[ "$(ls steps | xargs)" = "1-phantom.mhd 1-phantom.raw 2-projection.mhd 2-projection.raw 3-reconstruction.mhd 3-reconstruction.raw" ] ||
  fail "files of the steps: $(ls steps | xargs)"
same_file steps/3-reconstruction.raw again.raw
expect 0 run phantom --set voxels=24 --then projection --then reconstruction -q -o defaults.mhd
contains defaults.mhd "^DimSize = 24 24 24$"

# The folder alone is enough, and a batch names the steps after its inputs.
expect 0 run median ramp.pgm --then sobel --steps-out alone -q
[ "$(ls alone | xargs)" = "ramp-1-median.png ramp-2-sobel.png" ] || fail "steps of a file: $(ls alone | xargs)"
mkdir photos && cp ramp.pgm photos/one.pgm && cp median.pgm photos/two.pgm
expect 0 run median photos --then sobel -o batch/ --steps-out each --timings t.json
same_file batch/one.pgm both.pgm
contains out "^photos/one.pgm -> batch/one.pgm: median, sobel: 6x4 8-bit grey image, "
[ "$(ls each | wc -l)" = 4 ] || fail "steps of a batch: $(ls each | xargs)"
json t.json 'len(j["runs"]) == 2 and len(j["runs"][0]["steps"]) == 2'
cp ramp.pgm photos/one.ppm
refuses 2 "the steps of 'photos/one.pgm' and 'photos/one.ppm' would have the same names" run median photos --then sobel -o more/ --steps-out more-steps

# Standard input and output.
"$threadscape" run median - --then sobel -o pgm:- < ramp.pgm > piped.pgm 2> err || fail "a list in a pipe: $(cat err)"
same_file piped.pgm both.pgm

# What does not fit is refused with one line, before anything is read, computed or written.
refuses 2 "step 2, sorting: it gets a picture from sobel, and takes a sequence" run sobel none.png --then sorting -o no.raw
refuses 2 "step 3, sobel: it gets a sequence from sorting, and takes a picture" run sorting --then sorting --then sobel -o no.png
refuses 2 "step 2, diamond_square: it takes no input, so it can only be the first step" run sobel ramp.pgm --then diamond_square -o no.r32
refuses 2 "step 2, sobel: it gets a volume from phantom, and takes a picture" run phantom --set voxels=2000 --then sobel -o no.png
refuses 2 "step 2, .*did you mean sobel" run median ramp.pgm --then sobl -o no.png
refuses 2 "step 2, median: .*'size' refuses '4'" run median ramp.pgm --then median --set size=4 -o no.png
refuses 2 "step 2, median: .*variant" run median ramp.pgm --then median --variant nosuch -o no.png
refuses 2 "--preset is given twice for sobel" run median ramp.pgm --then sobel --preset nine.json --preset nine.json -o no.png
refuses 2 "--variant is given twice for median" run median ramp.pgm --variant a --variant b -o no.png
refuses 2 "step 3, reconstruction: " run phantom --set voxels=16 --then projection --then reconstruction --set geometry=source --set pixels=7 -o no.mhd
refuses 2 "--steps-out needs a list of steps" run median ramp.pgm -o no.png --steps-out no
touch file
refuses 3 "--steps-out 'file': cannot make the folder" run median ramp.pgm --then sobel --steps-out file
[ -z "$(ls no* 2> /dev/null)" ] || fail "a refused list left files: $(ls no*)"

if gpu_present; then
  expect 0 run diamond_square $terrain --then thermal_erosion --set iterations=30 --then slope -o cuda.png --backend cuda
  same_file cuda.png slope.png
fi

finish
