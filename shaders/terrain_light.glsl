// Sun, sky and tone mapping of the terrain view. Colours are linear until finish(). Names in capitals are defined by
// TerrainPass; each combination is a program of its own.

uniform vec3 sun;  // unit vector towards the sun
uniform vec3 eye;
const bool outdoor = OUTDOOR;
uniform float ambient;
uniform float diffuse;
uniform float specular;
uniform float shininess;
const int shading = SHADING;  // 0 flat, 1 Gouraud, 2 Phong, 3 Blinn-Phong
uniform bool orthographic;
uniform vec3 forward;
uniform float fog;

// The sunlight, which is reddish near the horizon.
vec3 sun_colour() { return mix(vec3(1.0, 0.55, 0.28), vec3(1.0, 0.93, 0.82), smoothstep(0.0, 0.45, sun.y)) * 2.3; }

vec3 sky_colour(vec3 direction) {
  float up = direction.y;
  float day = smoothstep(-0.05, 0.35, sun.y);
  vec3 zenith = mix(vec3(0.06, 0.10, 0.24), vec3(0.10, 0.26, 0.60), day);
  vec3 horizon = mix(vec3(0.62, 0.42, 0.32), vec3(0.62, 0.76, 0.90), day);
  vec3 below = mix(vec3(0.06, 0.06, 0.08), vec3(0.10, 0.15, 0.22), day);
  vec3 colour = mix(horizon, up > 0.0 ? zenith : below, 1.0 - exp2((up > 0.0 ? -4.6 : 4.2) * up));
  float glow = max(dot(direction, sun), 0.0);
  glow *= glow;
  glow *= glow;
  float near_sun = glow * glow;  // to the power of 8
  glow = near_sun * near_sun;
  glow *= glow;
  return colour + sun_colour() * (0.10 * near_sun + 0.25 * glow * glow);
}

vec3 towards_eye(vec3 place) { return orthographic ? -forward : normalize(eye - place); }

// The diffuse and the specular reflection of a white surface in white light.
vec2 reflected(vec3 normal, vec3 view) {
  float cosine = dot(normal, sun);
  if (cosine <= 0.0) return vec2(0.0);
  float shine = shading >= 3 || shading == 0 ? max(dot(normal, normalize(sun + view)), 0.0)
                                             : max(dot(reflect(-sun, normal), view), 0.0);
  // The angle of the half vector is half of that of the reflected vector, so four times the exponent gives a highlight
  // of the same size.
  float exponent = shading >= 3 || shading == 0 ? 4.0 * shininess : shininess;
  return vec2(diffuse * cosine, specular * pow(shine, exponent));
}

// The colour of the haze in front of a place, and its opacity. It is smooth enough to be computed at vertices.
vec4 haze(vec3 place) {
  if (fog <= 0.0) return vec4(0.0);
  float way = orthographic ? 1.0 : distance(eye, place);
  vec3 air = outdoor ? sky_colour(normalize(vec3(place.x - eye.x, 0.12 * way, place.z - eye.z))) : vec3(0.75);
  return vec4(air, 1.0 - exp2(-0.65 * fog * way * way));
}

// Tone mapping by Narkowicz's fit of the ACES film curve, then a fit of the sRGB curve by roots, which are faster than
// powers.
vec3 finish(vec3 colour) {
  if (!outdoor) return clamp(colour, 0.0, 1.0);
  colour *= 0.72;
  colour = clamp(colour * (2.51 * colour + 0.03) / (colour * (2.43 * colour + 0.59) + 0.14), 0.0, 1.0);
  vec3 root2 = sqrt(colour), root4 = sqrt(root2), root8 = sqrt(root4);
  return max(0.662002687 * root2 + 0.684122060 * root4 - 0.323583601 * root8 - 0.0225411470 * colour, 0.0);
}
