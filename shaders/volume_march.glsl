// Ray marching through a volume, front to back. Include it after volume_tone.glsl. The including shader, or the
// definitions of the program, set MARCH_STYLE: 0 shaded (surfaces by their gradient, translucent matter by its value),
// 1 the integral along the ray, 2 the maximum value.
//
// A brick of equal voxels is crossed in one exact step, other bricks in steps of about a voxel.

layout(binding = 0) uniform sampler3D voxels;  // trilinear, edges clamped
layout(std430, binding = 0) readonly buffer Bricks { vec2 bricks[]; };

uniform ivec3 brick_count;
uniform vec3 eye;
uniform vec3 box_low, box_high;
uniform float density;      // density of the maximum value, per length
uniform float surfaces;     // opacity of a step from the minimum to the maximum
uniform float step_length;  // length of a step in bricks of different voxels
uniform float voxel;        // the shortest side of a voxel
uniform vec3 light;         // direction towards the light

const float brick_side = 8.0;
const int max_steps = 4096;

// Distances at which a ray from the eye enters and leaves the box. It misses the box unless the first is less.
vec2 box_span(vec3 way) {
  vec3 safe = mix(way, vec3(1e-12), equal(way, vec3(0.0)));
  vec3 a = (box_low - eye) / safe, b = (box_high - eye) / safe;
  vec3 near = min(a, b), far = max(a, b);
  return vec2(max(max(max(near.x, near.y), near.z), 0.0), min(min(far.x, far.y), far.z));
}

float level_at(vec3 texel, vec3 size) { return max(level_of(texture(voxels, texel / size).r), 0.0); }

// Gradient of the level per texel, from differences over `reach` texels to either side.
vec3 gradient_at(vec3 texel, vec3 size, float reach) {
  vec3 result;
  for (int axis = 0; axis < 3; ++axis) {
    vec3 off = vec3(0.0);
    off[axis] = reach;
    result[axis] = (level_at(texel + off, size) - level_at(texel - off, size)) / (2.0 * reach);
  }
  return result;
}

vec3 albedo(float level) {
  if (map > map_grey) return colour_of(inverted ? 1.0 - level : level, map);
  return mix(vec3(0.42, 0.62, 0.86), vec3(1.0, 0.93, 0.82), inverted ? 1.0 - level : level);
}

vec3 lit(vec3 normal, vec3 way, float level) {
  float facing = abs(dot(normal, light));
  float shine = pow(abs(dot(normal, normalize(light - way))), 48.0);
  float rim = pow(1.0 - abs(dot(normal, way)), 3.0);
  return albedo(level) * (0.22 + 0.78 * facing + 0.25 * rim) + 0.22 * shine;
}

#if MARCH_STYLE == 0
// Colour and opacity of the surface where the box cuts the volume: as opaque as a step from 0 to the level inside of
// the box, the integral of what march() adds up over the three voxels of such a step.
vec4 face(vec3 way, vec3 place, vec3 size) {
  vec3 part = (place - box_low) / (box_high - box_low);
  float level = level_at(part.xzy * size, size);
  vec3 off = abs(2.0 * part - 1.0);
  vec3 normal = off.x > max(off.y, off.z) ? vec3(1.0, 0.0, 0.0) : off.y > off.z ? vec3(0.0, 1.0, 0.0) : vec3(0.0, 0.0, 1.0);
  float cover = 1.0 - exp(-1.8 * surfaces * sqrt(level) * level / max(abs(dot(normal, way)), 0.05));
  return vec4(lit(normal, way, level) * cover, cover);
}
#endif

// Marches from distance `from` to `to` along the unit vector `way`; `whole` is whether `to` is the end of the box.
// `offset` (0..1) shifts the samples within steps, which turns banding into noise. Returns the premultiplied colour and
// the opacity in the style shaded, and otherwise the integral or the maximum level in x.
vec4 march(vec3 way, float from, float to, bool whole, float offset) {
  vec3 size = vec3(textureSize(voxels, 0));
  vec3 scale = size.xzy / (box_high - box_low);  // texels per length; y is the texture's last axis
  vec3 start = ((eye - box_low) * scale).xzy, along = (way * scale).xzy;
  vec3 safe = mix(along, vec3(1e-12), equal(along, vec3(0.0)));
  vec3 ahead = vec3(greaterThan(along, vec3(0.0)));
  vec4 sum = vec4(0.0);
  float t = from;
#if MARCH_STYLE == 0
  if (from > 0.0) sum = face(way, eye + from * way, size);
#endif
  for (int i = 0; i < max_steps && t < to; ++i) {
    vec3 brick = clamp(floor((start + (t + 0.01 * step_length) * along) / brick_side), vec3(0.0), vec3(brick_count - 1));
    vec2 span = bricks[int(brick.x) + brick_count.x * (int(brick.y) + brick_count.y * int(brick.z))];
    vec3 exits = ((brick + ahead) * brick_side - start) / safe;
    float leave = min(max(min(min(exits.x, exits.y), exits.z), t + 0.05 * step_length), to);
    vec2 level = max(vec2(level_of(span.x), level_of(span.y)), vec2(0.0));
    bool even = span.x > span.y || level.x == level.y;
    if (span.x > span.y) level = vec2(0.0);
#if MARCH_STYLE == 2
    if (even || level.y <= sum.x) {
      sum.x = max(sum.x, level.y);
      t = leave;
      continue;
    }
#endif
    if (even) {
#if MARCH_STYLE == 0
      float cover = 1.0 - exp(-density * level.y * (leave - t));
      sum += (1.0 - sum.a) * vec4(albedo(level.y) * 0.55 * cover, cover);
#elif MARCH_STYLE == 1
      sum.x += level.y * (leave - t);
#endif
      t = leave;
      continue;
    }
    float end = min(t + step_length, to);
    vec3 texel = clamp(start + mix(t, end, offset) * along, vec3(0.0), size);
    float here = level_at(texel, size);
#if MARCH_STYLE == 0
    float steep = min(2.0 * length(gradient_at(texel, size, 1.0)), 1.0);
    float cover = 1.0 - exp(-(density * here + surfaces * sqrt(steep) * steep / voxel) * (end - t));
    vec3 shade = albedo(here) * 0.55;
    if (steep > 0.004) {
      // The normal is measured over a longer distance, which hides the steps between voxels.
      vec3 normal = normalize(gradient_at(texel, size, 2.2).xzy * scale + 1e-9);
      shade = mix(shade, lit(normal, way, max(here, steep)), clamp(steep * 6.0, 0.0, 1.0));
    }
    sum += (1.0 - sum.a) * vec4(shade * cover, cover);
    if (sum.a > 0.995) break;
#elif MARCH_STYLE == 1
    sum.x += here * (end - t);
#else
    sum.x = max(sum.x, here);
#endif
    t = end;
  }
#if MARCH_STYLE == 0
  if (whole) sum += (1.0 - sum.a) * face(way, eye + to * way, size);
#endif
  return sum;
}
