#!/usr/bin/env bash
# Tests what ends a command from outside: output that is not taken, and signals. Each leaves one line, no temporary file, and
# what was there before.
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

# --- Pipes without a reader, and files that may not become longer.
cat > without_reader.py <<'PY'
import os, subprocess, sys
reader, writer = os.pipe()
os.close(reader)
sys.exit(subprocess.run(sys.argv[1:], stdout=writer).returncode)
PY
for arguments in "list" "run sobel ramp.pgm -q -o pgm:-"; do
  code=0
  # shellcheck disable=SC2086
  python3 without_reader.py "$threadscape" $arguments 2> err || code=$?
  [ $code = 3 ] || fail "exit code $code without a reader: $arguments"
  [ "$(wc -l < err)" = 1 ] || fail "without a reader, $arguments says: $(head -c 300 err)"
  contains err "^threadscape: cannot write (to )?standard output: (Broken pipe|the disk is full, or nobody reads the pipe)$"
done
mkdir short
echo old > short/a.r32
code=0
(ulimit -f 4 && exec "$threadscape" run diamond_square -q -o short/a.r32 2> err) || code=$?
[ $code = 3 ] || fail "exit code $code beyond the limit of a file"
[ "$(wc -l < err)" = 1 ] || fail "beyond the limit of a file: $(head -c 300 err)"
contains err "^threadscape: cannot write 'short/a.r32': File too large$"
[ "$(ls -A short) $(cat short/a.r32)" = "a.r32 old" ] || fail "a file that was too long left: $(ls -A short)"

# --- Signals while a video is written. The third frame is a pipe that nobody writes, so that the run waits for it.
mkdir frames
for number in 0 1; do cp ramp.pgm frames/f_$number.pgm; done
mkfifo frames/f_2.pgm
cat > interrupt.py <<'PY'
import os, signal, subprocess, sys, time
number, folder, command = getattr(signal, sys.argv[1]), sys.argv[2], sys.argv[3:]
process = subprocess.Popen(command, stderr=subprocess.PIPE)
end = time.monotonic() + 60
while time.monotonic() < end and process.poll() is None:
    if any(name.startswith(".threadscape-") for name in os.listdir(folder)):
        break
    time.sleep(0.02)
process.send_signal(number)
sys.stdout.buffer.write(process.communicate(timeout=60)[1])
sys.exit(process.returncode if process.returncode >= 0 else 128 - process.returncode)
PY
for signal in SIGINT SIGTERM SIGHUP; do
  "$threadscape" run --help | tr -d '\n' | grep -qF .mkv || break  # a build without the libraries of FFmpeg
  rm -rf video
  mkdir video
  echo complete > video/v.mkv
  code=0
  python3 interrupt.py $signal video "$threadscape" run sobel frames/f_%d.pgm -q -o video/v.mkv --limit silence=1000 > err || code=$?
  [ "$(wc -l < err)" = 1 ] || fail "after $signal: $(head -c 300 err)"
  contains err "^threadscape: (cancelled|ended by $signal)$"
  [ "$(ls -A video)" = v.mkv ] || fail "$signal left: $(ls -A video)"
  [ "$(cat video/v.mkv)" = complete ] || fail "a video that was interrupted by $signal replaced a complete one"
done

# --- Signals outside of a run: the file of a preset is a pipe.
mkfifo pipe
cat > waiting.py <<'PY'
import re, signal, subprocess, sys, time
process = subprocess.Popen(sys.argv[2:], stderr=subprocess.PIPE)
end = time.monotonic() + 60
number = getattr(signal, sys.argv[1])
while time.monotonic() < end and process.poll() is None:
    status = open(f"/proc/{process.pid}/status").read()
    if int(re.search(r"SigCgt:\s*(\w+)", status).group(1), 16) & 1 << (number - 1):
        break
    time.sleep(0.02)
process.send_signal(number)
sys.stdout.buffer.write(process.communicate(timeout=60)[1])
sys.exit(process.returncode if process.returncode >= 0 else 128 - process.returncode)
PY
for signal in SIGINT SIGTERM SIGHUP; do
  code=0
  python3 waiting.py $signal "$threadscape" run convolution ramp.pgm -o a.png --preset pipe --limit silence=1000 > err || code=$?
  [ $code = $((128 + $(kill -l ${signal#SIG}))) ] || fail "exit code $code after $signal"
  line="threadscape: ended by $signal"
  [ $signal = SIGINT ] && line=
  [ "$(cat err)" = "$line" ] || fail "after $signal: $(head -c 300 err)"
done

finish
