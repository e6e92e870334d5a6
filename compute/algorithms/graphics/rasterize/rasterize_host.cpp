#include "compute/algorithms/graphics/rasterize/rasterize_host.h"

#include "compute/algorithms/graphics/rasterize/openmp/rasterize_tiles.h"
#include "compute/algorithms/graphics/rasterize/rasterize_blocks.h"
#include "compute/algorithms/graphics/rasterize/rasterize_environment_map.h"
#include "compute/algorithms/graphics/rasterize/rasterize_lines.h"
#include "compute/algorithms/graphics/rasterize/rasterize_memory.h"
#include "compute/algorithms/graphics/rasterize/rasterize_prepared.h"

namespace threadscape::rasterize {

namespace {

std::size_t pixels_of(int width, int height) {
  return static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
}

bool needs_lists(Visibility visibility) {
  return visibility == Visibility::scan_line || visibility == Visibility::warnock;
}

/// Numbers of elements of the pieces of memory that HostFrame consists of.
struct Counts {
  std::size_t clip, lights, visible, lists, counters, peel, layers, transparent, paint, blocks, objects;
};
/// Blocks of the hierarchical depth test in a row of blocks.
int blocks_across(int width) {
  return (width + depth_block - 1) / depth_block;
}
/// The first block of the rows of a slot. Each slot has a row of blocks more than whole ones, since its rows need not
/// begin or end with a block.
std::size_t first_block(int width, int y, int slot) {
  return static_cast<std::size_t>(y / depth_block + slot) * static_cast<std::size_t>(blocks_across(width));
}
Counts counts_of(Shading shading, Visibility visibility, Output output, Order order, DepthTest test, int width,
                 int height, std::size_t vertices, std::size_t triangles) {
  const std::size_t blended = output == Output::picture ? pixels_of(width, blend_rows_at_once * host_slots) : 0;
  return {.clip = vertices,
          .lights = shading == Shading::gouraud ? vertices : 0,
          .visible = pixels_of(width, height),
          .lists = needs_lists(visibility) ? triangles * host_slots : 0,
          .counters = visibility == Visibility::scan_line ? pixels_of(width + 1, host_slots) : 0,
          .peel = 2 * blended,
          .layers = order == Order::front_to_back ? blended : 0,
          .transparent = output == Output::picture ? triangles : 0,
          .paint = visibility == Visibility::depth_sort ? triangles + triangles / 4 + 4096 : 0,
          .blocks = test == DepthTest::hierarchical ? first_block(width, height, host_slots) : 0,
          .objects = ObjectList::most};
}

std::size_t bytes_of(const Counts& c) {
  const auto padded = [](std::size_t count, std::size_t size) { return HostScratch::padded(count * size); };
  return padded(c.clip, sizeof(ClipVertex)) + padded(c.lights, sizeof(Light)) + padded(c.visible, sizeof(Visible)) +
         padded(c.lists, sizeof(std::uint64_t)) + padded(c.counters, sizeof(std::int32_t)) +
         padded(c.peel, sizeof(std::uint64_t)) + padded(c.layers, sizeof(Layers)) +
         padded(c.transparent, sizeof(std::uint64_t)) + padded(c.paint, sizeof(PaintNode)) +
         padded(c.paint, sizeof(std::uint32_t)) + padded(c.blocks, sizeof(std::uint32_t)) +
         padded(c.objects, sizeof(ObjectBounds));
}

/// Returns true if the depth buffer compares the depths of pixels as floats.
bool compares_depths(const Plan& plan) {
  return plan.depth_bits == DepthBits::float32 && (plan.visibility != Visibility::painter || plan.wireframe);
}

/// Returns true if nothing but the depths of pixels is asked for, so that the output itself is the depth buffer.
bool output_is_buffer(const HostFrame& frame) {
  const Plan& plan = *frame.plan;
  return plan.output == Output::depth && plan.visibility == Visibility::z_buffer && !plan.wireframe &&
         compares_depths(plan) && !tests_blocks(plan) && frame.objects == nullptr;
}

Colour line_colour(const DrawnMesh& mesh, std::uint32_t triangle) {
  const Float3 c = mesh.material(mesh.material_index(triangle)).diffuse;
  return {clamp_of(c.x, 0.0f, 1.0f), clamp_of(c.y, 0.0f, 1.0f), clamp_of(c.z, 0.0f, 1.0f), 1.0f};
}

void store_pixel(const HostFrame& frame, int x, int y, Colour colour) {
  frame.out.image<Rgba8>()(x, y) = __builtin_bit_cast(Rgba8, packed(colour));
}

void draw_edges(const HostFrame& frame, std::uint32_t triangle, const Rows& rows) {
  const Plan& plan = *frame.plan;
  const std::array<ClipVertex, 3> corner = frame.corners(triangle);
  std::uint32_t order[3];
  edge_order(plan, frame.mesh, triangle, corner.data(), order);
  for_each_edge_pixel(corner.data(), order, plan, [&](int x, int y, float z) {
    if (y < rows.y0 || y >= rows.y1) return;
    Visible& pixel = frame.at(x, y);
    if (plan.output == Output::overdraw)
      ++pixel;
    else
      pixel = std::min(pixel, visible(depth_key(z, plan.depth_bits), triangle));
  });
}

/// Draws a triangle block by block. Where triangles are drawn in the order of their numbers, one at the depth of the
/// farthest surface is not in front of it.
void draw_face_in_blocks(const HostFrame& frame, std::uint32_t triangle, const Rows& rows) {
  const Plan& plan = *frame.plan;
  const bool in_order = frame.objects == nullptr;
  std::uint32_t* const blocks = frame.blocks.data() + first_block(plan.width, rows.y0, rows.slot);
  const auto draw = [&](const ScreenTriangle& t, const BlockPart& part) {
    bool changed = false;
    for (int y = part.y0; y <= part.y1; ++y)
      for (int x = part.x0; x <= part.x1; ++x) {
        if (!covers(t, x, y)) continue;
        const Visible here = visible(depth_key(deciding_depth(t, x, y, plan.visibility), plan.depth_bits), triangle);
        if (here >= frame.at(x, y)) continue;
        frame.at(x, y) = here;
        changed = true;
      }
    return changed;
  };
  const auto farthest_of = [&](const BlockPart& part) {
    const int left = part.x0 / depth_block * depth_block;
    const int top = rows.y0 + (part.y0 - rows.y0) / depth_block * depth_block;
    std::uint32_t farthest = 0;
    for (int y = top; y < std::min(top + depth_block, rows.y1); ++y)
      for (int x = left; x < std::min(left + depth_block, plan.width); ++x)
        farthest = std::max(farthest, static_cast<std::uint32_t>(frame.at(x, y) >> 32));
    return farthest;
  };
  for_each_piece(frame, triangle, [&](const Piece& piece, const Polygon&, bool) {
    const ScreenTriangle& t = piece.screen;
    for_each_block(t, rows.y0, rows.y1, blocks_across(plan.width), [&](const BlockPart& part) {
      const std::uint32_t nearest = nearest_key(plan, t, part.x0, part.y0, part.x1, part.y1);
      if (nearest > blocks[part.block] || (in_order && nearest == blocks[part.block])) return;
      if (draw(t, part)) blocks[part.block] = farthest_of(part);
    });
  });
}

/// The depths of a triangle in a row: those of depth_at().
class DepthRow {
 public:
  DepthRow(const ScreenTriangle& t, int y)
      : first_(t.z + static_cast<float>(y - t.y0) * t.z_dy), step_(t.z_dx), low_(t.z_low), high_(t.z_high), x0_(t.x0) {}

