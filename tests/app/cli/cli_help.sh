#!/usr/bin/env bash
# Tests that the output of --help, --version, list and info is complete, and that their JSON is valid.
source "$(dirname "$0")/_cli.sh"

expect 0 --help
for command in view run render compare list info bench report verify grade lesson microscope completion man; do contains out "^ *$command "; done
contains out "Exit codes"
for command in view run render compare list info bench report verify grade lesson microscope completion man; do
  expect 0 "$command" --help
  [ -s err ] && fail "$command --help writes to stderr"
done
for command in run render compare list bench report verify grade lesson microscope completion man; do
  expect 0 "$command" --help
  contains out "Examples:"
  contains out "  threadscape $command"
done

# The help of an algorithm states its parameters with range, default and unit.
expect 0 run convolution --help
contains out "size +3\.\.63 step 2 pixels +default 3"
contains out "border +zero \| clamp \| mirror \| reflect \| wrap \| valid \| shrink \| crop +default mirror"
contains out "mask +comma-separated rows"
contains out "openmp: "
expect 0 run --help
contains out "convolution: "
contains out "sobel: "
expect 0 run nonsense --help
contains out "no algorithm 'nonsense'"

expect 0 --version
contains out "^threadscape [0-9]"

expect 0 list
contains out "^convolution: "
contains out "^sobel: "

# With a name, list describes that algorithm alone, with its variants and its nature.
expect 0 list sobel
contains out "^sobel: "
contains out "^ +input +picture"
contains out "^ +results +equal to the bit"
grep -q "^convolution: " out && fail "list sobel describes convolution, too"
expect 0 list median sorting
contains out "^Variants of (serial|openmp|cuda):"
contains out "^sorting: "
expect 0 list sobel --json
cp out one.json
json one.json '[a["name"] for a in j["algorithms"]] == ["sobel"]'

expect 0 list --json
cp out list.json
valid_json list.json
json list.json '{"convolution", "sobel"} <= {a["name"] for a in j["algorithms"]}'
json list.json 'all(b["variants"] for a in j["algorithms"] for b in a["backends"])'
json list.json '[p for a in j["algorithms"] if a["name"] == "convolution" for p in a["parameters"] if p["name"] == "size"][0]
  == {"name": "size", "type": "integer", "minimum": 3, "maximum": 63, "step": 2, "default": 3, "unit": "pixels", "help": "side of the mask"}'
json list.json 'all(b["available"] or b["reason"] for a in j["algorithms"] for b in a["backends"])'

json list.json 'all(a["group"] for a in j["algorithms"])'

expect 0 list --files
contains out "^PNG +\.png +8 bit, 16 bit +grey, RGB, RGBA"
contains out "^TGA +\.tga +- +-"
contains out "^volume +.*\.nii\.gz"
expect 0 list --files --json
cp out files.json
json files.json '[p["written"] for p in j["pictures"] if p["name"] == "PFM"] == [["float"]]'
json files.json '{d["name"] for d in j["data"]} >= {"picture", "volume", "mesh", "clip"}'
json files.json '".mp4" in j["moving"]["read"] and isinstance(j["absent"], list)'
expect 0 list --commands
contains out "^threadscape run algorithm "
expect 0 list --commands --json
cp out commands.json
json commands.json '{"run", "list", "bench"} <= {c["name"] for c in j["commands"]}'
json commands.json 'all(o["help"] for c in j["commands"] for o in c["options"])'
json commands.json 'all(e.startswith("threadscape " + c["name"]) for c in j["commands"] for e in c["examples"])'
json commands.json 'j["exit_codes"]["2"] == "wrong usage"'
refuses 2 "--files" list sobel --files
refuses 2 "--commands" list --files --commands

expect 0 info
contains out "^SIMD "
contains out "^route "
expect 0 info --json
cp out info.json
valid_json info.json
json info.json 'j["cpu"]["logical_cores"] >= 1 and j["cpu"]["simd"] and j["route"]["reason"]'
json info.json 'j["gpu"]["available"] or j["gpu"]["reason"]'
if gpu_present; then
  json info.json 'j["gpu"]["limits"]["warp_size"] == 32 and j["gpu"]["limits"]["max_threads_per_block"] >= 512'
  json info.json '{"registers_per_block", "shared_bytes_per_block", "constant_bytes", "max_grid_x", "clock_khz"} <= set(j["gpu"]["limits"])'
else
  json info.json 'j["gpu"]["limits"] == {}'
fi

# Without OpenGL, `info` prints everything else, and the reason why there is none. EGL finds no driver, because its list of
# drivers is a file that does not exist.
code=0
env -u DISPLAY -u WAYLAND_DISPLAY __EGL_VENDOR_LIBRARY_FILENAMES=none.json "$threadscape" info --json > out 2> err || code=$?
[ "$code" = 0 ] || fail "info without GL: exit code $code"
cp out no-gl.json
json no-gl.json 'j["cpu"]["model"] and (j["gl"]["available"] or j["gl"]["reason"])'

finish
