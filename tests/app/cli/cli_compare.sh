#!/usr/bin/env bash
# Tests `threadscape compare`: figures, limits, exit codes and difference files for every kind of data.
source "$(dirname "$0")/_cli.sh"

ramp > a.pgm
ramp | sed 's/ 70 / 77 /' > b.pgm # The value at x 1, y 1 is 7 larger.

# --- Pictures. One of 24 values differs by 7, so the RMSE is 7 / sqrt(24) and the PSNR 20 log10(255 / RMSE).
expect 0 compare a.pgm a.pgm
contains out "^different +0 of 24 values"
contains out "^PSNR +infinite"
expect 1 compare a.pgm b.pgm
contains out "^maximum +7 at x 1, y 1 \(70 and 77\)"
contains out "^SSIM +not defined: SSIM needs at least 11 values along each axis"
expect 1 compare a.pgm b.pgm --json
cp out result.json
json result.json 'j["different"] == 1 and j["values"] == 24 and not j["identical"] and not j["passed"]'
json result.json 'j["maximum"] == {"value": 7, "x": 1, "y": 1, "z": 0, "channel": 0, "a": 70, "b": 77}'
json result.json 'abs(j["rmse"] - 7 / 24 ** 0.5) < 1e-12'
json result.json 'abs(j["psnr_db"] - 20 * __import__("math").log10(255 / (7 / 24 ** 0.5))) < 1e-9'
expect 0 compare a.pgm b.pgm --tolerance 7
expect 1 compare a.pgm b.pgm --tolerance 6.9
expect 0 compare a.pgm b.pgm --min-psnr 45
expect 1 compare a.pgm b.pgm --min-psnr 46
expect 1 compare a.pgm b.pgm --min-ssim 0.5 # It is not defined for four rows, so it is not accepted.
expect 1 compare -q a.pgm b.pgm
[ -s out ] && fail "--quiet prints"

# SSIM: larger pictures, and of a picture with itself.
"$threadscape" run noise "$2/assets/samples/camera.png" -o noisy.png -q 2> /dev/null && {
  expect 1 compare "$2/assets/samples/camera.png" noisy.png --json
  cp out noisy.json
  json noisy.json '0 < j["ssim"] < 1 and j["psnr_db"] > 0'
}

# The difference picture: the largest difference becomes white, or is multiplied by --gain.
expect 1 compare a.pgm b.pgm -o difference.pgm
[ "$(tail -c 24 difference.pgm | od -An -tu1 -v | tr -s ' \n' ' ')" = " 0 0 0 0 0 0 0 255 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 " ] ||
  fail "the difference picture is wrong: $(tail -c 24 difference.pgm | od -An -tu1)"
expect 1 compare a.pgm b.pgm -o difference.pgm --gain 2
[ "$(tail -c 24 difference.pgm | od -An -tu1 -v | tr -s ' \n' ' ' | cut -d' ' -f9)" = 14 ] || fail "--gain 2 does not double"

# A grey picture equals the same picture in colour; another depth or size is refused with the cure.
expect 0 run convolution a.pgm -o grey.ppm --set mask=0,0,0,0,1,0,0,0,0
expect 0 compare a.pgm grey.ppm
{
  printf 'P2\n6 4\n65535\n'
  tail -n 1 a.pgm | awk '{ for (i = 1; i <= NF; i++) print 257 * $i }'
} > deep.pgm
refuses 2 "u8 values, 'deep.pgm' u16: --depth" compare a.pgm deep.pgm
expect 0 compare a.pgm deep.pgm --depth 8
printf 'P2\n5 4\n255\n%s\n' "$(seq 20 | tr '\n' ' ')" > other.pgm
refuses 2 "different extents" compare a.pgm other.pgm
refuses 3 "cannot read 'none.png'" compare a.pgm none.png
refuses 2 "'pictur' is unknown: did you mean picture|image" compare a.pgm b.pgm --kind pictur

# --- Sequences.
printf '\1\0\0\0\2\0\0\0\3\0\0\0' > one.raw
printf '\1\0\0\0\5\0\0\0\3\0\0\0' > two.raw
expect 1 compare one.raw two.raw --numbers i32
contains out "^maximum +3 at x 1 \(2 and 5\)"
expect 0 compare one.raw two.raw --numbers i32 --tolerance 3

# --- Heightfields: the differences are written as floats.
expect 0 run diamond_square -o first.r32 --set n=5 --set mode=fractal --seed 1 -q
expect 0 run diamond_square -o second.r32 --set n=5 --set mode=fractal --seed 2 -q
expect 0 compare first.r32 first.r32
expect 1 compare first.r32 second.r32 -o difference.r32 --json
cp out heights.json
json heights.json 'j["shape"]["kind"] == "heightfield" and j["ssim"] < 0.9'
[ "$(stat -c %s difference.r32)" = "$(stat -c %s first.r32)" ] || fail "the difference of heightfields has another size"

# --- Volumes.
python3 - <<'PY'
import struct
def volume(name, change):
    values = [float(i % 7) for i in range(12 * 13 * 14)]
    values[(3 * 13 + 2) * 12 + 5] += change  # y 3, z 2, x 5: x is the fastest axis, then z, then y.
    open(name + ".raw", "wb").write(struct.pack("<%df" % len(values), *values))
    open(name + ".mhd", "w").write("ObjectType = Image\nNDims = 3\nDimSize = 12 13 14\nElementType = MET_FLOAT\n"
                                   "ElementDataFile = %s.raw\n" % name)
volume("v", 0); volume("w", 0.25)
PY
expect 1 compare v.mhd w.mhd -o d.mhd
contains out "^maximum +0\.25 at x 5, y 3, z 2"
contains out "^SSIM +0\.9"
expect 0 compare v.mhd w.mhd --tolerance 0.25
expect 1 compare v.raw w.raw --kind volume --extents 12,14,13
refuses 2 "--extents X,Y,Z is wanted" compare v.raw w.raw --kind volume

finish
