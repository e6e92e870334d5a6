#!/usr/bin/env bash
# Tests animations: the number, the size and the time of frames in every format, and their pixels, which ffmpeg decodes
# where it is installed. A machine without OpenGL skips the test.
source "$(dirname "$0")/_cli.sh"

code=0
"$threadscape" render diamond_square -o first.png --set n=5 --size 96x64 > out 2> err || code=$?
[ "$code" = 3 ] && { echo "skipped: $(cat err)"; exit 77; }
[ "$code" = 0 ] || fail "render ends with $code: $(cat err)"

frames=5
turn=(render diamond_square --set n=5 --size 96x64 --frames $frames)
expect 0 "${turn[@]}" -o frame.png -q
formats=$("$threadscape" render --help | tr '\n' ' ' | grep -oE '\.(gif|apng|webp|mp4|webm|mkv)\b' | sort -u)
[ -n "$formats" ] || fail "the help names no animation"
for format in $formats; do
  expect 0 "${turn[@]}" -o "turn$format" --fps 10
  contains out "^turn\\$format$"
done

# The structure of the files, read without any library of the program.
python3 - $frames $formats <<'PY' || fail "the structure of an animation is wrong"
import struct, sys, zlib

frames = int(sys.argv[1])

def apng(data):
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, controls, numbers, images = 8, [], [], 0
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        assert struct.unpack(">I", data[at + 8 + length:at + 12 + length])[0] == zlib.crc32(kind + body), kind
        if kind == b"IHDR":
            assert struct.unpack(">II", body[:8]) == (96, 64)
        if kind == b"acTL":
            assert struct.unpack(">II", body) == (frames, 0)
        if kind == b"fcTL":
            number, width, height, x, y, time, ticks = struct.unpack(">IIIIIHH", body[:24])
            assert x + width <= 96 and y + height <= 64 and time / ticks == 0.1
            numbers.append(number)
            controls.append((width, height, x, y))
        if kind == b"fdAT":
            numbers.append(struct.unpack(">I", body[:4])[0])
        at += 12 + length
    assert kind == b"IEND"
    assert len(controls) == frames and controls[0] == (96, 64, 0, 0)
    assert numbers == list(range(len(numbers))), numbers

def gif(data):
    assert data[:6] == b"GIF89a" and struct.unpack("<HH", data[6:10]) == (96, 64)
    assert b"NETSCAPE2.0\x03\x01\x00\x00\x00" in data and data[-1] == 0x3b
    at, images, delays = 13, 0, []
    while data[at] != 0x3b:
        if data[at] == 0x21:
            if data[at + 1] == 0xf9:
                delays.append(struct.unpack("<H", data[at + 4:at + 6])[0])
            at += 2
        else:
            assert data[at] == 0x2c
            images += 1
            flags = data[at + 9]
            at += 10 + (3 << (flags & 7) + 1 if flags & 0x80 else 0) + 1
        while data[at]:
            at += data[at] + 1
        at += 1
    assert images == frames and delays == [10] * frames, (images, delays)

def webp(data):
    assert data[:4] == b"RIFF" and data[8:12] == b"WEBP" and struct.unpack("<I", data[4:8])[0] + 8 == len(data)
    # Equal frames are merged, so that there may be fewer than were added; a turning terrain has none.
    assert data.count(b"ANMF") == frames and b"ANIM" in data

for extension in sys.argv[2:]:
    data = open("turn" + extension, "rb").read()
    if extension == ".apng": apng(data)
    if extension == ".gif": gif(data)
    if extension == ".webp": webp(data)
    if extension == ".mp4": assert data[4:8] == b"ftyp"
    if extension in (".webm", ".mkv"): assert data[:4] == b"\x1a\x45\xdf\xa3"
PY

# The pixels: those of an APNG and of FFV1 are exact; a palette of 256 colours or a lossy codec keeps 25 dB.
if command -v ffmpeg > /dev/null; then
  for format in $formats; do
    [ "$format" = .webp ] && continue # The decoder of ffmpeg does not read animated WebP.
    mkdir "frames$format"
    ffmpeg -loglevel error -i "turn$format" -fps_mode passthrough "frames$format/%04d.png" 2> err || fail "ffmpeg cannot read turn$format: $(cat err)"
    [ "$(ls "frames$format" | wc -l)" = $frames ] || fail "turn$format has $(ls "frames$format" | wc -l) frames instead of $frames"
    for i in 0001 0003 0005; do
      limit=(--min-psnr 25)
      [[ $format == .apng || $format == .mkv ]] && limit=(--tolerance 0)
      expect 0 compare "frame-$i.png" "frames$format/$i.png" "${limit[@]}"
    done
  done
fi

# The quality of WebP, which is 90 if none is given.
if [[ $formats == *.webp* ]]; then
  expect 0 "${turn[@]}" -o coarse.webp --fps 10 --quality 5 -q
  [ "$(wc -c < coarse.webp)" -lt "$(wc -c < turn.webp)" ] || fail "--quality 5 makes no smaller WebP"
  expect 0 "${turn[@]}" -o usual.webp --fps 10 --quality 90 -q
  same_file usual.webp turn.webp
fi

# Errors, and files that are not left behind.
code=0
env PATH=/nowhere "$threadscape" "${turn[@]}" -o x.mp4 2> err || code=$?
# Builds with FFmpeg's libraries need no program.
if [ "$code" = 0 ]; then
  [ -s x.mp4 ] || fail "a video without the program ffmpeg is missing"
else
  [ "$code" = 2 ] || fail "a video without ffmpeg ends with $code"
  contains err "cannot write 'x.mp4': .mp4 needs the program ffmpeg"
fi
refuses 3 "the folder 'none' does not exist" "${turn[@]}" -o none/x.apng
[ -z "$(find . -name '*.part-*' -o -name '*.threadscape-*')" ] || fail "temporary files were left"

finish
