#!/usr/bin/env bash
# Tests runs of pictures that do not fit into a limit of memory: they are cut into strips, with the same result.
source "$(dirname "$0")/_cli.sh"

# Sanitizers take more memory than the limits below leave.
python3 - "$threadscape" << 'PY' || { echo "the program alone takes too much memory"; exit 77; }
import resource, subprocess, sys
subprocess.run([sys.argv[1], "list"], stdout=subprocess.DEVNULL, check=True)
sys.exit(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss > 64 << 10)
PY

python3 - << 'PY'
import struct
width, height = 9000, 9000
with open("big.npy", "wb") as file:
    head = "{'descr': '|u1', 'fortran_order': False, 'shape': (%d, %d), }" % (height, width)
    head += " " * (-(len(head) + 11) % 64) + "\n"
    file.write(b"\x93NUMPY\1\0" + struct.pack("<H", len(head)) + head.encode())
    row = bytes((x * x // 37) & 255 for x in range(2 * width))
    for y in range(height):
        file.write(row[y * 7 % width : y * 7 % width + width])
PY
expect 0 run median big.npy -o whole.npy --set size=5 -q

expect 0 run median big.npy -o strips.npy --set size=5 --memory 192M --timings times.json
contains err "^threadscape: median runs in [0-9]+ strips of [0-9]+ rows: at most [0-9.]+ MiB of memory beside the program, 77.2 MiB on the disk"
same_file whole.npy strips.npy
json times.json 'j["stages_ms"]["load"] > 0 and j["stages_ms"]["save"] > 0 and j["output"]["width"] == 9000'
# What fits is run as a whole.
expect 0 run median big.npy -o strips.npy --set size=5 --memory 2G
[ ! -s err ] || fail "something is said: $(cat err)"
same_file whole.npy strips.npy

refuses 2 "need [0-9.]+ MiB of memory at once, .* free; median cannot be cut into strips with these parameters" \
  run median big.npy -o out.npy --memory 192M --set border=wrap
refuses 2 "noise cannot be cut into strips: a row of its result can depend on all of its input" run noise big.npy -o out.npy --memory 192M
refuses 2 "cannot write 'out.png' in strips: .tif, .tiff and .npy can be" run median big.npy -o out.png --memory 192M
refuses 2 "--depth converts a picture as a whole" run median big.npy -o out.npy --memory 192M --depth 16
refuses 3 "median needs [0-9]+ bytes of memory for strips of 1 rows, and may take [0-9]+" run median big.npy -o out.npy --memory 48M
refuses 2 "'memory' refuses 'much'" run median big.npy -o out.npy --memory much
[ ! -e out.npy ] || fail "a refused run has left a file"

if "$threadscape" run median big.npy -o whole.tif --set size=5 -q; then
  expect 0 run median big.npy -o strips.tif --set size=5 --memory 192M -q
  same_file whole.tif strips.tif
  expect 0 run sobel whole.tif -o whole.npy -q
  expect 0 run sobel whole.tif -o strips.npy --memory 192M
  contains err "sobel runs in [0-9]+ strips"
  same_file whole.npy strips.npy
fi

finish
