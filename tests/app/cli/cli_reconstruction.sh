#!/usr/bin/env bash
# Tests the algorithm reconstruction: from a phantom, from views that projection wrote, and with parameters that do not fit
# the views.
source "$(dirname "$0")/_cli.sh"

error() { sed -n 's/.*relative error \([0-9.]*\),.*/\1/p' out; }
less() { python3 -c "import sys; sys.exit(not $1 < $2)" || fail "$3: $1 is not less than $2"; }

small="--set voxels=32 --set detector_pixels=48 --set pixel_size=1.5 --set source_distance=100 --set detector_distance=50"
expect 0 run reconstruction $small -o head.mhd
contains out "^against the phantom: RMSE 0\.[0-9]*, relative error 0\.[0-9]*, largest "
contains head.mhd "^DimSize = 32 32 32$"
less "$(error)" 0.45 "filtered backprojection"
expect 0 run reconstruction $small --set method=sirt --set iterations=2 --backend openmp
contains out "^against the views: RMSE .* after 2 iterations$"
few=$(error)
expect 0 run reconstruction $small --set method=sirt --set iterations=12 --backend openmp
less "$(error)" "$few" "more iterations"

# Views from a file: the header states the geometry of the scan, and the phantom on the command line is what the result is
# compared with.
scan="--set geometry=cone --set phantom=shepp_logan --set arc=360 --set step=4 $small"
expect 0 run projection $scan --quiet -o views.mhd
contains views.mhd "^SliceTitles = -180 -176 "
expect 0 run reconstruction views.mhd --set voxels=32 --set source_distance=100 --set detector_distance=50 --timings t.json \
  --set phantom=shepp_logan -o again.mhd
less "$(error)" 0.45 "from a file"
told() { python3 -c 'import json; p = json.load(open("t.json"))["params"]; print(*(float(p[k]) for k in ("pixel_size", "arc", "step", "voxel_size")))'; }
[ "$(told)" = "1.5 360.0 4.0 1.0" ] || fail "what the file says: $(told)"
expect 0 run reconstruction views.mhd --set voxels=32 --set source_distance=100 --set detector_distance=50 --quiet -o again.mhd
[ ! -s out ] || fail "compared with a phantom that it does not know: $(cat out)"

refuses 2 "the input holds 90 views of 48 x 48 pixels, arc = 360.* are 72 views" run reconstruction views.mhd --set step=5 -o no.mhd
refuses 2 "geometry=source with pixels = 200 makes views of 200 x 200" run reconstruction views.mhd --set geometry=source -o no.mhd
refuses 2 "phantom=file needs views" run reconstruction --set phantom=file -o no.mhd
refuses 2 "'iterations' refuses '0'" run reconstruction --set iterations=0 -o no.mhd
refuses 2 "the source is inside the volume" run reconstruction --set source_distance=20 -o no.mhd
[ ! -e no.mhd ] || fail "a refused run left a file"

finish
