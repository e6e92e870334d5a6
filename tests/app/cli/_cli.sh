# Functions for the tests of the command line, which source this file. The arguments of every test are the program, the
# source folder, and a working folder, which is emptied.
set -u
threadscape=$1
work=$3
rm -rf "$work"
mkdir -p "$work"
cd "$work"
failures=0

fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

# Removes the lines that tell every ten seconds how far a command is, which it prints only on a slow machine.
without_progress() {
  sed -i '/^threadscape: [0-9]* % done after /d' "$1"
}

# Options with which bench and the lab measure their limits, plain copies, on arrays of 64 MiB at most. Otherwise these are
# four times as large as the last cache, which takes seconds where that is shared by a hundred cores.
little_memory=(--limit memory=512M)

# expect CODE ARGUMENTS... runs the program and fails the test if its exit code is another one. The files `out` and `err`
# contain stdout and stderr afterwards.
expect() {
  local wanted=$1 code=0
  shift
  "$threadscape" "$@" > out 2> err || code=$?
  without_progress err
  [ "$code" = "$wanted" ] || fail "exit code $code instead of $wanted: threadscape $* ($(tail -n 1 err))"
}

# refuses CODE PATTERN ARGUMENTS... runs the program and fails the test unless it ends with this exit code and prints
# exactly one line on stderr, which begins with "threadscape: " and matches the pattern.
refuses() {
  local code=$1 pattern=$2
  shift 2
  expect "$code" "$@"
  [ "$(wc -l < err)" = 1 ] || fail "$(wc -l < err) lines on stderr instead of one: threadscape $*"
  grep -q '^threadscape: ' err || fail "no 'threadscape: ' in front: $(cat err)"
  grep -qE -e "$pattern" err || fail "'$pattern' is not in: $(cat err) (threadscape $*)"
}

contains() {
  grep -qE -e "$2" "$1" || fail "'$2' is not in $1: $(head -c 400 "$1")"
}

valid_json() {
  python3 -m json.tool "$1" > /dev/null || fail "$1 is not valid JSON"
}

# json FILE EXPRESSION fails the test unless the Python expression is true, where `j` is the contents of the file.
json() {
  python3 - "$1" "$2" <<'PY' || fail "$1: not true: $2"
import json, sys
with open(sys.argv[1]) as file:
    j = json.load(file)
sys.exit(0 if eval("(" + sys.argv[2] + ")") else 1)
PY
}

same_file() {
  cmp -s "$1" "$2" || fail "$1 and $2 differ"
}

# Prints a grey ramp of 6 x 4 pixels as a PGM file in text form.
ramp() {
  printf 'P2\n6 4\n255\n'
  seq 0 10 230 | tr '\n' ' '
}

# Starts an X server without a screen, which ends with the test, and makes it the display of the programs that follow.
# Returns 1 if that is not possible.
start_display() {
  command -v Xvfb > /dev/null || { echo "Xvfb is not installed"; return 1; }
  Xvfb -displayfd 3 -screen 0 1024x768x24 -nolisten tcp -noreset 3> display 2> /dev/null &
  local server=$!
  # shellcheck disable=SC2064 # The number of the process is known now.
  trap "kill $server 2> /dev/null" EXIT
  for _ in $(seq 200); do
    [ -s display ] && break
    sleep 0.05
  done
  [ -s display ] || { echo "Xvfb does not start"; return 1; }
  DISPLAY=":$(tr -d '\n' < display)"
  export DISPLAY
  unset WAYLAND_DISPLAY
}

gpu_present() {
  "$threadscape" list --json | python3 -c '
import json, sys
backends = json.load(sys.stdin)["algorithms"][0]["backends"]
sys.exit(0 if next(b for b in backends if b["name"] == "cuda")["available"] else 1)'
}

finish() {
  [ "$failures" = 0 ] || { echo "$failures failures"; exit 1; }
  exit 0
}
