// Loops of a textbook for algorithms of several parts: a chain of filters, seam carving, and a depth buffer.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

#include "app/bench/peers/textbook_loops.h"
#include "app/bench/peers/textbook_peer.h"
#include "compute/algorithms/filters/chain/chain.h"
#include "compute/algorithms/graphics/rasterize/rasterize.h"
#include "compute/algorithms/graphics/rasterize/rasterize_camera.h"
#include "compute/algorithms/graphics/rasterize/rasterize_plan.h"
#include "compute/algorithms/seams/seam_carving/seam_carving.h"

namespace threadscape::app::textbook {
namespace {

// ---- Chain

/// The textbook of a step; null if there is none for its parameters.
const Peer* textbook_of(const Step& step, const Shape& shape) {
  const auto found = std::ranges::find_if(textbook_peers(), [&](const Peer& peer) {
    return peer.algorithm == step.algorithm->name && peer.supports(step.params, shape);
  });
  return found == textbook_peers().end() ? nullptr : &*found;
}

/// Each step reads the picture that the one before it has written.
void chain(HostIn in, HostOut out, int threads, const ParamBox& params) {
  std::vector<HostArray> pictures;
  pictures.reserve(params.as<Chain::Params>().steps.size());
  HostIn from = in;
  threadscape::chain::for_each_step(
      params.as<Chain::Params>(), in.shape, 0,
      [&](const Step& step, std::uint64_t, const Shape& input, const Shape& output, bool last) {
        HostOut to = out;
        if (!last) {
          pictures.emplace_back(output);
          to = pictures.back().view();
        }
        textbook_of(step, input)->run(from, to, threads, step.params);
        if (!last) from = std::as_const(pictures.back()).view();
      });
}
bool chain_supports(const ParamBox& params, const Shape& shape) {
  bool all = true;
  const int steps =
      threadscape::chain::for_each_step(params.as<Chain::Params>(), shape, 0,
                                        [&](const Step& step, std::uint64_t, const Shape& input, const Shape&, bool) {
                                          all = all && textbook_of(step, input) != nullptr;
                                        });
  return all && steps > 0;
}

// ---- Seam carving

/// Removes seams of least energy one by one: all energies, all costs, the way back, and the rows closed up.
void seam_carving(HostIn in, HostOut out, int, const ParamBox&) {
  const Picture picture = textbook::picture(in);
  const int height = picture.height;
  const auto pitch = static_cast<std::size_t>(picture.width);
  std::vector<Byte> grey(pitch * static_cast<std::size_t>(height));
  std::vector<float> costs(grey.size());
  std::vector<int> seam(static_cast<std::size_t>(height));
  for (int y = 0; y < height; ++y)
    std::copy_n(picture.row(y), picture.width, grey.data() + static_cast<std::size_t>(y) * pitch);
  const auto at = [&](auto& plane, int x, int y) -> auto& {
    return plane[static_cast<std::size_t>(y) * pitch + static_cast<std::size_t>(x)];
  };
  for (int width = picture.width; width > static_cast<int>(out.shape.width); --width) {
    for (int y = 0; y < height; ++y) {
      const int above = std::max(y - 1, 0), below = std::min(y + 1, height - 1);
      for (int x = 0; x < width; ++x) {
        const int left = std::max(x - 1, 0), right = std::min(x + 1, width - 1);
        const auto dx = static_cast<float>(at(grey, right, y) - at(grey, left, y));
        const auto dy = static_cast<float>(at(grey, x, below) - at(grey, x, above));
        float before = 0.0f;
        if (y > 0) {
          before = at(costs, left, y - 1);
          if (at(costs, x, y - 1) < before) before = at(costs, x, y - 1);
          if (at(costs, right, y - 1) < before) before = at(costs, right, y - 1);
        }
        at(costs, x, y) = before + std::sqrt(dx * dx + dy * dy);
      }
    }
    int best = 0;
    for (int x = 1; x < width; ++x)
      if (at(costs, x, height - 1) < at(costs, best, height - 1)) best = x;
    for (int y = height - 1;; --y) {
      seam[static_cast<std::size_t>(y)] = best;
      if (y == 0) break;
      const int left = std::max(best - 1, 0), right = std::min(best + 1, width - 1);
      int parent = left;
      for (int x = left + 1; x <= right; ++x)
        if (at(costs, x, y - 1) < at(costs, parent, y - 1)) parent = x;
      best = parent;
    }
    for (int y = 0; y < height; ++y) {
      Byte* const row = grey.data() + static_cast<std::size_t>(y) * pitch;
      std::copy(row + seam[static_cast<std::size_t>(y)] + 1, row + width, row + seam[static_cast<std::size_t>(y)]);
    }
  }
  for (int y = 0; y < height; ++y)
    std::copy_n(grey.data() + static_cast<std::size_t>(y) * pitch, out.shape.width, row_of(out, y));
}
bool seam_carving_supports(const ParamBox& params, const Shape& shape) {
  const auto& p = params.as<SeamCarving::Params>();
  return holds<std::uint8_t>(shape) && p.height == 0 && (p.width == 0 || p.width <= shape.width) &&
         p.energy == threadscape::seam_carving::Energy::gradient && p.path == threadscape::seam_carving::Path::dp &&
         p.protect.empty() && p.remove.empty() && !p.restore_size && p.seams_per_pass == 1 && p.map.empty() &&
         p.output == SeamCarving::Output::picture;
}

// ---- Depth buffer

struct Clipped {
  float x, y, z, w;

