#!/usr/bin/env bash
# Tests that a program that crashes writes a report, names it on stderr, and ends by the signal as it would have otherwise.
source "$(dirname "$0")/_cli.sh"

"$threadscape" info --json | grep -q -- '-fsanitize=' && { echo "the sanitizer reports crashes itself"; exit 77; }
ulimit -c 0
export XDG_CONFIG_HOME=$PWD/config
mkdir config

ramp > ramp.pgm
"$threadscape" bench sobel --sizes 64 --backends serial --reps 1000000 --max-time 60 "${little_memory[@]}" > out 2> err &
child=$!
sleep 1
kill -SEGV "$child"
wait "$child"
code=$?
[ "$code" = 139 ] || fail "exit code $code instead of 139 (SIGSEGV)"
contains err "^threadscape: the program has crashed \(signal 11\); a report is in '$PWD/config/threadscape/crash-.*\.txt'"
report=$(ls config/threadscape/crash-*.txt)
contains "$report" "^threadscape [0-9]+\.[0-9]+\.[0-9]+ "
contains "$report" "^ended by signal 11"
contains "$report" "^last messages"
contains "$report" "threadscape\(\+0x[0-9a-f]+\)"

# A program that ends in order writes none.
rm "$report"
expect 0 run sobel ramp.pgm -o edges.png
[ -z "$(ls config/threadscape)" ] || fail "there is a report although nothing has crashed"
finish
