// Colours of the ground, in linear light.

uniform float sea_line;  // height of the sea in 0..1, negative if there is none

float hash(vec2 p) {
  p = fract(p * vec2(0.1031, 0.1030));
  p += dot(p, p.yx + 33.33);
  return fract((p.x + p.y) * p.x);
}
float noise(vec2 p) {
  vec2 i = floor(p), f = fract(p);
  f = f * f * (3.0 - 2.0 * f);
  return mix(mix(hash(i), hash(i + vec2(1, 0)), f.x), mix(hash(i + vec2(0, 1)), hash(i + vec2(1, 1)), f.x), f.y);
}

// The colour of land by its height 0..1 above the sea, as in printed maps.
vec3 hypsometric(float h) {
  const vec3 stops[8] = vec3[](vec3(0.11, 0.30, 0.15), vec3(0.24, 0.42, 0.18), vec3(0.52, 0.56, 0.25), vec3(0.74, 0.62, 0.34),
                               vec3(0.62, 0.42, 0.24), vec3(0.46, 0.33, 0.26), vec3(0.66, 0.63, 0.62), vec3(0.98, 0.98, 1.0));
  float at = clamp(h, 0.0, 1.0) * 7.0;
  int i = min(int(at), 6);
  return mix(stops[i], stops[i + 1], at - float(i));
}

// Grass at low heights, rock on steep slopes, and snow on high and flat ground. Noise keeps the borders from following
// contour lines.
vec3 natural(float land, float steep, vec2 ground) {
  float coarse = noise(ground * 24.0), fine = noise(ground * 140.0);
  float wobble = (coarse - 0.5) * 0.16 + (fine - 0.5) * 0.07;
  float h = land + wobble;
  vec3 sand = vec3(0.46, 0.38, 0.24), meadow = vec3(0.105, 0.16, 0.045), forest = vec3(0.038, 0.078, 0.028);
  vec3 heath = vec3(0.22, 0.19, 0.10), rock = mix(vec3(0.19, 0.165, 0.15), vec3(0.30, 0.27, 0.245), fine);
  vec3 snow = vec3(0.86, 0.89, 0.94);
  vec3 colour = mix(meadow, forest, smoothstep(0.35, 0.65, coarse + 0.3 * fine));
  colour = mix(colour, heath, smoothstep(0.34, 0.56, h));
  colour = mix(colour, rock, smoothstep(0.56, 0.74, h));
  colour = mix(colour, rock * 0.95, smoothstep(0.30, 0.52, steep + wobble * 0.5));
  colour = mix(colour, snow, smoothstep(0.74, 0.86, h) * (1.0 - smoothstep(0.38, 0.66, steep)));
  return mix(sand, colour, smoothstep(0.008, 0.035, land + wobble * 0.08));
}

vec3 hue(float turn) { return clamp(abs(fract(turn + vec3(0.0, 2.0 / 3.0, 1.0 / 3.0)) * 6.0 - 3.0) - 1.0, 0.0, 1.0); }

vec3 surface_colour(int surface, float height01, vec3 normal, vec2 cell, int level) {
  float line = max(sea_line, 0.0);
  float land = (height01 - line) / max(1.0 - line, 1e-3);
  switch (surface) {
    case 0: return natural(land, 1.0 - normal.y, ground_at(cell));
    case 1: {
      vec3 colour = land < 0.0 && sea_line > 0.0 ? mix(vec3(0.05, 0.18, 0.42), vec3(0.45, 0.70, 0.85), height01 / line)
                                                 : hypsometric(land);
      return outdoor ? colour * colour : colour;
    }
    case 3: {
      float steep = acos(clamp(normal.y, 0.0, 1.0)) / 1.5707963;
      vec3 colour = steep < 0.5 ? mix(vec3(0.20, 0.50, 0.30), vec3(0.95, 0.85, 0.35), steep * 2.0)
                                : mix(vec3(0.95, 0.85, 0.35), vec3(0.75, 0.12, 0.12), steep * 2.0 - 1.0);
      return outdoor ? colour * colour : colour;
    }
    case 4: return mix(vec3(0.5), hue(atan(normal.x, -normal.z) / 6.2831853), clamp(length(normal.xz) * 3.0, 0.0, 1.0)) * 0.8;
    case 5: return normal.xzy * vec3(0.5, -0.5, 0.5) + 0.5;
    case 6: return mix(vec3(0.8), hue(float(level) * 0.0685), 0.7) * 0.8;
    default: return vec3(1.0);
  }
}
