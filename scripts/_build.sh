# Functions for the other scripts, which source this file. configure_preset <preset> configures build/<preset> unless
# that has been done since the presets changed; build_preset <preset> [<target>...] also builds it or these targets, and
# prints nothing if everything is up to date. The environment variable THREADSCAPE_CUDA (AUTO, FOUND, ON or OFF) sets
# CMake's variable of that name in the preset `release`, where it stays set.

# ccache returns objects that were compiled before in any build folder. CMake reads these variables only when it
# configures a new build folder.
if command -v ccache > /dev/null; then
  export CMAKE_C_COMPILER_LAUNCHER=${CMAKE_C_COMPILER_LAUNCHER-ccache}
  export CMAKE_CXX_COMPILER_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER-ccache}
  export CMAKE_CUDA_COMPILER_LAUNCHER=${CMAKE_CUDA_COMPILER_LAUNCHER-ccache}
  export CCACHE_SLOPPINESS=${CCACHE_SLOPPINESS-pch_defines,time_macros}  # ccache needs both for precompiled headers.
  # Paths below the source folder count as relative ones, so that another clone of the same sources finds the objects.
  export CCACHE_BASEDIR=${CCACHE_BASEDIR-$PWD} CCACHE_NOHASHDIR=${CCACHE_NOHASHDIR-1}
fi

configure_preset() {
  local preset=$1 log stamp=build/$1/configured-from-preset options=()
  [[ $preset != release || -z ${THREADSCAPE_CUDA:-} ]] || options=("-DTHREADSCAPE_CUDA=$THREADSCAPE_CUDA")
  mkdir -p build
  # A build folder that was moved or copied from elsewhere cannot be used again.
  if [[ -f build/$preset/CMakeCache.txt ]] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" "build/$preset/CMakeCache.txt"; then
    rm -rf "build/$preset"
  fi
  if [[ ! -f build/$preset/build.ninja || CMakePresets.json -nt $stamp ]] ||
    { ((${#options[@]})) && ! grep -qx "THREADSCAPE_CUDA:[A-Z]*=$THREADSCAPE_CUDA" "build/$preset/CMakeCache.txt"; }; then
    echo "configure: preset $preset in build/$preset"
    log=build/$preset.configure.log
    if ! cmake --preset "$preset" "${options[@]}" > "$log" 2>&1; then
      cat "$log" >&2
      echo "configure: preset $preset failed (log: $log)" >&2
      return 1
    fi
    touch "$stamp"
    grep -E '^-- (CUDA|OpenCV|Python package|Algorithms)' "$log" | sed 's/^-- /configure: /' || true
  fi
}

build_preset() {
  local preset=$1 jobs log targets=()
  shift
  (($#)) && targets=(--target "$@")
  jobs=$(nproc)
  configure_preset "$preset" || return 1
  # Ninja configures again by itself when CMake files or sources have changed.
  if [[ -t 1 ]]; then
    cmake --build --preset "$preset" --parallel "$jobs" "${targets[@]}"
  else
    log=build/$preset.build.log
    if ! cmake --build --preset "$preset" --parallel "$jobs" "${targets[@]}" > "$log" 2>&1; then
      tail -n 60 "$log" >&2
      echo "build: preset $preset failed (log: $log)" >&2
      return 1
    fi
    if grep -qE '^\[[0-9]+/[0-9]+\] (Building|Linking)' "$log"; then
      echo "build: preset $preset, $(grep -cE '^\[[0-9]+/[0-9]+\] Building' "$log") files compiled"
    fi
  fi
}
