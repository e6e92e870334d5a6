#!/usr/bin/env bash
# Tests what ends a command from outside.
source "$(dirname "$0")/_cli.sh"

ramp > ramp.pgm

# --- Text that a full disk does not take.
[ -c /dev/full ] || { echo "there is no /dev/full"; exit 77; }
for arguments in "list" "list --json" "--version" "--help" "run --help" "man" "completion bash" "info" "compare ramp.pgm ramp.pgm" \
  "run sobel ramp.pgm -o full.png" "verify noise --seeds 1 --every 50 --threads 1"; do
  code=0
  # shellcheck disable=SC2086
  "$threadscape" $arguments > /dev/full 2> err || code=$?
  [ $code = 3 ] || fail "exit code $code on a full disk: $arguments ($(head -c 300 err))"
  [ "$(wc -l < err)" = 1 ] || fail "on a full disk, $arguments says: $(head -c 300 err)"
  contains err "^threadscape: cannot write to standard output: (No space left on device|the disk is full, or nobody reads the pipe)$"
done

finish
