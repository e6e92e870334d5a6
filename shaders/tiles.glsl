// Access to texels by their coordinates in the whole picture. With TILED the picture is larger than a texture may be,
// and its tiles are the layers of an array texture, row by row (render/gl/texture.h). Neighbouring tiles overlap by one
// row or column, so all four texels of a bilinear filter are in one tile.

#ifdef TILED
#define PICTURE sampler2DArray

uniform ivec2 whole_size;
uniform int tile_step;  // distance of neighbouring tiles
uniform ivec2 tile_counts;

ivec2 size_of(sampler2DArray image) { return whole_size; }

vec4 texel(sampler2DArray image, ivec2 at) {
  ivec2 tile = min(at / tile_step, tile_counts - 1);
  return texelFetch(image, ivec3(at - tile * tile_step, tile.y * tile_counts.x + tile.x), 0);
}
// A filtered value at coordinates in texels from the corner of the picture: the first texel covers 0..1.
vec4 filtered(sampler2DArray image, vec2 at) {
  ivec2 tile = clamp(ivec2(at - 0.5) / tile_step, ivec2(0), tile_counts - 1);
  vec2 place = (at - vec2(tile * tile_step)) / vec2(textureSize(image, 0).xy);
  // The last tiles may be only partly filled.
  place = min(place, (vec2(whole_size - tile * tile_step) - 0.5) / vec2(textureSize(image, 0).xy));
  return textureLod(image, vec3(place, float(tile.y * tile_counts.x + tile.x)), 0.0);
}
#else
#define PICTURE sampler2D

ivec2 size_of(sampler2D image) { return textureSize(image, 0); }
vec4 texel(sampler2D image, ivec2 at) { return texelFetch(image, at, 0); }
vec4 filtered(sampler2D image, vec2 at) { return textureLod(image, at / vec2(textureSize(image, 0)), 0.0); }
#endif