  /// Distance from a plane of the view volume, positive inside: x, y or z, at -w or at w.
  [[nodiscard]] float from(int plane) const {
    const float value = plane < 2 ? x : plane < 4 ? y : z;
    return plane % 2 == 0 ? w + value : w - value;
  }
};
/// A triangle cut by six planes has at most nine corners.
using Polygon = std::array<Clipped, 10>;

/// Cuts off what is outside of the view volume (Sutherland and Hodgman), and returns the number of corners that remain.
int clip(Polygon& polygon) {
  int count = 3;
  for (int plane = 0; plane < 6; ++plane) {
    const auto outside = std::count_if(polygon.begin(), polygon.begin() + count,
                                       [&](const Clipped& corner) { return corner.from(plane) < 0.0f; });
    if (outside == count) return 0;
    if (outside == 0) continue;
    Polygon kept;
    int n = 0;
    for (int i = 0; i < count; ++i) {
      const Clipped &a = polygon[static_cast<std::size_t>(i)], &b = polygon[static_cast<std::size_t>((i + 1) % count)];
      const float from_a = a.from(plane), from_b = b.from(plane), share = from_a / (from_a - from_b);
      if (from_a >= 0.0f) kept[static_cast<std::size_t>(n++)] = a;
      if ((from_a >= 0.0f) != (from_b >= 0.0f))
        kept[static_cast<std::size_t>(n++)] = {a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share,
                                               a.z + (b.z - a.z) * share, a.w + (b.w - a.w) * share};
      if (n > 8) break;
    }
    polygon = kept;
    count = n;
  }
  return count;
}

struct Corner {
  std::int64_t x, y;  ///< Fixed point: 256 steps are a pixel, whose centre has whole numbers.
  double z;
};
Corner on_screen(const Clipped& at, int width, int height) {
  const float nearness = 1.0f / at.w, half_width = 0.5f * static_cast<float>(width),
              half_height = 0.5f * static_cast<float>(height);
  const float x = std::fma(at.x * nearness, half_width, half_width);
  const float y = std::fma(at.y * nearness, -half_height, half_height);
  return {std::lrint((x - 0.5f) * 256.0f), std::lrint((y - 0.5f) * 256.0f),
          0.5 * static_cast<double>(at.z * nearness) + 0.5};
}

/// Draws the depths of a triangle: the three edge functions at every pixel of its box.
void draw_depths(HostOut out, int width, int height, const Corner& a, Corner b, Corner c) {
  const auto area = [](const Corner& from, const Corner& to, std::int64_t x, std::int64_t y) {
    return (to.x - from.x) * (y - from.y) - (to.y - from.y) * (x - from.x);
  };
  if (area(a, b, c.x, c.y) < 0) std::swap(b, c);
  const std::int64_t whole = area(a, b, c.x, c.y);
  if (whole == 0) return;
  // A pixel on an edge belongs to the triangle whose upper or left edge that is.
  const auto rule = [](const Corner& from, const Corner& to) {
    return to.y < from.y || (to.y == from.y && to.x > from.x) ? 0 : -1;
  };
  const int x0 = std::max(0, static_cast<int>((std::min({a.x, b.x, c.x}) + 255) >> 8));
  const int x1 = std::min(width - 1, static_cast<int>(std::max({a.x, b.x, c.x}) >> 8));
  const int y0 = std::max(0, static_cast<int>((std::min({a.y, b.y, c.y}) + 255) >> 8));
  const int y1 = std::min(height - 1, static_cast<int>(std::max({a.y, b.y, c.y}) >> 8));
  for (int y = y0; y <= y1; ++y)
    for (int x = x0; x <= x1; ++x) {
      const std::int64_t at_x = 256 * std::int64_t{x}, at_y = 256 * std::int64_t{y};
      const std::int64_t to_a = area(b, c, at_x, at_y), to_b = area(c, a, at_x, at_y), to_c = area(a, b, at_x, at_y);
      if (to_a + rule(b, c) < 0 || to_b + rule(c, a) < 0 || to_c + rule(a, b) < 0) continue;
      const double z =
          (static_cast<double>(to_a) * a.z + static_cast<double>(to_b) * b.z + static_cast<double>(to_c) * c.z) /
          static_cast<double>(whole);
      float& depth = floats_of(out, y)[x];
      if (static_cast<float>(z) < depth) depth = static_cast<float>(z);
    }
}

/// Draws the depths of a mesh, triangle by triangle: clipped, divided by w, and filled.
void depth_buffer(HostIn in, HostOut out, int, const ParamBox& params) {
  const auto& p = params.as<Rasterize::Params>();
  const MeshView mesh{reinterpret_cast<const std::uint32_t*>(in.data)};
  const MeshHeader& head = mesh.header();
  const rasterize::Camera camera = rasterize::make_camera(p, head.low, head.high);
  std::vector<Clipped> corners(head.vertices);
  for (std::uint32_t i = 0; i < head.vertices; ++i) {
    const Float3 at = mesh.position(i);
    const auto row = [&](const float* m) { return m[0] * at.x + m[1] * at.y + m[2] * at.z + m[3]; };
    const float* m = camera.clip.m;
    corners[i] = {row(m), row(m + 4), row(m + 8), row(m + 12)};
  }
  for (int y = 0; y < p.height; ++y)
    std::fill_n(floats_of(out, y), p.width, 1.0f);
  for (std::uint32_t i = 0; i < head.triangles; ++i) {
    Polygon polygon{corners[mesh.corner(i, 0)], corners[mesh.corner(i, 1)], corners[mesh.corner(i, 2)]};
    const int count = clip(polygon);
    for (int k = 2; k < count; ++k)
      draw_depths(out, p.width, p.height, on_screen(polygon[0], p.width, p.height),
                  on_screen(polygon[static_cast<std::size_t>(k - 1)], p.width, p.height),
                  on_screen(polygon[static_cast<std::size_t>(k)], p.width, p.height));
  }
}
bool depth_buffer_supports(const ParamBox& params, const Shape&) {
  const auto& p = params.as<Rasterize::Params>();
  return p.output == rasterize::Output::depth && p.visibility == rasterize::Visibility::z_buffer &&
         p.mesh != MeshShape::glass && p.near_plane == 0.0f && p.far_plane == 0.0f &&
         p.culling == rasterize::Culling::none && p.min_area == 0.0f && p.min_opacity == 0.0f && !p.wireframe &&
         p.depth_bits == rasterize::DepthBits::float32 && p.view_matrix.empty() && p.projection_matrix.empty();
}

}  // namespace

std::span<const Peer> graphics_peers() {
  static const std::array all{Peer{"chain", "textbook", chain, chain_supports, Backend::serial},
                              Peer{"seam_carving", "textbook", seam_carving, seam_carving_supports, Backend::serial},
                              Peer{"rasterize", "textbook", depth_buffer, depth_buffer_supports, Backend::serial}};
  return all;
}

}  // namespace threadscape::app::textbook
