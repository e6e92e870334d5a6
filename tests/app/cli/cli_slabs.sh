#!/usr/bin/env bash
# Tests runs of volumes that do not fit into a limit of memory: the result is computed in slabs while it is written.
source "$(dirname "$0")/_cli.sh"

# Sanitizers take more memory than the limits below leave.
python3 - "$threadscape" << 'PY' || { echo "the program alone takes too much memory"; exit 77; }
import resource, subprocess, sys
subprocess.run([sys.argv[1], "list"], stdout=subprocess.DEVNULL, check=True)
sys.exit(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss > 64 << 10)
PY

scan=(--set voxels=160 --set detector_pixels=200 --set pixel_size=1.2)
expect 0 run phantom --set voxels=160 -o object.mhd -q
expect 0 run projection object.mhd -o views.mhd --set geometry=cone --set step=1 --set arc=360 --set detector_pixels=200 \
  --set pixel_size=1.2 -q
expect 0 run reconstruction views.mhd -o whole.nii "${scan[@]}" -q
expect 0 run reconstruction views.mhd -o slabs.nii "${scan[@]}" --memory 92M --timings times.json
contains err "^threadscape: reconstruction runs in [0-9]+ slabs of [0-9]+ layers, with [0-9]+ layers of the input, all of which each slab reads: at most [0-9.]+ MiB of memory beside the program, 15.6 MiB on the disk"
! grep -q "runs in 1 slabs" err || fail "all of it is one slab"
same_file whole.nii slabs.nii
json times.json 'j["output"]["width"] == 160 and j["stages_ms"]["compute"] > 0'
# Serial sums doubles, which are kept from views to views.
expect 0 run reconstruction views.mhd -o whole.npy --backend serial --set voxels=40 --set voxel_size=4 --set detector_pixels=200 --set pixel_size=1.2 -q
expect 0 run reconstruction views.mhd -o slabs.npy --backend serial --set voxels=40 --set voxel_size=4 --set detector_pixels=200 --set pixel_size=1.2 --memory 88M
contains err "reconstruction runs in"
same_file whole.npy slabs.npy

# All formats that hold numbers are written slab by slab, and those that are read in parts are read so.
for extension in mhd nrrd nii npy raw nii.gz; do
  expect 0 run beer_lambert views.mhd -o "whole.$extension" -q
  expect 0 run beer_lambert views.mhd -o "slabs.$extension" --memory 110M
  contains err "beer_lambert runs in [0-9]+ slabs of [0-9]+ layers"
  ! grep -q "runs in 1 slabs" err || fail "all of it is one slab"
  [ "$extension" = mhd ] || same_file "whole.$extension" "slabs.$extension"
done
same_file whole.raw slabs.raw
# The numbers of a compressed NRRD are in memory as a whole.
for from in "nrrd 150M" "nii 110M" "npy 110M"; do
  read -r extension memory <<< "$from"
  expect 0 run beer_lambert "whole.$extension" -o again.npy --set output=integral -q
  expect 0 run beer_lambert "whole.$extension" -o slabs.npy --set output=integral --memory "$memory"
  same_file again.npy slabs.npy
done
# What fits is run as a whole.
expect 0 run beer_lambert views.mhd -o fits.npy --memory 2G
[ ! -s err ] || fail "something is said: $(cat err)"
same_file whole.npy fits.npy

refuses 2 "need [0-9.]+ MiB of memory at once, .* free; reconstruction cannot be cut into slabs: each iteration of sirt" \
  run reconstruction views.mhd -o out.npy "${scan[@]}" --set method=sirt --memory 92M
refuses 2 "'out.png' has grey levels from the lowest value to the highest" run beer_lambert views.mhd -o out.png --memory 110M
refuses 2 "beer_lambert cannot be cut into slabs with these parameters" \
  run beer_lambert views.mhd -o out.npy --set photons=100 --memory 110M
refuses 3 "beer_lambert needs [0-9]+ bytes of memory for slabs of one layer" run beer_lambert views.mhd -o out.npy --memory 60M
[ ! -e out.npy ] || fail "a refused run has left a file"

# Projection reads its volume in slabs; the views have to fit.
expect 0 run projection object.mhd -o thin.npy --set geometry=cone --set step=90 --set detector_pixels=50 --set slab=16 -q
expect 0 run projection object.mhd -o limited.npy --set geometry=cone --set step=90 --set detector_pixels=50 --set slab=16 \
  --memory 64M -q
same_file thin.npy limited.npy
expect 0 run projection object.mhd -o limited.npy --set geometry=cone --set step=90 --set detector_pixels=50 --memory 48M
contains err "projection reads slabs as thick as the memory allows, whose sums are rounded otherwise"

finish
