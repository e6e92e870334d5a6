#include "compute/algorithms/graphics/rasterize/rasterize_stages.h"

#include <algorithm>

#include "compute/algorithms/graphics/rasterize/rasterize_blocks.h"
#include "compute/algorithms/graphics/rasterize/rasterize_objects.h"

namespace threadscape::rasterize {

namespace {

bool transparent(const Plan& plan, const MeshView& mesh, std::uint32_t triangle) {
  return plan.transparent && is_transparent(mesh.material(mesh.material_index(triangle)));
}

bool is_left_out(const Plan& plan, const MeshView& mesh, std::uint32_t triangle) {
  return is_too_transparent(plan, mesh.material(mesh.material_index(triangle)));
}

struct Corners {
  ClipVertex at[3];
};
Corners corners_of(const Plan& plan, const MeshView& mesh, std::uint32_t triangle) {
  Corners corners{};
  for (int i = 0; i < 3; ++i)
    corners.at[i] = transform(plan.camera.clip, mesh.position(mesh.corner(triangle, i)));
  return corners;
}

/// Calls use(piece, polygon, clipped) for the pieces of a triangle.
template <class Use>
Fate for_each_piece(const Plan& plan, const MeshView& mesh, std::uint32_t triangle, const Use& use) {
  const Corners corners = corners_of(plan, mesh, triangle);
  return for_each_piece(corners.at[0], corners.at[1], corners.at[2], plan, use);
}

/// A fragment with its places in the orders of depth and of blending.
struct Candidate {
  FragmentRecord record;
  std::uint32_t deciding = 0;
  std::uint64_t layer = 0;
};

/// Marks what became of the opaque fragments, which are in the order of drawing. Returns the key of the depth buffer.
std::uint32_t decide_opaque(const Plan& plan, std::vector<Candidate>& fragments, std::uint32_t& pixel) {
  const std::uint32_t empty = depth_key(1.0f, plan.depth_bits);
  std::uint32_t front = empty;
  Candidate* seen = nullptr;
  for (Candidate& fragment : fragments) {
    if (fragment.deciding >= front) {
      fragment.record.outcome = front == empty ? Outcome::lost_far : Outcome::lost_depth;
    } else {
      if (seen) seen->record.outcome = Outcome::covered;
      fragment.record.outcome = Outcome::visible;
      front = fragment.deciding;
      pixel = packed(fragment.record.colour);
      seen = &fragment;
    }
    fragment.record.pixel_after = pixel;
  }
  return front;
}

ObjectBounds bounds_of_object(const Plan& plan, const MeshView& mesh, const MeshObject& object) {
  ObjectBounds bounds;
  for (std::uint32_t triangle = object.first; triangle < object.end; ++triangle)
    for (const ClipVertex& corner : corners_of(plan, mesh, triangle).at)
      join(bounds, rasterize::bounds_of(corner, plan));
  return bounds;
}

/// Returns true if no fragment in these bounds is in front of the keys of depth of the picture.
bool is_covered(const Plan& plan, const ObjectBounds& bounds, const std::vector<std::uint32_t>& depth) {
  const ObjectBounds part = cut_to_rows(bounds, plan.width, 0, plan.height);
  for (int y = part.y0; y <= part.y1; ++y)
    for (int x = part.x0; x <= part.x1; ++x)
      if (depth[static_cast<std::size_t>(y) * static_cast<std::size_t>(plan.width) + static_cast<std::size_t>(x)] >=
          part.nearest)
        return false;
  return true;
}

}  // namespace

VertexStages vertex_stages(const Plan& plan, const MeshView& mesh, std::uint32_t triangle, int corner) {
  const std::uint32_t vertex = mesh.corner(triangle, corner);
  VertexStages stages;
  stages.object = mesh.position(vertex);
  stages.world = transform_point(plan.camera.model, stages.object);
  stages.camera = transform_point(plan.camera.view, stages.world);
  stages.clip = transform(plan.camera.clip, stages.object);
  stages.outside = outcode(stages.clip, 1.0f);
  stages.light = vertex_light(plan, mesh, vertex, mesh.material(mesh.material_index(triangle)).shininess, false);
  stages.on_screen = is_finite(stages.clip) && to_screen(stages.clip, plan.width, plan.height, stages.screen);
  if (!stages.on_screen) return stages;
  const float inverse_w = stages.screen.inverse_w;
  stages.normalised = Float3{stages.clip.x, stages.clip.y, stages.clip.z} * inverse_w;
  stages.pixel_x = static_cast<float>(stages.screen.x) / subpixel;
  stages.pixel_y = static_cast<float>(stages.screen.y) / subpixel;
  return stages;
}

TriangleStages triangle_stages(const Plan& plan, const MeshView& mesh, std::uint32_t triangle) {
  TriangleStages stages;
  const Corners corners = corners_of(plan, mesh, triangle);
  const Fate clip_fate =
      clip_triangle(corners.at[0], corners.at[1], corners.at[2], plan.guard_band, stages.polygon, stages.clipped);
  if (clip_fate != Fate::drawn) stages.polygon.count = 0;
  if (is_left_out(plan, mesh, triangle)) {
    stages.fate = Fate::too_transparent;
    return stages;
  }
  stages.fate = for_each_piece(plan, mesh, triangle,
                               [&](const Piece& piece, const Polygon&, bool) { stages.pieces.push_back(piece); });
  return stages;
}

std::vector<Coverage> coverage(const Piece& piece) {
  const ScreenTriangle& t = piece.screen;
  return coverage(piece, {t.x0, t.y0, t.x1, t.y1});
}

std::vector<Coverage> coverage(const Piece& piece, const PixelRange& range) {
  const ScreenTriangle& t = piece.screen;
  std::vector<Coverage> pixels;
  for (int y = std::max(t.y0, range.y0); y <= std::min(t.y1, range.y1); ++y)
    for (int x = std::max(t.x0, range.x0); x <= std::min(t.x1, range.x1); ++x) {
      Coverage at{.x = x, .y = y, .edge = {}, .covered = covers(t, x, y)};
      for (int i = 0; i < 3; ++i)
        at.edge[i] = static_cast<std::int64_t>(t.a[i]) * x + static_cast<std::int64_t>(t.b[i]) * y + t.c[i];
      pixels.push_back(at);
    }
  return pixels;
}

std::vector<FragmentRecord> pixel_history(const Plan& plan, const MeshView& mesh, int x, int y) {
  if (plan.wireframe) return {};
  std::vector<Candidate> opaque, layers;
  for (std::uint32_t triangle = 0; triangle < plan.triangles; ++triangle) {
    if (is_left_out(plan, mesh, triangle)) continue;
    for_each_piece(plan, mesh, triangle, [&](const Piece& piece, const Polygon& polygon, bool) {
      const ScreenTriangle& t = piece.screen;
      if (x < t.x0 || x > t.x1 || y < t.y0 || y > t.y1 || !covers(t, x, y)) return;
      Candidate fragment;
      fragment.record.triangle = triangle;
      fragment.record.depth = depth_of(depth_key(depth_at(t, x, y), plan.depth_bits), plan.depth_bits);
      fragment.record.colour = fragment_colour(plan, mesh, triangle, piece, polygon, x, y, nullptr);
      fragment.deciding = depth_key(deciding_depth(t, x, y, plan.visibility), plan.depth_bits);
      fragment.layer = layer_key(plan, t, triangle, x, y);
      (transparent(plan, mesh, triangle) ? layers : opaque).push_back(fragment);
    });
  }

  std::uint32_t pixel = plan.background;
  const std::uint32_t front = decide_opaque(plan, opaque, pixel);
  std::stable_sort(layers.begin(), layers.end(),
                   [](const Candidate& a, const Candidate& b) { return a.layer < b.layer; });
  std::uint64_t last = 0;
  Layers blending = no_layers(pixel);
  for (Candidate& fragment : layers) {
    fragment.record.outcome = Outcome::lost_depth;
    if (fragment.deciding < front && fragment.layer != last) {
      last = fragment.layer;
      fragment.record.outcome = Outcome::blended;
      add_layer(plan, blending, fragment.record.colour);
    }
    fragment.record.pixel_after = pixel_of(plan, blending);
  }
  std::vector<FragmentRecord> history;
  for (const std::vector<Candidate>* part : {&opaque, &layers})
    for (const Candidate& fragment : *part)
      history.push_back(fragment.record);
  return history;
}

Counters count_work(const Plan& plan, const MeshView& mesh) {
  Counters counters;
  counters.triangles = plan.triangles;
  const auto width = static_cast<std::size_t>(plan.width);
  std::vector<std::uint32_t> depth(width * static_cast<std::size_t>(plan.height), depth_key(1.0f, plan.depth_bits));
  const bool late = plan.depth_test == DepthTest::late;
  const auto fragment = [&](const ScreenTriangle& t, int x, int y, bool keeps) {
    std::uint32_t& stored = depth[static_cast<std::size_t>(y) * width + static_cast<std::size_t>(x)];
    const std::uint32_t key = depth_key(deciding_depth(t, x, y, plan.visibility), plan.depth_bits);
    const bool passes = key < stored;
    ++counters.fragments;
    if (passes && keeps) stored = key;
    if (passes || late) ++counters.shaded;
    if (passes && !keeps) ++counters.blended;
    if (!passes) ++(late ? counters.killed_late : counters.killed_early);
  };
  // With the hierarchical test: the farthest key of each block of pixels.
  const int across = (plan.width + depth_block - 1) / depth_block, down = (plan.height + depth_block - 1) / depth_block;
  std::vector<std::uint32_t> farthest;
  if (tests_blocks(plan))
    farthest.assign(static_cast<std::size_t>(across) * static_cast<std::size_t>(down),
                    depth_key(1.0f, plan.depth_bits));
  const auto draw_part = [&](const ScreenTriangle& t, const BlockPart& part, bool opaque_pass) {
    std::uint32_t& behind = farthest[static_cast<std::size_t>(part.block)];
    const bool lost = nearest_key(plan, t, part.x0, part.y0, part.x1, part.y1) >= behind;
    for (int y = part.y0; y <= part.y1; ++y)
      for (int x = part.x0; x <= part.x1; ++x) {
        if (!covers(t, x, y)) continue;
        fragment(t, x, y, opaque_pass);
        counters.in_blocks += lost ? 1 : 0;
      }
    if (lost || !opaque_pass) return;
    behind = 0;
    const int left = part.block % across * depth_block, top = part.block / across * depth_block;
    for (int y = top; y < std::min(top + depth_block, plan.height); ++y)
      for (int x = left; x < std::min(left + depth_block, plan.width); ++x)
        behind = std::max(behind, depth[static_cast<std::size_t>(y) * width + static_cast<std::size_t>(x)]);
  };
  const auto draw = [&](bool opaque_pass, const MeshObject& triangles) {
    for (std::uint32_t triangle = triangles.first; triangle < triangles.end; ++triangle) {
      if (transparent(plan, mesh, triangle) == opaque_pass) continue;
      if (is_left_out(plan, mesh, triangle)) {
        ++counters.too_transparent;
        continue;
      }
      bool was_clipped = false;
      const Fate fate = for_each_piece(plan, mesh, triangle, [&](const Piece& piece, const Polygon&, bool clipped) {
        was_clipped = clipped;
        ++counters.rasterised;
        const ScreenTriangle& t = piece.screen;
        if (!farthest.empty())
          return for_each_block(t, 0, plan.height, across,
                                [&](const BlockPart& part) { draw_part(t, part, opaque_pass); });
        for (int y = t.y0; y <= t.y1; ++y)
          for (int x = t.x0; x <= t.x1; ++x)
            if (covers(t, x, y)) fragment(t, x, y, opaque_pass);
      });
      counters.clipped += was_clipped ? 1 : 0;
      counters.outside += fate == Fate::outside ? 1 : 0;
      counters.culled += fate == Fate::culled ? 1 : 0;
      counters.too_small += fate == Fate::too_small ? 1 : 0;
      counters.degenerate += fate == Fate::degenerate ? 1 : 0;
      counters.not_finite += fate == Fate::not_finite ? 1 : 0;
    }
  };
  if (!tests_objects(plan)) {
    draw(true, {0, plan.triangles});
  } else {
    const ObjectList objects = find_objects(plan, mesh);
    counters.objects = static_cast<std::uint64_t>(objects.count);
    for (int i = 0; i < objects.count; ++i) {
      const MeshObject& object = objects.at[i];
      if (!is_covered(plan, bounds_of_object(plan, mesh, object), depth)) {
        draw(true, object);
        continue;
      }
      ++counters.hidden_objects;
      for (std::uint32_t triangle = object.first; triangle < object.end; ++triangle)
        counters.hidden_triangles += transparent(plan, mesh, triangle) ? 0 : 1;
    }
  }
  draw(false, {0, plan.triangles});
  return counters;
}

}  // namespace threadscape::rasterize
