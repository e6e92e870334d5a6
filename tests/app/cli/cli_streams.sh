#!/usr/bin/env bash
# Tests standard input and output in the place of files, and batches of several inputs.
source "$(dirname "$0")/_cli.sh"

ramp > ramp.pgm

# --- Standard input and output give the same bytes as files.
expect 0 run sobel ramp.pgm -o edges.png -q
"$threadscape" run sobel - -o - < ramp.pgm > piped.png 2> err || fail "run - -o -: $(cat err)"
same_file edges.png piped.png
contains err "^sobel openmp"
expect 0 run sobel ramp.pgm -o edges.pgm -q
cat ramp.pgm | "$threadscape" run sobel - -o pgm:- -q 2> err | cat > piped.pgm
same_file edges.pgm piped.pgm
[ -s err ] && fail "--quiet prints on stderr: $(cat err)"
printf '\3\0\0\0\1\0\0\0\2\0\0\0' | "$threadscape" run sorting - -o - -q > sorted.raw || fail "sorting from stdin"
printf '\1\0\0\0\2\0\0\0\3\0\0\0' > wanted.raw
same_file wanted.raw sorted.raw
"$threadscape" run diamond_square -o r32:- --set n=4 -q > piped.r32 || fail "a heightfield to stdout"
expect 0 run diamond_square -o file.r32 --set n=4 -q
same_file file.r32 piped.r32
"$threadscape" run sobel ramp.pgm -o edges.png --timings - > times.json 2> err || fail "--timings -"
valid_json times.json
"$threadscape" compare - ramp.pgm < ramp.pgm > out || fail "compare - differs from the file"
"$threadscape" run median - -o - -q < ramp.pgm | "$threadscape" run sobel - -o - -q | "$threadscape" run sobel - -o pgm:- -q > chain.pgm ||
  fail "a pipe of three programs"
[ "$(head -c 2 chain.pgm)" = P5 ] || fail "the end of a pipe is no PGM"

# --- Errors of the streams.
refuses 3 "cannot read standard input: it is empty" run sobel - -o kept.png < /dev/null
refuses 2 "'-.gif' is written frame by frame" run sobel ramp.pgm -o gif:-
refuses 2 "several files" run projection -o mhd:-
[ -e "./-" ] && fail "a file named - was written"

# --- A batch: a folder as the output, with the extension of the input where it can be written.
mkdir in out1
for i in 1 2 3 4 5 6; do ramp | sed "s/ 70 / $((70 + i)) /" > "in/p$i.pgm"; done
expect 0 run sobel in/*.pgm -o out1
contains out "^6 of 6 files in .* s"
contains out "^in/p3.pgm -> out1/p3.pgm: sobel openmp"
for i in 1 6; do
  expect 0 run sobel "in/p$i.pgm" -o single.pgm -q
  same_file single.pgm "out1/p$i.pgm"
done
expect 0 run sobel in/ -o made/here/ -q
[ "$(ls made/here | wc -l)" = 6 ] || fail "a folder as the input gives $(ls made/here | wc -l) results"
expect 0 run sobel in/p1.pgm in/p2.pgm -o '{name}-edges.png' --timings batch.json
[ -s p1-edges.png ] && [ -s p2-edges.png ] || fail "{name} was not replaced"
valid_json batch.json
json batch.json 'j["files"] == 2 and j["failed"] == 0 and [r["output"]["file"] for r in j["runs"]] == ["p1-edges.png", "p2-edges.png"]'
expect 0 run sobel in/p1.pgm in/p2.pgm -o out1 --timings -
valid_json out
contains err "^2 of 2 files in .* s"
contains err "^in/p1.pgm -> out1/p1.pgm: sobel openmp"
expect 0 run reduction --set operator=sum wanted.raw sorted.raw
[ "$(grep -c "raw:$" out)" = 2 ] || fail "reports of a batch do not name their files"

# --- A failure ends the batch, or is left out with --keep-going.
echo broken > in/p4.pgm
refuses 3 "cannot read 'in/p4.pgm'" run sobel in/*.pgm -o stopped/ -q
[ -e stopped/p3.pgm ] || fail "results before the failure are not kept"
[ -e stopped/p5.pgm ] && fail "a batch went on after a failure"
code=0
"$threadscape" run sobel in/*.pgm -o going/ --keep-going > out 2> err || code=$?
[ "$code" = 3 ] || fail "exit code $code instead of 3 after a failure with --keep-going"
contains out "^5 of 6 files in .*, 1 failed"
contains err "^threadscape: cannot read 'in/p4.pgm'"
[ "$(ls going | wc -l)" = 5 ] || fail "--keep-going wrote $(ls going | wc -l) files"

# --- Plans that would lose files are refused before anything is read.
mkdir other
cp in/p1.pgm other/
refuses 2 "would both be written to 'out1/p1.pgm'" run sobel in/p1.pgm other/p1.pgm -o out1
refuses 2 "is an input, too" run sobel in/p1.pgm in/p2.pgm -o in
refuses 2 "several results need a folder" run sobel in/p1.pgm in/p2.pgm -o one.pgm
mkdir empty
refuses 2 "has no pictures" run sobel empty -o out1

finish
