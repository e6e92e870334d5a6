// Reads a mesh (compute/core/mesh.h) from a buffer of words, and computes light as compute/algorithms/graphics/rasterize
// does.

#define SHADING_CONSTANT 0
#define SHADING_FLAT 1
#define SHADING_GOURAUD 2
#define SHADING_PHONG 3
#define LIGHTING_PHONG 0

layout(std430, binding = 0) readonly buffer Mesh {
  uint words[];
};

uniform mat4 model;
uniform mat4 normal_matrix;  // the upper left 3 x 3
uniform vec3 eye;
uniform vec3 towards_eye;
uniform bool perspective;
uniform vec3 light;

float number(uint at) {
  return uintBitsToFloat(words[at]);
}
vec3 triple(uint at) {
  return vec3(number(at), number(at + 1u), number(at + 2u));
}

// Where a material starts, by its number and by a triangle. The header states the offsets of the sections.
uint material_number(uint index) { return words[14] + 20u * index; }
uint material_at(uint triangle) { return material_number(words[13] == 0u ? 0u : words[words[13] + triangle]); }

// Members of a material, by their place.
vec3 ambient_of(uint material) { return triple(material); }
vec3 diffuse_of(uint material) { return triple(material + 3u); }
vec3 specular_of(uint material) { return triple(material + 6u); }
vec3 emission_of(uint material) { return triple(material + 9u); }
float shininess_of(uint material) { return number(material + 12u); }
float opacity_of(uint material) { return number(material + 13u); }
bool has_map(uint material, uint map) { return words[material + 14u + map] != 0xffffffffu; }

vec3 unit_of(vec3 v) {
  float length2 = dot(v, v);
  return v * inversesqrt(length2 > 0.0 ? length2 : 1.0);
}

vec3 direction_to_eye(vec3 position) { return perspective ? unit_of(eye - position) : towards_eye; }

// The cosine of the angle to the light, and the highlight.
vec2 light_at(vec3 position, vec3 normal, float shininess) {
  const bool reflected = LIGHTING == LIGHTING_PHONG;
  vec3 n = unit_of(normal);
  vec3 v = direction_to_eye(position);
  float cosine = dot(n, light);
  vec3 along = reflected ? n * (2.0 * cosine) - light : unit_of(light + v);
  float base = clamp(dot(reflected ? v : n, along), 0.0, 1.0);
  // pow(0, 0) is undefined in GLSL; it is 1 here.
  float highlight = shininess == 0.0 ? 1.0 : base > 0.0 ? pow(base, shininess) : 0.0;
  return vec2(max(cosine, 0.0), cosine > 0.0 ? highlight : 0.0);
}
