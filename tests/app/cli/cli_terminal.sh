#!/usr/bin/env bash
# Tests that there is a progress bar on a terminal and none in a pipe, and that Ctrl-C ends the program and leaves no file.
source "$(dirname "$0")/_cli.sh"

# A command with so many repetitions that it can be interrupted on any machine.
long="bench convolution --backends serial --sizes 64,65,66,67 --reps 1000000 --max-time 3600 --min-time 1 ${little_memory[*]}"

# Runs a command whose stderr is a pseudo-terminal, and prints what it writes there.
cat > on_terminal.py <<'PY'
import os, pty, select, signal, subprocess, sys, time
command, interrupt = sys.argv[2:], sys.argv[1] == "interrupt"
main, terminal = pty.openpty()
process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=terminal)
os.close(terminal)
text, end, asked = b"", time.time() + 60, False
while time.time() < end:
    if select.select([main], [], [], 0.2)[0]:
        try:
            piece = os.read(main, 4096)
        except OSError:
            piece = b""
        if not piece:
            break
        text += piece
    if interrupt and not asked and b"%" in text:
        process.send_signal(signal.SIGINT)
        asked = True
process.wait(timeout=30)
sys.stdout.buffer.write(text)
sys.exit(process.returncode if process.returncode >= 0 else 128 - process.returncode)
PY

echo old > kept.json
code=0
python3 on_terminal.py interrupt "$threadscape" $long --json kept.json > bar 2> err || code=$?
[ "$code" = 3 ] || fail "exit code $code after Ctrl-C: $(cat bar err)"
contains bar "bench \[[#.]{24}\] [0-9]+ %"
contains bar "threadscape: cancelled"
[ "$(cat kept.json)" = old ] || fail "a cancelled run changed an existing file"
[ -z "$(find . -name '*.threadscape-*')" ] || fail "temporary files were left"

# Runs a command whose stderr is a pipe, and interrupts it. On a slow machine the signal must not arrive before the program
# catches SIGINT, which the mask SigCgt in /proc shows.
cat > in_pipe.py <<'PY'
import re, signal, subprocess, sys, time
process = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
end = time.time() + 60
while time.time() < end and process.poll() is None:
    status = open(f"/proc/{process.pid}/status").read()
    if int(re.search(r"SigCgt:\s*(\w+)", status).group(1), 16) & 1 << (signal.SIGINT - 1):
        break
    time.sleep(0.05)
time.sleep(1)  # The signal arrives while the program measures.
process.send_signal(signal.SIGINT)
sys.stdout.buffer.write(process.communicate(timeout=60)[1])
PY
python3 in_pipe.py "$threadscape" $long > err
without_progress err
[ "$(cat err)" = "threadscape: cancelled" ] || fail "in a pipe, stderr is: $(head -c 300 err)"

# Ctrl-C on a terminal reaches all processes of a command. Those that --against PROGRAM runs end with it, and the command says
# that it was cancelled.
sed -e 's/stderr=subprocess.PIPE)/stderr=subprocess.PIPE, start_new_session=True)/' \
  -e 's/process.send_signal(signal.SIGINT)/os.killpg(process.pid, signal.SIGINT)/' -e 's/^import re,/import os, re,/' \
  in_pipe.py > group_in_pipe.py
python3 group_in_pipe.py "$threadscape" $long --against "$threadscape" > err
without_progress err
[ "$(grep -vc '^threadscape: cancelled$' err)" = 0 ] || fail "with a program, stderr is: $(head -c 300 err)"
contains err "^threadscape: cancelled$"

code=0
python3 on_terminal.py run "$threadscape" bench sobel --backends serial --sizes 64 --reps 3 --min-time 1.5 "${little_memory[@]}" --quiet > bar || code=$?
[ "$code" = 0 ] || fail "exit code $code on a terminal"
[ -s bar ] && fail "--quiet draws a progress bar: $(head -c 200 bar)"

finish
