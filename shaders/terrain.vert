#version 450 core
// One patch of the quadtree: a grid of 16 x 16 cells, whose points are 2^level points of the heightmap apart.
// render/passes/terrain_tree.h explains how patches of different levels meet.

#include "tiles.glsl"
#include "terrain.glsl"
#include "terrain_light.glsl"

layout(location = 0) in ivec4 patch_;  // TerrainPatch

uniform mat4 clip;
const int wall = WALL;      // walls have each vertex of the rim twice: 1: on the ground and the floor, 2: sea and ground
uniform float floor_level;  // height of the lower edge of walls
uniform float sea_height;

out vec3 place;
flat out vec3 corner;  // a corner of the triangle, the same for all of its pixels
out vec2 cell;
out float hole;  // above 0 in triangles with a corner where there is no height
out vec2 light;  // light at the vertices, for Gouraud shading
flat out int level;
out vec3 wall_normal;
out vec4 air;  // haze()

const int side = 16;

// A point of the patch, moved to a point of the coarser patch on edges towards one.
ivec2 stitched(ivec2 at, int bits) {
  ivec4 coarser = (ivec4(bits) >> ivec4(0, 4, 8, 12)) & 15;
  // At half levels, where an edge is coarser still, the centres of the blocks at the edge move too, since triangles
  // would fold over otherwise.
  bvec4 given_way = bvec4(at.x == 1, at.x == side - 1, at.y == 1, at.y == side - 1);
  bool half_ = (bits >> 20 & 1) == 1;
  if (half_ && (at.x & at.y & 1) == 1 && any(bvec4(ivec4(given_way) & ivec4(greaterThan(coarser, ivec4(1)))))) at += 1;
  ivec2 moved = at;
  if (at.x == 0) moved.y = (at.y >> coarser.x) << coarser.x;
  if (at.x == side) moved.y = (at.y >> coarser.y) << coarser.y;
  if (at.y == 0) moved.x = (at.x >> coarser.z) << coarser.z;
  if (at.y == side) moved.x = (at.x >> coarser.w) << coarser.w;
  return moved;
}

void main() {
  ivec2 at = ivec2(gl_VertexID % (side + 1), gl_VertexID / (side + 1));
  bool bottom = false;
  wall_normal = vec3(0.0);
  if (wall > 0) {
    // A wall has the vertices of one edge, each twice.
    int edge = patch_.w >> 16 & 3, i = gl_VertexID / 2;
    bottom = (gl_VertexID & 1) == 1;
    at = edge == 0 ? ivec2(0, i) : edge == 1 ? ivec2(side, i) : edge == 2 ? ivec2(i, 0) : ivec2(i, side);
    wall_normal = edge == 0 ? vec3(-1, 0, 0) : edge == 1 ? vec3(1, 0, 0) : edge == 2 ? vec3(0, 0, -1) : vec3(0, 0, 1);
  }
  at = stitched(at, patch_.w);
  ivec2 point = min((patch_.xy * side + at) << patch_.z, points - 1);
  cell = vec2(point);
  vec2 ground = ground_at(cell);
  float stored = texel(heights, point).r;
  hole = isnan(stored) ? 1.0 : 0.0;
  float height = hole > 0.0 ? 0.0 : (stored - bounds.x) * vertical_scale();
  float top = wall == 2 ? max(height, sea_height) : height;
  float low = wall == 2 ? height : floor_level;
  place = vec3(ground.x, bottom ? low : top, ground.y);
  corner = place;
  air = haze(place);
  level = 2 * patch_.z + (patch_.w >> 20 & 1);
  light = vec2(0.0);
  if (shading == 1 && wall == 0)
    light = reflected(normal_at(cell, max(min_step, float(1 << patch_.z))), towards_eye(place));
  gl_Position = clip * vec4(place, 1.0);
}
