#!/usr/bin/env bash
# Tests runs on moving pictures: every frame comes through every kind of source, in order, and the result is that of a loop
# over single frames to the bit.
source "$(dirname "$0")/_cli.sh"
videos=$2/tests/data/videos

# Without a library: the test scene and numbered pictures.
expect 0 run noise test:60x40@25:12 -o scene_%02d.png --set amount=0
contains out 'noise, 12 frames'
[ "$(ls scene_*.png | wc -l)" = 12 ] || fail "$(ls scene_*.png | wc -l) pictures instead of 12"
expect 0 run mean scene_%02d.png -o again_%02d.png --set size=3
for i in 00 05 11; do
  expect 0 run mean "scene_$i.png" -o single.png --set size=3
  same_file single.png "again_$i.png"
done
# Every frame has noise of its own, also behind another step, unless it is frozen.
for i in 0 1 2; do
  cp scene_00.png "one_picture_$i.png"
done
expect 0 run noise one_picture_%d.png -o noisy_%d.png -q
expect 0 run sobel one_picture_%d.png --then noise -o edges_%d.png -q
expect 0 run noise one_picture_%d.png -o frozen_%d.png --set frozen=true -q
expect 0 run noise scene_00.png -o once.png -q
for pictures in noisy edges; do
  cmp -s ${pictures}_0.png ${pictures}_1.png && fail "the first two of ${pictures}_%d.png have the same noise"
  cmp -s ${pictures}_1.png ${pictures}_2.png && fail "the last two of ${pictures}_%d.png have the same noise"
done
same_file noisy_0.png once.png
same_file frozen_0.png once.png
same_file frozen_1.png once.png
same_file frozen_2.png once.png
mkdir folder
cp scene_0[0-4].png folder
expect 0 run mean folder -o folder_%02d.png --set size=3 -q
same_file folder_04.png again_04.png
[ -s out ] && fail "-q prints something"
[ -e folder_05.png ] && fail "there are more results than pictures"
expect 0 run mean test:60x40@25:12 -o first.gif --frames 3 --timings t.json
json t.json 'j["frames"] == 3 and j["stages_ms"]["compute"] > 0'
expect 0 run mean test:60x40@25:12 -o all.apng --frames 5
python3 - <<'PY' || fail "all.apng does not state 5 frames"
data = open("all.apng", "rb").read()
assert data[37:41] == b"acTL" and int.from_bytes(data[41:45], "big") == 5 == data.count(b"fcTL")
PY
# All pages of a TIFF come through, into pages, numbered pictures and animations; a picture is made of the first with a note.
if "$threadscape" run noise test:60x40@25:3 -o pages.tif --set amount=0 -q > out 2> err; then
  expect 0 run mean pages.tif -o means.tif --set size=3
  contains out 'mean, 3 frames'
  expect 0 run mean means.tif --then sobel -o twice_%02d.png -q
  expect 0 run mean pages.tif -o means_%02d.png --set size=3 -q
  same_file means_02.png again_02.png
  expect 0 run mean again_02.png --then sobel -o single.png -q
  same_file single.png twice_02.png
  expect 0 run mean pages.tif -o single.png --set size=3
  contains err 'it has 3 pages, of which the first is read'
  same_file single.png again_00.png
  expect 0 run temporal_mean pages.tif -o one.tif --set frames=3 -q
  expect 0 run mean one.tif -o still.tif
  grep -q frames out && fail "a TIFF of one page moves"
fi
# A .webp file holds an animation where the input moves, and one picture otherwise.
if "$threadscape" run noise test:60x40@25:12 -o moving.webp --set amount=0 -q > out 2> err; then
  grep -q ANIM moving.webp || fail "moving.webp does not move"
  expect 0 run mean moving.webp -o moved.webp -q
  grep -q ANIM moved.webp || fail "moved.webp does not move"
  expect 0 run mean scene_00.png -o still.webp -q
  expect 0 run mean still.webp -o again.webp -q
  expect 0 run temporal_mean scene_%02d.png --set frames=12 -o one.webp -q
  for picture in still again one; do
    grep -q ANIM $picture.webp && fail "$picture.webp moves"
  done
  refuses 2 "'moving.webp' moves, and 'x.png' holds one picture" run mean moving.webp -o x.png
else
  contains err 'libwebp'
fi

