#version 450 core
// Computes the bounds of a terrain's quadtree, one level per dispatch: the minimum and maximum height of each node, and
// the maximum distance of its patch from the full surface, at the full and at the half level. There is one invocation
// per node, since barriers and shared memory would cost a software renderer more than all of the rest.
//
// The triangles of a patch of level l have their corners at points 2^l apart; those of a half level lack every second
// of these points. All diagonals meet at the centre of a block of 2 x 2 cells, so the triangles of each surface are
// parts of those of the next coarser one (the 4-8 mesh), and two surfaces differ most at points of the finer one. A
// patch is compared with the surface `depth` levels below at all points of that surface, and the error of that surface
// is added: the result is exact for the finest levels and a slight overestimate above. Where the side of the map is not
// 2^n + 1 points, its last cells are cut short; only points are compared there.

layout(local_size_x = 8, local_size_y = 8) in;

#include "tiles.glsl"

layout(binding = 0) uniform PICTURE heights;
uniform ivec2 points;

struct Node {
  float low, high, error, half_error;
};
layout(std430, binding = 0) buffer Nodes { Node nodes[]; };

uniform int level;
uniform int first;         // index of the first node of this level
uniform ivec2 count;
uniform int depth;         // number of levels between this one and the one that it is compared with
uniform int below_first;   // index of the first node of that level
uniform ivec2 below_count;

const int side = 16;
const float coarse = 1e30;  // the error of a surface that must not be drawn

float height(ivec2 point) { return texel(heights, point).r; }

void add_block(ivec2 corner, inout Node node) {
  ivec2 last = points - 1;
  ivec2 middle = min(corner + (1 << level), last), far = min(corner + (2 << level), last);
  // The heights of the block, row by row, named by compass directions.
  float nw = height(corner), n = height(ivec2(middle.x, corner.y)), ne = height(ivec2(far.x, corner.y));
  float w = height(ivec2(corner.x, middle.y)), m = height(middle), e = height(ivec2(far.x, middle.y));
  float sw = height(ivec2(corner.x, far.y)), s = height(ivec2(middle.x, far.y)), se = height(far);
  // At the half level the edges of the block are straight from corner to corner.
  vec2 part = vec2(middle - corner) / vec2(max(far - corner, 1));
  float n_half = mix(nw, ne, part.x), s_half = mix(sw, se, part.x);
  float w_half = mix(nw, sw, part.y), e_half = mix(ne, se, part.y);
  if (level == 0) {
    if (isnan(nw + n + ne + w + m + e + sw + s + se)) {
      // No coarser surface has the edge of a hole.
      float all[9] = float[](nw, n, ne, w, m, e, sw, s, se);
      for (int i = 0; i < 9; ++i)
        if (!isnan(all[i])) {
          node.low = min(node.low, all[i]);
          node.high = max(node.high, all[i]);
        }
      node.error = node.half_error = coarse;
      return;
    }
    node.low = min(node.low, min(min(min(min(nw, n), min(ne, w)), min(min(m, e), min(sw, s))), se));
    node.high = max(node.high, max(max(max(max(nw, n), max(ne, w)), max(max(m, e), max(sw, s))), se));
    vec4 gap = abs(vec4(n, e, s, w) - vec4(n_half, e_half, s_half, w_half));
    node.half_error = max(node.half_error, max(max(gap.x, gap.y), max(gap.z, gap.w)));
    return;
  }
  vec2 before = 1.0 / vec2(max(middle - corner, 1)), behind = 1.0 / vec2(max(far - middle, 1));
  for (int y = 0; y <= 2 << depth; ++y) {
    int row = min(corner.y + (y << (level - depth)), last.y);
    bool south = row > middle.y;
    float down = abs(float(row - middle.y)) * (south ? behind.y : before.y);
    float west_corner = south ? sw : nw, east_corner = south ? se : ne;
    vec2 straight = south ? vec2(s, s_half) : vec2(n, n_half);
    for (int x = 0; x <= 2 << depth; ++x) {
      int column = min(corner.x + (x << (level - depth)), last.x);
      bool east = column > middle.x;
      float across = abs(float(column - middle.x)) * (east ? behind.x : before.x);
      // The point lies in the triangle of the centre, the midpoint of the nearer edge and the corner.
      vec2 edge = across >= down ? (east ? vec2(e, e_half) : vec2(w, w_half)) : straight;
      float outer = east ? east_corner : west_corner;
      vec2 surface = m + max(across, down) * (edge - m) + min(across, down) * (outer - edge);
      vec2 gap = abs(height(ivec2(column, row)) - surface);
      node.error = max(node.error, gap.x);
      node.half_error = max(node.half_error, gap.y);
    }
  }
}

void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  if (any(greaterThanEqual(at, count))) return;
  Node node = Node(1e30, -1e30, 0.0, 0.0);
  for (int y = 0; y < side; y += 2)
    for (int x = 0; x < side; x += 2) {
      ivec2 corner = (at * side + ivec2(x, y)) << level;
      if (all(lessThan(corner, points))) add_block(corner, node);
    }
  float below_error = 0.0;
  if (level > 0)
    for (int y = at.y << depth; y < min((at.y + 1) << depth, below_count.y); ++y)
      for (int x = at.x << depth; x < min((at.x + 1) << depth, below_count.x); ++x) {
        Node below = nodes[below_first + y * below_count.x + x];
        node.low = min(node.low, below.low);
        node.high = max(node.high, below.high);
        below_error = max(below_error, below.error);
      }
  node.error += below_error;
  node.half_error += below_error;
  if (below_error >= coarse) node.error = node.half_error = coarse;
  nodes[first + at.y * count.x + at.x] = node;
}
