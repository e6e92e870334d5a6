// The inner loops of the tiles, for the widest vectors of the CPU. Coverage takes 32-bit integers: relative to a tile
// that an edge crosses, its edge function has at most 31 bits; an edge that does not cross the tile is left out.

#include <cstring>

#include "compute/algorithms/graphics/rasterize/openmp/rasterize_tiles.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/algorithms/graphics/rasterize/openmp/rasterize_tiles_simd.cpp"
#include "hwy/foreach_target.h"
//
#include "hwy/highway.h"
//
#include "compute/algorithms/graphics/rasterize/openmp/rasterize_fragments-inl.h"
#include "compute/algorithms/graphics/rasterize/openmp/rasterize_lane_triangles-inl.h"

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
        key = hn::ConvertTo(d, hn::Add(hn::Mul(z, hn::Set(f, depth_scale(bits))), hn::Set(f, 0.5f)));
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
  else if (plan.depth_bits == DepthBits::fixed16)
    draw_records<false, DepthBits::fixed16>(list, x, y, tile);
  else if (plan.depth_bits == DepthBits::fixed8)
    draw_records<false, DepthBits::fixed8>(list, x, y, tile);
  else
    draw_records<false, DepthBits::fixed4>(list, x, y, tile);
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
      // Beyond these limits a product of a weight with 0 could be NaN, which only the general code handles.
      const bool tame = s.inverse_w > 1e-12f && s.inverse_w < 1e12f;
      flags[i] = static_cast<std::uint8_t>(outcode(v, 1.0f) | (cut ? unsigned{needs_clipping} : 0u) |
                                           (tame ? 0u : unsigned{untame_weight}));
    }
  }
  if (frame.host.lights.empty()) return;
  const float shininess = frame.host.mesh.material(0).shininess;
  for (std::uint32_t i = first; i < end; ++i)
    frame.host.lights[i] = vertex_light(plan, frame.host.mesh, i, shininess, false);
}

// ---- Colours: the pixels of a tile are grouped by their triangles, so that lanes are pixels of one triangle

/// Pixels of a row with the same triangle; `next` is the run of the triangle below or to the right of it.
struct Run {
  std::uint8_t x, y, length;
  std::uint16_t next;
};
inline constexpr std::uint16_t no_run = 0xffff;

/// The runs of a tile, as a list for each group. A triangle can have several groups where groups of others use its slot
/// in the table in turns.
struct Groups {
  static constexpr std::uint32_t slots = 1024;
  struct Group {
    std::uint32_t triangle;
    std::uint16_t first, last, pixels;
  };
  int run_count = 0, group_count = 0;
  std::uint16_t group_in_slot[slots];
  Group group[cpu_tile_pixels];
  Run run[cpu_tile_pixels];

  void clear() {
    run_count = group_count = 0;
    std::fill_n(group_in_slot, slots, no_run);
  }

  void add(std::uint32_t triangle, int x, int y, int length) {
    const auto here = static_cast<std::uint16_t>(run_count++);
    run[here] = {static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(y), static_cast<std::uint8_t>(length), no_run};
    std::uint16_t& slot = group_in_slot[triangle % slots];
    if (slot == no_run || group[slot].triangle != triangle) {
      slot = static_cast<std::uint16_t>(group_count++);
      group[slot] = {triangle, here, here, static_cast<std::uint16_t>(length)};
      return;
    }
    Group& g = group[slot];
    run[g.last].next = here;
    g.last = here;
    g.pixels = static_cast<std::uint16_t>(g.pixels + length);
  }
};

/// Fills in the runs of a row of triangles, in which no_triangle stands for the background.
void find_runs(const std::uint32_t* triangles, int y, int width, Groups& groups) {
  for (int x = 0; x < width;) {
    const std::uint32_t triangle = triangles[x];
    int end = x + 1;
    while (end < width && triangles[end] == triangle)
      ++end;
    if (triangle != no_triangle) groups.add(triangle, x, y, end - x);
    x = end;
  }
}

/// Returns true if the triangle is not clipped, and the weights of its pixels are finite.
bool is_plain(const TileFrame& frame, std::uint32_t triangle) {
  unsigned flags = 0;
  for (int i = 0; i < 3; ++i)
    flags |= frame.flags[frame.host.mesh.corner(triangle, i)];
  return (flags & (needs_clipping | untame_weight)) == 0;
}

/// The piece of a triangle that is plain. Returns false for others.
bool whole_piece(const TileFrame& frame, std::uint32_t triangle, Piece& piece) {
  if (!is_plain(frame, triangle)) return false;
  for (int i = 0; i < 3; ++i)
    piece.corner[i] = frame.screen[frame.host.mesh.corner(triangle, i)];
  bool swapped = false;
  set_up(piece.corner, *frame.host.plan, piece.screen, swapped);
  piece.polygon_corner[0] = 0;
  piece.polygon_corner[1] = swapped ? 2 : 1;
  piece.polygon_corner[2] = swapped ? 1 : 2;
  return true;
}

