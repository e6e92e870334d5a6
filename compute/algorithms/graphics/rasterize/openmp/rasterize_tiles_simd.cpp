// The inner loops of the tiles, for the widest vectors of the CPU. Coverage takes 32-bit integers: relative to a tile
// that an edge crosses, its edge function has at most 31 bits; an edge that does not cross the tile is left out.

#include "compute/algorithms/graphics/rasterize/openmp/rasterize_tiles.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/algorithms/graphics/rasterize/openmp/rasterize_tiles_simd.cpp"
#include "hwy/foreach_target.h"
//
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace threadscape::rasterize {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// An edge function relative to the first pixel of a tile.
struct TileEdge {
  std::int32_t a, b, start;
};

/// Fills in the three edges of a record. Returns false if the record does not cover a pixel of the tile.
bool edges_in_tile(const TileRecord& r, int x, int y, TileEdge* edges) {
  const std::int32_t a[3] = {r.a[0], r.a[1], -(r.a[0] + r.a[1])}, b[3] = {r.b[0], r.b[1], -(r.b[0] + r.b[1])};
  for (int i = 0; i < 3; ++i) {
    const std::int64_t start = static_cast<std::int64_t>(a[i]) * x + static_cast<std::int64_t>(b[i]) * y + r.c[i];
    constexpr std::int64_t far_pixel = cpu_tile - 1;
    const std::int64_t low = start + (a[i] < 0 ? a[i] * far_pixel : 0) + (b[i] < 0 ? b[i] * far_pixel : 0);
    const std::int64_t high = start + (a[i] > 0 ? a[i] * far_pixel : 0) + (b[i] > 0 ? b[i] * far_pixel : 0);
    if (high < 0) return false;
    edges[i] = low >= 0 ? TileEdge{0, 0, 0} : TileEdge{a[i], b[i], static_cast<std::int32_t>(start)};
  }
  return true;
}

/// Draws or counts the pixels of a record in a tile.
template <bool counting, DepthBits bits>
HWY_INLINE void draw_record(const TileRecord& r, int tile_x, int tile_y, TileBuffer& tile) {
  TileEdge edge[3];
  if (!edges_in_tile(r, tile_x, tile_y, edge)) return;
  const hn::CappedTag<std::int32_t, 16> d;
  const hn::Rebind<float, decltype(d)> f;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const int x0 = (std::max<int>(r.x0, tile_x) - tile_x) / lanes * lanes,
            x1 = std::min<int>(r.x1, tile_x + cpu_tile - 1) - tile_x;
  const int y0 = std::max<int>(r.y0, tile_y) - tile_y, y1 = std::min<int>(r.y1, tile_y + cpu_tile - 1) - tile_y;
  const auto iota = hn::Iota(d, 0);
  const auto first = hn::Add(iota, hn::Set(d, x0));
  const auto edge_x = [&](int i) HWY_ATTR { return hn::Mul(first, hn::Set(d, edge[i].a)); };
  const auto e0 = edge_x(0), e1 = edge_x(1), e2 = edge_x(2);
  const auto step0 = hn::Set(d, edge[0].a * lanes), step1 = hn::Set(d, edge[1].a * lanes),
             step2 = hn::Set(d, edge[2].a * lanes);
  const auto z_dx = hn::Set(f, r.z_dx), z_low = hn::Set(f, r.z_low), z_high = hn::Set(f, r.z_high);
  const auto id = hn::Set(d, static_cast<std::int32_t>(r.triangle));
  for (int y = y0; y <= y1; ++y) {
    auto v0 = hn::Add(e0, hn::Set(d, edge[0].start + y * edge[0].b));
    auto v1 = hn::Add(e1, hn::Set(d, edge[1].start + y * edge[1].b));
    auto v2 = hn::Add(e2, hn::Set(d, edge[2].start + y * edge[2].b));
    const auto z_row = hn::Set(f, r.z + static_cast<float>(tile_y + y - r.y0) * r.z_dy);
    for (int x = x0; x <= x1; x += lanes) {
      const auto inside = hn::Gt(hn::Or(hn::Or(v0, v1), v2), hn::Set(d, -1));
      v0 = hn::Add(v0, step0);
      v1 = hn::Add(v1, step1);
      v2 = hn::Add(v2, step2);
      if (hn::AllFalse(d, inside)) continue;
      auto* const keys = reinterpret_cast<std::int32_t*>(tile.key + y * cpu_tile + x);
      auto* const ids = reinterpret_cast<std::int32_t*>(tile.triangle + y * cpu_tile + x);
      if constexpr (counting) {
        hn::Store(hn::Add(hn::Load(d, ids), hn::IfThenElseZero(inside, hn::Set(d, 1))), d, ids);
        continue;
      }
      const auto column = hn::ConvertTo(f, hn::Add(iota, hn::Set(d, tile_x + x - r.x0)));
      // As clamp_of(depth, low, high): first the maximum, then the minimum.
      auto z = hn::Add(z_row, hn::Mul(column, z_dx));
      z = hn::IfThenElse(hn::Gt(z, z_low), z, z_low);
      z = hn::IfThenElse(hn::Lt(z, z_high), z, z_high);
      auto key = hn::BitCast(d, z);
      if constexpr (bits != DepthBits::float32) {
        const float scale = bits == DepthBits::fixed24 ? 16777215.0f : 65535.0f;
        key = hn::ConvertTo(d, hn::Add(hn::Mul(z, hn::Set(f, scale)), hn::Set(f, 0.5f)));
      }
      const auto stored = hn::Load(d, keys), stored_id = hn::Load(d, ids);
      const auto in_front = hn::Or(hn::Lt(key, stored), hn::And(hn::Eq(key, stored), hn::Lt(id, stored_id)));
      const auto wins = hn::And(inside, in_front);
      hn::Store(hn::IfThenElse(wins, key, stored), d, keys);
      hn::Store(hn::IfThenElse(wins, id, stored_id), d, ids);
    }
  }
}

template <bool counting, DepthBits bits>
void draw_records(const TileList& list, int x, int y, TileBuffer& tile) {
  for (std::uint32_t i = list.head; i != none_next; i = list.entries[i].next)
    draw_record<counting, bits>(list.records[list.entries[i].record], x, y, tile);
}

void draw_list_simd(const Plan& plan, const TileList& list, int x, int y, TileBuffer& tile) {
  if (plan.output == Output::overdraw)
    draw_records<true, DepthBits::float32>(list, x, y, tile);
  else if (plan.depth_bits == DepthBits::float32)
    draw_records<false, DepthBits::float32>(list, x, y, tile);
  else if (plan.depth_bits == DepthBits::fixed24)
    draw_records<false, DepthBits::fixed24>(list, x, y, tile);
  else
    draw_records<false, DepthBits::fixed16>(list, x, y, tile);
}

/// Vertices that are in registers and the first cache at a time.
constexpr int vertex_batch = 64;

void transform_simd(const TileFrame& frame, std::uint32_t first, std::uint32_t end) {
  const Plan& plan = *frame.host.plan;
  const float* const positions = frame.host.mesh.floats(frame.host.mesh.header().positions_at);
  const float reach = plan.guard_band ? 2.0f : 1.0f;
  for (std::uint32_t from = first; from < end; from += vertex_batch) {
    const int count = static_cast<int>(std::min<std::uint32_t>(vertex_batch, end - from));
    const float* HWY_RESTRICT p = positions + std::size_t{3} * from;
    ClipVertex* HWY_RESTRICT clip = frame.host.clip.data() + from;
    ScreenVertex* HWY_RESTRICT screen = frame.screen.data() + from;
    std::uint8_t* HWY_RESTRICT flags = frame.flags.data() + from;
#pragma omp simd
    for (int i = 0; i < count; ++i) {
      const ClipVertex v = transform(plan.camera.clip, {p[3 * i], p[3 * i + 1], p[3 * i + 2]});
      clip[i] = v;
      ScreenVertex s{0, 0, 0.0f, 0.0f};
      const bool placed = to_screen(v, plan.width, plan.height, s);
      screen[i] = s;
      const bool cut = !placed || !is_finite(v) || outcode(v, reach) != 0;
      flags[i] = static_cast<std::uint8_t>(outcode(v, 1.0f) | (cut ? unsigned{needs_clipping} : 0u));
    }
  }
  if (frame.host.lights.empty()) return;
  const float shininess = frame.host.mesh.material(0).shininess;
  for (std::uint32_t i = first; i < end; ++i)
    frame.host.lights[i] = vertex_light(plan, frame.host.mesh, i, shininess, false);
}

/// The surfaces of a row of pixels, with what light_at() needs in arrays of their own.
struct SurfaceRow {
  Surface surface[cpu_tile];
  float px[cpu_tile], py[cpu_tile], pz[cpu_tile], nx[cpu_tile], ny[cpu_tile], nz[cpu_tile], shininess[cpu_tile];
  float diffuse[cpu_tile], specular[cpu_tile];
  int column[cpu_tile];
  int count = 0;
};

/// The triangle of the last pixel, whose values the next pixel mostly needs as well.
struct PresentTriangle {
  std::uint32_t triangle = 0xffffffffu;
  bool clipped = false;  ///< The piece differs from pixel to pixel.
  Piece piece{};
  Polygon polygon;
  double scale = 0;
  Attributes attributes;
};

void change_triangle(const TileFrame& frame, std::uint32_t triangle, PresentTriangle& present) {
  const Plan& plan = *frame.host.plan;
  const MeshView& mesh = frame.host.mesh;
  present.triangle = triangle;
  const std::uint32_t v[3] = {mesh.corner(triangle, 0), mesh.corner(triangle, 1), mesh.corner(triangle, 2)};
  present.clipped = ((frame.flags[v[0]] | frame.flags[v[1]] | frame.flags[v[2]]) & needs_clipping) != 0;
  if (present.clipped) return;
  Piece& piece = present.piece;
  for (int i = 0; i < 3; ++i) {
    piece.corner[i] = frame.screen[v[i]];
    present.polygon.corner[i] = {frame.host.clip[v[i]], i == 1 ? 1.0f : 0.0f, i == 2 ? 1.0f : 0.0f};
  }
  present.polygon.count = 3;
  bool swapped = false;
  set_up(piece.corner, plan, piece.screen, swapped);
  piece.polygon_corner[0] = 0;
  piece.polygon_corner[1] = swapped ? 2 : 1;
  piece.polygon_corner[2] = swapped ? 1 : 2;
  present.scale = weight_scale(piece);
  present.attributes = attributes_of(plan, mesh, triangle, piece.screen.back, frame.host.light_table());
}

void find_piece(const TileFrame& frame, int x, int y, PresentTriangle& present) {
  const Plan& plan = *frame.host.plan;
  const ClipVertex corner[3] = {frame.host.corner(present.triangle, 0), frame.host.corner(present.triangle, 1),
                                frame.host.corner(present.triangle, 2)};
  with_visible_piece(corner, plan, x, y, [&](const Piece& piece, const Polygon& polygon) {
    present.piece = piece;
    present.polygon = polygon;
  });
  present.scale = weight_scale(present.piece);
  present.attributes =
      attributes_of(plan, frame.host.mesh, present.triangle, present.piece.screen.back, frame.host.light_table());
}

void light_row(const Plan& plan, SurfaceRow& row) {
  const bool reflected = plan.shading == Shading::phong;
#pragma omp simd
  for (int i = 0; i < row.count; ++i) {
    const Light light = light_at(plan, {row.px[i], row.py[i], row.pz[i]}, {row.nx[i], row.ny[i], row.nz[i]},
                                 row.shininess[i], reflected);
    row.diffuse[i] = light.diffuse;
    row.specular[i] = light.specular;
  }
}

void shade_row(const TileFrame& frame, int x0, int y, int width, const std::uint32_t* keys,
               const std::uint32_t* triangles, PresentTriangle& present, SurfaceRow& row) {
  const Plan& plan = *frame.host.plan;
  const auto empty = static_cast<std::uint32_t>(nothing_visible(plan.depth_bits) >> 32);
  auto* const out = reinterpret_cast<std::uint32_t*>(frame.host.out.image<Rgba8>().row(y) + x0);
  row.count = 0;
  for (int i = 0; i < width; ++i) {
    if (keys[i] == empty) {
      out[i] = plan.background;
      continue;
    }
    if (triangles[i] != present.triangle) change_triangle(frame, triangles[i], present);
    if (present.clipped) find_piece(frame, x0 + i, y, present);
    const Weights weights = weights_at(present.piece, present.polygon, present.scale, x0 + i, y, plan.interpolation);
    const int n = row.count++;
    Surface& s = row.surface[n];
    s = interpolate(plan, frame.host.mesh, present.attributes, weights, present.piece.screen.back);
    row.column[n] = i;
    row.px[n] = s.position.x;
    row.py[n] = s.position.y;
    row.pz[n] = s.position.z;
    row.nx[n] = s.normal.x;
    row.ny[n] = s.normal.y;
    row.nz[n] = s.normal.z;
    row.shininess[n] = s.shininess;
    row.diffuse[n] = s.light.diffuse;
    row.specular[n] = s.light.specular;
  }
  if (lit_at_pixel(plan.shading)) light_row(plan, row);
  for (int n = 0; n < row.count; ++n)
    out[row.column[n]] = packed(shaded(plan, row.surface[n], {row.diffuse[n], row.specular[n]}));
}

void resolve_simd(const TileFrame& frame, int x0, int y0, const TileBuffer& tile) {
  const Plan& plan = *frame.host.plan;
  const int width = std::min(cpu_tile, plan.width - x0), height = std::min(cpu_tile, plan.height - y0);
  PresentTriangle present;
  SurfaceRow row;
  for (int y = 0; y < height; ++y) {
    const std::uint32_t* const keys = tile.key + y * cpu_tile;
    const std::uint32_t* const triangles = tile.triangle + y * cpu_tile;
    if (plan.output == Output::picture) {
      shade_row(frame, x0, y0 + y, width, keys, triangles, present, row);
      if (!plan.transparent) continue;
      for (int x = 0; x < width; ++x)
        frame.host.at(x0 + x, y0 + y) = visible(keys[x], triangles[x]);
      continue;
    }
    float* const out = frame.host.out.image<float>().row(y0 + y) + x0;
    if (plan.output == Output::overdraw)
      for (int x = 0; x < width; ++x)
        out[x] = static_cast<float>(triangles[x]);
    else if (plan.visibility == Visibility::painter)
      for (int x = 0; x < width; ++x)
        out[x] = shown_depth(frame.host, visible(keys[x], triangles[x]), x0 + x, y0 + y);
    else
      for (int x = 0; x < width; ++x)
        out[x] = depth_of(keys[x], plan.depth_bits);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace threadscape::rasterize
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace threadscape::rasterize {

HWY_EXPORT(draw_list_simd);
HWY_EXPORT(transform_simd);
HWY_EXPORT(resolve_simd);

void draw_list(const Plan& plan, const TileList& list, int x, int y, TileBuffer& tile) {
  HWY_DYNAMIC_DISPATCH(draw_list_simd)(plan, list, x, y, tile);
}
void transform_vertices_fast(const TileFrame& frame, std::uint32_t first, std::uint32_t end) {
  HWY_DYNAMIC_DISPATCH(transform_simd)(frame, first, end);
}
void resolve_tile(const TileFrame& frame, int x, int y, const TileBuffer& tile) {
  HWY_DYNAMIC_DISPATCH(resolve_simd)(frame, x, y, tile);
}

}  // namespace threadscape::rasterize
#endif
