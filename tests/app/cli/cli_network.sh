#!/usr/bin/env bash
# Tests that no command and no window opens a socket of a network: the kernel ends every process that tries to.
source "$(dirname "$0")/_cli.sh"

# Runs a command with a filter that kills it at socket() for IPv4, IPv6 and packets, and at io_uring_setup(), whose rings
# can open sockets, too. Processes that it starts inherit the filter. Exits with 77 where there are no such filters.
cat > offline.py <<'PY'
import ctypes, os, platform, struct, sys

if platform.machine() != "x86_64":
    sys.exit(77)
LOAD, JUMP_EQUAL, RETURN = 0x20, 0x15, 0x06
KILL_PROCESS, ALLOW = 0x80000000, 0x7FFF0000
program = [
    (LOAD, 0, 0, 4), (JUMP_EQUAL, 1, 0, 0xC000003E), (RETURN, 0, 0, ALLOW),  # other calls than those of x86-64
    (LOAD, 0, 0, 0), (JUMP_EQUAL, 6, 0, 425), (JUMP_EQUAL, 1, 0, 41), (RETURN, 0, 0, ALLOW),
    (LOAD, 0, 0, 16), (JUMP_EQUAL, 2, 0, 2), (JUMP_EQUAL, 1, 0, 10), (JUMP_EQUAL, 0, 1, 17),
    (RETURN, 0, 0, KILL_PROCESS), (RETURN, 0, 0, ALLOW)]
code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *line) for line in program))
filters = ctypes.create_string_buffer(struct.pack("HP", len(program), ctypes.addressof(code)))
libc = ctypes.CDLL(None, use_errno=True)
if libc.prctl(38, 1, 0, 0, 0) != 0 or libc.prctl(22, 2, filters, 0, 0) != 0:
    sys.exit(77)
os.execvp(sys.argv[1], sys.argv[1:])
PY

code=0
python3 offline.py python3 -c 'import socket; socket.socket(socket.AF_UNIX)' 2> err || code=$?
[ "$code" = 77 ] && { echo "no filters of system calls here"; exit 77; }
[ "$code" = 0 ] || fail "a local socket is refused: $(cat err)"
for family in AF_INET AF_INET6; do
  # A process of its own, so that the shell says nothing about its end.
  code=$(python3 -c "import subprocess; print(subprocess.call(['python3', 'offline.py', 'python3', '-c',
    'import socket; socket.socket(socket.$family)']))")
  [ "$code" = -31 ] || fail "the filter lets a socket of $family through: $code"
done

program=$threadscape
threadscape=offline
offline() { python3 offline.py "$program" "$@"; }

ramp > ramp.pgm
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' > triangle.obj
expect 0 --version
expect 0 --help
expect 0 info
expect 0 list --json
expect 0 man
expect 0 completion bash
expect 0 verify median --backends serial --seeds 1 --every 50
expect 0 bench sobel --sizes 64 --reps 1 --min-time 0 "${little_memory[@]}" --json bench.json
expect 0 run sobel ramp.pgm -o edges.png
expect 0 run rasterize triangle.obj -o triangle.png
expect 0 run sobel test: --frames 3 -o moves.apng
expect 0 compare edges.png edges.png
expect 3 run sobel http://127.0.0.1/a.png -o b.png
code=0
offline render sobel ramp.pgm -o window.png --ui > out 2> err || code=$?
if ! grep -q "OpenGL" err; then
  [ "$code" = 0 ] || fail "exit code $code of a window without a display: $(cat err)"
fi

if start_display > /dev/null; then
  # The window ends by a signal once it is there, as its folder for settings shows.
  XDG_CONFIG_HOME="$work/config" python3 offline.py "$program" view ramp.pgm --algorithm sobel > out 2> err &
  window=$!
  for _ in $(seq 600); do
    [ -d config/threadscape ] && break
    kill -0 $window 2> /dev/null || break
    sleep 0.1
  done
  kill -TERM $window 2> /dev/null
  code=0
  wait $window || code=$?
  grep -q "OpenGL" err || [ "$code" = 143 ] || fail "exit code $code of a window: $(cat err)"
fi

finish
