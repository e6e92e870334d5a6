#!/usr/bin/env bash
# Two windows with the same settings, and ten command lines, use the same files at the same time: every file is whole
# whenever it is looked at, no other file is left, and the windows go on.
source "$(dirname "$0")/_cli.sh"

python3 - <<'PY'
with open("in.pgm", "wb") as file:
    file.write(b"P5\n320 240\n255\n" + bytes((x * x + 3 * y) % 256 for y in range(240) for x in range(320)))
PY
algorithms=(sobel median)
rounds="1 2"
"$threadscape" info --json | grep -q -- '-fsanitize=' && rounds=1
for algorithm in "${algorithms[@]}"; do
  expect 0 run "$algorithm" in.pgm -o "wanted_$algorithm.png" -q
done
cp wanted_sobel.png shared.png
expect 0 bench sobel --sizes 64 --backends serial --reps 3 --min-time 0 "${little_memory[@]}" --json shared.json -q
export XDG_CONFIG_HOME=$work/config
mkdir -p config

windows=()
if start_display; then
  for number in 1 2; do
    "$threadscape" view in.pgm shared.png --algorithm sobel > "window$number" 2>&1 &
    windows+=($!)
  done
  for _ in $(seq 600); do
    [ -d config/threadscape ] && break
    sleep 0.1
  done
  # Without OpenGL 4.5 on the virtual display the windows end, and the command lines are tested alone.
  if grep -q OpenGL window1 window2; then
    kill "${windows[@]}" 2> /dev/null
    wait "${windows[@]}"
    windows=()
  fi
fi

# Runs its command lines twice, with sanitizers once. All write shared.png and shared.json, and each writes a file of its own.
use_files() {
  local number=$1 algorithm=${algorithms[$1 % 2]}
  for _ in $rounds; do
    "$threadscape" run "$algorithm" in.pgm -o shared.png -q || return 1
    "$threadscape" run "$algorithm" in.pgm -o "own_$number.png" -q || return 1
    "$threadscape" bench sobel --sizes 64 --backends serial --reps 3 --min-time 0 "${little_memory[@]}" --json shared.json -q || return 1
  done
}
commands=()
for number in 0 1 2 3 4 5 6 7 8 9; do
  use_files "$number" > "command$number" 2>&1 &
  commands+=($!)
done

looks=0
mkdir look
while [ -n "$(jobs -rp | grep -xFf <(printf '%s\n' "${commands[@]}"))" ]; do
  cp shared.png shared.json look/ || fail "a file is missing while others write it"
  cmp -s look/shared.png wanted_sobel.png || cmp -s look/shared.png wanted_median.png ||
    fail "shared.png is the result of no command line"
  valid_json look/shared.json
  looks=$((looks + 1))
  sleep 0.1
done
for number in "${!commands[@]}"; do
  wait "${commands[$number]}" || fail "command line $number: $(cat "command$number")"
  same_file "own_$number.png" "wanted_${algorithms[$number % 2]}.png"
done
[ "$looks" -gt 0 ] || fail "no file was looked at while others wrote it"

for window in ${windows[@]+"${windows[@]}"}; do
  kill -0 "$window" 2> /dev/null || fail "a window has ended: $(cat window1 window2)"
  kill -TERM "$window"
  code=0
  wait "$window" || code=$?
  [ "$code" = 143 ] || fail "exit code $code of a window after SIGTERM: $(cat window1 window2)"
done
if ((${#windows[@]})); then
  valid_json config/threadscape/settings.json
  [ -z "$(find config -name 'crash-*')" ] || fail "a window has crashed"
fi
left=$(find . -name '*tmp*')
[ -z "$left" ] || fail "files are left: $left"
finish
