#!/usr/bin/env bash
# Tests the algorithms on sequences: generated inputs and raw files, results as text and as files, invalid lengths, and
# benchmarks.
source "$(dirname "$0")/_cli.sh"

python3 - <<'PY'
import struct
open("ints.raw", "wb").write(struct.pack("<5i", 7, -3, 2147483647, -3, 2147483647))
open("odd.raw", "wb").write(b"12345")
open("empty.raw", "wb")
PY

for backend in serial openmp; do
  expect 0 run reduction ints.raw --backend $backend
  [ -s err ] && fail "a run writes to stderr although that is no terminal: $(cat err)"
  contains out "^sum of 5 int32: 4294967295$"
  expect 0 run reduction ints.raw -o place-$backend.bin --backend $backend --set operator=argmin
  contains out "^argmin of 5 int32: 1 \(the value there is -3\)$"
  [ "$(od -An -td8 place-$backend.bin | xargs)" = 1 ] || fail "the file does not hold the place"

  expect 0 run sorting ints.raw -o sorted-$backend.raw --backend $backend --set pairs=true
  contains out "^5 keys from -3 to 2147483647$"
  contains out "^sorted: yes$"
  [ "$(od -An -v -td4 sorted-$backend.raw | xargs)" = "-3 -3 7 2147483647 2147483647 1 3 0 2 4" ] || fail "not sorted: $(od -An -v -td4 sorted-$backend.raw)"
done

# Without a file, the input is generated from the parameters and the seed.
expect 0 run sorting --set count=10000 --set type=float --set distribution=few --seed 3 -o a.raw --quiet
expect 0 run sorting --set count=10000 --set type=float --set distribution=few --seed 3 -o b.raw --quiet --backend serial
same_file a.raw b.raw
[ "$(wc -c < a.raw)" = 40000 ] || fail "not 10000 floats"
expect 0 run reduction a.raw --set type=float
contains out "^in extended precision: "
contains out "^one loop, one accumulator: "
expect 0 run sorting --set count=16 --set stages=1
contains out "^sorted: no, after 1 of 10 stages$"

refuses 2 "'count' refuses '0'" run sorting --set count=0
refuses 3 "'empty.raw': it is empty" run sorting empty.raw
refuses 3 "5 bytes are no whole number of i32" run reduction odd.raw
refuses 3 "No such file" run reduction none.raw
refuses 2 "\.raw or \.bin" run sorting ints.raw -o sorted.png

expect 0 bench reduction sorting --backends serial,openmp --threads 1 --sizes 1000,65537 --reps 2 --min-time 0 "${little_memory[@]}" --json b.json --csv b.csv
contains out "of reading"
contains out "^Reading alone: "
valid_json b.json
json b.json 'len(j["results"]) == 8 and j["results"][0]["input"]["width"] == 1000 and j["results"][0]["params"]["count"] == 1000'
json b.json 'j["results"][0]["output"]["kind"] == "scalar" and j["results"][0]["of_read"] > 0 and j["read_limit"]["host"][0]["gb_s"] > 0'
refuses 2 "--sizes '0'" bench sorting --sizes 0

expect 0 bench --list-suites
contains out "^reduction: "
contains out "^sorting: "
expect 0 bench --suite sorting --backends serial,openmp --sizes 16384 --reps 1 --min-time 0 "${little_memory[@]}" --quiet --json s.json
json s.json 'len(j["results"]) == 4'

expect 0 verify reduction sorting --backends serial --seeds 1 --every 10
finish
