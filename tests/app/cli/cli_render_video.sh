#!/usr/bin/env bash
# Tests that `render` draws every frame of a moving picture: complete, in order, and with the pixels that `run` computes.
# A machine without OpenGL skips the test.
source "$(dirname "$0")/_cli.sh"

code=0
"$threadscape" render noise test:112x64@20:5 -o first.png --set amount=0 > out 2> err || code=$?
[ "$code" = 3 ] && { echo "skipped: $(cat err)"; exit 77; }
[ "$code" = 0 ] || fail "render ends with $code: $(cat err)"

expect 0 run noise test:112x64@20:5 -o run_%d.png --set amount=0 -q
expect 0 compare first.png run_0.png

# As numbered pictures, and not more than there are.
expect 0 render noise test:112x64@20:5 -o frame.png --frames 9 --set amount=0 -q
[ "$(ls frame-*.png | wc -l)" = 5 ] || fail "$(ls frame-*.png | wc -l) pictures instead of 5"
for i in 0 1 2 3 4; do
  expect 0 compare "frame-000$((i + 1)).png" "run_$i.png"
done
expect 0 render noise test:112x64@20:5 -o some.png --frames 2 --set amount=0 -q
[ "$(ls some-*.png | wc -l)" = 2 ] || fail "--frames 2 draws $(ls some-*.png | wc -l)"

# The window with the bar that plays: other pictures, as many of them.
expect 0 render sobel test:112x64@20:5 -o window.png --frames 3 --ui --fixture --size 800x600 -q
[ "$(ls window-*.png | wc -l)" = 3 ] || fail "the window is drawn $(ls window-*.png | wc -l) times"
cmp -s window-0001.png window-0003.png && fail "the window shows the same frame again"

# A GIF of all frames, at the rate of the source, where giflib is there.
if "$threadscape" render --help | grep -qF .gif; then
  expect 0 render noise test:112x64@20:5 -o all.gif --set amount=0 -q
  python3 - <<'PY' || fail "all.gif does not have 5 frames of 5 hundredths of a second"
data = open("all.gif", "rb").read()
controls = [at for at in range(len(data) - 8) if data[at:at + 4] == b"\x21\xf9\x04\x04" or data[at:at + 3] == b"\x21\xf9\x04"]
assert len(controls) == 5, len(controls)
assert all(int.from_bytes(data[at + 4:at + 6], "little") == 5 for at in controls)
PY
fi

refuses 2 'is no test scene' render sobel test:60 -o x.png
refuses 3 'no such picture exists' render sobel missing_%d.png -o x.png

# Videos, where the libraries are there: without loss, every frame is what `run` makes of it.
if "$threadscape" run mean test:60x40@25:3 -o x.mkv -q > out 2> err; then
  expect 0 render noise "$2/tests/data/videos/h264.mp4" -o all.mkv --set amount=0 -q
  expect 0 run noise all.mkv -o again_%02d.png --set amount=0 -q
  expect 0 run noise "$2/tests/data/videos/h264.mp4" -o whole_%02d.png --set amount=0 -q
  [ "$(ls again_*.png | wc -l)" = 40 ] || fail "$(ls again_*.png | wc -l) frames instead of 40"
  for i in 00 17 39; do
    expect 0 compare "again_$i.png" "whole_$i.png"
  done
fi

finish
