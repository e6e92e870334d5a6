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

# Algorithms in time work on the newest frames, as `run` does.
expect 0 run motion_history test:112x64@20:5 -o history_%d.png -q
expect 0 render motion_history test:112x64@20:5 -o moved.png --frames 5 -q
for i in 0 2 4; do
  expect 0 compare "moved-000$((i + 1)).png" "history_$i.png"
done
expect 0 render temporal_median test:112x64@200:8 -o median.png --play 5 --speed 8 -q
expect 0 run temporal_median test:112x64@200:8 -o median_%d.png -q
expect 0 compare median.png median_7.png

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

# Played as the window does: every frame is drawn, the file is the picture of the last one, and the figures are stated.
# The first three frames are not measured.
expect 0 render noise test:112x64@200:8 -o played.png --set amount=0 --play 5 --speed 8 --timings played.json
expect 0 run noise test:112x64@200:8 -o eight_%d.png --set amount=0 -q
"$threadscape" render noise test:112x64@200:8 -o played.png --set amount=0 --play 5 --speed 8 > out 2> err
contains out 'frames/s'
contains out 'time of the GPU'
expect 0 compare played.png eight_7.png
json played.json 'j["frames"] == 5 and j["frames_per_second"] > 0 and j["source_frames_per_second"] == 200'
json played.json 'set(j["frame_ms"]) == {"decode", "upload", "kernels", "present", "draw_gpu", "latency", "gpu"}'
json played.json 'abs(j["gpu_share"] - j["frame_ms"]["gpu"] * j["frames_per_second"] / 1000) < 1e-9'
expect 0 render noise test:112x64@200:8 -o played.png --set amount=0 --play 100 --speed 8 --timings played.json -q
json played.json 'j["frames"] == 5'
refuses 3 'too few frames' render noise test:112x64@200:3 -o played.png --play 5 --speed 8
refuses 2 'plays a video' render noise -o played.png --play 5
refuses 2 'leave out' render noise test:112x64@200:8 -o played.png --play 5 --ui
refuses 2 'leave out' render noise test:112x64@200:8 -o played.png --play 5 --frames 2

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
  # The sound is copied with the same speed; otherwise a line says why it is not. ffprobe is a reader of others.
  if command -v ffprobe > ffprobe.txt; then
    sound() { ffprobe -v error -select_streams a -show_entries stream=codec_name -of csv=p=0 "$1"; }
    [ "$(sound all.mkv)" = "$(sound "$2/tests/data/videos/h264.mp4")" ] || fail "the sound is '$(sound all.mkv)'"
    expect 0 render noise "$2/tests/data/videos/h264.mp4" -o slow.mkv --set amount=0 --fps 5
    contains err 'sound of .* is left out: --fps'
    [ -z "$(sound slow.mkv)" ] || fail "a slower video has the sound of the faster one"
  fi
  expect 0 render noise "$2/tests/data/videos/h264.mp4" -o all.apng --set amount=0 --frames 2
  contains err 'sound of .* is left out: .apng holds no sound'
fi

finish
