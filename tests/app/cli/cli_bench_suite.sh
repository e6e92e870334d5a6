#!/usr/bin/env bash
# Tests `threadscape bench` with suites: tables, reports, pictures, and reports that are drawn again.
source "$(dirname "$0")/_cli.sh"

cat > tiny.json <<'JSON'
{
  "title": "Tiny", "source": "This test.", "reps": 1, "min_seconds": 0, "max_seconds": 1,
  "series": [
    {"name": "one", "label": "{backend}", "case": "median {params.size}", "algorithm": "median",
     "sweep": {"size": [3, 5]}, "backends": ["serial", "openmp", "cuda"], "threads": [1], "sizes": [64]},
    {"name": "sizes", "label": "{backend}", "algorithm": "median", "params": {"size": 3},
     "backends": ["serial", "openmp", "cuda"], "threads": [1], "sizes": [32, 64]},
    {"name": "two", "label": "threads", "algorithm": "sobel", "backends": ["openmp"], "threads": [1, 4096], "sizes": [64]}
  ],
  "plots": [
    {"title": "Bars", "x": "case", "y": "speedup", "over": "serial", "style": "bars", "y_scale": "log",
     "series": ["one"], "document": [{"label": "cuda", "points": [["median 3", 31], ["median 5", 3]]}]},
    {"title": "Sizes", "x": "size", "y": "milliseconds", "y_scale": "log", "series": ["sizes"]},
    {"title": "Threads", "x": "threads", "y": "efficiency", "over": "threads", "series": ["two"]}
  ]
}
JSON

# picture FILE WIDTH MIN_HEIGHT fails the test unless the file is a PNG of that width and at least that height, on which
# something is drawn.
picture() {
  python3 - "$@" <<'PY' || fail "$1 is not the picture that was wanted"
import struct, sys, zlib
data = open(sys.argv[1], "rb").read()
assert data[:8] == b"\x89PNG\r\n\x1a\n"
width, height, depth, colour = struct.unpack(">IIBB", data[16:26])
assert width == int(sys.argv[2]) and height >= int(sys.argv[3]), (width, height)
at, packed = 8, b""
while at < len(data):
    length, kind = struct.unpack(">I4s", data[at:at + 8])
    if kind == b"IDAT":
        packed += data[at + 8:at + 8 + length]
    at += 12 + length
rows = zlib.decompress(packed)
stride = 1 + width * {0: 1, 2: 3, 6: 4}[colour] * depth // 8
# The rows are filtered: a row that equals the one above is zero.
busy = sum(any(rows[y * stride + 1:(y + 1) * stride]) for y in range(height))
assert len(set(rows)) > 50 and busy > height // 4, (len(set(rows)), busy)
PY
}

expect 0 bench --suite tiny.json "${little_memory[@]}" --json t.json --csv t.csv
[ -s err ] && fail "bench --suite writes to stderr although that is no terminal"
contains out "^Bars \(speed-up over serial on one thread \(histogram\), times\)"
contains out "^case +openmp +cuda"
contains out "^median 3 "
contains out "^Left out: threads at 4096 threads: more threads than"
gpu_present || contains out "^cuda: (no GPU here|built without CUDA)"
valid_json t.json
json t.json 'j["suite"]["name"] == "tiny" and j["suite"]["definition"]["title"] == "Tiny"'
json t.json 'len(j["results"]) == 3 * 3 + 2'  # The median 3 at size 64 is in two series, but is measured once.
json t.json 'all(r["series"] for r in j["results"]) and any("skipped" in r for r in j["results"])'

# A report gives the tables of its measurement again on any machine. With a second report the lines name their machines.
sed -n '/^Bars/,$p' out > tables
expect 0 bench --from t.json
sed -n '/^Bars/,$p' out > again
same_file tables again
sed 's/"model": "[^"]*"/"model": "Elsewhere"/' t.json > other.json
expect 0 bench --from t.json other.json
contains out "openmp, Elsewhere \([0-9]+ threads\)"

expect 0 bench --suite tiny.json "${little_memory[@]}" --backends serial,openmp --sizes 32 --reps 2 --quiet --json part.json
[ -s out ] && fail "bench --quiet prints"
json part.json 'len(j["results"]) == 2 and all(r["input"]["width"] == 32 for r in j["results"])'

