#!/usr/bin/env bash
# Tests the algorithm projection: phantoms and volume files as input; volumes, pictures and sinograms as output; and volume
# files whose headers are wrong.
source "$(dirname "$0")/_cli.sh"

for backend in serial openmp; do
  expect 0 run projection --backend $backend -o views-$backend.mhd
  contains out "^minimum 0.000, maximum 11844.(099|100|101), mean 5977.402 over the 148778 rays that hit the volume$"
  contains views-$backend.mhd "^DimSize = 200 200 7$"
  contains views-$backend.mhd "^ElementDataFile = views-$backend.raw$"
  [ "$(wc -c < views-$backend.raw)" = 1120000 ] || fail "not 7 views of 200 x 200 floats"
done

# A PGM has the form of the source project: all views below each other, with a comment before each.
expect 0 run projection --set pixels=50 -o views.pgm --quiet
[ "$(head -n 3 views.pgm | tr '\n' ' ')" = "P2 50 350 255 " ] || fail "header of the PGM: $(head -n 3 views.pgm)"
[ "$(grep -c '^#' views.pgm)" = 7 ] || fail "not a comment for each view"
grep -q '255' views.pgm || fail "nothing is white"

expect 0 run projection --set pixels=50 --set step=45 -o view.png --quiet
[ "$(ls view_*.png | xargs)" = "view_0000.png view_0001.png view_0002.png" ] || fail "a picture per view: $(ls)"
expect 0 run projection --set pixels=50 --set row=25 --set step=1 -o sinogram.png --quiet
file sinogram.png 2> /dev/null | grep -q "50 x 91" || [ -s sinogram.png ] || fail "no sinogram"

# The volume of a user in several file formats: 6 x 5 x 4 bytes along x, z and y.
python3 - <<'PY'
import struct
numbers = bytes(range(120))
open("bytes.raw", "wb").write(numbers)
header = "NDims = 3\nDimSize = 6 5 4\nElementSpacing = 1 1 1\nElementType = MET_UCHAR\nElementDataFile = "
open("bytes.mhd", "w").write(header + "bytes.raw\n")
open("local.mha", "wb").write((header + "LOCAL\n").encode() + numbers)
open("lies.mhd", "w").write(header.replace("6 5 4", "6 5 5") + "bytes.raw\n")
open("negative.mhd", "w").write(header.replace("6 5 4", "6 -5 4") + "bytes.raw\n")
open("cut.mha", "wb").write((header + "LOCAL\n").encode() + numbers[:100])
nan = struct.pack("<120f", *([1.0] * 119 + [float("nan")]))
open("nan.raw", "wb").write(nan)
PY
beam="--set geometry=parallel --set voxels=6 --set voxels_z=5 --set voxels_y=4 --set detector_pixels=12 --set pixel_size=1 --quiet"
for volume in bytes.mhd local.mha bytes.raw; do
  expect 0 run projection $volume $beam -o own-$volume.raw
  same_file own-bytes.mhd.raw own-$volume.raw
done

# With the parameter `slab`, the volume is read in slabs during the run, and the views are equal up to rounding.
for backend in serial openmp; do
  expect 0 run projection bytes.mhd $beam --backend $backend --set slab=3 -o slabs.raw
  python3 - <<'PY' || fail "slabs differ from the whole ($backend)"
import struct
a, b = (struct.unpack("<1008f", open(name, "rb").read()) for name in ("own-bytes.mhd.raw", "slabs.raw"))
assert max(abs(x - y) for x, y in zip(a, b)) < 1e-4 * max(a)
PY
done
refuses 2 "voxel 5, 3, 4 \(x, y, z\) is not a finite number" run projection nan.raw $beam --set slab=2 -o no.raw
refuses 3 "'cut.mha': its extents ask" run projection cut.mha $beam --set slab=2 -o no.raw

# The size of voxels that a file states is assigned to the parameters, and --set takes precedence.
sed 's/^ElementSpacing.*/ElementSpacing = 2 3 4/' bytes.mhd > spaced.mhd
own="--set geometry=parallel --set detector_pixels=12 --quiet --timings t.json"
voxels() { python3 -c 'import json; p = json.load(open("t.json"))["params"]; print(p["voxel_size"], p["voxel_size_y"], p["voxel_size_z"], p["phantom"])'; }
expect 0 run projection spaced.mhd $own -o spaced.raw
[ "$(voxels)" = "2.0 4.0 3.0 file" ] || [ "$(voxels)" = "2 4 3 file" ] || fail "spacing of the file: $(voxels)"
expect 0 run projection spaced.mhd $own --set voxel_size_y=5 -o spaced.raw
[ "$(voxels)" = "2.0 5.0 3.0 file" ] || [ "$(voxels)" = "2 5 3 file" ] || fail "--set wins: $(voxels)"

