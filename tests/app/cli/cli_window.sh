#!/usr/bin/env bash
# Tests the window as a process on a virtual display: the signals that end a session save the settings, and the program
# chooses how threads of OpenMP wait.
source "$(dirname "$0")/_cli.sh"

# In the tests' environment the waiting policy is chosen already, so it is taken out. libgomp prints what it has read.
spins() {
  env -u OMP_WAIT_POLICY -u GOMP_SPINCOUNT OMP_DISPLAY_ENV=VERBOSE "$@" "$threadscape" list > out 2> err
  grep -oE "GOMP_SPINCOUNT = '[0-9]+'" err | tail -n 1
}
if env OMP_DISPLAY_ENV=VERBOSE "$threadscape" list 2>&1 | grep -q GOMP_SPINCOUNT; then
  [ "$(spins)" = "GOMP_SPINCOUNT = '1000'" ] || fail "threads of OpenMP spin: $(spins)"
  [ "$(spins GOMP_SPINCOUNT=77)" = "GOMP_SPINCOUNT = '77'" ] || fail "the user's GOMP_SPINCOUNT is replaced: $(spins GOMP_SPINCOUNT=77)"
  # The choice costs no second start where the environment has a variable of the shell, and works where it has none.
  env -i SHLVL=1 OMP_DISPLAY_ENV=VERBOSE "$threadscape" list > out 2> err
  [ "$(grep -oE "GOMP_SPINCOUNT = '[0-9]+'" err)" = "GOMP_SPINCOUNT = '1000'" ] || fail "with SHLVL: $(grep SPINCOUNT err)"
  env -i OMP_DISPLAY_ENV=VERBOSE "$threadscape" list > out 2> err
  grep SPINCOUNT err | tail -n 1 | grep -q "'1000'" || fail "without variables of a shell: $(grep SPINCOUNT err)"
  [ "$(spins OMP_WAIT_POLICY=passive)" = "GOMP_SPINCOUNT = '0'" ] || fail "the user's OMP_WAIT_POLICY is replaced"
fi

# Whoever forgets --algorithm is told so, without a display.
refuses 2 "there is no picture 'sobel'; to open the window with the algorithm: --algorithm sobel" view sobel

refuses 2 "scene 'volum' does not show sobel|--scene volum does not show sobel" view --algorithm sobel --scene volum
refuses 2 "--show nothing is unknown" view --algorithm sobel --show nothing
refuses 2 "'wide'" view --algorithm diamond_square --scene terrain --view wide=1

start_display || { [ "$failures" = 0 ] && exit 77; exit 1; }

ramp > first.pgm
ramp > second.pgm
for signal in TERM HUP; do
  rm -rf config
  XDG_CONFIG_HOME="$work/config" "$threadscape" view first.pgm second.pgm --algorithm sobel \
    --scene image --show difference --view gain=9 --view zoom=4 --times times.json > out 2> err &
  window=$!
  # The settings' folder is made for the layout when the window is there.
  for _ in $(seq 600); do
    [ -d config/threadscape ] && break
    kill -0 $window 2> /dev/null || break
    sleep 0.1
  done
  if grep -q "OpenGL" err; then
    kill $window 2> /dev/null
    echo "no OpenGL 4.5 on the virtual display"
    exit 77
  fi
  kill -$signal $window
  code=0
  wait $window || code=$?
  [ "$code" = $((128 + $(kill -l $signal))) ] || fail "exit code $code after SIG$signal: $(cat err)"
  if [ -f config/threadscape/settings.json ]; then
    json config/threadscape/settings.json "j['algorithm'] == 'sobel'"
    json config/threadscape/settings.json "[r.rsplit('/', 1)[1] for r in j['recent']] == ['first.pgm']"
    json config/threadscape/settings.json "j['picture'].endswith('/first.pgm')"
    json config/threadscape/settings.json "j['views']['image']['gain'] == 9 and j['views']['image']['zoom'] == 4"
  else
    fail "SIG$signal loses the settings"
  fi
  json times.json "j['results'] == len(j.get('intervals_ms', [])) and j['seconds'] >= 0"
  rm -f times.json
done

# A large input is read in the window, with the parameters of the command line; one that is damaged does not end it, as a
# small one does. The title of a window names what is open.
cat > titled.py << 'END'
import ctypes, sys
x11 = ctypes.CDLL("libX11.so.6")
x11.XOpenDisplay.restype = ctypes.c_void_p
x11.XDefaultRootWindow.restype = ctypes.c_ulong
display = ctypes.c_void_p(x11.XOpenDisplay(None))
found = ctypes.c_ulong(), ctypes.c_ulong(), ctypes.POINTER(ctypes.c_ulong)(), ctypes.c_uint()
x11.XQueryTree(display, ctypes.c_ulong(x11.XDefaultRootWindow(display)), *map(ctypes.byref, found))
name = ctypes.c_char_p()
titles = [name.value for window in found[2][:found[3].value]
          if x11.XFetchName(display, ctypes.c_ulong(window), ctypes.byref(name))]
sys.exit(not any(sys.argv[1].encode() in title for title in titles if title))
END
rm -rf config
printf 'P5\n2000 1100\n255\n' > large.pgm
head -c 2200000 /dev/zero >> large.pgm
head -c 2100000 large.pgm > damaged.pgm
for file in large damaged; do
  XDG_CONFIG_HOME="$work/config" "$threadscape" view $file.pgm --algorithm sobel --set size=5 > out 2> err &
  window=$!
  for _ in $(seq 600); do
    python3 titled.py "$([ $file = large ] && echo large.pgm || echo Threadscape)" && break
    kill -0 $window 2> /dev/null || break
    sleep 0.1
  done
  kill -TERM $window
  code=0
  wait $window || code=$?
  [ "$code" = 143 ] || fail "exit code $code with $file.pgm: $(cat err)"
  json config/threadscape/settings.json "j['parameters']['sobel']['size'] == 5"
  [ $file = damaged ] || json config/threadscape/settings.json "j['picture'].endswith('/large.pgm')"
done
printf 'P5\n200 100\n255\n' > small.pgm
refuses 3 "small.pgm" view small.pgm

finish