expect 0 bench --suite tiny.json "${little_memory[@]}" --backends serial --sizes 32 --reps 1 --json -
valid_json out
contains err "^Sizes "

# With a budget, points that take too long are left out, and the report, the tables and the JSON say so. The work of the
# larger picture is estimated from that of the smaller one.
cat > slow.json <<'JSON'
{
  "title": "Slow", "source": "This test.", "reps": 1, "min_seconds": 0, "max_seconds": 1, "warm_up": 0,
  "series": [{"name": "s", "label": "{backend}", "algorithm": "median", "params": {"size": 9}, "backends": ["serial"],
              "sizes": [32, 64, 60000]}],
  "plots": [{"title": "Sizes", "x": "size", "y": "milliseconds", "series": ["s"]}]
}
JSON
expect 0 bench --suite slow.json "${little_memory[@]}" --budget 10s --json slow-report.json
contains out "^Left out: serial at 60000x60000: too slow for a budget of 10 s\."
json slow-report.json 'j["budget"]["left_out"] == 1 and j["budget"]["used"] < 10'
json slow-report.json '[r.get("estimated_ms", 0) > 250 for r in j["results"]] == [False, False, True]'
json slow-report.json '[r["input"]["width"] for r in j["results"]] == [32, 64, 60000]'

# Predictions take time of the budget, and what is not measured is predicted as well.
expect 0 bench --suite slow.json "${little_memory[@]}" --budget 20s --predict --json predicted.json
contains out "^Predicted from runs on parts, before any is measured, for "
json predicted.json 'all(("predicted_ms" in r) != ("not_predicted" in r) for r in j["results"])'
json predicted.json '"predicted_ms" in j["results"][1] and j["results"][1]["bound"] in ("cores", "memory", "L3", "start")'
json predicted.json 'j["budget"]["used"] < 25'

# All suites within some seconds: most points are left out, the others are drawn from the one file.
expect 0 bench --suite all --backends serial --budget 8s "${little_memory[@]}" --json all.json
contains out "^[0-9]+ suites in [0-9]+ s of a budget of 8 s; [0-9]+ points were left out"
json all.json 'j["budget"]["used"] < 25 and len(j["suites"]) > 5'
json all.json 'any("compute_ms" in r for s in j["suites"] for r in s["results"])'
json all.json 'all(s["suite"]["name"] and s["results"] for s in j["suites"])'
expect 0 bench --suite all --backends serial --budget 8s "${little_memory[@]}" --predict --quiet --json all-predicted.json
json all-predicted.json 'any("predicted_ms" in r for s in j["suites"] for r in s["results"])'
expect 0 bench --from all.json
contains out "^Neighbourhood filters"
contains out "^Sorting"
expect 0 bench --from all.json --suite sorting
contains out "^Sorting"
grep -q "^Neighbourhood filters" out && fail "--suite does not choose from a file with all suites"
refuses 2 "no report of --from was measured for it" bench --from all.json --suite kernels
refuses 2 "--budget 'soon': a time above 0" bench --suite tiny.json --budget soon
refuses 2 "'--budget' goes with --suite" bench sobel --budget 20m
refuses 2 "--sizes and --threads do not go with --suite all" bench --suite all --sizes 32

expect 0 bench --list-suites
for suite in filters morphology-openmp morphology-sizes; do contains out "^$suite: "; done

refuses 2 "suite 'nonsense' is unknown: .*filters \|" bench --suite nonsense
refuses 3 "cannot read 'missing.json'" bench --suite missing.json
echo '{"title": "x",' > cut.json
refuses 2 "suite 'cut.json', line 2, column [0-9]+: no JSON" bench --suite cut.json
echo '{"title": 1e309}' > large.json
refuses 2 "suite 'large.json': no JSON: number overflow parsing '1e309'" bench --suite large.json
sed 's/"median",/"medain",/' tiny.json > typo.json
refuses 2 "suite 'typo.json': series\[0\]\.algorithm: algorithm 'medain' is unknown: did you mean" \
  bench --suite typo.json