# Algorithms in time get the clip of the newest frames up to each one; the first frames have shorter clips. The result is that
# of a loop over clips made by hand, to the bit.
# clip_of LAST FRAMES PATTERN: the folder clip holds the pictures LAST - FRAMES + 1 .. LAST.
clip_of() {
  rm -rf clip
  mkdir clip
  for ((j = $1 < $2 ? 0 : $1 - $2 + 1; j <= $1; ++j)); do
    # shellcheck disable=SC2059
    cp "$(printf "$3" "$j")" clip
  done
}
for algorithm in "temporal_median 5 --set frames=5" "temporal_mean 4 --set frames=4" "frame_difference 3 --set distance=2" \
  "running_background 6 --set frames=6" "motion_history 7 --set duration=6"; do
  # shellcheck disable=SC2086
  set -- $algorithm
  name=$1 used=$2
  shift 2
  expect 0 run "$name" scene_%02d.png -o "$name"_%02d.png "$@"
  [ "$(ls "$name"_*.png | wc -l)" = 12 ] || fail "$name: $(ls "$name"_*.png | wc -l) pictures instead of 12"
  for i in 0 1 5 11; do
    clip_of "$i" "$used" scene_%02d.png
    expect 0 run "$name" clip -o one.png "$@"
    same_file one.png "$(printf "${name}_%02d.png" "$i")"
  done
done
# A step in time keeps the results of the step before it.
expect 0 run sobel scene_%02d.png --then temporal_mean --set frames=3 --then mean --set size=3 -o steps_%02d.png
expect 0 run sobel scene_%02d.png -o edges_%02d.png
clip_of 11 3 edges_%02d.png
expect 0 run temporal_mean clip --set frames=3 --then mean --set size=3 -o one.png
same_file one.png steps_11.png
# Numbered pictures are one clip where the result is one picture.
expect 0 run temporal_mean scene_%02d.png --set frames=12 -o one.png
expect 0 run temporal_mean scene_%02d.png --set frames=12 -o every_%02d.png
same_file one.png every_11.png
refuses 2 'step 2, temporal_mean: it gets a picture from sobel, and takes a clip' run sobel scene_00.png --then temporal_mean -o x.png

# Animated WebP files move where the result moves.
if "$threadscape" run noise "$videos/animated.webp" -o moved_%02d.png --set amount=0 -q > out 2> err; then
  [ "$(ls moved_*.png | wc -l)" = 12 ] || fail "$(ls moved_*.png | wc -l) frames of a WebP file instead of 12"
else
  contains err 'libwebpdemux'
fi

refuses 2 'holds one picture: -o .*frame_%04d.png' run sobel test:60x40 -o x.png
refuses 2 'takes a heightfield' run slope test:60x40 -o x.gif
refuses 2 'takes no input' run diamond_square test:60x40 -o x.gif
refuses 2 'for moving inputs' run sobel scene_00.png -o x.png --frames 3
refuses 2 'is no test scene' run sobel test:60 -o x_%d.png
refuses 3 'no such picture exists' run sobel missing_%d.png -o x_%d.png
refuses 3 '/dev/video99' run sobel /dev/video99 -o x_%d.png

# Builds without FFmpeg's libraries say so, and test no more.
if ! "$threadscape" run mean test:60x40@25:3 -o x.mkv -q > out 2> err; then
  contains err "FFmpeg's libraries"
  finish
fi

# A GIF of one frame is a picture where a picture is wanted; one of several moves.
expect 0 run noise test:60x40@25:12 -o one.gif --frames 1 --set amount=0 -q
expect 0 run mean one.gif -o one.png --set size=3
contains out '60x40 8-bit'
expect 0 run noise test:60x40@25:12 -o two.gif --frames 2 --set amount=0 -q
refuses 2 "'two.gif' moves, and 'x.png' holds one picture" run mean two.gif -o x.png

# The result of a video is that of a loop over its frames, to the bit.
printf '{"size": 5}' > p.json
expect 0 run median "$videos/h264.mp4" -o small.mkv --preset p.json --then sobel
expect 0 run noise "$videos/h264.mp4" -o whole_%02d.png --set amount=0
[ "$(ls whole_*.png | wc -l)" = 40 ] || fail "$(ls whole_*.png | wc -l) frames instead of 40"
expect 0 run median whole_%02d.png -o loop_%02d.png --preset p.json --then sobel
# Noise of which there is none turns the video into pictures again.
expect 0 run noise small.mkv -o result_%02d.png --set amount=0
for i in 00 01 13 39; do
  expect 0 run median "whole_$i.png" -o one.png --preset p.json --then sobel
  same_file one.png "loop_$i.png"
  same_file one.png "result_$i.png"
done
[ -e result_40.png ] && fail "the video has more frames than its source"

