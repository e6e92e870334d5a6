#!/usr/bin/env bash
# Thirty tasks of every day, as a user would type them. Each has to end with exit code 0 and to leave what was asked for.
source "$(dirname "$0")/_cli.sh"

# A photo in colour without samples from outside: a smooth picture with an edge and a grid.
python3 - <<'PY'
width, height = 160, 120
with open("photo.ppm", "wb") as file:
    file.write(b"P6 %d %d 255\n" % (width, height))
    for y in range(height):
        for x in range(width):
            inside = (x - 60) ** 2 + (y - 55) ** 2 < 900
            file.write(bytes([x * 255 // width, y * 255 // height, 220 if inside else 40 + 20 * ((x // 8 + y // 8) % 2)]))
PY
ramp > small.pgm
done_tasks=0

# task NAME FILE COMMAND... runs a command line of the shell and fails unless it ends with 0 and the file has content.
task() {
  local name=$1 file=$2
  shift 2
  done_tasks=$((done_tasks + 1))
  (eval "$*") > log 2> err || { fail "task $done_tasks, $name: $* ($(tail -n 1 err))"; return; }
  [ -z "$file" ] || [ -s "$file" ] || fail "task $done_tasks, $name: $file is missing or empty"
}
ts=threadscape
PATH="$(dirname "$threadscape"):$PATH"

# Filters.
task "edges of a photo" edges.png "$ts run sobel photo.ppm -o edges.png"
task "a softer photo" soft.png "$ts run gaussian photo.ppm -o soft.png --set sigma=2"
task "noise, and its removal" clean.png "$ts run noise photo.ppm -o noisy.png && $ts run median noisy.png -o clean.png --set size=5"
task "a mask of one's own" sharp.png "$ts run convolution photo.ppm -o sharp.png --set mask=0,-1,0,-1,5,-1,0,-1,0"
task "several steps at once" steps.png "$ts run chain photo.ppm -o steps.png --set 'steps=median size=5 | sobel'"
task "an opening" opened.png "$ts run morphology photo.ppm -o opened.png --set operation=open"
task "floats in and out" deep.tif "$ts run median photo.ppm -o deep.tif --depth float"
task "floats for further work" float.pfm "$ts run laplacian_of_gaussian photo.ppm -o float.pfm --depth float"

# The samples that came with the program, two of which have a faulty profile of sRGB, as many photos do.
for sample in "$2"/assets/samples/*.png "$2"/assets/samples/*.jpg; do
  [ ! -e "$sample" ] || task "a sample" sample.png "rm -f sample.png; $ts run mean $sample -o sample.png"
done

# Pipes and batches.
task "a pipe" piped.ppm "$ts run gaussian - -o ppm:- -q < photo.ppm > piped.ppm"
task "two programs in a pipe" pipe2.png "$ts run median - -o - -q < photo.ppm | $ts run sobel - -o - -q > pipe2.png"
task "a folder of pictures" out/photo.ppm "mkdir -p in && cp photo.ppm in/ && cp photo.ppm in/second.ppm && $ts run sobel in/ -o out/"
task "names of one's own" photo-edges.png "$ts run sobel in/photo.ppm in/second.ppm -o '{name}-edges.png'"
task "times as JSON" times.json "$ts run sobel photo.ppm -o edges.png --timings times.json && python3 -m json.tool times.json"

# Comparing.
task "are two files equal" "" "$ts compare edges.png edges.png"
task "how much a filter changes" difference.png "$ts compare photo.ppm soft.png -o difference.png --min-psnr 15"
task "a check in a script" "" "! $ts compare -q photo.ppm edges.png"
task "figures for a script" "" "$ts compare photo.ppm soft.png --json --min-ssim 0.2 | python3 -c 'import json, sys; assert json.load(sys.stdin)[\"ssim\"] < 1'"

# Seams, terrain, tomography, numbers.
task "a photo without a size" quarter.png "$ts run seam_carving photo.ppm -o quarter.png | grep 'seams = '"
task "a narrower photo" narrow.png "$ts run seam_carving photo.ppm -o narrow.png --set width=120"
task "a terrain" terrain.png "$ts run diamond_square -o terrain.png --set n=7 --seed 7"
task "erosion of a terrain" eroded.png "$ts run thermal_erosion terrain.png -o eroded.png"
task "a phantom as a file" head.mhd "$ts run phantom -o head.mhd --set voxels=24"
task "its views" views.mhd "$ts run projection head.mhd -o views.mhd --set geometry=cone --set detector_pixels=32 --set arc=360 --set step=30"
task "a phantom for the source project" cavity.dat "$ts run phantom -o cavity.dat --set phantom=cavity --set pixels=60"
task "sorted numbers" sorted.raw "$ts run sorting --set count=1000 -o sorted.raw"
task "a sum" "" "$ts run reduction sorted.raw | grep -q '^sum of 1000'"

# Looking up.
task "what an algorithm does" "" "$ts list sobel | grep -q '^Parameters'"
task "what this machine has" "" "$ts info --json | python3 -m json.tool"
task "help for a command" "" "$ts run sobel --help | grep -q Examples"
task "completion of a shell" completion.bash "$ts completion bash > completion.bash && bash -n completion.bash"
task "the manual page" threadscape.1 "$ts man > threadscape.1"

# Checking and measuring.
task "do all backends agree" "" "$ts verify sobel"
task "a quick measurement" bench.csv "$ts bench sobel --backends serial --sizes 64 --reps 3 --min-time 0 ${little_memory[*]} --csv bench.csv"

[ "$done_tasks" -ge 30 ] || fail "only $done_tasks tasks"
echo "$done_tasks tasks"
finish
