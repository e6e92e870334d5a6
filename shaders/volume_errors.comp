#version 450 core
// How far a volume is from another of the same size, within a box: each invocation adds up every `count`-th voxel of it,
// beginning with its own number, so that neighbours read neighbours. Sums of sums are the host's, in double.

layout(local_size_x = 64) in;

layout(binding = 0) uniform sampler3D voxels;
layout(binding = 1) uniform sampler3D truth;
layout(std430, binding = 0) writeonly buffer Sums { vec4 sums[]; };  // squared error, squared truth, largest, voxels

uniform ivec3 low, size;  // of the box
uniform int first;        // where its sums begin
uniform int count;        // of its sums

void main() {
  uint index = gl_GlobalInvocationID.x;
  if (index >= uint(count)) return;
  uvec3 sides = uvec3(size);
  uint all = sides.x * sides.y * sides.z;
  vec4 sum = vec4(0.0);
  for (uint i = index; i < all; i += uint(count)) {
    ivec3 at = low + ivec3(i % sides.x, i / sides.x % sides.y, i / (sides.x * sides.y));
    float value = texelFetch(voxels, at, 0).r;
    if (isnan(value) || isinf(value)) continue;  // not computed yet
    float wanted = texelFetch(truth, at, 0).r;
    float off = value - wanted;
    sum += vec4(off * off, wanted * wanted, 0.0, 1.0);
    sum.z = max(sum.z, abs(off));
  }
  sums[first + int(index)] = sum;
}
