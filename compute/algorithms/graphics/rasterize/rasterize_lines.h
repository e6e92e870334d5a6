#pragma once
// Lines for wireframes: clipped against the near and far plane in homogeneous coordinates, then on the screen by the
// algorithm of Cohen and Sutherland, by that of Liang and Barsky, or by the plain one, and drawn pixel by pixel along
// the longer axis.

#include "compute/algorithms/graphics/rasterize/rasterize_math.h"

namespace threadscape::rasterize {

/// A line on the screen. Coordinates are in pixels, with centres at whole numbers; z is the window depth.
struct ScreenLine {
  float x0, y0, z0, x1, y1, z1;
};

/// The part of the line between the parameters from and to, 0..1.
TS_HD inline ScreenLine part_of(const ScreenLine& l, float from, float to) {
  const auto at = [](float a, float b, float t) { return t <= 0.0f ? a : t >= 1.0f ? b : a + (b - a) * t; };
  return {at(l.x0, l.x1, from), at(l.y0, l.y1, from), at(l.z0, l.z1, from),
          at(l.x0, l.x1, to),   at(l.y0, l.y1, to),   at(l.z0, l.z1, to)};
}

/// The four-bit code of Cohen and Sutherland: which sides of the picture a point is outside of.
TS_HD inline unsigned side_code(float x, float y, float right, float bottom) {
  return (x < 0.0f ? 1u : 0u) | (x > right ? 2u : 0u) | (y < 0.0f ? 4u : 0u) | (y > bottom ? 8u : 0u);
}

/// Clips by codes: an end outside of a side is moved to it, until both ends are inside or both are outside of one
/// side. Returns false if nothing is left. An end needs at most one step per side.
TS_HD inline bool clip_cohen_sutherland(ScreenLine& l, float right, float bottom) {
  for (int step = 0; step < 9; ++step) {
    const unsigned c0 = side_code(l.x0, l.y0, right, bottom), c1 = side_code(l.x1, l.y1, right, bottom);
    if ((c0 | c1) == 0) return true;
    if ((c0 & c1) != 0) return false;
    const unsigned code = c0 != 0 ? c0 : c1;
    const bool vertical = (code & 3u) != 0;
    const float side = (code & 1u) != 0 ? 0.0f : (code & 2u) != 0 ? right : (code & 4u) != 0 ? 0.0f : bottom;
    const float t = vertical ? (side - l.x0) / (l.x1 - l.x0) : (side - l.y0) / (l.y1 - l.y0);
    ScreenLine cut = c0 != 0 ? part_of(l, t, 1.0f) : part_of(l, 0.0f, t);
    // The moved end is put onto the side exactly, so that rounding cannot leave it outside.
    (vertical ? (c0 != 0 ? cut.x0 : cut.x1) : (c0 != 0 ? cut.y0 : cut.y1)) = side;
    l = cut;
  }
  return false;
}

/// Clips by the parameters at which the line enters and leaves the picture. Returns false if nothing is left.
TS_HD inline bool clip_liang_barsky(ScreenLine& l, float right, float bottom) {
  const float dx = l.x1 - l.x0, dy = l.y1 - l.y0;
  const float step[4] = {-dx, dx, -dy, dy}, room[4] = {l.x0, right - l.x0, l.y0, bottom - l.y0};
  float enter = 0.0f, leave = 1.0f;
  for (int side = 0; side < 4; ++side) {
    if (step[side] == 0.0f) {
      if (room[side] < 0.0f) return false;
      continue;
    }
    const float t = room[side] / step[side];
    if (step[side] < 0.0f)
      enter = max_of(enter, t);
    else
      leave = min_of(leave, t);
  }
  if (enter > leave) return false;
  l = part_of(l, enter, leave);
  l = {clamp_of(l.x0, 0.0f, right), clamp_of(l.y0, 0.0f, bottom), l.z0,
       clamp_of(l.x1, 0.0f, right), clamp_of(l.y1, 0.0f, bottom), l.z1};
  return true;
}

/// Plain clipping: the intersections of the line with all four sides are computed, and those that are outside of the
/// line or of the side are left out. Of a line with one end inside, the nearest intersection with a side that the other
/// end is beyond is where it leaves. Returns false if nothing is left.
TS_HD inline bool clip_plain(ScreenLine& l, float right, float bottom) {
  const unsigned c0 = side_code(l.x0, l.y0, right, bottom), c1 = side_code(l.x1, l.y1, right, bottom);
  if ((c0 | c1) == 0) return true;
  const float dx = l.x1 - l.x0, dy = l.y1 - l.y0;
  float enter = c0 == 0 ? 0.0f : c1 == 0 ? 0.0f : 1.0f, leave = c1 == 0 ? 1.0f : c0 == 0 ? 1.0f : 0.0f;
  for (unsigned side = 0; side < 4; ++side) {
    const bool vertical = side < 2;
    const float from = vertical ? l.x0 : l.y0, along = vertical ? dx : dy;
    if (along == 0.0f) continue;
    const float t = ((side % 2 == 0 ? 0.0f : vertical ? right : bottom) - from) / along;
    if (!(t >= 0.0f && t <= 1.0f)) continue;
    if (c0 != 0 && c1 != 0) {
      const float at = vertical ? l.y0 + dy * t : l.x0 + dx * t;
      if (at < 0.0f || at > (vertical ? bottom : right)) continue;
      enter = min_of(enter, t);
      leave = max_of(leave, t);
    } else if ((c0 >> side & 1u) != 0) {
      enter = max_of(enter, t);
    } else if ((c1 >> side & 1u) != 0) {
      leave = min_of(leave, t);
    }
  }
  if (enter > leave) return false;
  l = part_of(l, enter, leave);
  l = {clamp_of(l.x0, 0.0f, right), clamp_of(l.y0, 0.0f, bottom), l.z0,
       clamp_of(l.x1, 0.0f, right), clamp_of(l.y1, 0.0f, bottom), l.z1};
  return true;
}

/// The line between two vertices inside of the picture. Returns false if nothing of it is visible.
TS_HD inline bool clip_line(const ClipVertex& a, const ClipVertex& b, const Plan& plan, ScreenLine& line) {
  if (!is_finite(a) || !is_finite(b)) return false;
  PolygonVertex p{a, 0.0f, 0.0f}, q{b, 0.0f, 0.0f};
  for (int plane = 0; plane < 2; ++plane) {
    const float dp = plane_distance(p.at, plane), dq = plane_distance(q.at, plane);
    if (dp < 0.0f && dq < 0.0f) return false;
    if (dp < 0.0f) p = cut(q, p, dq, dp);
    if (dq < 0.0f) q = cut(p, q, dp, dq);
  }
  if (!(p.at.w > 1e-30f) || !(q.at.w > 1e-30f)) return false;
  const float half_width = 0.5f * static_cast<float>(plan.width), half_height = 0.5f * static_cast<float>(plan.height);
  const auto place = [&](const ClipVertex& v, float& x, float& y, float& z) {
    const float inverse_w = 1.0f / v.w;
    x = ((v.x * inverse_w) * half_width + half_width) - 0.5f;
    y = ((v.y * inverse_w) * -half_height + half_height) - 0.5f;
    z = clamp_of((v.z * inverse_w) * 0.5f + 0.5f, 0.0f, 1.0f);
    return is_finite(x) && is_finite(y);
  };
  if (!place(p.at, line.x0, line.y0, line.z0) || !place(q.at, line.x1, line.y1, line.z1)) return false;
  const auto right = static_cast<float>(plan.width - 1), bottom = static_cast<float>(plan.height - 1);
  if (plan.clip_lines == ClipLines::plain) return clip_plain(line, right, bottom);
  return plan.clip_lines == ClipLines::cohen_sutherland ? clip_cohen_sutherland(line, right, bottom)
                                                        : clip_liang_barsky(line, right, bottom);
}

/// Calls use(x, y, z) for the pixels of a line inside of the picture: one in each column, or in each row if the line is
/// steep.
template <class Use>
TS_HD void for_each_line_pixel(const ScreenLine& line, const Use& use) {
  const float dx = line.x1 - line.x0, dy = line.y1 - line.y0;
  const bool steep = (dy < 0 ? -dy : dy) > (dx < 0 ? -dx : dx);
  const float length = steep ? dy : dx, side = steep ? dx : dy;
  const float start = steep ? line.y0 : line.x0, other = steep ? line.x0 : line.y0;
  const int first = round_to_int(start), last = round_to_int(start + length);
  const float slope = length != 0.0f ? side / length : 0.0f,
              depth = length != 0.0f ? (line.z1 - line.z0) / length : 0.0f;
  const float low = min_of(line.z0, line.z1), high = max_of(line.z0, line.z1);
  const float far_side = steep ? line.x1 : line.y1;
  for (int i = min_of(first, last); i <= max_of(first, last); ++i) {
    const float along = static_cast<float>(i) - start;
    const int across = round_to_int(clamp_of(other + along * slope, min_of(other, far_side), max_of(other, far_side)));
    const float z = clamp_of(line.z0 + along * depth, low, high);
    use(steep ? across : i, steep ? i : across, z);
  }
}

/// Calls use(x, y, z) for the pixels of the three edges of a triangle, unless its side is culled. Edges that are shared
/// are drawn by both triangles, in either direction; `first corner < second corner` decides, so that both draw the same
/// pixels.
template <class Use>
TS_HD void for_each_edge_pixel(const ClipVertex* corner, const std::uint32_t* vertex, const Plan& plan,
                               const Use& use) {
  if (plan.culling != Culling::none) {
    const auto ignore = [](const Piece&, const Polygon&, bool) {};
    if (for_each_piece(corner[0], corner[1], corner[2], plan, ignore) != Fate::drawn) return;
  }
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3;
    const bool swap = vertex[j] < vertex[i];
    ScreenLine line;
    if (clip_line(corner[swap ? j : i], corner[swap ? i : j], plan, line)) for_each_line_pixel(line, use);
  }
}

}  // namespace threadscape::rasterize
