#!/usr/bin/env bash
# Tests `threadscape microscope`: kernels of PTX, which need no compiler, and of CUDA C++ where NVRTC or nvcc is found.
source "$(dirname "$0")/_cli.sh"
sketches=$2/assets/sketches

cat > kernels.ptx <<'PTX'
.version 8.0
.target sm_90
.address_size 64

.visible .entry scale(.param .u64 scale_param_0, .param .f32 scale_param_1, .param .u32 scale_param_2)
{
  .reg .pred %p<2>;
  .reg .f32 %f<4>;
  .reg .b32 %r<6>;
  .reg .b64 %rd<5>;
  ld.param.u64 %rd1, [scale_param_0];
  ld.param.f32 %f1, [scale_param_1];
  ld.param.u32 %r2, [scale_param_2];
  .loc 1 3 3
  mov.u32 %r3, %ctaid.x;
  mov.u32 %r4, %ntid.x;
  mov.u32 %r5, %tid.x;
  mad.lo.s32 %r1, %r3, %r4, %r5;
  setp.ge.u32 %p1, %r1, %r2;
  @%p1 bra END;
  .loc 1 4 5
  cvta.to.global.u64 %rd2, %rd1;
  mul.wide.u32 %rd3, %r1, 4;
  add.s64 %rd4, %rd2, %rd3;
  ld.global.f32 %f2, [%rd4];
  mul.f32 %f3, %f2, %f1;
  st.global.f32 [%rd4], %f3;
END:
  ret;
}

.visible .entry _Z9unorderedPi(.param .u64 _Z9unorderedPi_param_0)
{
  .reg .b32 %r<6>;
  .reg .b64 %rd<9>;
  .shared .align 4 .b8 tile[256];
  .loc 1 10 3
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  mov.u64 %rd3, tile;
  add.s64 %rd4, %rd3, %rd2;
  st.shared.u32 [%rd4], %r1;
  mov.u32 %r2, 63;
  sub.s32 %r3, %r2, %r1;
  mul.wide.u32 %rd5, %r3, 4;
  add.s64 %rd6, %rd3, %rd5;
  .loc 1 11 3
  ld.shared.u32 %r4, [%rd6];
  ld.param.u64 %rd7, [_Z9unorderedPi_param_0];
  add.s64 %rd8, %rd7, %rd2;
  st.global.u32 [%rd8], %r4;
  ret;
}

.visible .entry endless()
{
LOOP:
  bra.uni LOOP;
}
  .file 1 "kernels.cu"
PTX

# --- The counts of a kernel: 8 warps of 4 blocks load and store rows of 128 bytes.
expect 0 microscope kernels.ptx --kernel scale --grid 4 --block 64 --arg 2 --arg 1000
contains out "^scale: grid 4x1x1, block 64x1x1, as on a H100 SXM \(9\.0\)"
contains out "^global load sectors +32 +counted"
contains out "^L2 hit rate .* modelled"
contains out "^occupancy .* (modelled|unknown)"
expect 0 microscope kernels.ptx --kernel scale --grid 4 --block 64 --arg 2 --arg 1000 --lines
contains out "^kernels.cu:4 +"
expect 0 microscope kernels.ptx --kernel scale --grid 4 --block 64 --arg 2 --arg 1000 --json
cp out scale.json
json scale.json '[k["name"] for k in j["kernels"]] == ["scale"]'
json scale.json '{n: j["kernels"][0]["counts"][n] for n in ("global_load_requests", "global_load_sectors", "global_store_requests",
  "global_store_sectors", "divergent_branches", "atomics")} == {"global_load_requests": 8, "global_load_sectors": 32,
  "global_store_requests": 8, "global_store_sectors": 32, "divergent_branches": 0, "atomics": 0}'
json scale.json 'list(j["kernels"][0]["counts"]) == ["warp_instructions", "active_lanes", "global_load_requests",
  "global_load_sectors", "global_store_requests", "global_store_sectors", "texture_requests", "texture_sectors",
  "shared_load_wavefronts", "shared_load_conflicts",
  "shared_store_wavefronts", "shared_store_conflicts", "divergent_branches", "atomics", "l1_hit_rate", "l2_hit_rate", "occupancy"]'
