#version 450 core
// Computes partial sums of the error of a volume against another one of the same size within a box. Each invocation
// adds up every `count`-th voxel of the box, starting with its own number, so that neighbouring invocations read
// neighbouring voxels. The host adds up the partial sums in double.

layout(local_size_x = 64) in;

layout(binding = 0) uniform sampler3D voxels;
layout(binding = 1) uniform sampler3D truth;
layout(std430, binding = 0) writeonly buffer Sums { vec4 sums[]; };  // squared errors, squared truth, maximum error, voxels

uniform ivec3 low, size;  // corner and size of the box
uniform int first;        // index of the first partial sum of the box
uniform int count;        // number of partial sums of the box

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
