#!/usr/bin/env bash
# Session files on the command line: `render` draws them, and what is wrong with them is named.
source "$(dirname "$0")/_cli.sh"

mkdir -p session
ramp > session/ramp.pgm
cat > session/s.threadscape.json <<'JSON'
{"threadscape": 1, "algorithm": "median", "params": {"size": 5}, "backend": "serial", "seed": 3,
 "inputs": {"image": "ramp.pgm"},
 "view": {"scene": "image", "show": "side-by-side", "settings": {"image": {"gamma": 2.0}}}}
JSON

if "$threadscape" render median session/ramp.pgm -o gl.png -q 2> err; then
  expect 0 render median session/ramp.pgm -o wanted.png --set size=5 --backend serial --show side-by-side --view gamma=2 --size 64x48 -q
  expect 0 render session/s.threadscape.json -o got.png --size 64x48 -q --timings got.json
  same_file wanted.png got.png
  json got.json 'j["algorithm"] == "median" and j["backend"] == "serial" and j["params"]["size"] == 5'
  # Options take the place of what the session states, and the other parameters stay.
  expect 0 render session/s.threadscape.json -o got.png --size 64x48 -q --backend openmp --set border=zero --timings got.json
  json got.json 'j["backend"] == "openmp" and j["params"]["size"] == 5 and j["params"]["border"] == "zero"'
  expect 0 render session/s.threadscape.json session/ramp.pgm -o got.png --show result --size 64x48 -q
  expect 0 render session/s.threadscape.json -o window.png --ui --size 800x600 -q
  rm session/ramp.pgm
  refuses 3 "names 'session/ramp.pgm', which is missing: state another input" render session/s.threadscape.json -o got.png
fi

echo '{"threadscape": 9, "algorithm": "median"}' > later.threadscape.json
refuses 2 "version 9 of the format" render later.threadscape.json -o got.png
refuses 2 "version 9 of the format" view later.threadscape.json
refuses 2 "version 9 of the format" later.threadscape.json
echo '{"threadscape": 1, "algorithm": "median", "params": {"sise": 5}}' > wrong.threadscape.json
refuses 2 "wrong.threadscape.json.*params.*sise" render wrong.threadscape.json -o got.png
refuses 3 "none.threadscape.json" render none.threadscape.json -o got.png
expect 0 --help
contains out 'NAME\.threadscape\.json'
expect 0 render --help
contains out 'NAME\.threadscape\.json'
expect 0 man
contains out 'threadscape\.json'
finish
