// The lines of a picture that loses or doubles seams, in segments. An invocation processes one segment without
// barriers, which are slow in software renderers. See render/passes/seams_pass.h.

layout(local_size_x = 8, local_size_y = 8) in;

const int segment_pixels = 64;

layout(binding = 1) uniform sampler2D orders;  // 16 bits: the number of the seam that takes a pixel, 0 = none
layout(std430, binding = 0) buffer Counts { uint counts[]; };  // number of pixels after a segment's seams, line by line

uniform bool of_rows;   // whether lines are columns of the picture
uniform bool enlarges;  // whether pixels of a seam are doubled; otherwise they are removed
uniform int first;      // the seams first + 1 .. last are taken
uniform int last;
uniform ivec2 extent;   // length of a line, and number of lines

ivec2 place(int x, int line) { return of_rows ? ivec2(line, x) : ivec2(x, line); }
int order_at(ivec2 at) { return int(texelFetch(orders, at, 0).r * 65535.0 + 0.5); }
bool taken(int order) { return order > first && order <= last; }
int pixels_left(int order) { return taken(order) ? (enlarges ? 2 : 0) : 1; }
int segments() { return (extent.x + segment_pixels - 1) / segment_pixels; }
