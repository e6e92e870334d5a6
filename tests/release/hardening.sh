#!/usr/bin/env bash
# Tests that a release program has the usual protections: it is position-independent, its tables of addresses are
# read-only once it runs, its stack is not executable, and it checks its stack and the lengths of copies.
#
#   hardening.sh PROGRAM
set -euo pipefail
program=$1
failures=0

# wants WHAT PATTERN OPTION fails the test unless readelf with this option prints a line that matches the pattern.
wants() {
  if ! readelf -W "$3" "$program" | grep -E -e "$2" > /dev/null; then
    echo "FAILED: $1: no line of 'readelf $3' matches '$2'"
    failures=$((failures + 1))
  fi
}

wants "position-independent code (PIE)" 'Type: +DYN' -h
wants "read-only relocations (RELRO)" 'GNU_RELRO' -l
wants "all symbols bound at the start (BIND_NOW)" 'BIND_NOW|FLAGS_1.*NOW' -d
wants "a stack that is not executable" 'GNU_STACK.* RW ' -l
wants "the stack protector" '__stack_chk_fail' -s
wants "copies with checked lengths (FORTIFY)" '__[a-z]+_chk@' -s
if readelf -W -l "$program" | grep -E 'LOAD.* RWE ' > /dev/null; then
  echo "FAILED: a part of the program is both writable and executable"
  failures=$((failures + 1))
fi
((failures == 0))
