#version 450 core
// A convolution as a fragment program. Every fragment of the target is a pixel of the result: it gathers the pixels
// around its place from the texture of the input, and adds them up in the order of compute/algorithms/filters/
// convolution/convolution_math.h. render/passes/fragment_convolution.h defines what is set:
//   SIZE     side of the mask
//   BORDER   what lies outside of the picture, in the order of compute/kernel/border.h; undefined for fragments whose
//            window is inside of it
//   WHITE    255 for 8-bit pictures; undefined for floats

layout(location = 0) out vec4 colour;

layout(binding = 0) uniform sampler2D picture;
uniform float taps[SIZE * SIZE];
uniform float divisor;
uniform float bias;
uniform bool absolute;
uniform bool keeps_alpha;

vec4 value_at(ivec2 at) {
#ifdef WHITE
  return round(texelFetch(picture, at, 0) * WHITE);
#else
  return texelFetch(picture, at, 0);
#endif
}

#ifdef BORDER
// The index whose value is used for index i; -1 if the value is zero.
int folded(int i, int n) {
  if (i >= 0 && i < n) return i;
#if BORDER == 0
  return -1;
#elif BORDER == 1
  return clamp(i, 0, n - 1);
#elif BORDER == 2
  if (n == 1) return 0;
  int period = 2 * (n - 1);
  i = abs(i) % period;
  return i < n ? i : period - i;
#elif BORDER == 3
  int period = 2 * n;
  i = (i < 0 ? -1 - i : i) % period;
  return i < n ? i : period - 1 - i;
#else
  i = i < 0 ? n - 1 - (-1 - i) % n : i % n;
  return i;
#endif
}

vec4 neighbour(ivec2 at) {
  ivec2 size = textureSize(picture, 0);
  ivec2 place = ivec2(folded(at.x, size.x), folded(at.y, size.y));
  return place.x < 0 || place.y < 0 ? vec4(0.0) : value_at(place);
}
#else
vec4 neighbour(ivec2 at) { return value_at(at); }
#endif

void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
  // Every product is rounded before it is added, as in the algorithm.
  precise vec4 sum = vec4(0.0);
  for (int y = 0; y < SIZE; ++y)
    for (int x = 0; x < SIZE; ++x)
      sum += taps[y * SIZE + x] * neighbour(at + ivec2(x, y) - SIZE / 2);
  precise vec4 value = sum / divisor + bias;
  if (absolute) value = abs(value);
#ifdef WHITE
  value = min(floor(max(value + 0.5, 0.0)), WHITE) / WHITE;
#endif
  if (keeps_alpha) value.a = texelFetch(picture, at, 0).a;
  colour = value;
}
