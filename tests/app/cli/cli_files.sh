#!/usr/bin/env bash
# Tests the formats of files, the limits of what is read, and that nothing that is read can hang the program.
source "$(dirname "$0")/_cli.sh"

ramp > ramp.pgm
identity=0,0,0,0,1,0,0,0,0

# Runs the identity on a picture, which then holds the same pixels in another format.
convert() {
  expect 0 run convolution "$@" --set mask=$identity -q
}

# --- Formats: 8 bit and floats come back from each that holds them.
convert ramp.pgm -o ramp.0.pgm
convert ramp.pgm --depth float -o ramp.0.pfm
present() { "$threadscape" run --help | tr -d '\n' | grep -qF ".$1"; }
for extension in npy tif bmp png webp; do
  present $extension || continue
  convert ramp.pgm -o "ramp.$extension"
  # WebP has no grey pictures: what is read from it has colours.
  to=pgm
  [ $extension = webp ] && to=ppm
  convert "ramp.$extension" -o "ramp.back.$to"
  [ $extension = webp ] || same_file ramp.0.pgm ramp.back.pgm
done
refuses 2 "\.bmp holds no float pictures, which are written as " run convolution ramp.0.pfm -o no.bmp --set mask=$identity
for extension in npy tif exr; do
  present $extension || continue
  convert ramp.0.pfm -o float.$extension
  convert float.$extension -o float.back.pfm
  same_file ramp.0.pfm float.back.pfm
done
convert ramp.pgm -o best.jpg --quality 100
convert ramp.pgm -o worst.jpg --quality 1
[ "$(stat -c %s best.jpg)" -gt "$(stat -c %s worst.jpg)" ] || fail "quality 100 is not longer than quality 1"
refuses 2 "quality" run sobel ramp.pgm -o no.jpg --quality 101
for refused in no.bmp no.jpg; do
  [ -e $refused ] && fail "a refused picture was written"
done

# Volumes in NRRD and NPY hold the same numbers as .raw.
expect 0 run projection -q -o views.raw --set voxels=6 --set step=90
expect 0 run projection -q -o views.npy --set voxels=6 --set step=90
[ "$(stat -c %s views.raw)" -gt 0 ] || fail "an empty volume"
tail -c "$(stat -c %s views.raw)" views.npy > npy.raw
same_file views.raw npy.raw
expect 0 run projection -q -o views.nrrd --set voxels=6 --set step=90
python3 - <<'PY' || fail "views.nrrd holds other numbers than views.raw"
import gzip, sys
packed = open("views.nrrd", "rb").read().split(b"\n\n", 1)[1]
sys.exit(gzip.decompress(packed) != open("views.raw", "rb").read())
PY

# Volumes in NIfTI hold the same numbers as .raw, also through pipes. Of several volumes the first is read, which a line
# says.
expect 0 run projection -q -o views.nii --set voxels=6 --set step=90
tail -c "$(stat -c %s views.raw)" views.nii > nii.raw
same_file views.raw nii.raw
"$threadscape" run projection -q -o nii.gz:- --set voxels=6 --set step=90 > views.nii.gz 2> err || fail "nii.gz:- is not written"
gzip -dc views.nii.gz | cmp -s - views.nii || fail "views.nii.gz is not the compressed views.nii"
expect 0 compare views.nii views.nii.gz
"$threadscape" compare -q --kind volume views.nii nii.gz:- < views.nii.gz || fail "nii.gz:- is not read"
python3 - <<'PY'
content = bytearray(open("views.nii", "rb").read())
content[40:42], content[48:50] = b"\4\0", b"\2\0"
open("two.nii", "wb").write(content + content[352:])
PY
expect 0 run reconstruction two.nii -o again.raw --set voxels=6 --threads 1
grep -q "^threadscape: 'two.nii' holds 2 volumes: the first one is read$" err || fail "the second volume is not told"
expect 0 run reconstruction two.nii -o again.raw --set voxels=6 --threads 1 -q
[ -s err ] && fail "a quiet run tells notes"

# A folder that holds a DICOM series is a volume, and so is each of its files; a line tells what is missing.
python3 - "$2" <<'PY'
import json, os, sys
with open(sys.argv[1] + "/tests/data/dicom.json") as file:
    cases = {case["name"]: case for case in json.load(file)["cases"]}
for name in ("ct", "missing", "two_series"):
    os.mkdir(name)
    for part, content in cases[name]["files"].items():
        with open(f"{name}/{part}", "wb") as file:
            file.write(bytes.fromhex(content))