  [[nodiscard]] float at(int x) const { return clamp_of(first_ + static_cast<float>(x - x0_) * step_, low_, high_); }

 private:
  float first_, step_, low_, high_;
  int x0_;
};

void draw_face(const HostFrame& frame, std::uint32_t triangle, Method method, const Rows& rows) {
  const Plan& plan = *frame.plan;
  const bool shade_all = shades_first(plan);
  const bool keys_decide = plan.output != Output::overdraw && !shade_all && compares_depths(plan);
  const bool in_output = output_is_buffer(frame);
  for_each_piece(frame, triangle, [&](const Piece& piece, const Polygon& polygon, bool) {
    if (in_output)
      return for_each_covered_row(piece, method, rows.y0, rows.y1, [&](int y) {
        return [depths = frame.out.image<float>().row(y), t = DepthRow(piece.screen, y)](int x) {
          const std::uint32_t there = depth_key(depths[x], DepthBits::float32);
          depths[x] = depth_of(std::min(there, depth_key(t.at(x), DepthBits::float32)), DepthBits::float32);
        };
      });
    if (keys_decide)
      return for_each_covered_row(piece, method, rows.y0, rows.y1, [&](int y) {
        return [pixels = &frame.at(0, y), t = DepthRow(piece.screen, y), triangle](int x) {
          pixels[x] = std::min(pixels[x], visible(depth_key(t.at(x), DepthBits::float32), triangle));
        };
      });
    for_each_covered(piece, method, rows.y0, rows.y1, [&](int x, int y) {
      Visible& pixel = frame.at(x, y);
      if (plan.output == Output::overdraw) {
        ++pixel;
        return;
      }
      Colour colour{};
      if (shade_all) colour = fragment_colour(plan, frame.mesh, triangle, piece, polygon, x, y, frame.light_table());
      const float z = deciding_depth(piece.screen, x, y, plan.visibility);
      const Visible here = visible(depth_key(z, plan.depth_bits), triangle);
      if (here >= pixel) return;
      pixel = here;
      if (shade_all) store_pixel(frame, x, y, colour);
    });
  });
}

Colour shown_colour(const HostFrame& frame, Visible pixel, int x, int y) {
  const auto triangle = static_cast<std::uint32_t>(pixel);
  if (frame.plan->wireframe) return line_colour(frame.mesh, triangle);
  Colour colour{};
  with_visible_piece(
      frame.corners(triangle).data(), *frame.plan, x, y, [&](const Piece& piece, const Polygon& polygon) {
        colour = fragment_colour(*frame.plan, frame.mesh, triangle, piece, polygon, x, y, frame.light_table());
      });
  return colour;
}

/// Returns true if no fragment of an object with these bounds is visible in these rows.
bool is_hidden(const HostFrame& frame, const ObjectBounds& bounds, const Rows& rows) {
  const ObjectBounds part = cut_to_rows(bounds, frame.plan->width, rows.y0, rows.y1);
  for (int y = part.y0; y <= part.y1; ++y)
    for (int x = part.x0; x <= part.x1; ++x)
      if (static_cast<std::uint32_t>(frame.at(x, y) >> 32) >= part.nearest) return false;
  return true;
}

/// Returns true if draw_rows() clips and sets up a triangle, draws it, and goes on to the next.
bool draws_by_triangle(const Plan& plan) {
  return !plan.wireframe && (!needs_lists(plan.visibility) || plan.output == Output::overdraw);
}

/// Clips and sets up the triangles that draw_rows() draws, without drawing them. Returns a number that depends on all
/// of them.
std::uint64_t set_up_all(const HostFrame& frame) {
  std::uint64_t sum = 0;
  for (std::uint32_t triangle = 0; triangle < frame.plan->triangles && !frame.stop.stop_requested(); ++triangle)
    if (drawn_opaque(*frame.plan, frame.mesh, triangle))
      for_each_piece(frame, triangle, [&](const Piece& piece, const Polygon&, bool) {
        sum += static_cast<std::uint64_t>(piece.screen.c[0]) + static_cast<std::uint64_t>(piece.screen.x1) +
               __builtin_bit_cast(std::uint32_t, piece.screen.z);
      });
  return sum;
}

}  // namespace

std::size_t cuda_scratch_bytes(const Rasterize::Params& params, const Shape& input) {
  const std::size_t vertices = most_vertices(input), triangles = most_triangles(input) << (2 * params.division);
  const auto tiles = static_cast<std::size_t>(TileGrid(params.width, params.height).tiles);
  const bool late = params.depth_test == DepthTest::late && params.output == Output::picture;
  const auto padded = [](std::size_t count, std::size_t size) { return HostScratch::padded(count * size); };
  return padded(vertices, sizeof(ClipVertex)) +
         padded(params.shading == Shading::gouraud ? vertices : 0, sizeof(Light)) +
         (late ? 2 : 1) * padded(pixels_of(params.width, params.height), sizeof(Visible)) +
         padded(triangles, sizeof(std::uint32_t)) + padded(4 * triangles, sizeof(std::uint32_t)) +
         2 * padded(tiles + 1, sizeof(std::uint32_t)) + padded(1, sizeof(std::uint32_t)) +
         padded(environment_texels(params), sizeof(std::uint32_t)) + padded(ObjectList::most, sizeof(ObjectBounds)) +
         padded(ObjectList::most, sizeof(std::uint32_t));
}

std::size_t scratch_bytes(const Rasterize::Params& params, const Shape& input, Backend backend, int variant) {
  if (backend == Backend::cuda) return cuda_scratch_bytes(params, input);
  const bool tiles = backend == Backend::openmp && variant == 0;
  return bytes_of(counts_of(params.shading, params.visibility, params.output, params.order, params.depth_test,
                            params.width, params.height, most_vertices(input),
                            most_triangles(input) << (2 * params.division))) +
         (tiles ? tiles_scratch_bytes(params, input) : 0);
}

HostFrame make_frame(const HostRun& run, const Plan& plan) {
  HostFrame frame;
  frame.plan = &plan;
  frame.mesh = DrawnMesh(MeshView(run.in), plan);
  frame.out = run.out;
  frame.stop = run.stop;
  if (run.preparation != nullptr) frame.clock = static_cast<const Prepared*>(run.preparation)->clock;
  Counts counts = counts_of(plan.shading, plan.visibility, plan.output, plan.order, plan.depth_test, plan.width,
                            plan.height, plan.vertices, plan.triangles);
  if (!plan.one_material) counts.lights = 0;
  if (!blends(plan)) counts.peel = counts.layers = counts.transparent = 0;
  frame.clip = run.scratch->take<ClipVertex>(counts.clip);
  frame.lights = run.scratch->take<Light>(counts.lights);
  frame.visible = run.scratch->take<Visible>(counts.visible);
  frame.lists = run.scratch->take<std::uint64_t>(counts.lists);
  frame.counters = run.scratch->take<std::int32_t>(counts.counters);
  frame.peel = run.scratch->take<std::uint64_t>(counts.peel);
  frame.layers = run.scratch->take<Layers>(counts.layers);
  frame.paint_nodes = run.scratch->take<PaintNode>(counts.paint);
  frame.paint_order = run.scratch->take<std::uint32_t>(counts.paint);
  frame.transparent = run.scratch->take<std::uint64_t>(counts.transparent);
  frame.blocks = run.scratch->take<std::uint32_t>(counts.blocks);
  frame.bounds = run.scratch->take<ObjectBounds>(counts.objects);
  if (tests_objects(plan)) frame.objects = &static_cast<const Prepared*>(run.preparation)->objects;
  return frame;
}

void transform_vertices(const HostFrame& frame, std::uint32_t first, std::uint32_t end) {
  const Plan& plan = *frame.plan;
  const auto stopped = [&](std::uint32_t i) { return i % 4096 == 0 && frame.stop.stop_requested(); };
  for (std::uint32_t i = first; i < end && !stopped(i); ++i)
    frame.clip[i] = transform(plan.camera.clip, frame.mesh.position(i));
  if (frame.lights.empty()) return;
  const float shininess = frame.mesh.material(0).shininess;
  for (std::uint32_t i = first; i < end && !stopped(i); ++i)
    frame.lights[i] = vertex_light(plan, frame.mesh, i, shininess, false);
}

void bound_object(const HostFrame& frame, int object) {
  const MeshObject& triangles = frame.objects->at[object];
  ObjectBounds bounds;
  for (std::uint32_t triangle = triangles.first; triangle < triangles.end; ++triangle)
    for (const ClipVertex& corner : frame.corners(triangle))
      join(bounds, bounds_of(corner, *frame.plan));
  frame.bounds[static_cast<std::size_t>(object)] = bounds;
}

/// floor(-r / a) and its neighbours give the pixel at which an edge function a x + r changes its sign.
Span row_span(const ScreenTriangle& t, int y) {
  std::int64_t first = t.x0, last = t.x1;
  for (int i = 0; i < 3; ++i) {
    const std::int64_t a = t.a[i], r = static_cast<std::int64_t>(t.b[i]) * y + t.c[i];
    if (a > 0)
      first = std::max(first, -floor_divide(r, a));
    else if (a < 0)
      last = std::min(last, floor_divide(r, -a));
    else if (r < 0)
      return {0, -1};
  }
  if (last < first) return {0, -1};
  return {static_cast<int>(first), static_cast<int>(last)};
}

float shown_depth(const HostFrame& frame, Visible pixel, int x, int y) {
  const Plan& plan = *frame.plan;
  const auto key = static_cast<std::uint32_t>(pixel >> 32);
  if (plan.visibility != Visibility::painter || plan.wireframe || pixel == nothing_visible(plan.depth_bits))
    return depth_of(key, plan.depth_bits);
  const auto triangle = static_cast<std::uint32_t>(pixel);
  float depth = 1.0f;
  with_visible_piece(frame.corners(triangle).data(), plan, x, y, [&](const Piece& piece, const Polygon&) {
    depth = depth_of(depth_key(depth_at(piece.screen, x, y), plan.depth_bits), plan.depth_bits);
  });
  return depth;
}

void draw_rows(const HostFrame& frame, Method method, const Rows& rows) {
  const Plan& plan = *frame.plan;
  const Visible empty = plan.output == Output::overdraw ? 0 : nothing_visible(plan.depth_bits);
  if (output_is_buffer(frame))
    for (int y = rows.y0; y < rows.y1; ++y)
      std::fill_n(frame.out.image<float>().row(y), plan.width, 1.0f);
  else
    std::fill(&frame.at(0, rows.y0), &frame.at(0, rows.y1 - 1) + plan.width, empty);
  if (shades_first(plan)) {
    const auto picture = frame.out.image<Rgba8>();
    for (int y = rows.y0; y < rows.y1; ++y)
      std::fill_n(picture.row(y), plan.width, __builtin_bit_cast(Rgba8, plan.background));
  }
  const bool faces = !plan.wireframe && plan.output != Output::overdraw;
  if (faces && plan.visibility == Visibility::scan_line) return draw_rows_scan_line(frame, rows);
  if (faces && plan.visibility == Visibility::warnock) return draw_rows_warnock(frame, rows);
  if (sorts_by_depth(plan)) {
    draw_rows_depth_sort(frame, rows);
    return;
  }
  const bool in_blocks = tests_blocks(plan);
  if (in_blocks) {
    const std::size_t first = first_block(plan.width, rows.y0, rows.slot);
    const std::size_t end = first_block(plan.width, rows.y1, rows.slot + 1);
    std::fill(frame.blocks.begin() + static_cast<std::ptrdiff_t>(first),
              frame.blocks.begin() + static_cast<std::ptrdiff_t>(end), depth_key(1.0f, plan.depth_bits));
  }
  const auto draw = [&](const MeshObject& triangles) {
    // The question costs little beside a triangle, of which one may cover the whole picture.
    for (std::uint32_t triangle = triangles.first; triangle < triangles.end && !frame.stop.stop_requested();
         ++triangle) {
      if (!drawn_opaque(plan, frame.mesh, triangle)) continue;
      if (plan.wireframe)
        draw_edges(frame, triangle, rows);
      else if (in_blocks)
        draw_face_in_blocks(frame, triangle, rows);
      else
        draw_face(frame, triangle, method, rows);
    }
  };
  if (frame.objects == nullptr) return draw({0, plan.triangles});
  for (int i = 0; i < frame.objects->count; ++i)
    if (!is_hidden(frame, frame.bounds[static_cast<std::size_t>(i)], rows)) draw(frame.objects->at[i]);
}

void resolve_rows(const HostFrame& frame, const Rows& rows) {
  const Plan& plan = *frame.plan;
  if (shades_first(plan) || output_is_buffer(frame)) return;
  const Visible empty = nothing_visible(plan.depth_bits);
  const bool keys_are_shown = plan.output == Output::depth && compares_depths(plan);
  for (int y = rows.y0; y < rows.y1 && !frame.stop.stop_requested(); ++y) {
    if (keys_are_shown) {
      std::transform(&frame.at(0, y), &frame.at(0, y) + plan.width, frame.out.image<float>().row(y), [](Visible pixel) {
        return depth_of(static_cast<std::uint32_t>(pixel >> 32), DepthBits::float32);
      });
      continue;
    }
    for (int x = 0; x < plan.width; ++x) {
      const Visible pixel = frame.at(x, y);
      if (plan.output == Output::overdraw)
        frame.out.image<float>()(x, y) = static_cast<float>(pixel);
      else if (plan.output == Output::depth)
        frame.out.image<float>()(x, y) = shown_depth(frame, pixel, x, y);
      else if (pixel == empty)
        frame.out.image<Rgba8>()(x, y) = __builtin_bit_cast(Rgba8, plan.background);
      else
        store_pixel(frame, x, y, shown_colour(frame, pixel, x, y));
    }
  }
}

void finish_rows(const HostFrame& frame, Method method, const Rows& rows) {
  StageLaps laps(frame.clock);
  if (draws_by_triangle(*frame.plan)) laps.repeat_set_up([&] { return set_up_all(frame); });
  draw_rows(frame, method, rows);
  laps.end(TimedStage::raster);
  resolve_rows(frame, rows);
  if (!shades_first(*frame.plan)) laps.end(TimedStage::shading);
  if (!blends(*frame.plan)) return;
  blend_all_rows(frame, method, rows);
  laps.end(TimedStage::blending);
}

void blend_all_rows(const HostFrame& frame, Method method, const Rows& rows) {
  for (int y = rows.y0; y < rows.y1 && !frame.stop.stop_requested(); y += blend_rows_at_once)
    blend_rows(frame, method, {y, std::min(y + blend_rows_at_once, rows.y1), rows.slot});
}

}  // namespace threadscape::rasterize