# The same of an algorithm in time.
expect 0 run temporal_median "$videos/h264.mp4" --set frames=5 -o still.mkv
expect 0 run noise still.mkv -o still_%02d.png --set amount=0
[ "$(ls still_*.png | wc -l)" = 40 ] || fail "$(ls still_*.png | wc -l) frames over time instead of 40"
for i in 0 3 39; do
  clip_of "$i" 5 whole_%02d.png
  expect 0 run temporal_median clip --set frames=5 -o one.png
  same_file one.png "$(printf still_%02d.png "$i")"
done

# A size that changes half-way ends a video that can be played, and goes on in numbered pictures.
refuses 2 'ends after 10 frames' run mean "$videos/two_sizes.h264" -o sizes.mkv
expect 0 run mean sizes.mkv -o sizes_%02d.png
[ "$(ls sizes_*.png | wc -l)" = 10 ] || fail "the video before the change has $(ls sizes_*.png | wc -l) frames"
for name in whole.mkv whole.apng; do
  expect 0 run mean test:64x48@25:2 -o $name
  cp $name before
  refuses 2 "'$name' stays as it was: after 10 frames comes one" run mean "$videos/two_sizes.h264" -o $name
  same_file before $name
done
expect 0 run mean "$videos/two_sizes.h264" -o both_%02d.png
[ "$(ls both_*.png | wc -l)" = 20 ] || fail "numbered pictures end at the change"

# The window of an algorithm in time begins again at the change: its first frame there is the frame itself.
expect 0 run temporal_mean "$videos/two_sizes.h264" -o time_%02d.png --set frames=4
expect 0 run noise "$videos/two_sizes.h264" -o plain_%02d.png --set amount=0
[ "$(ls time_*.png | wc -l)" = 20 ] || fail "algorithms in time end at a change of the size"
same_file time_00.png plain_00.png
same_file time_10.png plain_10.png

# What is damaged gives what is there and one line.
head -c 7000 "$videos/motion_jpeg.avi" > cut.avi
expect 0 run mean cut.avi -o cut_%02d.png
contains err 'of 10 frames are there'
[ "$(wc -l < err)" = 1 ] || fail "$(wc -l < err) lines about a damaged file"
# Frames up to the place where a Matroska file is cut off; an MP4 file without its end has no list of its frames.
expect 0 run mean test:112x64@25:40 -o quiet.mkv
head -c "$(($(wc -c < quiet.mkv) / 3))" quiet.mkv > third.mkv
expect 0 run mean third.mkv -o third_%02d.png
contains err "'third.mkv' ends early or is damaged: .* frames are there, the last .* s of it are missing"
[ "$(ls third_*.png | wc -l)" -ge 5 ] || fail "a third of a file has $(ls third_*.png | wc -l) of 40 frames"
expect 0 run mean quiet.mkv -o again_%02d.png --frames 5
[ -s err ] && fail "a file that is complete has a note: $(cat err)"
same_file third_04.png again_04.png
head -c 3000 "$videos/h264.mp4" > cut.mp4
refuses 3 "'cut.mp4'" run mean cut.mp4 -o x.mkv
printf 'no video' > text.mp4
refuses 3 "'text.mp4'" run mean text.mp4 -o x.mkv
expect 0 run mean "$videos/one_pixel.mkv" -o pixel.mkv
contains out '3 frames, 1x1'
expect 0 run temporal_median "$videos/one_pixel.mkv" -o pixel_time.mkv --set frames=3
contains out '3 frames, 1x1'
# 8K: 7680 x 4320 pixels.
expect 0 run frame_difference test:7680x4320@30:2 -o large.mkv
contains out '2 frames, 7680x4320'
expect 0 run temporal_mean large.mkv --set frames=1 -o large_%02d.jpg --frames 1

# Who decodes: this machine may have no device for it, which is one line, or an error if a device is asked for.
refuses 2 'auto, software or hardware' run mean "$videos/h264.mp4" -o x.mkv --decoder fast
expect 0 run mean "$videos/h264.mp4" -o software_%02d.png --decoder software
[ -s err ] && fail "the CPU decodes with a note: $(cat err)"
expect 0 run mean "$videos/h264.mp4" -o auto_%02d.png --decoder auto
[ -s err ] && contains err 'was decoded by the CPU: no device of VA-API or NVDEC decodes h264'
same_file software_39.png auto_39.png

# A full disk ends a video that can be played. The limit of the size of files is in units of 1024 bytes.
(
  ulimit -f 3000
  trap '' XFSZ
  "$threadscape" run noise test:320x240@25:200 -o full.mkv > out 2> err
  echo $? > code
)
[ "$(cat code)" = 3 ] || fail "a full disk ends with $(cat code)"
contains err 'can be played'
expect 0 run mean full.mkv -o full_%03d.png --frames 2

finish