PY
expect 0 run projection ct -o ct.nii --set step=90
[ -s err ] && fail "a whole series has a note: $(cat err)"
expect 0 run projection "ct/$(ls ct | head -n 1)" -o slice.nii --set step=90
same_file ct.nii slice.nii
expect 0 compare ct "ct/$(ls ct | tail -n 1)"
expect 0 run projection missing -o missing.nii --set step=90
contains err "^threadscape: 'missing': 1 slice is missing between 7.5 and 12.5 mm"
refuses 3 "it holds 2 DICOM series: open a file of the one that is wanted: 'IM01' of 3 files" run projection two_series -o no.nii
expect 0 run projection two_series/IM01 -o two.nii --set step=90
mkdir -p no-slices
refuses 3 "there are neither pictures nor DICOM files in it" run projection no-slices -o no.nii

# --- Limits are named, and raised or lowered by one option.
refuses 3 "6x4 pixels; the limit is 23 pixels of a picture \(--limit pixels=N raises it\)" run sobel ramp.pgm -o a.png --limit pixels=23
expect 0 run sobel ramp.pgm -o a.png --limit pixels=24 --limit frames=1
refuses 2 "the limit 'pixel' is unknown: pixels, voxels" run sobel ramp.pgm -o a.png --limit pixel=24
refuses 2 "the limit 'pixels' refuses '0'" run sobel ramp.pgm -o a.png --limit pixels=0
refuses 2 "name=value is wanted" run sobel ramp.pgm -o a.png --limit pixels
printf '{"size": 5, "mask": "%s"}' "$(seq -s, 1 25)" > preset.json
refuses 3 "--limit json-bytes=N" run convolution ramp.pgm -o a.png --preset preset.json --limit json-bytes=10
expect 0 run convolution ramp.pgm -o a.png --preset preset.json --limit json-bytes=1K

# --- Files without end.
truncate -s 1T zero.pgm
refuses 3 "cannot read 'zero.pgm': it is no PNG" run sobel zero.pgm -o a.png
refuses 3 "cannot read '/dev/zero': it is a device" run sobel /dev/zero -o a.png
refuses 3 "cannot read '/dev/zero': it is a device" run convolution ramp.pgm -o a.png --preset /dev/zero
mkfifo pipe
refuses 3 "cannot read 'pipe': the pipe was silent for 1 s" run sobel pipe -o a.png --limit silence=1
exec 9<> pipe  # A reader that is its own writer: nothing comes, and there is no end.
refuses 3 "cannot read standard input: the pipe was silent for 1 s" run sobel pgm:- -o a.png --limit silence=1 <&9
exec 9>&-
expect 0 run sobel <(cat ramp.pgm) -o piped.png
expect 0 run sobel ramp.pgm -o plain.png
same_file plain.png piped.png

# SIGTERM ends a command that waits for a pipe: one that has no writer, and one whose writer is silent. Without it the
# command would wait for 1000 s.
for writer in none silent; do
  if [ $writer = silent ]; then sleep 1000 > pipe & holder=$!; fi
  for arguments in "run sobel pipe -o a.png" "run sorting pipe -o a.raw" "run convolution ramp.pgm -o a.png --preset pipe" \
    "render sobel pipe -o a.png" "bench --suite pipe.json"; do
    ln -sf pipe pipe.json
    # shellcheck disable=SC2086
    "$threadscape" $arguments --limit silence=1000 > out 2> err &
    process=$!
    sleep 0.4
    kill -TERM $process 2> kill.err || fail "had ended already: $arguments ($(cat err))"
    for _ in $(seq 100); do
      kill -0 $process 2> /dev/null || break
      sleep 0.1
    done
    kill -KILL $process 2> /dev/null && fail "SIGTERM did not end: $arguments"
    wait $process 2> /dev/null
  done
  if [ $writer = silent ]; then kill $holder; wait $holder 2> /dev/null; fi
done

# --- Data files outside of the folder of their header.
mkdir inside
head -c 60 /dev/zero > outside.raw
printf 'NDims = 3\nDimSize = 4 3 5\nElementType = MET_UCHAR\nElementDataFile = ../outside.raw\n' > inside/a.mhd
refuses 3 "outside of its folder.*--allow-outside" run projection inside/a.mhd -o a.raw --set step=90
expect 0 run projection inside/a.mhd -o a.raw --set step=90 --allow-outside
mkfifo inside/numbers.raw
printf 'NDims = 3\nDimSize = 4 3 5\nElementType = MET_UCHAR\nElementDataFile = numbers.raw\n' > inside/b.mhd
refuses 3 "numbers.raw': it is a pipe" run projection inside/b.mhd -o a.raw --set step=90

finish