refuses 2 "'algorithms' does not go with --suite" bench sobel --suite tiny.json
refuses 2 "'--set' does not go with --suite" bench --suite tiny.json --set size=3
refuses 2 "'--reps' does not go with --from" bench --from t.json --reps 3
refuses 2 "'--peers' does not go with --from" bench --from t.json --peers
refuses 2 "'--from' does not go with --counters" bench --from t.json --counters
refuses 2 "'--peers' goes with one suite at a time" bench --suite all --peers
# Peers are measured in turns with the points of a suite. Every build has the loops of a textbook as peers.
cat > textbook.json <<'JSON'
{"title": "Textbook", "source": "This test.", "reps": 1, "min_seconds": 0, "max_seconds": 1,
 "series": [{"name": "one", "label": "{backend}", "algorithm": "convolution", "params": {"size": 3},
             "backends": ["serial"], "sizes": [64]}],
 "plots": [{"title": "Times", "x": "size", "y": "milliseconds", "y_scale": "log", "series": ["one"]}]}
JSON
expect 0 bench --suite textbook.json "${little_memory[@]}" --peers --quiet --json peers.json
json peers.json 'any(r.get("peer") for r in j["results"]) and all(r["peer_over_ours"] > 0 for r in j["results"] if r.get("peer"))'
refuses 2 "--sizes 48x48: suite 'tiny' has 64x64 \| 32x32" bench --suite tiny.json --sizes 48
refuses 2 "a \.png or \.svg file is wanted" bench --suite tiny.json --plot a.jpg
refuses 2 "at least 800x600" bench --from t.json --plot a.png --size 640x480
echo '{}' > empty.json
refuses 2 "empty.json: this is no report" bench --from empty.json
refuses 3 "the folder 'none' does not exist" bench --suite tiny.json --plot none/a.png

if "$threadscape" info --json | python3 -c 'import json, sys; sys.exit(not json.load(sys.stdin)["gl"]["available"])'; then
  expect 0 bench --suite tiny.json "${little_memory[@]}" --plot tiny.png --quiet
  picture tiny.png 1920 1280
  expect 0 bench --from t.json other.json --plot both.png --size 800x600
  picture both.png 1600 1200
  expect 0 bench --from all.json --plot all.png --size 800x600 --quiet
  [ -s all-sorting.png ] && [ -s all-filters.png ] || fail "the plots of all suites are not there"
fi
# Without OpenGL, --plot is refused before anything is measured. EGL finds no driver, because its list of drivers is a file
# that does not exist.
code=0
env -u DISPLAY -u WAYLAND_DISPLAY __EGL_VENDOR_LIBRARY_FILENAMES=none.json "$threadscape" bench --suite tiny.json \
  --plot no.png > out 2> err || code=$?
[ "$code" = 3 ] || fail "--plot without GL: exit code $code"
[ "$(wc -l < err)" = 1 ] || fail "--plot without GL: $(cat err)"
[ -s out ] && fail "--plot without GL measures before it says so"
[ -e no.png ] && fail "--plot without GL leaves a file"
# Drawings need no OpenGL.
env -u DISPLAY -u WAYLAND_DISPLAY __EGL_VENDOR_LIBRARY_FILENAMES=none.json "$threadscape" bench --from t.json other.json \
  --plot both.svg --quiet > out 2> err || fail "--plot both.svg without GL: $(cat err)"
python3 - <<'PY' || fail "both.svg is not the drawing that was wanted"
import xml.etree.ElementTree as tree
svg = "{http://www.w3.org/2000/svg}"
root = tree.parse("both.svg").getroot()
texts = [text.text for text in root.iter(svg + "text")]
assert len(root.findall(svg + "svg")) == 3, "three plots are wanted"
assert texts[0] == "Tiny" and {"Bars", "Sizes", "Threads"} <= set(texts), texts
assert any(text.startswith("openmp, Elsewhere (") for text in texts), texts
PY
expect 0 bench --from all.json --plot all.svg --quiet
[ -s all-sorting.svg ] && [ -s all-filters.svg ] || fail "the drawings of all suites are not there"

finish
