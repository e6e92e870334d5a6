#version 450 core
// Bounds of a terrain's quadtree, a level at a time, a workgroup per node: lowest and highest height, and how far the
// patch may be from the full surface.
//
// A patch of level l is made of triangles between points 2^l apart, all with the diagonal from north-west to south-east:
// those of level l - 1 divide them. Two such surfaces differ the most at points of the finer one, so the sum of these
// differences over all levels below bounds the error everywhere, and every point of the heightmap is looked at once.

layout(local_size_x = 64) in;

layout(binding = 0) uniform sampler2D heights;
struct Node {
  float low, high, error, unused;
};
layout(std430, binding = 0) buffer Nodes { Node nodes[]; };

uniform ivec2 size;
uniform int level;
uniform int first;         // node of this level
uniform int below_first;   // and of the one below
uniform ivec2 below_count;

const int side = 32;
shared vec3 parts[64];

float height(ivec2 point) { return texelFetch(heights, point, 0).r; }

// How far a point of the finer level lies from the patch's surface.
float residual(ivec2 corner, ivec2 at) {
  ivec2 last = size - 1;
  ivec2 point = corner + at * (1 << (level - 1));
  if (any(greaterThan(point, last))) return 0.0;
  ivec2 low = corner + ((at >> 1) << level);
  ivec2 high = min(low + (1 << level), last);
  vec2 part = vec2(point - low) / vec2(max(high - low, 1));
  float origin = height(low), across = height(high);
  float bend = part.x >= part.y ? height(ivec2(high.x, low.y)) : height(ivec2(low.x, high.y));
  float near = min(part.x, part.y), far = max(part.x, part.y);
  float surface = origin + (far - near) * (bend - origin) + near * (across - origin);
  return abs(height(point) - surface);
}

void main() {
  ivec2 node = ivec2(gl_WorkGroupID.xy);
  ivec2 corner = node * (side << level);
  int lane = int(gl_LocalInvocationIndex);
  vec3 mine = vec3(1e30, -1e30, 0.0);
  if (level == 0) {
    for (int i = lane; i < (side + 1) * (side + 1); i += 64) {
      float h = height(min(corner + ivec2(i % (side + 1), i / (side + 1)), size - 1));
      mine.xy = vec2(min(mine.x, h), max(mine.y, h));
    }
  } else {
    const int points = 2 * side + 1;
    for (int i = lane; i < points * points; i += 64) {
      ivec2 at = ivec2(i % points, i / points);
      if (((at.x | at.y) & 1) == 1) mine.z = max(mine.z, residual(corner, at));
    }
  }
  parts[lane] = mine;
  barrier();
  for (int half_ = 32; half_ > 0; half_ /= 2) {
    if (lane < half_) {
      vec3 other = parts[lane + half_];
      parts[lane] = vec3(min(parts[lane].x, other.x), max(parts[lane].y, other.y), max(parts[lane].z, other.z));
    }
    barrier();
  }
  if (lane != 0) return;
  Node result = Node(parts[0].x, parts[0].y, parts[0].z, 0.0);
  if (level > 0) {
    float below = 0.0;
    for (int child = 0; child < 4; ++child) {
      ivec2 at = node * 2 + ivec2(child & 1, child >> 1);
      if (any(greaterThanEqual(at, below_count))) continue;
      Node part = nodes[below_first + at.y * below_count.x + at.x];
      result.low = min(result.low, part.low);
      result.high = max(result.high, part.high);
      below = max(below, part.error);
    }
    result.error += below;
  }
  nodes[first + node.y * int(gl_NumWorkGroups.x) + node.x] = result;
}