refuses 3 "'lies.mhd': its extents ask for 150 bytes of numbers, 'bytes.raw' has 120" run projection lies.mhd $beam -o no.raw
refuses 3 "'negative.mhd': its extents are 6 x -5 x 4" run projection negative.mhd $beam -o no.raw
refuses 3 "'cut.mha': its extents ask for 120 bytes of numbers, 'cut.mha' has 100" run projection cut.mha $beam -o no.raw
refuses 3 "no such file" run projection none.mhd $beam -o no.raw
refuses 2 "voxel 5, 3, 4 \(x, y, z\) is not a finite number" run projection nan.raw $beam -o no.raw
refuses 2 "phantom=file" run projection --set phantom=file -o no.raw
refuses 2 "'source_distance' refuses '-5'" run projection --set source_distance=-5 -o no.raw
refuses 2 "the source is inside the volume" run projection --set geometry=cone --set source_distance=50 -o no.raw
refuses 2 "the detector has the rows 0..199" run projection --set row=200 -o no.raw
refuses 2 "\.mhd, \.nrrd, \.npy, \.nii, \.nii\.gz, \.dat, \.raw, \.png or \.pgm" run projection -o no.jpg
[ ! -e no.raw ] || fail "a refused run left a file"

# --- The phantoms as files: the .dat of the source project for a detector of 100 pixels, whose scan is that of the phantom
# that projection makes itself, and a MetaImage.
expect 0 run phantom -o cavity.dat --set phantom=cavity --set pixels=100 -q
[ "$(od -An -tu2 -N24 cavity.dat | xargs)" = "85 90 15 100 100 100 42 42 42 43 43 43" ] ||
  fail "the header of the .dat is $(od -An -tu2 -N24 cavity.dat | xargs)"
[ "$(od -An -tu4 -j24 -N16 cavity.dat | xargs)" = "4200 8500 6300 25200" ] ||
  fail "the lengths of the .dat are $(od -An -tu4 -j24 -N16 cavity.dat | xargs)"
expect 0 run projection cavity.dat -o from-dat.raw --set pixels=100 -q
expect 0 run projection -o direct.raw --set phantom=cavity --set pixels=100 -q
expect 0 compare direct.raw from-dat.raw --numbers f32 --tolerance 0
expect 0 run phantom -o head.mhd --set voxels=24 --set voxels_z=20 --set voxel_size=0.5 -q
contains head.mhd "^DimSize = 24 20 24"
contains head.mhd "^ElementSpacing = 0.5 0.5 0.5"
refuses 2 "whole number" run phantom -o head.dat --set voxels=24 --set voxel_size=0.5

# A phantom that is larger than the memory is written layer by layer: 442 MB of floats with 400 MB of address space. The
# file is that of a run in memory. AddressSanitizer reserves more than that before main() starts, and so does
# ThreadSanitizer.
if ! grep -qa -e __asan_init -e __tsan_init "$threadscape"; then
  large="--set phantom=cavity --set voxels=480"
  expect 0 run phantom -o whole.raw $large -q
  for threads in 1 2; do
    code=0
    (ulimit -v 400000; "$threadscape" run phantom -o large.mhd $large --threads $threads > out 2> err) || code=$?
    [ "$code" = 0 ] || fail "a phantom larger than the memory: exit code $code, $(tail -n 1 err)"
    contains out "480x480 .*with writing"
    contains large.mhd "^DimSize = 480 480 480$"
    # The numbers have another name each time, because the old ones stay until the header names the new ones.
    same_file whole.raw "$(sed -n 's/^ElementDataFile = //p' large.mhd)"
  done
  # Grey levels span the whole volume, so pictures need all of it.
  code=0
  (ulimit -v 400000; "$threadscape" run phantom -o large.png $large > out 2> err) || code=$?
  [ "$code" = 3 ] || fail "pictures of a phantom larger than the memory: exit code $code"
  contains err "out of memory|not enough memory|host memory"
  rm -f whole.raw large.mhd*
fi

# --- Intensities: the law of Lambert and Beer on the views of a projection, and the line integrals back from them.
expect 0 run projection -o integrals.mhd --set pixels=60 -q
expect 0 run beer_lambert integrals.mhd -o intensities.mhd --set initial=4000 --set attenuation=0.002
contains out "^intensities from [0-9.e-]+ to 4000$"
expect 0 run beer_lambert intensities.mhd -o again.mhd --set output=integral --set initial=4000 --set attenuation=0.002 -q
expect 0 compare integrals.mhd again.mhd --tolerance 0.001

finish