/// The colours of the pixels of a run of a clipped triangle, whose piece differs from pixel to pixel.
void shade_clipped(const TileFrame& frame, std::uint32_t triangle, int x, int y, int length, std::uint32_t* out) {
  const Plan& plan = *frame.host.plan;
  const std::array<ClipVertex, 3> corner = frame.host.corners(triangle);
  for (int i = 0; i < length; ++i)
    with_visible_piece(corner.data(), plan, x + i, y, [&](const Piece& piece, const Polygon& polygon) {
      out[i] =
          packed(fragment_colour(plan, frame.host.mesh, triangle, piece, polygon, x + i, y, frame.host.light_table()));
    });
}

/// Pixels that are shaded at a time, and room for a run and a vector behind them.
constexpr int batch_pixels = 256, batch_room = batch_pixels + cpu_tile + 16;

struct Batch {
  alignas(64) std::int32_t triangle[batch_room];  ///< Set only for pixels of different triangles.
  alignas(64) std::int32_t x[batch_room];
  alignas(64) std::int32_t y[batch_room];
  alignas(64) std::int32_t colour[batch_room];
};

/// Appends the pixels of a run. Writes up to a vector more.
HWY_INLINE void append_run(int x, int y, int length, int at, Batch& batch) {
  const IntTag d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto columns = hn::Iota(d, x), row = hn::Set(d, y);
  for (int i = 0; i < length; i += lanes) {
    hn::StoreU(hn::Add(columns, hn::Set(d, i)), d, batch.x + at + i);
    hn::StoreU(row, d, batch.y + at + i);
  }
}

void shade_group(const TileFrame& frame, int x0, int y0, const Groups& groups, const Groups::Group& group,
                 Batch& batch) {
  const Plan& plan = *frame.host.plan;
  const auto pixels_at = [&](const Run& run) {
    return reinterpret_cast<std::uint32_t*>(frame.host.out.image<Rgba8>().row(y0 + run.y) + (x0 + run.x));
  };
  Piece piece{};
  if (!whole_piece(frame, group.triangle, piece)) {
    for (std::uint16_t i = group.first; i != no_run; i = groups.run[i].next) {
      const Run& run = groups.run[i];
      shade_clipped(frame, group.triangle, x0 + run.x, y0 + run.y, run.length, pixels_at(run));
    }
    return;
  }
  FragmentTriangle t;
  set_up_fragments(plan, frame.host.mesh, group.triangle, piece, frame.host.light_table(), t);
  const int lanes = static_cast<int>(hn::Lanes(IntTag()));
  for (std::uint16_t first = group.first; first != no_run;) {
    int count = 0;
    std::uint16_t end = first;
    for (; end != no_run && count + groups.run[end].length <= batch_pixels; end = groups.run[end].next) {
      const Run& run = groups.run[end];
      append_run(x0 + run.x, y0 + run.y, run.length, count, batch);
      count += run.length;
    }
    // Lanes behind the last pixel repeat it, so that they are inside of the triangle.
    hn::StoreU(hn::Set(IntTag(), batch.x[count - 1]), IntTag(), batch.x + count);
    hn::StoreU(hn::Set(IntTag(), batch.y[count - 1]), IntTag(), batch.y + count);
    for (int i = 0; i < count; i += lanes)
      hn::Store(shade_lanes(plan, frame.host.mesh, t, batch.x + i, batch.y + i), IntTag(), batch.colour + i);
    count = 0;
    for (std::uint16_t i = first; i != end; i = groups.run[i].next) {
      std::copy_n(batch.colour + count, groups.run[i].length, pixels_at(groups.run[i]));
      count += groups.run[i].length;
    }
    first = end;
  }
}

/// Groups of at most so many pixels are shaded together with other groups. The pixels of larger ones fill a vector well
/// enough that their triangle is better set up once. A limit of 8 made no measurable difference.
constexpr int most_pixels_together = 4;

/// Shades pixels of different triangles together.
class SmallGroups {
 public:
  SmallGroups(const TileFrame& frame, int x0, int y0, Batch& batch) : frame_(frame), x0_(x0), y0_(y0), batch_(batch) {}

  /// Returns false, and does nothing, if the group is to be shaded on its own.
  bool take(const Groups& groups, const Groups::Group& group) {
    if (group.pixels > most_pixels_together || !is_plain(frame_, group.triangle)) return false;
    if (count_ + most_pixels_together > batch_pixels) shade();
    for (std::uint16_t i = group.first; i != no_run; i = groups.run[i].next)
      for (int k = 0; k < groups.run[i].length; ++k) {
        batch_.triangle[count_] = static_cast<std::int32_t>(group.triangle);
        batch_.x[count_] = x0_ + groups.run[i].x + k;
        batch_.y[count_] = y0_ + groups.run[i].y;
        ++count_;
      }
    return true;
  }