json scale.json 'j["kernels"][0]["grid"] == [4, 1, 1] and j["kernels"][0]["block"] == [64, 1, 1] and j["kernels"][0]["sampled"] == 1'
json scale.json 'sum(l["counts"]["global_load_sectors"] for l in j["kernels"][0]["lines"] if l["line"] == 4) == 32'
json scale.json 'set(j["certainty"].values()) <= {"counted", "modelled", "unknown"} and j["kernels"][0]["faults"] == []'

# --- Large grids are sampled, and figures are those of the grid; --exact executes all blocks.
expect 0 microscope kernels.ptx --kernel scale --grid 4000 --block 32 --arg 2 --arg 128000 --blocks 500 --json
cp out sampled.json
json sampled.json '0 < j["kernels"][0]["sampled"] <= 0.126 and j["kernels"][0]["counts"]["global_load_sectors"] == 16000'
expect 0 microscope kernels.ptx --kernel scale --grid 20000 --block 32 --arg 2 --arg 640000 --exact --json
cp out exact.json
json exact.json 'j["kernels"][0]["sampled"] == 1 and j["kernels"][0]["counts"]["global_load_sectors"] == 80000'

# --- Faults end with exit code 1.
expect 1 microscope kernels.ptx --kernel unordered --block 64 --json
cp out race.json
json race.json '{f["line"] for f in j["kernels"][0]["faults"] if f["kind"] == "race"} == {10, 11}'
json race.json 'not any("different blocks" in f["text"] for f in j["kernels"][0]["faults"])'
expect 1 microscope kernels.ptx --kernel unordered --grid 2 --block 64 --races --json
cp out race.json
json race.json 'any("of different blocks" in f["text"] and f["line"] == 11 for f in j["kernels"][0]["faults"])'
expect 1 microscope kernels.ptx --kernel scale --grid 4 --block 64 --arg 2 --arg 1000 --buffer 128
contains out "^Faults"

# --- The kernels of an algorithm, where this build has them.
code=0
"$threadscape" microscope threshold_mean --size 64x32 --json > out 2> err || code=$?
if [ "$code" = 77 ]; then
  [ "$(wc -l < err)" = 1 ] || fail "more than one line about missing kernels: $(cat err)"
  contains err "this build has no"
else
  [ "$code" = 0 ] || fail "exit code $code for an algorithm: $(cat err)"
  cp out algorithm.json
  json algorithm.json 'len(j["kernels"]) > 0 and all(k["faults"] == [] and k["sampled"] == 1 and k["launches"] > 0 for k in j["kernels"])'
  json algorithm.json 'all(l["file"].startswith("compute/") for k in j["kernels"] for l in k["lines"] if "threshold_mean" in l["file"])'
  json algorithm.json 'sum(k["counts"]["global_store_sectors"] for k in j["kernels"]) == 64'
  expect 0 microscope threshold_mean --size 64x32 --lines
  contains out "^threshold_mean, variant .*, input 64x32 .*: [0-9]+ launch"
  refuses 3 "limit" microscope threshold_mean --size 64x32 --instructions 100
  # The figures of a picture of the scene say what it shows.
  expect 0 render sorting --set count=512 --scene microscope --view step=5 --timings scene.json -o scene.png
  json scene.json 'j["scene"]["kernels"] > 0 and j["scene"]["instructions"] > 5 and j["scene"]["lanes"] == 32'
fi
refuses 2 "algorithm 'sobol' is unknown: did you mean .*sobel" microscope sobol
refuses 2 "--grid is for kernels of a file" microscope sobel --grid 4
refuses 2 "--size is for algorithms and sketches" microscope kernels.ptx --kernel scale --size 64
refuses 2 "--kernel is for kernels of a file: the head of the sketch" microscope "$sketches/blur.cu" --kernel blur
refuses 2 "--grid is for kernels of a file" microscope "$sketches/blur.cu" --grid 4
refuses 2 "--variant is for algorithms" microscope "$sketches/blur.cu" --variant shared
refuses 2 "blur.cpp is a twin for the CPU, which has no kernels" microscope "$sketches/blur.cpp"
refuses 2 "--counters is for algorithms" microscope kernels.ptx --kernel scale --counters

