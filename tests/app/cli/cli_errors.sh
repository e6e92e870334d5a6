#!/usr/bin/env bash
# Tests wrong usage and bad input: the program prints one line, ends with the right exit code, and changes no existing file.
source "$(dirname "$0")/_cli.sh"

ramp > ramp.pgm
echo old > kept.png

# --- Input (exit code 3: the machine cannot read it).
refuses 3 "cannot read 'missing.png': No such file" run sobel missing.png -o kept.png
: > empty.png
refuses 3 "cannot read 'empty.png': it is empty" run sobel empty.png -o kept.png
mkdir folder
refuses 2 "several results need a folder" run sobel folder -o kept.png
echo "no picture" > text.jpg
refuses 3 "text.jpg.*PNG, JPEG, .*PGM, PPM, PNM, PFM or TGA" run sobel text.jpg -o kept.png
expect 0 run sobel ramp.pgm -o good.png
head -c 60 good.png > cut.png
refuses 3 "cannot read 'cut.png': it is truncated" run sobel cut.png -o kept.png
head -c 30 ramp.pgm > cut.pgm
refuses 3 "cannot read 'cut.pgm': it is truncated" run sobel cut.pgm -o kept.png
python3 - <<'PY'
data = bytearray(open("good.png", "rb").read())
data[len(data) // 2] ^= 0xFF
open("corrupt.png", "wb").write(data)
PY
refuses 3 "cannot read 'corrupt.png'" run sobel corrupt.png -o kept.png
printf 'P5 1000000 1000000 255\n' > huge.pgm
refuses 3 "1000000x1000000 pixels; the limit is .*--limit pixels=N" run sobel huge.pgm -o kept.png
refuses 3 "6x4 pixels; the limit is 23 pixels" run sobel ramp.pgm -o kept.png --max-pixels 23
expect 0 run sobel ramp.pgm -o good.png --max-pixels 24

# --- Output that cannot be written.
mkdir folder.png
expect 0 run sobel ramp.pgm -o folder.png -q
[ -f folder.png/ramp.pgm ] || fail "the result is not in the folder that -o names"
refuses 3 "cannot write 'none/a.png': the folder 'none' does not exist" run sobel ramp.pgm -o none/a.png
refuses 2 "\.png, \.jpg, .*\.pgm, \.ppm or \.pfm" run sobel ramp.pgm -o a.gif
refuses 2 "\.png, \.jpg, .*\.pgm, \.ppm or \.pfm" run sobel ramp.pgm -o a
refuses 3 "the folder 'none' does not exist" run sobel ramp.pgm -o kept.png --timings none/t.json
printf 'P6 1 1 255\nabc' > rgb.ppm
refuses 2 "\.pgm holds grey only" run sobel rgb.ppm -o a.pgm --set channels=each

# --- Usage (exit code 2).
refuses 2 "'sobl' is unknown: did you mean sobel" run sobl ramp.pgm -o kept.png
refuses 2 "-o is missing" run sobel ramp.pgm
refuses 2 "sobel needs an input picture" run sobel -o kept.png
refuses 2 "parameter 'sice' is unknown: did you mean size\? Accepted are size, mask" run convolution ramp.pgm -o kept.png --set sice=3
refuses 2 "name=value" run convolution ramp.pgm -o kept.png --set size
refuses 2 "parameter 'size' refuses '4': 3..63 step 2" run convolution ramp.pgm -o kept.png --set size=4
refuses 2 "parameter 'size' refuses '65'" run convolution ramp.pgm -o kept.png --set size=65
refuses 2 "parameter 'size' refuses 'x'" run convolution ramp.pgm -o kept.png --set size=x
refuses 2 "parameter 'border' refuses 'none': zero \| clamp" run convolution ramp.pgm -o kept.png --set border=none
refuses 2 "parameter 'mask' refuses '1,2,nan" run convolution ramp.pgm -o kept.png --set mask=1,2,nan,4,5,6,7,8,9
refuses 2 "parameter 'mask' refuses '1,2,inf" run convolution ramp.pgm -o kept.png --set mask=1,2,inf,4,5,6,7,8,9
refuses 2 "mask" run convolution ramp.pgm -o kept.png --set mask=1,2,3,4
refuses 2 "no square" run convolution ramp.pgm -o kept.png --set mask=1,2,3,4,5
refuses 2 "divisor" run convolution ramp.pgm -o kept.png --set divisor=nan
refuses 2 "divisor" run convolution ramp.pgm -o kept.png --set divisor=0
refuses 2 "parameter 'border' refuses 'miror': did you mean mirror\? Accepted are zero" run convolution ramp.pgm -o kept.png --set border=miror
refuses 2 "backend 'openpm' is unknown: did you mean openmp\?" run sobel ramp.pgm -o kept.png --backend openpm
refuses 2 "backend 'opencl' is unknown: .*serial \| openmp \| cuda" run sobel ramp.pgm -o kept.png --backend opencl
refuses 2 "no variant 'fast' on serial" run sobel ramp.pgm -o kept.png --backend serial --variant fast
refuses 2 "threads.*-1" run sobel ramp.pgm -o kept.png --threads -1
refuses 2 "threads.*1000000" run sobel ramp.pgm -o kept.png --threads 1000000
refuses 2 "threads" run sobel ramp.pgm -o kept.png --threads many
refuses 2 "seed" run sobel ramp.pgm -o kept.png --seed -4
refuses 2 "colour" run sobel ramp.pgm -o kept.png --colour red
refuses 2 "the limit .pixels. refuses .0." run sobel ramp.pgm -o kept.png --max-pixels 0
refuses 2 "'--backend' stands before the command" --backend serial run sobel ramp.pgm -o kept.png
refuses 2 "'lst' is neither a command nor a file: did you mean list\?" lst
refuses 2 "'rnu' is neither a command nor a file: did you mean run\?" rnu sobel ramp.pgm
refuses 2 "'rnu' is neither a command nor a file: did you mean run\?" ramp.pgm rnu
refuses 2 "'rnu' is neither a command nor a file: did you mean run\?" rnu sobel ramp.pgm -o kept.png
refuses 2 "run does not take '--bakend': did you mean --backend\?" run sobel ramp.pgm -o kept.png --bakend cuda
refuses 2 "threadscape does not take '--tehme': did you mean --theme\?" --tehme
refuses 2 "algorithm 'sobbel' is unknown: did you mean sobel\?" list sobbel
refuses 2 "--show smoth is unknown: result | input" render diamond_square -o kept.png --show smoth
refuses 2 "--size" render sobel ramp.pgm -o kept.png --size 10
refuses 2 "--size" render sobel ramp.pgm -o kept.png --size 100000x100000
refuses 2 "--theme 'blue': dark or light" render sobel ramp.pgm -o kept.png --theme blue
refuses 2 "--intermediate 3: morphology has 2 intermediate results with these parameters" render morphology ramp.pgm -o kept.png --step 3
refuses 2 "--intermediate 1: sobel has no intermediate results with these parameters" render sobel ramp.pgm -o kept.png --intermediate 1

# --- Presets that cannot be read or name unknown parameters.
refuses 3 "missing.json" run sobel ramp.pgm -o kept.png --preset missing.json
echo '{"border": "mirror", "nonsense": 1}' > preset.json
refuses 2 "preset 'preset.json': parameter 'nonsense' is unknown" run sobel ramp.pgm -o kept.png --preset preset.json
echo '{"border": ' > broken.json
refuses 2 "preset 'broken.json'" run sobel ramp.pgm -o kept.png --preset broken.json

# --- Memory: a run that needs more than is free is refused with the number of bytes.
refuses 2 "projection takes no input of size 1024x1024: source_distance = .*: the source is inside" bench projection --sizes 1024
refuses 3 "out of memory: 1000000x1000000 .* takes [0-9]+ bytes, [0-9]+ are free" bench sobel --sizes 1000000 --reps 1
# The limit of address space is not used with AddressSanitizer, which reserves more than that before main() starts.
if ! grep -qa __asan_init "$threadscape"; then
  code=0
  (ulimit -v 400000; "$threadscape" bench sobel --backends serial --sizes 60000 --reps 1 --min-time 0 > out 2> err) || code=$?
  [ "$code" = 3 ] || fail "out of memory ends with exit code $code: $(tail -n 1 err)"
fi

[ "$(cat kept.png)" = old ] || fail "a failed run changed an existing file"
[ -z "$(find . -name '*.threadscape-*')" ] || fail "temporary files were left: $(find . -name '*.threadscape-*')"
finish