  /// Writes the colours of all pixels that were taken.
  void shade() {
    if (count_ == 0) return;
    const IntTag d;
    const int lanes = static_cast<int>(hn::Lanes(d));
    // Lanes behind the last pixel repeat it.
    for (std::int32_t* const values : {batch_.triangle, batch_.x, batch_.y})
      hn::StoreU(hn::Set(d, values[count_ - 1]), d, values + count_);
    for (int i = 0; i < count_; i += lanes) {
      LaneTriangles t;
      set_up_lane_triangles(frame_, hn::Load(d, batch_.triangle + i), t);
      hn::Store(shade_lanes(*frame_.host.plan, frame_.host.mesh, t, batch_.x + i, batch_.y + i), d, batch_.colour + i);
    }
    const auto out = frame_.host.out.image<Rgba8>();
    for (int i = 0; i < count_; ++i)
      std::memcpy(out.row(batch_.y[i]) + batch_.x[i], batch_.colour + i, sizeof(Rgba8));
    count_ = 0;
  }

 private:
  const TileFrame& frame_;
  int x0_, y0_;  ///< The first pixel of the tile.
  Batch& batch_;
  int count_ = 0;
};

void fill_background(const TileFrame& frame, int x0, int y0) {
  const Plan& plan = *frame.host.plan;
  const int width = std::min(cpu_tile, plan.width - x0), height = std::min(cpu_tile, plan.height - y0);
  for (int y = y0; y < y0 + height; ++y)
    std::fill_n(reinterpret_cast<std::uint32_t*>(frame.host.out.image<Rgba8>().row(y) + x0), width, plan.background);
}

void shade_tile(const TileFrame& frame, int x0, int y0, const TileBuffer& tile) {
  const Plan& plan = *frame.host.plan;
  const int width = std::min(cpu_tile, plan.width - x0), height = std::min(cpu_tile, plan.height - y0);
  Groups groups;
  Batch batch;
  groups.clear();
  for (int y = 0; y < height; ++y)
    find_runs(tile.triangle + y * cpu_tile, y, width, groups);
  fill_background(frame, x0, y0);
  if (shades_lane_triangles(frame)) {
    SmallGroups small(frame, x0, y0, batch);
    int others = 0;
    for (int i = 0; i < groups.group_count; ++i)
      if (!small.take(groups, groups.group[i])) groups.group[others++] = groups.group[i];
    small.shade();
    groups.group_count = others;
  }
  for (int i = 0; i < groups.group_count; ++i)
    shade_group(frame, x0, y0, groups, groups.group[i], batch);
  if (!plan.transparent) return;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      frame.host.at(x0 + x, y0 + y) = visible_in(tile, x, y);
}

void resolve_simd(const TileFrame& frame, int x0, int y0, const TileBuffer& tile) {
  const Plan& plan = *frame.host.plan;
  if (plan.output == Output::picture) {
    shade_tile(frame, x0, y0, tile);
    return;
  }
  const int width = std::min(cpu_tile, plan.width - x0), height = std::min(cpu_tile, plan.height - y0);
  for (int y = 0; y < height; ++y) {
    const std::uint32_t* const keys = tile.key + y * cpu_tile;
    const std::uint32_t* const triangles = tile.triangle + y * cpu_tile;
    float* const out = frame.host.out.image<float>().row(y0 + y) + x0;
    if (plan.output == Output::overdraw)
      for (int x = 0; x < width; ++x)
        out[x] = static_cast<float>(triangles[x]);
    else if (plan.visibility == Visibility::painter)
      for (int x = 0; x < width; ++x)
        out[x] = shown_depth(frame.host, visible_in(tile, x, y), x0 + x, y0 + y);
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
HWY_EXPORT(fill_background);

void draw_list(const Plan& plan, const TileList& list, int x, int y, TileBuffer& tile) {
  HWY_DYNAMIC_DISPATCH(draw_list_simd)(plan, list, x, y, tile);
}
void transform_vertices_fast(const TileFrame& frame, std::uint32_t first, std::uint32_t end) {
  HWY_DYNAMIC_DISPATCH(transform_simd)(frame, first, end);
}
void resolve_empty_tile(const TileFrame& frame, int x, int y) {
  HWY_DYNAMIC_DISPATCH(fill_background)(frame, x, y);
}
void resolve_tile(const TileFrame& frame, int x, int y, const TileBuffer& tile) {
  HWY_DYNAMIC_DISPATCH(resolve_simd)(frame, x, y, tile);
}

}  // namespace threadscape::rasterize
#endif