# --- Wrong usage, and kernels that do not end, are one line.
refuses 2 "several kernels; --kernel takes one of: scale \| unordered \| endless" microscope kernels.ptx
refuses 2 "no kernel is named 'other'" microscope kernels.ptx --kernel other
refuses 2 "parameter 3 of scale, needs a value: --arg VALUE" microscope kernels.ptx --kernel scale --arg 1
refuses 2 "'one' is no value" microscope kernels.ptx --kernel scale --arg 1 --arg one
refuses 2 "superfluous" microscope kernels.ptx --kernel scale --arg 1 --arg 1 --arg 1
refuses 2 "--grid '0'" microscope kernels.ptx --kernel scale --grid 0
refuses 2 "--block '8x'" microscope kernels.ptx --kernel scale --block 8x
refuses 2 "--gpu 'hopper'" microscope kernels.ptx --kernel scale --gpu hopper
refuses 2 "--buffer 'much'" microscope kernels.ptx --kernel scale --buffer much
refuses 3 "cannot read 'missing.cu'" microscope missing.cu
refuses 3 "" microscope kernels.ptx --kernel endless --instructions 100000
head -c 3000 /dev/zero > garbage.ptx
refuses 2 "" microscope garbage.ptx

# --- Sources in CUDA C++.
cat > kernels.cu <<'CU'
#include <cstdio>
__global__ void scale(float* values, float factor, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] *= factor;
}
template <class T>
__global__ void fill(T* out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = T(1);
}
int main() {
  std::printf("%d\n", 1);
}
CU
code=0
"$threadscape" microscope kernels.cu --kernel scale --grid 4 --block 64 --arg 2 --arg 1000 --json > out 2> err || code=$?
if grep -q "need NVRTC or nvcc" err; then
  echo "skipped: sources, because neither NVRTC nor nvcc is found"
else
  [ "$code" = 0 ] || fail "exit code $code for a source: $(cat err)"
  cp out source.json
  json source.json 'j["kernels"][0]["name"] == "scale" and j["kernels"][0]["counts"]["global_load_sectors"] == 32'
  json source.json '{l["file"] for l in j["kernels"][0]["lines"]} == {"kernels.cu"} and 4 in {l["line"] for l in j["kernels"][0]["lines"]}'
  # The head of a sketch says what is launched: 8 warps load nine rows each and store one, of 32 bytes.
  expect 0 microscope "$sketches/blur.cu" --size 64x4 --lines
  contains out "^blur, input 64x4 .*: 1 launch of 1 kernel"
  contains out "^15 +[0-9]+ +[1-9][0-9]* .*sum \+= in.mirror"
  expect 0 microscope "$sketches/blur.cu" --size 64x4 --json
  cp out sketch.json
  json sketch.json 'j["kernels"][0]["counts"]["global_store_requests"] == 8 and j["kernels"][0]["counts"]["global_load_requests"] == 72'
  json sketch.json 'j["kernels"][0]["sampled"] == 1 and j["kernels"][0]["faults"] == []'
  expect 0 microscope "$sketches/blur.cu" --size 64x4 --set radius=2 --json
  cp out sketch.json
  json sketch.json 'j["kernels"][0]["counts"]["global_load_requests"] == 200'
  refuses 2 "radius" microscope "$sketches/blur.cu" --set radius=99
  sed 's/if (!out.inside(x, y)) return;/if (x > out.width) return;/' "$sketches/blur.cu" > beyond.cu
  cp "$sketches/threadscape.h" .
  expect 1 microscope beyond.cu --size 64x4
  contains out "^Faults"
  contains out "beyond.cu:17, kernel blur, block 0, thread 128: a write"
  sed 's/count \/ 2/cuont/' "$sketches/blur.cu" > broken_sketch.cu
  refuses 2 "broken_sketch.cu.*cuont" microscope broken_sketch.cu
  refuses 2 "'n', parameter 3 of scale, needs a value: --arg VALUE of type int" microscope kernels.cu --kernel scale --arg 2
  expect 0 microscope kernels.cu --kernel 'fill<double>' --grid 2 --block 32 --json
  cp out template.json
  json template.json 'j["kernels"][0]["name"] == "fill<double>" and j["kernels"][0]["counts"]["global_store_sectors"] == 16'
  echo "__global__ void broken(int* a) { a[0] = b; }" > broken.cu
  refuses 2 "cannot compile 'broken.cu': broken.cu\(1\): error: identifier \"b\" is undefined" microscope broken.cu
  head -c 3000 /dev/urandom > garbage.cu
  refuses 2 "cannot compile 'garbage.cu'" microscope garbage.cu
  echo '__global__ void recursive(int* a) { recursive<<<1, 1>>>(a); }' > recursive.cu
  expect 2 microscope recursive.cu
fi

finish
